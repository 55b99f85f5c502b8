import Foundation
import Roost
import RoostImport
import RoostImportSQLite
import Testing

/// What relationships become, in each form that a store has them in.
@Suite struct CoreDataRelationTests {
  private static func error(
    _ file: CoreDataFile, _ entity: String = "Person",
    _ text: @escaping @Sendable (CoreDataRow) throws -> String
  ) async -> SQLiteError? {
    await #expect(throws: SQLiteError.self) { _ = try await file.read(entity, text: text) }
  }

  /// The numbers that a relationship leads to, from each person of any entity.
  private static func people(
    _ file: CoreDataFile, _ relationship: String, in entity: String? = nil, inverse: String? = nil
  ) async throws -> [Int: String] {
    try await file.read("Person", "Manager", "Contractor") { row in
      let links: Links<Item> = try row.links(relationship, in: entity, inverse: inverse)
      return links.map { "\($0)" }.joined(separator: " ")
    }
  }

  private static func employer(_ row: CoreDataRow) throws -> String {
    let link: Link<Item>? = try row.link("employer")
    return "\(link?.id ?? 0)"
  }

  @Test func aToOneRelationshipIsALink() async throws {
    let file = try CoreDataFile()
    let employers = try await file.read("Person", "Manager", "Contractor", text: Self.employer)
    #expect(employers == [1: "8", 2: "8", 3: "8", 4: "0"])
    let owners = try await file.read("Badge") { "\(try $0.link("owner") as Int)" }
    #expect(owners == [1: "1"])
  }

  @Test func aReferenceSaysWhichEntityTheObjectHas() async throws {
    let file = try CoreDataFile()
    let bosses = try await file.read("Person", "Manager", "Contractor") {
      try $0.reference("boss").map { "\($0.entity) \($0.id)" } ?? "-"
    }
    #expect(bosses == [1: "Manager 2", 2: "-", 3: "Manager 2", 4: "-"])
    let reports = try await file.read("Manager") {
      try $0.references("reports").map { "\($0.entity) \($0.id)" }.joined(separator: ", ")
    }
    #expect(reports == [2: "Person 1, Contractor 3"])
  }

  @Test func linksMayBeNamedByAnAttributeThatIsTheModelsID() async throws {
    let file = try CoreDataFile()
    let codes = try await file.read("Person") {
      let code: UUID? = try $0.link("employer", by: "code")
      return code?.uuidString ?? "-"
    }
    #expect(codes == [1: "00010203-0405-0607-0809-0A0B0C0D0E0F", 4: "-"])
    let missing = await Self.error(try CoreDataFile("UPDATE ZPERSON SET ZEMPLOYER = 9;")) {
      "\(try $0.link("employer", by: "code") as UUID)"
    }
    #expect(missing?.columns == ["Person.employer 2"])
  }

  @Test func aToManyRelationshipComesInTheOrderOfTheOtherSidesColumn() async throws {
    let staff = try await CoreDataFile().read("Company") { row in
      let links: Links<Item> = try row.links("staff")
      return links.map { "\($0)" }.joined(separator: " ")
    }
    #expect(staff == [8: "2 3 1", 9: ""])
  }

  @Test func aManyToManyRelationshipIsReadFromBothSides() async throws {
    let file = try CoreDataFile()
    #expect(try await Self.people(file, "tags") == [1: "1 2", 2: "", 3: "2", 4: ""])
    let people = try await file.read("Tag") {
      try $0.references("people").map { "\($0.entity) \($0.id)" }.joined(separator: ", ")
    }
    #expect(people == [1: "Person 1", 2: "Person 1, Contractor 3"])
  }

  @Test func anOrderedManyToManyRelationshipWithItselfIsReadInBothDirections() async throws {
    let file = try CoreDataFile()
    #expect(try await Self.people(file, "friends") == [1: "4 3 2", 2: "", 3: "1", 4: ""])
    #expect(try await Self.people(file, "friendOf") == [1: "3", 2: "1", 3: "1", 4: "1"])
  }

  @Test func renamedToManyRelationshipsAreFoundByTheirOlderNames() async throws {
    var model = CoreDataFile.model
    for place in model.entities.indices {
      let properties = model.entities[place].properties.map { property in
        switch property.name {
        case "friends":
          ModelCache.Property.toMany(
            "mates", "Person", inverse: "mateOf", isOrdered: true, renaming: "friends")
        case "friendOf":
          ModelCache.Property.toMany("mateOf", "Person", inverse: "mates", renaming: "friendOf")
        case "tags":
          ModelCache.Property.toMany("labels", "Tag", inverse: "people", renaming: "tags")
        case "people": ModelCache.Property.toMany("people", "Person", inverse: "labels")
        case "notes": ModelCache.Property.toMany("remarks", "Note", renaming: "notes")
        case "staff":
          ModelCache.Property.toMany(
            "workers", "Person", inverse: "company", isOrdered: true, renaming: "staff")
        case "employer":
          ModelCache.Property.toOne("company", "Company", inverse: "workers", renaming: "employer")
        default: property
        }
      }
      model.entities[place].properties = properties
    }
    let file = try CoreDataFile(model: model.content)
    #expect(try await Self.people(file, "mates") == [1: "4 3 2", 2: "", 3: "1", 4: ""])
    #expect(try await Self.people(file, "mateOf") == [1: "3", 2: "1", 3: "1", 4: "1"])
    #expect(try await Self.people(file, "labels") == [1: "1 2", 2: "", 3: "2", 4: ""])
    #expect(try await Self.people(file, "remarks") == [1: "1 3", 2: "", 3: "2", 4: ""])
    let people = try await file.read("Tag") { "\(try $0.references("people").map(\.id))" }
    #expect(people == [1: "[1]", 2: "[1, 3]"])
    let workers = try await file.read("Company") { "\(try $0.references("workers").map(\.id))" }
    #expect(workers == [8: "[2, 3, 1]", 9: "[]"])
  }

  @Test func aRelationshipThatIsItsOwnInverseIsReadFromEitherRow() async throws {
    #expect(
      try await Self.people(CoreDataFile(), "buddies") == [1: "2 3", 2: "1", 3: "1", 4: ""])
  }

  @Test func aToManyRelationshipWithoutInverseIsReadFromSubentitiesToo() async throws {
    #expect(try await Self.people(CoreDataFile(), "notes") == [1: "1 3", 2: "", 3: "2", 4: ""])
  }

  @Test func withoutAModelTheMappingSaysWhereRelationshipsLead() async throws {
    let file = try CoreDataFile(model: nil)
    let employers = try await file.read("Person") {
      "\(try $0.link("employer", in: "Company") as Int? ?? 0)"
    }
    #expect(employers == [1: "8", 4: "0"])
    let staff = try await file.read("Company") {
      let links: Links<Item> = try $0.links("staff", in: "Person", inverse: "employer")
      return links.map { "\($0)" }.joined(separator: " ")
    }
    #expect(staff == [8: "2 3 1", 9: ""])
    #expect(
      try await Self.people(file, "tags", in: "Tag", inverse: "people") == [
        1: "1 2", 2: "", 3: "2", 4: "",
      ])
    #expect(
      try await Self.people(file, "friends", in: "Person", inverse: "friendOf") == [
        1: "4 3 2", 2: "", 3: "1", 4: "",
      ])
    let error = await Self.error(file) { "\(try $0.link("employer") as Int?)" }
    #expect(
      error
        == .unreadableProperty(
          entity: "Person", property: "employer",
          reason:
            "the file does not say where it leads: `try row.link(\"employer\", in: \"Entity\")`"))
    let many = await Self.error(file, "Company") {
      "\(try $0.references("staff", in: "Person"))"
    }
    #expect(
      many
        == .unreadableProperty(
          entity: "Company", property: "staff",
          reason:
            "the file does not say what leads back: `try row.links(\"staff\", in: \"Entity\", inverse: \"relationship\")`"
        ))
  }

  @Test func aRelationshipOfTheOtherKindSaysWhatReadsIt() async throws {
    let file = try CoreDataFile()
    let many = await Self.error(file) { "\(try $0.link("tags") as Int?)" }
    #expect(
      many
        == .unreadableProperty(
          entity: "Person", property: "tags", reason: "it is to-many: `try row.links(\"tags\")`"))
    let one = await Self.error(file) { "\(try $0.references("employer"))" }
    #expect(
      one
        == .unreadableProperty(
          entity: "Person", property: "employer",
          reason: "it is to-one: `try row.link(\"employer\")`"))
    let none = await Self.error(file) { "\(try $0.references("age"))" }
    #expect(
      none
        == .unreadableProperty(entity: "Person", property: "age", reason: "it is no relationship"))
    let attribute = await Self.error(file) { "\(try $0["tags"] as Int)" }
    #expect(
      attribute
        == .unreadableProperty(
          entity: "Person", property: "tags",
          reason: "it is a to-many relationship: `try row.links(\"tags\")`"))
    let unknown = await Self.error(file, "Note") { "\(try $0.references("Person"))" }
    #expect(unknown == .unknownProperty(entity: "Note", property: "Person", properties: ["words"]))
  }

  @Test func aRelationshipWhoseTableIsMissingIsAnError() async throws {
    for (table, name) in [
      ("Z_2FRIENDS", "friends"), ("Z_2TAGS", "tags"), ("Z_2BUDDIES", "buddies"),
    ] {
      let error = await Self.error(try CoreDataFile("DROP TABLE \(table);")) {
        "\(try $0.references(name))"
      }
      #expect(
        error
          == .unreadableProperty(
            entity: "Person", property: name, reason: "no table is known to have it"))
    }
    let order = await Self.error(
      try CoreDataFile("ALTER TABLE Z_2FRIENDS DROP COLUMN Z_FOK_2FRIENDS;")
    ) { "\(try $0.references("friends"))" }
    #expect(
      order
        == .unreadableProperty(
          entity: "Person", property: "friends",
          reason: "its order has no column Z_FOK_2FRIENDS in Z_2FRIENDS"))
    let column = await Self.error(try CoreDataFile("ALTER TABLE ZNOTE DROP COLUMN Z2NOTES;")) {
      "\(try $0.references("notes"))"
    }
    #expect(
      column
        == .unreadableProperty(
          entity: "Person", property: "notes", reason: "no column of ZNOTE is known to have it"))
    let twice = await Self.error(
      try CoreDataFile("CREATE TABLE Z_5PEOPLE (Z_2PEOPLE INTEGER, Z_5TAGS INTEGER);")
    ) { "\(try $0.references("tags"))" }
    #expect(
      twice
        == .unreadableProperty(
          entity: "Person", property: "tags",
          reason: "several tables may have it: Z_2TAGS, Z_5PEOPLE"))
  }

  @Test func aLinkToAnObjectThatIsMissingIsAnErrorWithTheLineThatLeavesItOut() async throws {
    let file = try CoreDataFile(
      "UPDATE ZPERSON SET ZEMPLOYER = 77 WHERE Z_PK = 1; INSERT INTO Z_2TAGS VALUES (1, 66);")
    let one = await Self.error(file, "Person", Self.employer)
    #expect(
      one?.only
        == .dangling(
          table: "Person", column: "employer", row: "Z_PK 1", found: "the integer 77",
          target: "Company", line: "`try row.link(\"employer\", skippingDangling: true)`"))
    let many = await Self.error(file) { "\(try $0.references("tags"))" }
    #expect(
      many?.only
        == .dangling(
          table: "Person", column: "tags", row: "Z_PK 1", found: "the integer 66", target: "Tag",
          line: "`try row.links(\"tags\", skippingDangling: true)`"))
    let store = try await Store.open(.inMemory, models: Item.self, importing: file.source) {
      $0.rows(of: "Person") {
        let tags = try $0.references("tags", skippingDangling: true)
        let employer: Int? = try $0.link("employer", skippingDangling: true)
        return Item(id: try $0.id(), text: "\(employer ?? 0) \(tags.map(\.id))")
      }
    }
    #expect(try store.snapshot().fetch(Item.all).map(\.text) == ["0 [1, 2]", "0 []"])
    let report = try #require(try store.importReport)
    #expect(
      report.omissions.map { "\($0.className).\($0.property) \($0.count)" } == [
        "Person.employer 1", "Person.tags 1",
      ])
  }

  @Test func anObjectOfAnotherEntityInTheSameTableIsNotLedTo() async throws {
    var model = CoreDataFile.model
    for place in model.entities.indices where model.entities[place].name == "Badge" {
      model.entities[place].properties[1] = .toOne("owner", "Manager")
    }
    let error = await Self.error(try CoreDataFile(model: model.content), "Badge") {
      "\(try $0.link("owner") as Int)"
    }
    guard case .dangling("Badge", "owner", _, "the integer 1", "Manager", _)? = error?.only else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
