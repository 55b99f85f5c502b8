import Foundation
import Roost
import RoostTestSupport
import Testing

/// Files with values of more than one chunk, kept in Tests/FormatTests/golden.
///
/// `ROOST_GOLDEN_VALUES=FILE` in the environment makes one anew; an old one stays.
@Suite struct GoldenValuesTests {
  private struct Document: Model, Equatable {
    let id: Int
    let text: Data
    static let schema = Schema(Document.init, Key("id", \.id), Field("text", \.text))
  }

  /// Values around the longest chunk of each form of lists.
  private static let documents = [
    1_044_479, 1_044_480, 1_044_481, 1_048_575, 1_048_576, 1_048_577, 2_088_960, 2_097_153,
  ].enumerated().map { id, length in
    Document(id: id, text: Data((0..<length).map { UInt8(truncatingIfNeeded: $0 / 4099 + id) }))
  }

  @Test(arguments: ["format-1-values", "format-1-values-255"])
  func longValuesAreReadInEachFormInWhichTheyWereWritten(file: String) throws {
    if let path = ProcessInfo.processInfo.environment["ROOST_GOLDEN_VALUES"] {
      let store = try Store(.file(path), models: Document.self)
      try store.write { try $0.replaceAll(Self.documents, of: Document.all) }
    }
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("FormatTests/golden/\(file).roost")
    var configuration = Configuration()
    configuration.isReadOnly = true
    let store = try Store(.file(golden.path), models: Document.self, configuration: configuration)
    #expect(try store.verify().isEmpty)
    #expect(try store.snapshot().fetch(Document.all.order(by: \.id)) == Self.documents)
    // A newer library writes on in a file of an older one: each value keeps its form until it is replaced.
    let copy = FileManager.default.temporaryDirectory.appendingPathComponent(
      "roost-\(UUID().uuidString).roost")
    try FileManager.default.copyItem(at: golden, to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
    let written = try Store(.file(copy.path), models: Document.self)
    try written.write {
      for document in Self.documents where document.id.isMultiple(of: 2) {
        try $0.update(Document(id: document.id, text: document.text + [1]))
      }
    }
    #expect(try written.verify().isEmpty)
    let expected = Self.documents.map {
      $0.id.isMultiple(of: 2) ? Document(id: $0.id, text: $0.text + [1]) : $0
    }
    #expect(try written.snapshot().fetch(Document.all.order(by: \.id)) == expected)
  }
}
