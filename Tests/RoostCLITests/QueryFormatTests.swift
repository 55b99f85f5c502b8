#if Tool
import Foundation
import Roost
import RoostTestSupport
import Testing

/// The forms of a query's results, elsewhere and on a terminal.
@Suite struct QueryFormatTests {
  private let tool = ToolTests()

  private struct Guest: Model {
    let id: Int
    var name: String
    var note: String?
    var film = Blob()
    static let schema = Schema(
      Guest.init, Key("id", \.id), Field("name", \.name), Field("note", \.note),
      Field("film", \.film))
  }

  private func makeStore(_ path: String, count: Int) throws {
    let store = try Store(.file(path), models: Guest.self)
    defer { store.close() }
    let names = ["Ann", "李小龍", "Zoë, \"Z\"", "👩‍👩‍👧 e\u{301}", "\u{1B}[31mred"]
    try store.write { transaction in
      for id in 0..<count {
        try transaction.insert(
          Guest(
            id: id, name: names[id % 5], note: id % 2 == 0 ? nil : "note \(id)",
            film: Blob([UInt8](repeating: 1, count: id == 1 ? 3 : 0))))
      }
    }
  }

  @Test func objectsAreATableOrJSONOrCSV() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/guests.roost"
      try makeStore(path, count: 3)
      func output(_ arguments: String...) throws -> String {
        let run = try tool.run(["query", path, "Guest sort id"] + arguments)
        #expect(run.complaint == "" && run.code == 0)
        return run.output
      }
      let lines = #"""
        {"id":0,"name":"Ann","note":null,"film":""}
        {"id":1,"name":"李小龍","note":"note 1","film":"AQEB"}
        {"id":2,"name":"Zoë, \"Z\"","note":null,"film":""}

        """#
      #expect(try output() == lines)
      #expect(try output("--format", "ndjson") == lines)
      #expect(
        try output("--format", "json") == #"""
          [
            {"id":0,"name":"Ann","note":null,"film":""},
            {"id":1,"name":"李小龍","note":"note 1","film":"AQEB"},
            {"id":2,"name":"Zoë, \"Z\"","note":null,"film":""}
          ]

          """#)
      #expect(
        try output("--format", "csv")
          == "id,name,note,film\r\n0,Ann,,\"\"\r\n1,李小龍,note 1,AQEB\r\n2,\"Zoë, \"\"Z\"\"\",,\"\"\r\n"
      )
      // Wide characters take two columns.
      #expect(
        try output("--format", "table") == """
          id  name      note    film
          0   Ann       nil     0 bytes
          1   李小龍    note 1  3 bytes
          2   Zoë, "Z"  nil     0 bytes

          """)
      #expect(
        try output("--format", "table", "--limit", "1")
          == "id  name  note  film\n0   Ann   nil   0 bytes\nand 2 more\n")
      #expect(
        try output("--limit", "2") == lines.split(separator: "\n").prefix(2).joined(separator: "\n")
          + "\n")
      #expect(try output("--limit", "0") == lines)
      #expect(try output("--format", "json", "--limit", "1").hasSuffix("\"film\":\"\"}\n]\n"))
      #expect(try tool.roost("query", path, "Guest", "--limit", "-1").code == 2)
      #expect(
        try tool.roost("query", path, "Guest where id > 9", "--format", "json").output == "[]\n")
      #expect(
        try tool.roost("query", path, "Guest select count", "--format", "csv").output
          == "count\r\n3\r\n")
      #expect(
        try tool.roost("query", path, "Guest select count", "--format", "json").output
          == "[\n  {\"count\":3}\n]\n")
    }
  }

  @Test func aQueryIsReadFromTheStandardInput() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/guests.roost"
      try makeStore(path, count: 3)
      let run = try tool.run(["query", path, "-", "--count"], input: "Guest where\n  id > 0\n\n")
      #expect(run == ToolTests.Run(output: "2\n", complaint: "", code: 0))
      let wrong = try tool.run(["query", path, "-"], input: "Gust\n")
      #expect(wrong.code == 2 && wrong.complaint.contains("\n  Gust\n  ^\n"))
    }
  }

  @Test func whoeverClosesAPipeIsToldNothing() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/guests.roost"
      try makeStore(path, count: 20_000)
      // Programs that ignore the signal are told by the error.
      for prefix in ["", "trap '' PIPE; "] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
          "-c", "\(prefix)\"$0\" dump \"$1\" | head -n 1 >/dev/null", tool.program.path, path,
        ]
        let complaint = Pipe()
        process.standardError = complaint
        try process.run()
        let text = complaint.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(String(decoding: text, as: UTF8.self) == "")
      }
    }
  }

  #if os(Linux)
  @Test func aTerminalShowsWhatFitsItsWidthAndAHundredRows() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/guests.roost"
      try makeStore(path, count: 123)
      func lines(_ width: UInt16, _ arguments: String...) throws -> [Substring] {
        let text = try TerminalTests().roostOnTerminal(
          ["query", path, "Guest sort id"] + arguments, columns: width,
          environment: ["NO_COLOR": "1"])
        return text.split(separator: "\n")
      }
      let wide = try lines(200)
      #expect(wide.count == 102)
      #expect(wide[0] == "id  name           note     film")
      #expect(wide[5] == #"4   \u001B[31mred  nil      0 bytes"#)
      #expect(wide.last == "and 23 more")
      #expect(try lines(200, "--limit", "0").count == 124)
      #expect(
        try lines(200, "--limit", "2").suffix(2) == [
          "1   李小龍  note 1  3 bytes", "and 121 more",
        ])
      let narrow = try lines(28)
      #expect(narrow[0] == "id  name      note     …")
      #expect(narrow[5] == #"4   \u001B[…  nil      …"#)
      #expect(narrow[2] == "1   李小龍    note 1   …")
      let narrowest = try lines(5)
      #expect(narrowest[0] == "id  …" && narrowest.last == "and 23 more")
      let json = try lines(200, "--format", "ndjson")
      #expect(json.count == 123 && json[4].contains(#""name":"\u001B[31mred""#))
    }
  }

  @Test func coloursAreForTerminalsUnlessOneIsAskedOtherwise() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/guests.roost"
      try makeStore(path, count: 1)
      let arguments = ["query", path, "Guest", "--format", "table"]
      let bold = "\u{1B}[1mid  name  note  film\u{1B}[0m\n"
      let plain = "id  name  note  film\n"
      func terminal(_ environment: [String: String]) throws -> String {
        try TerminalTests().roostOnTerminal(arguments, columns: 80, environment: environment)
      }
      #expect(try terminal([:]).hasPrefix(bold))
      #expect(try terminal(["NO_COLOR": "1"]).hasPrefix(plain))
      #expect(try terminal(["FORCE_COLOR": "0"]).hasPrefix(plain))
      #expect(try terminal(["TERM": "dumb"]).hasPrefix(plain))
      #expect(try tool.run(arguments).output.hasPrefix(plain))
      let forced = try tool.run(arguments, environment: ["FORCE_COLOR": "1"])
      #expect(forced.output.hasPrefix(bold))
    }
  }
  #endif
}
#endif
