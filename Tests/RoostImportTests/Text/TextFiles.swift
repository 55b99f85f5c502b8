import Foundation
import Roost
import RoostImport

/// A folder with text files that a test made.
final class TextFiles: Sendable {
  let folder: URL

  init(_ files: [String: String] = [:]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "roost-text-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for (name, text) in files { try write(text, to: name) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: url(name))
  }

  /// Reads values of the records of the class `A` in a source.
  ///
  /// - Returns: What `read` gave of each record, or the error that the import ended with.
  static func values<Value: Sendable>(
    of source: ImportSource, _ read: @escaping @Sendable (TextRecord) throws -> Value
  ) async -> Result<[Value], any Error> {
    let values = Collected<Value>()
    do {
      _ = try await Store.open(.inMemory, models: Kept.self, importing: source) {
        $0.records("A") { record in
          values.add(try read(record))
          return Kept(id: values.count)
        }
      }
      return .success(values.all)
    } catch {
      return .failure(error)
    }
  }

  /// The same, of one JSON object in a file of its own.
  static func value<Value: Sendable>(
    ofJSON text: String, _ read: @escaping @Sendable (TextRecord) throws -> Value
  ) async throws -> Value? {
    let files = try TextFiles(["a.json": text])
    return try await values(of: .ndjson(["A": files.url("a.json")]), read).get().first
  }

  private final class Collected<Value: Sendable>: @unchecked Sendable {
    // An import makes its objects one after another.
    private(set) var all: [Value] = []
    var count: Int { all.count }
    func add(_ value: Value) { all.append(value) }
  }
}

/// An object of which only the number matters.
struct Kept: Model {
  let id: Int
  static let schema = Schema(Kept.init, Key("id", \.id))
}

/// What the files of these tests become.
enum Texts {
  struct Person: Model, Equatable {
    let id: Int
    var name: String
    var age: Int?
    var height: Double?
    var born: Date?
    var tags: [String]
    var friend: Link<Person>?
    var dogs: Links<Dog>
    static let schema = Schema(
      Person.init, Key("id", \.id), Field("name", \.name), Field("age", \.age),
      Field("height", \.height), Field("born", \.born), Field("tags", \.tags),
      Field("friend", \.friend), Field("dogs", \.dogs))
  }

  struct Dog: Model, Equatable {
    let id: String
    var weight: Decimal
    static let schema = Schema(Dog.init, Key("id", \.id), Field("weight", \.weight))
  }

  static func all(_ importer: inout Importer) {
    importer.records("Person") {
      Person(
        id: try $0["id"], name: try $0["name"], age: try $0["age"], height: try $0["height"],
        born: try $0["born"], tags: try $0["tags"] ?? [], friend: try $0.link("friend"),
        dogs: try $0.links("dogs"))
    }
    importer.records("Dog") { Dog(id: try $0["id"], weight: try $0["weight"]) }
  }

  static let people = [
    Person(
      id: 1, name: "Ann, the \"first\"", age: 42, height: 1.68,
      born: Date(timeIntervalSince1970: 486_000_000), tags: ["a", "b"], friend: Link(id: 2),
      dogs: Links(ids: ["Rex", "Ünü"])),
    Person(
      id: 2, name: "", age: nil, height: nil, born: nil, tags: [], friend: nil, dogs: Links(ids: [])
    ),
  ]

  static let dogs = [
    Dog(id: "Rex", weight: Decimal(string: "12.340") ?? 0), Dog(id: "Ünü", weight: 3),
  ]

  static let lines = [
    "Person.ndjson":
      #"{"id": 1, "name": "Ann, the \"first\"", "age": 42.0, "height": 1.68, "born": "1985-05-27T00:00:00Z", "#
      + #""tags": ["a", "b"], "friend": 2, "dogs": ["Rex", "\u00dcn\u00fc"]}"# + "\n\n"
      + #"{"id": 2, "name": "", "age": null}"# + "\n",
    "Dog.ndjson": """
    {"weight": 12.340, "id": "Rex"}
    {"id": "Ünü", "weight": "3"}
    """,
  ]

  static let csv = [
    "Person.csv": """
    \u{FEFF}id:int,name:string,age,height,born,tags,friend,dogs\r
    1,"Ann, the ""first""\",42,1.68,1985-05-27T00:00:00Z,"[""a"",""b""]",2,"[""Rex"",""Ünü""]"\r
    2,"",,NA,,,,\r

    """,
    "Dog.csv": "weight,id\n12.340,Rex\n3,\"Ünü\"",
  ]
}
