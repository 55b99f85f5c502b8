import Foundation
import Roost
import RoostImport
import RoostTestSupport
import Testing

/// JSON files with an array of objects for each class.
@Suite struct JSONDocumentTests {
  struct Person: Model, Equatable {
    let id: RealmValue.ObjectID
    var name: String
    var height: Double?
    var born: RealmValue.Timestamp?
    var balance: Decimal?
    var photo: Data?
    var tags: Set<String>
    var marks: [String: Int]
    var zip: Int?
    var friends: Links<Person>
    var dog: Link<Dog>?
    static let schema = Schema(
      Person.init, Key("id", \.id), Field("name", \.name), Field("height", \.height),
      Field("born", \.born), Field("balance", \.balance), Field("photo", \.photo),
      Field("tags", \.tags), Field("marks", \.marks), Field("zip", \.zip),
      Field("friends", \.friends), Field("dog", \.dog))
  }

  struct Dog: Model, Equatable {
    let id: Int
    var name: String
    static let schema = Schema(Dog.init, Key("id", \.id), Field("name", \.name))
  }

  private static func id(_ last: Character) throws -> RealmValue.ObjectID {
    try #require(RealmValue.ObjectID(stored: digits(last)))
  }

  /// The digits of such an id.
  private static func digits(_ last: Character) -> String {
    String(repeating: "0\(last)", count: 12)
  }

  private static func mapping(_ importer: inout Importer) {
    importer.records("Person") { record in
      Person(
        id: try record["_id"], name: try record["name"], height: try record["height"],
        born: try record.date("born", as: .textInUTC), balance: try record["balance"],
        photo: try record["photo"], tags: try record["tags"], marks: try record["marks"],
        zip: try record.object("address")?["zip"], friends: try record.links("friends", key: "_id"),
        dog: try record.link("dog"))
    }
    importer.records("Dog") { Dog(id: try $0.id(), name: try $0["name"]) }
  }

  private static func people(nanoseconds: Int32 = 6_000_000) throws -> [Person] {
    [
      Person(
        id: try id("a"), name: "Ann", height: 1.68,
        born: RealmValue.Timestamp(seconds: 1_577_934_245, nanoseconds: nanoseconds),
        balance: Decimal(string: "1.50"), photo: Data([0, 1]), tags: ["x", "y"],
        marks: ["maths": 1], zip: 12, friends: Links(ids: [try id("b"), try id("a")]),
        dog: Link(id: 7)),
      Person(
        id: try id("b"), name: "Bob \"B\"\n", height: nil, born: nil, balance: nil, photo: nil,
        tags: [], marks: [:], zip: nil, friends: Links(ids: []), dog: nil),
    ]
  }

  /// Imports a text, and returns its people.
  private func people(_ text: String) async throws -> [Person] {
    let files = try TextFiles(["a.json": text])
    let store = try await Store.open(
      .inMemory, models: Person.self, Dog.self, importing: .json(files.url("a.json")), Self.mapping)
    let report = try #require(try store.importReport)
    #expect(report.isComplete)
    #expect(report.classes.map(\.inSource) == [2, 1])
    let dogs = try store.snapshot().fetch(Dog.all)
    #expect(dogs == [Dog(id: 7, name: "Rex")])
    return try store.snapshot().fetch(Person.all).sorted { $0.id.description < $1.id.description }
  }

  @Test func theJSONOfRealm2JSONIsRead() async throws {
    let (a, b) = (Self.digits("a"), Self.digits("b"))
    let people = try await people(
      """
      {
      "Person":[{"_id":"\(a)","name":"Ann","height":1.68,"born":"2020-01-02 03:04:05.000000006",\
      "balance":"1.50","photo":"AAE=","tags":["x","y"],"marks":{"maths":1},"address":{"zip":12},\
      "friends":["\(b)","\(a)"],"dog":7},{"_id":"\(b)","name":"Bob \\"B\\"\\n","height":null,"born":null,\
      "balance":null,"photo":null,"tags":[],"marks":{},"address":null,"friends":[],"dog":null}]
      ,"Dog":[{"_key":7,"name":"Rex"}]
      }
      """)
    #expect(try people == Self.people(nanoseconds: 6))
  }

  @Test func theOlderJSONOfRealm2JSONIsRead() async throws {
    let files = try TextFiles([
      "a.json": """
      {
      "class_Person":[{"_key":0,"name":"Ann","dogs":{"table": "class_Dog", "keys": [8,7]},\
      "dog":{"table": "class_Dog", "key": 7}},{"_key":1,"name":"Bob","dogs":[],"dog":null}]
      ,"class_Dog":[{"_key":7,"name":"Rex"},{"_key":8,"name":"Max"}]
      ,"metadata":[{"_key":0,"version":3}]
      }
      """
    ])
    let source = ImportSource.json(files.url("a.json"))
    let store = try await Store.open(
      .inMemory, models: Owner.self, Dog.self, importing: source
    ) {
      $0.records("Person") {
        Owner(id: try $0.id(), dogs: try $0.links("dogs"), dog: try $0.link("dog"))
      }
      $0.records("Dog") { Dog(id: try $0.id(), name: try $0["name"]) }
    }
    let owners = try store.snapshot().fetch(Owner.all.order(by: \.id))
    #expect(
      owners == [
        Owner(id: 0, dogs: Links(ids: [8, 7]), dog: Link(id: 7)),
        Owner(id: 1, dogs: Links(ids: []), dog: nil),
      ])
    let unnamed = try store.importReport?.unnamed
    #expect(unnamed?.map(\.className) == ["metadata"])
  }

  struct Owner: Model, Equatable {
    let id: Int
    var dogs: Links<Dog>
    var dog: Link<Dog>?
    static let schema = Schema(
      Owner.init, Key("id", \.id), Field("dogs", \.dogs), Field("dog", \.dog))
  }

  @Test func theExtendedJSONOfRealm2JSONIsRead() async throws {
    let (a, b) = (Self.digits("a"), Self.digits("b"))
    let people = try await people(
      """
      {
      "Person":[{"_id":{"$oid": "\(a)"},"name":"Ann","height":{"$numberDouble": "1.68"},\
      "born":{"$date": {"$numberLong": "1577934245006"}},"balance":{"$numberDecimal": "1.50"},\
      "photo":{"$binary": {"base64": "AAE=", "subType": "00"}},"tags":["x","y"],\
      "marks":{"maths":{"$numberLong": "1"}},"address":{"zip":{"$numberLong": "12"}},\
      "friends":[{"$oid": "\(b)"},{"$oid": "\(a)"}],"dog":{"$numberLong": "7"}},\
      {"_id":{"$oid": "\(b)"},"name":"Bob \\"B\\"\\n","height":null,"born":null,"balance":null,"photo":null,\
      "tags":[],"marks":{},"address":null,"friends":[],"dog":null}]
      ,"Dog":[{"_key":{"$numberLong": "7"},"name":"Rex"}]
      }
      """)
    #expect(try people == Self.people())
  }

  @Test func theExtendedJSONWithLinksOfRealm2JSONIsRead() async throws {
    let (a, b) = (Self.digits("a"), Self.digits("b"))
    let people = try await people(
      """
      {
      "Person":[{"_id":{"$oid": "\(a)"},"name":"Ann","height":{"$numberDouble": "1.68"},\
      "born":{"$date": {"$numberLong": "1577934245006"}},"balance":{"$numberDecimal": "1.50"},\
      "photo":{"$binary": {"base64": "AAE=", "subType": "00"}},"tags":{ "$set": ["x","y"]},\
      "marks":{ "$dictionary": {"maths":{"$numberLong": "1"}}},\
      "address":{ "$embedded": {"table": "class_Address", "value": {"zip":{"$numberLong": "12"}}}},\
      "friends":{ "$linkList": { "table": "class_Person", "keys": [{"$oid": "\(b)"},{"$oid": "\(a)"}]} },\
      "dog":{ "$link": {"table": "Dog", "key": 7}}},\
      {"_id":{"$oid": "\(b)"},"name":"Bob \\"B\\"\\n","height":null,"born":null,"balance":null,"photo":null,\
      "tags":{ "$set": []},"marks":{ "$dictionary": {}},"address":null,\
      "friends":{ "$linkList": { "table": "class_Person", "keys": []} },"dog":null}]
      ,"Dog":[{"_key":7,"name":"Rex"}]
      }
      """)
    #expect(try people == Self.people())
  }

  /// JSON of Realm Studio whose objects refer to each other, in the notation of two of its releases.
  @Test(arguments: ["#", ""])
  func theJSONOfRealmStudioIsRead(mark: String) async throws {
    let (a, b) = (Self.digits("a"), Self.digits("b"))
    let bob = """
      "_id": "\(b)", "name": "Bob \\"B\\"\\n", "height": null, "born": null, "balance": null, "photo": null,
      "tags": [], "marks": {}, "address": null, "friends": [], "dog": null
      """
    let people = try await people(
      """
      {
        "Dog": [ { "$refId": "Dog\(mark)7", "name": "Rex" } ],
        "Person": [
          {
            "$refId": "Person\(mark)\(a)", "_id": "\(a)", "name": "Ann", "height": 1.68,
            "born": "2020-01-02T03:04:05.006Z", "balance": { "$numberDecimal": "1.50" }, "photo": "AAE=",
            "tags": ["x", "y"], "marks": { "maths": 1 }, "address": { "zip": 12 },
            "friends": [
              { "$refId": "Person\(mark)\(b)", \(bob) },
              { "$ref": "Person\(mark)\(a)" }
            ],
            "dog": { "$refId": "Dog\(mark)7", "name": "Rex" }
          },
          { "$refId": "Person\(mark)\(b)", \(bob) }
        ]
      }
      """)
    #expect(try people == Self.people())
  }

  @Test func aReferenceThatMayLeadToTwoClassesIsAnError() async throws {
    let files = try TextFiles([
      "a.json": #"{"A": [{"a": {"$ref": "B51"}}], "B": [], "B5": []}"#,
      "b.json": #"{"A": [{"a": {"$ref": "B5#1"}}], "B": [], "B5": []}"#,
    ])
    let link: @Sendable (TextRecord) throws -> Int? = { try $0.link("a", to: Kept.self)?.id }
    let result = await TextFiles.values(of: .json(files.url("a.json")), link)
    if case .failure(TextRecordError.mismatches(let list)) = result {
      #expect(list.map(\.found) == ["\"B51\""])
    } else {
      Issue.record("another result")
    }
    let marked = await TextFiles.values(of: .json(files.url("b.json")), link)
    #expect(try marked.get() == [1])
  }

  @Test func anObjectInPlaceOfALinkNeedsAKey() async throws {
    let files = try TextFiles(["a.json": #"{"A": [{"a": {"name": "Rex", "tag": 7}}]}"#])
    let source = ImportSource.json(files.url("a.json"))
    let result = await TextFiles.values(of: source) { try $0.link("a", to: Kept.self)?.id }
    #expect(throws: TextRecordError.noKey(className: "A", line: 1, column: "a")) {
      try result.get()
    }
    let named = await TextFiles.values(of: source) {
      try $0.link("a", key: "tag", to: Kept.self)?.id
    }
    #expect(try named.get() == [7])
  }

  @Test func whatIsNoArrayIsReportedAndNeverForgotten() async throws {
    let files = try TextFiles(["a.json": #"{"version": {"a": [1]}, "A": [], "B": [{}, {}]}"#])
    let store = try await Store.open(
      .inMemory, models: Kept.self, importing: .json(files.url("a.json"))
    ) { $0.records("A") { _ in Kept(id: 1) } }
    let report = try #require(try store.importReport)
    #expect(report.unnamed.map(\.className) == ["B", "version"])
    #expect(report.unnamed.map(\.count) == [2, 1])
    await #expect(throws: TextRecordError.unknownClass("version", classes: ["A", "B"])) {
      _ = try await Store.open(
        .inMemory, models: Kept.self, importing: .json(files.url("a.json"))
      ) { $0.records("version") { _ in Kept(id: 1) } }
    }
  }

  @Test(arguments: [
    ("[]", 1, 1, "an array"), ("", 1, 1, "the end of the text"),
    ("{\"A\": [],\n \"class_A\": []}", 2, 2, "\"A\" again"),
    ("{\"A\": [{},\n 7]}", 2, 2, "a number"), ("{\"A\": []} x", 1, 11, "\"x\""),
    ("{\"A\": [{}]", 1, 11, "the end of the text"),
  ])
  func anotherTextIsAnErrorWithItsPlace(
    text: String, line: Int, column: Int, found: String
  ) async throws {
    let files = try TextFiles(["a.json": text])
    let result = await TextFiles.values(of: .json(files.url("a.json"))) { $0.line }
    guard
      case .failure(TextRecordError.malformed(_, line, column, _, let what)) = result
    else {
      Issue.record("another result: \(result)")
      return
    }
    #expect(what == found)
  }

  @Test func classesAreFoundWhereverTheyBegin() async throws {
    // Larger than what is read at a time.
    let padding = String(repeating: "x", count: 300_000)
    let files = try TextFiles([
      "a.json":
        "\u{FEFF}{\"B\": [{\"p\": \"\(padding)\"}],\n\n\"A\": [{\"p\": 1},\n {\"p\": \"\(padding)\"}]}"
    ])
    let result = await TextFiles.values(of: .json(files.url("a.json"))) { $0.line }
    #expect(try result.get() == [3, 4])
    try files.write(
      "{\"B\": [{\"p\": \"\(padding)\"}],\n\n\"A\": [{\"p\": 1},\n {\"p\": true}]}", to: "a.json")
    let wrong = await TextFiles.values(of: .json(files.url("a.json"))) { try $0["p"] as Int }
    guard case .failure(TextRecordError.mismatches(let list)) = wrong else {
      Issue.record("another result")
      return
    }
    #expect(list.map(\.line) == [4])
  }

  @Test func aStoreFollowsAFileThatChanges() async throws {
    let text = #"{"Dog": [{"_key": 7, "name": "Rex"}, {"_key": 8, "name": "Max"}]}"#
    let files = try TextFiles(["a.json": text])
    let source = ImportSource.json(files.url("a.json"))
    let mapping: @Sendable (inout Importer) -> Void = {
      $0.records("Dog") { Dog(id: try $0.id(), name: try $0["name"]) }
    }
    let store = try await Store.open(.inMemory, models: Dog.self, importing: source, mapping)
    try files.write(
      #"{"Dog": [{"_key": 9, "name": "Bo"}, {"_key": 8, "name": "Mo"}]}"#, to: "a.json")
    let differences = try await store.compare(with: source, mapping).differences
    #expect(Set(differences.map(\.key)) == ["7", "8", "9"])
    _ = try await store.refresh(from: source, mapping)
    let dogs = try store.snapshot().fetch(Dog.all.order(by: \.id))
    #expect(dogs == [Dog(id: 8, name: "Mo"), Dog(id: 9, name: "Bo")])
  }
}
