import Foundation
import Roost
import RoostImport
import RoostImportSQLite
import RoostTestSupport
import Testing

/// What attributes become, and where they are found.
@Suite struct CoreDataValueTests {
  private struct Person: Model, Equatable {
    let id: Int64
    var firstName: String?
    var age: Int16?
    var height: Double?
    var weight: Float?
    var isMember: Bool?
    var born: Date?
    var salary: Decimal?
    var key: UUID?
    var site: String?
    var photo: Data?
    var extra: Data?
    static let schema = Schema(
      Person.init, Key("id", \.id), Field("firstName", \.firstName), Field("age", \.age),
      Field("height", \.height), Field("weight", \.weight), Field("isMember", \.isMember),
      Field("born", \.born), Field("salary", \.salary), Field("key", \.key), Field("site", \.site),
      Field("photo", \.photo), Field("extra", \.extra))
  }

  private static let ada = Person(
    id: 1, firstName: "Ada", age: 36, height: 1.65, weight: 0.5, isMember: true,
    born: Date(timeIntervalSinceReferenceDate: 86400.25), salary: Decimal(string: "10.11"),
    key: UUID(uuidString: "10111213-1415-1617-1819-1A1B1C1D1E1F"), site: "https://example.com",
    photo: Data([9, 2]), extra: Data("bpl".utf8))

  private static func people(_ file: CoreDataFile) async throws -> [Person] {
    let store = try await Store.open(.inMemory, models: Person.self, importing: file.source) {
      for entity in ["Person", "Manager"] {
        $0.rows(of: entity) { row in
          Person(
            id: try row.id(), firstName: try row["firstName"], age: try row["age"],
            height: try row["height"], weight: try row["weight"], isMember: try row["isMember"],
            born: try row["born"], salary: try row["salary"], key: try row["key"],
            site: try row["site"], photo: try row["photo"], extra: try row["extra"])
        }
      }
    }
    return try store.snapshot().fetch(Person.all)
  }

  private static func error(
    _ file: CoreDataFile, _ entity: String = "Person",
    _ text: @escaping @Sendable (CoreDataRow) throws -> String
  ) async -> SQLiteError? {
    await #expect(throws: SQLiteError.self) { _ = try await file.read(entity, text: text) }
  }

  @Test func everyTypeIsReadAndWholeSecondsAndLargeDecimalsAreIntegersInTheFile() async throws {
    let people = try await Self.people(try CoreDataFile())
    var bob = Person(id: 2)
    bob.firstName = "Bob"
    bob.isMember = false
    bob.born = Date(timeIntervalSinceReferenceDate: -100)
    bob.salary = Decimal(9_007_199_254_740_993)
    #expect(people == [Self.ada, bob, Person(id: 4)])
  }

  @Test func aStoreWithoutAModelIsReadByItsColumns() async throws {
    let people = try await Self.people(try CoreDataFile(model: nil))
    #expect(people.map(\.id) == [1, 2, 4])
    #expect(people.first == Self.ada)
  }

  @Test func aDamagedModelIsAsNone() async throws {
    var archive = CoreDataFile.model.archive
    archive.removeLast(5)
    let damaged: [[UInt8]] = [
      [], [7], ModelCache.stored(archive), Array(CoreDataFile.model.content.dropLast()),
      ModelCache.stored(Array("bplist00".utf8) + [UInt8](repeating: 0, count: 40)),
    ]
    for model in damaged {
      let people = try await Self.people(try CoreDataFile(model: model))
      #expect(people.first == Self.ada)
    }
  }

  @Test func aModelThatZlibHasCompressedWithACodeOfItsOwnIsRead() async throws {
    // `Person` with a transient `nickname`.
    let text = """
      VVFLTBNRFL338f92BhD5aPEzqKBiBQFBRcBireAUmFqLAZppeYWRYaaZmWLq6i38xBgTF27cGNFgjDHxE5eamBhj3BhFjSxNXLkiRo0xceHMgBjv5t13\
      z7nn3pwbT6mKafl875FkZefkikMjgmwkppRZakQFPX6KJiwzLFh6KirYJVPRtRjnEaV+mqETPSvE+xyfl19aXrFx05atO3Y2t+ztPXT0uKClVXWhoLCo\
      OCokVNk0qXlyOdHkGXqzuCTGlYtSn2YpVsZPzYShpCxbPSpKIXfqgofjyyLLHSdXiAo1GTIuqimJaUdl0bOmcm1VdU0tv26911tXt8HdrceyDCWetmg4\
      k6LjouSnSTmtWhFZTdNRUQqaIXeSrI45n7Aha6ZCNctmDhp6ihpWRrS1Y1yFKA1Te4yiTQYnbIKSVKgR4ypFyZVyG5O6MUMNh8+TJwwKWBaDkaRimJZT\
      ++js56632SsI9QxYDgNJnvwHbGvwNjZu5yZsKI9BZIoqk1PWKtq0y+vz7ebxuw0XMAjHdUNbBfe0etva2vmsszZYxOCdp6OT37f/hCg1TdOMY1nTyvnm\
      64RGX9v8ga6D3T0sm+WyfFbIiiOD9jl17YPH31dzmA8cCQRH/57DWX101Q3bdNsoKW3n1IVZKSthsNDR2T8wF5g7xjxvQ4NhQ9ctRsoAz9+AfOChFgRo\
      gGbwQxTGIQEqnIYzcAWuwXWYhwfwCB7DU3gNn2AJfmMhVqMPgziAIoZwCCUcQxU1TKGBs3gOL+BFvISX8Srewtt4B+/iPXyIz/A5vsCX+Arf4CJ+xi+4\
      hF/xG/7An/iLACkiVaSetJBW0k46SBfpJr3ETwJkgIjgBsHlF4bhvyDSHw==
      """
    let model = try #require(Data(base64Encoded: text))
    // The lowest bits say which code the block has.
    #expect(model.first.map { $0 & 7 } == 5)
    let error = await Self.error(try CoreDataFile(model: Array(model))) { try $0["nickname"] }
    #expect(
      error
        == .unreadableProperty(
          entity: "Person", property: "nickname", reason: "it is transient, and not in the file"))
  }

  @Test func aModelOfTooManyBytesIsAsNone() async throws {
    // 15.5 MB and 18 MB, compressed to about 100 kB.
    for (repetitions, isRead) in [(0, true), (60_000, true), (70_000, false)] {
      let model = CoreDataFile.model.content(repetitions: repetitions)
      let error = await Self.error(try CoreDataFile(model: model)) { try $0["nickname"] }
      guard case .unreadableProperty? = error else {
        #expect(!isRead, "\(String(describing: error))")
        continue
      }
      #expect(isRead)
    }
  }

  @Test func aModelWhoseObjectsTakeTooMuchMemoryIsAsNone() async throws {
    // 345,000 properties, in less than 200 kB.
    for (references, isRead) in [(100, true), (5_000, false)] {
      var model = CoreDataFile.model
      model.references = references
      let error = await Self.error(try CoreDataFile(model: model.content)) { try $0["nickname"] }
      guard case .unreadableProperty? = error else {
        #expect(!isRead, "\(String(describing: error))")
        continue
      }
      #expect(isRead)
    }
  }

  @Test func changedBytesInAModelGiveOneThatIsReadOrNone() async throws {
    var random = SeededGenerator(seed: 11)
    let archive = CoreDataFile.model.archive
    for round in 0..<90 {
      var bytes = archive
      for _ in 0..<(round % 4 + 1) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        // Also among the 32 bytes that say where everything else is.
        bytes[round.isMultiple(of: 3) ? bytes.count - 1 - place % 32 : place] = UInt8.random(
          in: 0...255, using: &random)
      }
      try await Self.readOrError(ModelCache.stored(bytes))
    }
  }

  @Test func changedBytesInACompressedModelGiveOneThatIsReadOrNone() async throws {
    var random = SeededGenerator(seed: 12)
    let content = CoreDataFile.model.content(repetitions: 20)
    for _ in 0..<25 {
      var bytes = content
      for _ in 0..<2 {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      try await Self.readOrError(bytes)
      // A block of the fixed code, whose matches lead anywhere; and one that brings a code that makes no sense.
      for kind: UInt8 in [3, 5] {
        let block = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
        try await Self.readOrError([kind] + block)
      }
    }
  }

  /// Reads a store with a model that may say anything of what is in it.
  private static func readOrError(_ model: [UInt8]) async throws {
    let file = try CoreDataFile(model: model)
    do {
      let names = try await file.read("Tag") {
        _ = try? $0.references("people")
        return try $0["näme"]
      }
      #expect(names == [1: "x", 2: "y"])
    } catch is SQLiteError {}
  }

  @Test func subentitiesAreReadByThemselvesWithTheirOwnAttributes() async throws {
    let file = try CoreDataFile()
    let managers = try await file.read("Manager") {
      "\($0.entity) \(try $0["firstName"] as String) \(try $0["level"] as Int)"
    }
    #expect(managers == [2: "Manager Bob 7"])
    // Contractors have an attribute of this name, too, which is in a column of its own.
    let contractors = try await file.read("Contractor") { "\(try $0["level"] as String)" }
    #expect(contractors == [3: "high"])
  }

  @Test func twoColumnsWithValuesForOneAttributeAreAnError() async throws {
    let file = try CoreDataFile("UPDATE ZPERSON SET ZLEVEL = 3 WHERE Z_PK = 3;")
    let error = await Self.error(file, "Contractor") { "\(try $0["level"] as SQLiteValue)" }
    #expect(
      error
        == .unreadableProperty(
          entity: "Contractor", property: "level",
          reason:
            "several columns may have its values: ZLEVEL, ZLEVEL1. Read one by its name: `try row[\"ZLEVEL\"]`"
        ))
    let byColumn = try await file.read("Contractor") {
      "\(try $0["ZLEVEL"] as Int) \(try $0["zlevel1"] as String)"
    }
    #expect(byColumn == [3: "3 high"])
  }

  @Test func withoutAModelAnAttributeWhoseValuesMayBeInANumberedColumnIsAnError() async throws {
    let file = try CoreDataFile(model: nil)
    let managers = try await file.read("Manager") { "\(try $0["level"] as Int)" }
    #expect(managers == [2: "7"])
    let error = await Self.error(file, "Contractor") { "\(try $0["level"] as String?)" }
    #expect(
      error
        == .unreadableProperty(
          entity: "Contractor", property: "level",
          reason:
            "several columns may have its values: ZLEVEL, ZLEVEL1. Read one by its name: `try row[\"ZLEVEL\"]`"
        ))
    let contractors = try await file.read("Contractor") { "\(try $0["level1"] as String)" }
    #expect(contractors == [3: "high"])
  }

  @Test func anAttributeNamedAsAnotherOnesNumberedColumnIsAnError() async throws {
    var model = CoreDataFile.model
    for place in model.entities.indices where model.entities[place].name == "Contractor" {
      model.entities[place].properties.append(.attribute("level1", 700))
    }
    let file = try CoreDataFile(model: model.content)
    for (name, columns) in [("level", "ZLEVEL, ZLEVEL1"), ("level1", "ZLEVEL1")] {
      let error = await Self.error(file, "Contractor") { "\(try $0[name] as String?)" }
      guard case .unreadableProperty(_, name, let reason)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(reason.hasPrefix("several columns may have its values: \(columns). Read one by"))
    }
  }

  @Test func elementsOfACompositeAttributeAreReadByTheNamesOfTheirColumns() async throws {
    var model = CoreDataFile.model
    for place in model.entities.indices where model.entities[place].name == "Note" {
      model.entities[place].properties.append(.attribute("position", 2100))
    }
    let file = try CoreDataFile(
      model: model.content,
      """
      ALTER TABLE ZNOTE ADD COLUMN ZLATITUDE FLOAT; ALTER TABLE ZNOTE ADD COLUMN ZSEEN TIMESTAMP;
      DELETE FROM ZNOTE WHERE Z_PK > 1; UPDATE ZNOTE SET ZLATITUDE = 52.5, ZSEEN = 60;

      """)
    let error = await Self.error(file, "Note") { "\(try $0["position"] as Double)" }
    #expect(
      error
        == .unreadableProperty(
          entity: "Note", property: "position",
          reason:
            "it is a composite attribute, whose elements are read by the names of their columns, which are among: Z2NOTES, ZLATITUDE, ZSEEN"
        ))
    let notes = try await file.read("Note") {
      let seen: Date = try $0["ZSEEN"]
      return "\(try $0["ZLATITUDE"] as Double) \(seen.timeIntervalSinceReferenceDate)"
    }
    #expect(notes == [1: "52.5 60.0"])
  }

  @Test func anAttributeOfTheModelWithoutAColumnIsAnError() async throws {
    let file = try CoreDataFile("ALTER TABLE ZNOTE DROP COLUMN ZWORDS;")
    #expect(
      await Self.error(file, "Note") { try $0["words"] }
        == .unreadableProperty(
          entity: "Note", property: "words", reason: "no column of ZNOTE is known to have it"))
  }

  @Test func rowsOfNoEntityAreReported() async throws {
    let file = try CoreDataFile(
      "INSERT INTO ZTAG VALUES (3, 77, 1, 'z'), (4, NULL, 1, 'z'), (5, 1, 1, 'z');")
    let store = try await Store.open(.inMemory, models: Item.self, importing: file.source) {
      $0.rows(of: "Tag") { Item(id: try $0.id(), text: try $0["näme"]) }
    }
    let report = try #require(try store.importReport)
    #expect(report.classes.map { "\($0.className) \($0.written)" } == ["Tag 2"])
    #expect(report.unnamed.last.map { "\($0.className) \($0.count)" } == "ZTAG 3")
    #expect(!report.isComplete)
  }

  @Test func anEntityAndAnAttributeAreFoundByTheirOlderNames() async throws {
    var model = CoreDataFile.model
    for place in model.entities.indices where model.entities[place].name == "Person" {
      model.entities[place] = .init(
        "Human", renaming: "Person",
        [
          .attribute("givenName", 700, renaming: "firstName"), .attribute("name", 700),
          .toOne("company", "Company", inverse: "staff", renaming: "employer"),
        ])
    }
    let file = try CoreDataFile(model: model.content)
    let people = try await file.read("Human") { row in
      let company: Link<Item>? = try row.link("company")
      return "\(try row["givenName"] as String? ?? "-") \(company?.id ?? 0)"
    }
    #expect(people == [1: "Ada 8", 4: "- 0"])
    let error = await Self.error(file) { _ in "" }
    #expect(
      error
        == .unknownEntity(
          "Person",
          entities: ["Company", "Human", "Manager", "Contractor", "Tag", "Note", "Badge"]))
  }

  @Test func namesBeyondASCIIAreFound() async throws {
    let tags = try await CoreDataFile().read("Tag") { try $0["näme"] }
    #expect(tags == [1: "x", 2: "y"])
    let error = await Self.error(try CoreDataFile(), "Tag") { try $0["name"] }
    #expect(
      error == .unknownProperty(entity: "Tag", property: "name", properties: ["näme", "people"]))
  }

  @Test func whatATypeCannotHoldIsAnErrorThatNamesTheObject() async throws {
    let error = await Self.error(try CoreDataFile("DELETE FROM ZPERSON WHERE Z_PK = 4;")) {
      "\(try $0["born"] as Int)"
    }
    #expect(
      error?.only
        == .mismatch(
          table: "Person", column: "born", row: "Z_PK 1", declared: "Date",
          found: "the real 86400.25", asked: "Int",
          line:
            "`Int(exactly: try row[\"born\"] as Double)`, or, for nil in such rows, `try row[ifReadable: \"born\"]`"
        ))
    let missing = await Self.error(try CoreDataFile()) { try $0["firstName"] }
    #expect(missing?.columns == ["Person.firstName 1"])
  }

  @Test func valuesThatCannotBeReadAreCountedWhereTheMappingAllowsThem() async throws {
    let file = try CoreDataFile(
      "UPDATE ZPERSON SET ZBORN = 'soon', ZSALARY = 9e999 WHERE Z_PK = 1;")
    let store = try await Store.open(.inMemory, models: Item.self, importing: file.source) {
      $0.rows(of: "Person") {
        let born: Date? = try $0[ifReadable: "born"]
        let salary: Decimal? = try $0[ifReadable: "salary"]
        return Item(id: try $0.id(), text: "\(born == nil) \(salary == nil)")
      }
    }
    #expect(try store.snapshot().fetch(Item.all).map(\.text) == ["true true", "true true"])
    let report = try #require(try store.importReport)
    #expect(
      report.omissions.map { "\($0.className).\($0.property) \($0.count)" } == [
        "Person.born 1", "Person.salary 1",
      ])
  }

  @Test func whatIsNotInTheFileSaysSo() async throws {
    let file = try CoreDataFile()
    let transient = await Self.error(file) { try $0["nickname"] }
    #expect(
      transient
        == .unreadableProperty(
          entity: "Person", property: "nickname", reason: "it is transient, and not in the file"))
    let fetched = await Self.error(file) { try $0["namesakes"] }
    #expect(
      fetched
        == .unreadableProperty(
          entity: "Person", property: "namesakes",
          reason: "it is a fetched property, and not in the file"))
    let unknown = await Self.error(file, "Note") { try $0["text"] }
    #expect(unknown == .unknownProperty(entity: "Note", property: "text", properties: ["words"]))
    let unmodelled = await Self.error(try CoreDataFile(model: nil), "Tag") { try $0["text"] }
    #expect(
      unmodelled == .unknownProperty(entity: "Tag", property: "text", properties: ["ZNÄME"]))
  }

  @Test func historyIsLeftOutAndOtherTablesAreReported() async throws {
    let file = try CoreDataFile("CREATE TABLE own (x); INSERT INTO own VALUES (1), (2);")
    let store = try await Store.open(.inMemory, models: Item.self, importing: file.source) {
      $0.rows(of: "Note") { Item(id: try $0.id(), text: try $0["words"]) }
      $0.rows(of: "Order", mayBeMissing: true) { Item(id: try $0.id(), text: "") }
      $0.ignore("Tag")
    }
    let report = try #require(try store.importReport)
    #expect(report.classes.map { "\($0.className) \($0.inSource) \($0.written)" } == ["Note 3 3"])
    #expect(report.ignored.map { "\($0.className) \($0.count)" } == ["Tag 2"])
    #expect(
      report.unnamed.map { "\($0.className) \($0.count)" } == [
        "Company 2", "Person 2", "Manager 1", "Contractor 1", "Badge 1", "own 2",
      ])
    #expect(
      report.definitions.map { "\($0.kind) \($0.name)" } == [
        "index ZPERSON_ZEMPLOYER_INDEX", "trigger counted",
      ])
  }

  @Test func entitiesThatGoRoundOrOccurTwiceAreLeftOut() async throws {
    let file = try CoreDataFile(
      """
      DROP TABLE Z_PRIMARYKEY;
      CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER);
      INSERT INTO Z_PRIMARYKEY VALUES (0, 'Company', 0), (2, 'Person', 0), (3, 'Manager', 2), (3, 'Contractor', 2),
        (2, 'Badge', 0), (5, 'Tag', 6), (6, 'Note', 5), (7, 'Badge', 8), (9, NULL, 0), ('x', 'Tag', 0), (10, 'Contractor', 3);

      """)
    let error = await Self.error(file, "Tag") { _ in "" }
    #expect(error == .unknownEntity("Tag", entities: ["Person", "Manager", "Contractor"]))
    let people = try await file.read("Person") { "\(try $0.reference("boss") as Any)" }
    #expect(people.count == 2)
  }

  @Test func moreEntitiesThanAnyModelHasAreDamage() async throws {
    let file = try CoreDataFile(
      """
      WITH RECURSIVE n (i) AS (SELECT 20 UNION ALL SELECT i + 1 FROM n WHERE i < 10100)
      INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, i - 1, 0 FROM n;

      """)
    #expect(
      await Self.error(file) { _ in "" }
        == .damaged(
          path: file.file.url.resolvingSymlinksInPath().path,
          reason: "it names more than 10000 entities"))
  }

  @Test func anotherFileIsOneClearError() async throws {
    let file = try SQLiteFile("CREATE TABLE item (id INTEGER PRIMARY KEY);")
    let error = await #expect(throws: SQLiteError.self) {
      try await Store.open(.inMemory, models: Item.self, importing: .coreData(file.url)) {
        $0.rows(of: "Item") { Item(id: try $0.id(), text: "") }
      }
    }
    #expect(error == .notCoreData(path: file.url.resolvingSymlinksInPath().path))
  }
}
