#if Tool
import Foundation
import RoostEngine
import RoostTestSupport
import Testing

/// Names and texts of a file that a terminal would obey.
@Suite struct TerminalTests {
  private let tool = ToolTests()

  #if os(Linux)
  /// What the program writes when its standard output is a terminal.
  ///
  /// - Parameters:
  ///   - columns: How wide the terminal is.
  ///   - environment: What its environment has beside that of the tests.
  ///   - text: What is typed.
  func roostOnTerminal(
    _ arguments: [String], columns: UInt16, environment: [String: String] = [:],
    typing text: String = ""
  ) throws -> String {
    try onTerminal(
      tool.program.path, arguments, columns: columns, environment: environment, typing: text)
  }

  /// What a program writes when its outputs are a terminal; the standard error only of one that is not ours.
  func onTerminal(
    _ program: String, _ arguments: [String], columns: UInt16, environment: [String: String],
    typing text: String
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ToolTests.environment(environment)
    return try PseudoTerminal(columns: columns).show(
      process, isErrorShown: program != tool.program.path, typing: text)
  }
  #endif

  /// A name that sets a window's title and a colour, turns text around, and goes on in a new line.
  private static let hostile =
    "\u{1B}]0;pwned\u{7}\u{1B}[31mRED\u{7F}\u{9B}2J\u{202E}\u{2066}\nnext"
  private static let shown =
    #"\u001B]0;pwned\u0007\u001B[31mRED\u007F\u009B2J\u202E\u2066\u000Anext"#

  private func makeStore(_ path: String) throws {
    let engine = try Engine.open(path)
    try engine.write { (transaction) throws(EngineError) in
      try transaction.addTables([
        TableDraft(
          name: Self.hostile,
          fields: [
            FieldDefinition(name: "id", type: .int, isIdentifier: true),
            FieldDefinition(name: Self.hostile, type: .string, isIndexed: true),
          ])
      ])
    }
    let table = try #require(engine.snapshot().catalog.tables.first?.id)
    try engine.write { (transaction) throws(EngineError) in
      try transaction.batch(for: table).columns[0].append(Self.hostile)
      try transaction.insertRow(into: table, key: 1)
    }
  }

  /// Whether a terminal shows all of a text, and no name makes a line of its own.
  private func isShown(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0 == "\n"
        || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
          && !(0x202A...0x202E).contains($0.value) && !(0x2066...0x2069).contains($0.value)
    } && !text.contains("\nnext")
  }

  @Test func namesOfAFileAreShownAndNotObeyed() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/hostile.roost"
      try makeStore(path)
      let stats = try tool.roost("stats", path)
      #expect(stats.output.contains("\n\(Self.shown) "))
      #expect(stats.output.contains("  index \(Self.shown) "))
      let figures = try tool.roost("stats", path, "--format", "json")
      #expect(figures.output.contains(#"\u009B2J\u202E"#))
      let salvage = try tool.roost("salvage", path, directory + "/out.roost")
      #expect(salvage.output.contains("\n\(Self.shown) "))
      let query = try tool.roost("query", path, "\u{1B}[31m", "--count")
      #expect(query.code == 2)
      let parser = try tool.roost("stats", path, "\u{1B}[31m\u{9B}2J")
      #expect(parser.code == 2)
      for run in [stats, figures, salvage, query, parser] {
        #expect(isShown(run.output) && isShown(run.complaint), "\(run)")
      }
      let unit: UInt64
      do {
        let engine = try Engine.open(path)
        let table = try #require(engine.snapshot().catalog.tables.first?.id)
        var leaves = try engine.snapshot().view.objects(table).leaves()
        unit = try #require(try leaves.next()).pointer.unit
      }
      try tool.damage(path, units: [unit])
      let verify = try tool.roost("verify", path)
      #expect(verify.output.contains(", \(Self.shown), objects"))
      let dump = try tool.roost("dump", path)
      #expect(dump.complaint.contains("left out of \(Self.shown): checksum"))
      for run in [verify, dump] {
        #expect(isShown(run.output) && isShown(run.complaint), "\(run)")
      }
    }
  }

  #if os(Linux)
  @Test func aDumpIsAsTheFormatSaysAndOnATerminalTheSameJSON() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/hostile.roost"
      try makeStore(path)
      let file = try tool.roost("dump", path).output
      // Format.md §12: only what JSON itself forbids is escaped.
      #expect(file.contains("\\u001B[31mRED\u{7F}\u{9B}2J\u{202E}\u{2066}\\nnext"))
      let terminal = try roostOnTerminal(["dump", path], columns: 80)
      #expect(isShown(terminal))
      #expect(terminal.contains(#"\u001B[31mRED\u007F\u009B2J\u202E\u2066\nnext"#))
      let parsed = try [file, terminal].map { text in
        try #require(
          try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: AnyHashable])
      }
      #expect(parsed[0] == parsed[1])
      #expect(parsed[0]["table"] == AnyHashable(Self.hostile))
    }
  }
  #endif
}
#endif
