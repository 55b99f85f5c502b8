import Foundation
import RoostDynamic
import RoostModels
import RoostTestSupport
import Testing

/// The models of a Core Data store, and the store that the tool makes of it.
@Suite struct CoreDataModelsTests {
  @Test func anEntityAndItsSubentitiesAreOneModel() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      let file = try CoreDataFile()
      let result = try ForeignImport(of: file.file.url.path, to: path) { _, _, _ in }
      #expect(
        result.counts.map { "\($0.source) \($0.model) \($0.objects)" } == [
          "Company Company 2", "Person Person 2", "Manager Person 1", "Contractor Person 1",
          "Tag Tag 2", "Note Note 3", "Badge Badge 1",
        ])
      let snapshot = try DynamicStore(path).snapshot()
      func value(_ model: String, _ key: DynamicValue, _ field: String) throws -> DynamicValue {
        try #require(try snapshot.object(model, key))[field]
      }
      #expect(try value("Person", 1, "firstName") == "Ada")
      #expect(
        try value("Person", 1, "born") == .date(Date(timeIntervalSinceReferenceDate: 86400.25)))
      #expect(try value("Person", 1, "isMember") == true)
      #expect(try value("Person", 1, "entity") == "Person")
      #expect(try value("Person", 2, "entity") == "Manager")
      #expect(try value("Person", 4, "firstName") == .null)
      // To-one relationships, an ordered one each way, and one without an inverse.
      #expect(try value("Person", 1, "employer") == 8)
      #expect(try value("Company", 8, "staff") == [2, 3, 1])
      #expect(try value("Person", 1, "friends") == [4, 3, 2])
      #expect(try value("Person", 1, "notes") == [1, 3])
      // Properties of one name that two subentities have.
      #expect(snapshot.table("Person")?.field("level")?.type == .int)
      #expect(snapshot.table("Person")?.field("contractorLevel")?.type == .string)
      #expect(try value("Person", 2, "level") == 7)
      #expect(try value("Person", 3, "contractorLevel") == "high")
      #expect(try value("Person", 3, "level") == .null)
    }
  }

  @Test func theModelsSayWhereRelationshipsLead() throws {
    let file = try CoreDataFile()
    let text = try ModelsText(of: file.file.url.path, ModelsText.Options()).text
    for line in [
      "  importer.rows(of: \"Contractor\") {", "importing: .coreData(url), importObjects)",
      "  var employer: Link<Company>?", "  var staff: Links<Person> = []",
      "  var notes: Links<Note> = []", "      employer: try $0.link(\"employer\"),",
      "      entity: $0.entity)", "      level: nil,",
      "  static let reports = Inverse(\\Person.boss, \"reports\")",
    ] {
      #expect(text.contains(line), "\(line) is not in:\n\(text)")
    }
    #expect(!text.contains("var reports"))
  }

  @Test func attributesBecomeEnumsOfTheirValues() throws {
    let file = try CoreDataFile()
    func text(_ enums: String...) throws -> String {
      var options = ModelsText.Options()
      options.enums = enums
      return try ModelsText(of: file.file.url.path, options).text
    }
    // The first is of all entities of the model, the second of one.
    let found = try text("Person.firstName", "Manager.level")
    for line in [
      "  var firstName: FirstName?", "enum FirstName: String, Sortable, SQLiteDecodable {",
      "  case ada = \"Ada\"", "  var level: Level?",
      "enum Level: Int, Sortable, SQLiteDecodable {", " = 7\n", "  var contractorLevel: String?",
      "      firstName: try $0[\"firstName\"],",
    ] {
      #expect(found.contains(line), "\(line) is not in:\n\(found)")
    }
    #expect(found.split(separator: "enum FirstName").count == 2)
    for wrong in ["Person.born", "Person.nothing", "Nobody.age", "Manager.tags"] {
      let error = #expect(throws: ModelsError.self) { try text(wrong) }
      #expect(
        error?.description.hasPrefix(
          "there is no attribute \(wrong) of integers or texts to be an enum. ") == true)
      let known =
        wrong.hasPrefix("Nobody") ? "The file has: " : "\(wrong.prefix { $0 != "." }) has: "
      #expect(error?.description.contains(known) == true, "\(error?.description ?? "")")
    }
  }

  @Test func aStoreWithoutAModelHasTheNamesOfItsColumns() throws {
    let file = try CoreDataFile(model: nil)
    let text = try ModelsText(of: file.file.url.path, ModelsText.Options()).text
    #expect(text.contains("// The file has no model: names are those of columns"))
    #expect(text.contains("// Left out: the table Z_2TAGS, whose relationship the file does not"))
    #expect(text.contains("      firstname: try $0[\"ZFIRSTNAME\"],"))
  }
}
