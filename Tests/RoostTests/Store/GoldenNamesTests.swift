import Foundation
import Roost
import RoostTestSupport
import Testing

/// A file with versions that are kept under names, kept itself in Tests/FormatTests/golden.
///
/// `ROOST_GOLDEN_NAMES=FILE` in the environment makes it anew; an old one stays.
@Suite struct GoldenNamesTests {
  private struct Page: Model, Equatable {
    let id: Int
    var title: String
    var text: Data
    static let schema = Schema(
      Page.init, Key("id", \.id), Field("title", \.title, .indexed), Field("text", \.text))
  }

  /// The pages in the version of a number.
  private func pages(_ version: Int) -> [Page] {
    (0..<60).filter { $0 % 7 != version }.map { id in
      Page(
        id: id, title: "Page \(id % 9 + (id % 5 == version ? 100 : 0))",
        text: Data(repeating: UInt8(id + version), count: id % 8 == 0 ? 9000 : id))
    }
  }

  private static let names = ["first ✓", "second", "before 2026-02"]

  private func write(_ path: String) throws {
    let store = try Store(.file(path), models: Page.self)
    for (version, name) in Self.names.enumerated() {
      // As few changes as there are, so that the versions share what they can.
      try store.write { try $0.replaceAll(pages(version), of: Page.all) }
      try store.keep(name)
    }
    try store.write { try $0.replaceAll(pages(3), of: Page.all) }
    try store.drop(version: "second")
    for round in 0..<30 {
      try store.write { try $0.update(Page(id: 1, title: "Round \(round)", text: Data())) }
    }
    try store.write { try $0.update(pages(3)[1]) }
  }

  @Test func aFileWithKeptVersionsIsReadAsItWasWritten() throws {
    if let path = ProcessInfo.processInfo.environment["ROOST_GOLDEN_NAMES"] { try write(path) }
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("FormatTests/golden/format-1-names.roost")
    var configuration = Configuration()
    configuration.isReadOnly = true
    let store = try Store(.file(golden.path), models: Page.self, configuration: configuration)
    #expect(try store.verify().isEmpty)
    #expect(try store.versions.map(\.name) == ["first ✓", "before 2026-02"])
    #expect(try store.snapshot().fetch(Page.all.order(by: \.id)) == pages(3))
    for (version, name) in [(0, "first ✓"), (2, "before 2026-02")] {
      let snapshot = try store.snapshot(of: name)
      #expect(try snapshot.fetch(Page.all.order(by: \.id)) == pages(version))
      #expect(
        try snapshot.fetch(Page.where { $0.title == "Page 3" }.order(by: \.id))
          == pages(version).filter { $0.title == "Page 3" })
    }
  }
}
