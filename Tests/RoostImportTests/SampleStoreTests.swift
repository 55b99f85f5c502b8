import Foundation
import Roost
import RoostImport
import RoostModels
import Testing

/// A store is made of each sample, and compared with the sample's text.
@Suite struct SampleStoreTests {
  /// An object of any class: its values in the notation of the samples.
  private struct AnyObject: Model {
    let id: String
    var values: String
    static let schema = Schema(AnyObject.init, Key("id", \.id), Field("values", \.values))
  }

  /// The lines of the objects in a sample's text, by class and object key. Classes are named as in the app.
  private func objects(_ name: String) throws -> [String: String] {
    let text = try String(
      decoding: RealmSamples.bytes(RealmSamples.textName(of: name)), as: UTF8.self)
    var objects: [String: String] = [:]
    var className: Substring?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("{\"name\":\"") {
        let table = line.dropFirst(9).prefix { $0 != "\"" }
        className = table.hasPrefix("class_") ? table.dropFirst(6) : nil
      } else if line.hasPrefix("["), let className {
        let key = line.dropFirst().prefix { $0 != "," }
        objects["\(className) \(key)"] = String(line).replacing(
          "{\"$link\":[\"class_", with: "{\"$link\":[\"")
      }
    }
    return objects
  }

  @Test(arguments: RealmSamples.names)
  func aStoreOfASampleHasTheObjectsOfItsText(name: String) async throws {
    let file = try TemporaryFile(RealmSamples.bytes(name + ".realm"))
    let folder = try TemporaryFolder()
    let classes = try RealmSource(file.url).classes.map(\.name)
    let store = try await Store.open(
      .file(folder.file("sample.roost")), models: AnyObject.self, importing: .realm(file.url)
    ) { importer in
      for className in classes {
        importer.objects(className) { object in
          AnyObject(
            id: "\(className) \(object.key)", values: try RealmNotation.values(of: object))
        }
      }
    }
    let expected = try objects(name)
    let report = try #require(try store.importReport)
    #expect(report.isComplete)
    #expect(report.classes.map(\.written).reduce(0, +) == expected.count)
    let snapshot = store.snapshot()
    #expect(try snapshot.count(AnyObject.all) == expected.count)
    for object in try snapshot.fetch(AnyObject.all) {
      let line = try #require(expected[object.id], "\(object.id)")
      let key = object.id.drop { $0 != " " }.dropFirst()
      // Behind the values a line has the links to the object, if there are any.
      guard line.utf8.starts(with: "[\(key),\(object.values)".utf8) else {
        Issue.record("\(object.values.prefix(2000)) should be \(line.prefix(2000))")
        return
      }
    }
  }
}
