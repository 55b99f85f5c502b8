import Foundation
import Roost
import RoostImport
import RoostImportSQLite
import Testing

/// Stores that Apple's framework wrote, against what is in them as JSON. `Scripts/check-samples` says where they are.
@Suite struct CoreDataSampleTests {
  private struct Sample: CustomTestStringConvertible {
    let url: URL
    let expected: [String: Any]
    var testDescription: String { url.deletingLastPathComponent().lastPathComponent }

    init(_ folder: URL) throws {
      let json = try Data(contentsOf: folder.appendingPathComponent("expected.json"))
      let object = try JSONSerialization.jsonObject(with: json) as? [String: Any]
      expected = try #require(object)
      let store = try #require(expected["store"] as? [String: Any])
      url = folder.appendingPathComponent(try #require(store["file"] as? String))
      let names = try #require(store["names_from"] as? String)
      hasModel = names.hasPrefix("Z_MODELCACHE")
    }

    /// Whether the file says where relationships lead.
    let hasModel: Bool
  }

  private struct Object: Model, Equatable {
    let id: String
    var values: String
    static let schema = Schema(Object.init, Key("id", \.id), Field("values", \.values))
  }

  private static let folder = ProcessInfo.processInfo.environment["ROOST_COREDATA_SAMPLES"]

  @Test func eachSampleGivesItsJSON() async throws {
    let folder = URL(fileURLWithPath: try #require(Self.folder))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    var count = 0
    for name in names {
      let sample = folder.appendingPathComponent(name)
      guard FileManager.default.fileExists(atPath: sample.path + "/expected.json") else { continue }
      try await Self.check(try Sample(sample))
      count += 1
    }
    #expect(count > 0)
  }

  private static func check(_ sample: Sample) async throws {
    let entities = try #require(sample.expected["entities"] as? [String: [String: Any]])
    let objects = try #require(
      sample.expected["objects"] as? [String: [String: [String: Any]]])
    let properties = try entities.mapValues { try Property.all(of: $0, hasModel: sample.hasModel) }
    let source = ImportSource.coreData(sample.url)
    let store = try await Store.open(.inMemory, models: Object.self, importing: source) {
      for (entity, properties) in properties {
        $0.rows(of: entity) { row in
          #expect(row.entity == entity)
          let values = try properties.map { "\($0.name): \(try $0.read(row))" }
          return Object(
            id: "\(entity) \(try row.id() as Int)", values: values.joined(separator: ", "))
        }
      }
    }
    var expected: [Object] = []
    for (entity, objects) in objects {
      for (id, values) in objects {
        let words = try (properties[entity] ?? []).map {
          "\($0.name): \(try $0.words(of: values[$0.name]))"
        }
        expected.append(Object(id: "\(entity) \(id)", values: words.joined(separator: ", ")))
      }
    }
    let found = Set(try store.snapshot().fetch(Object.all).map { "\($0.id): \($0.values)" })
    let wanted = Set(expected.map { "\($0.id): \($0.values)" })
    #expect(found.count == expected.count, "\(sample.testDescription)")
    let differences = found.symmetricDifference(wanted).sorted()
    #expect(differences == [], "\(sample.testDescription)")
    let report = try #require(try store.importReport)
    #expect(report.isComplete, "\(sample.testDescription)")
    let counts = try #require(sample.expected["counts"] as? [String: Int])
    for counted in report.classes { #expect(counted.read == counts[counted.className] ?? 0) }
  }
}

/// A property as the JSON describes it.
private struct Property: Sendable {
  var name: String
  var type: String
  /// Where a relationship leads, and what leads back, if the file does not say.
  var destination: String?
  var inverse: String?

  /// Those that are in the file.
  static func all(of entity: [String: Any], hasModel: Bool) throws -> [Property] {
    var properties: [Property] = []
    for (name, attribute) in entity["attributes"] as? [String: [String: Any]] ?? [:]
    where attribute["column"] is String {
      properties.append(Property(name: name, type: try #require(attribute["type"] as? String)))
    }
    for (name, relationship) in entity["relationships"] as? [String: [String: Any]] ?? [:] {
      let isToMany = try #require(relationship["to_many"] as? Bool)
      var property = Property(name: name, type: isToMany ? "to-many" : "to-one")
      if !hasModel {
        property.destination = relationship["destination"] as? String
        property.inverse = relationship["inverse"] as? String
      }
      properties.append(property)
    }
    return properties.sorted { $0.name < $1.name }
  }

  /// The value of a row in words.
  func read(_ row: CoreDataRow) throws -> String {
    switch type {
    case "boolean": return Self.words(try row[name] as Bool?)
    case "int16", "int32", "int64": return Self.words(try row[name] as Int64?)
    case "double", "float": return Self.words(try row[name] as Double?)
    case "string", "uri": return Self.words(try row[name] as String?)
    case "date": return Self.words((try row[name] as Date?)?.timeIntervalSinceReferenceDate)
    case "decimal": return Self.words(try row[name] as Decimal?)
    case "uuid": return Self.words((try row[name] as UUID?)?.uuidString)
    case "binary", "transformable":
      return Self.words((try row[name] as Data?)?.base64EncodedString())
    case "to-one":
      return Self.words(
        try row.reference(name, in: destination).map { "\($0.entity) \($0.id)" })
    case "to-many":
      return try row.references(name, in: destination, inverse: inverse).map { "\($0.id)" }
        .joined(separator: " ")
    default: throw SQLiteFile.Failure(message: "a \(type)")
    }
  }

  /// A value of the JSON in words.
  func words(of value: Any?) throws -> String {
    switch (type, value) {
    case (_, is NSNull): return Self.words(nil as Int?)
    case ("boolean", let value as Bool): return Self.words(value)
    case ("int16", let value as Int64), ("int32", let value as Int64),
      ("int64", let value as Int64):
      return Self.words(value)
    case ("double", let value as Double), ("float", let value as Double): return Self.words(value)
    case ("date", let value as [String: Any]):
      return Self.words(try #require(value["seconds"] as? Double))
    case ("to-one", let value as [String: Any]):
      return "\(try #require(value["entity"] as? String)) \(try #require(value["pk"] as? Int))"
    case ("to-many", let value as [Int]):
      return value.map { "\($0)" }.joined(separator: " ")
    case (_, let value as String): return Self.words(value)
    default: throw SQLiteFile.Failure(message: "\(name) is \(String(describing: value))")
    }
  }

  private static func words<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "null" }
}
