#if Tool
import Foundation
import Roost
import RoostTestSupport
import RoostTool
import Testing

/// What commands that may take long say meanwhile.
@Suite struct ProgressTests {
  private let tool = ToolTests()

  @Test func aLineHasThePartTheRateAndTheTimeLeft() {
    func line(_ done: UInt64, _ total: UInt64?, _ unit: String, _ seconds: Double) -> String {
      WorkProgress("copying", unit, done: done, of: total).line(after: seconds)
    }
    #expect(line(0, 400, "units", 0) == "copying ░░░░░░░░░░░░░░░░░░░░ 0 %")
    #expect(
      line(100, 400, "units", 2) == "copying █████░░░░░░░░░░░░░░░ 25 %, 50 units/s, 6 s left")
    #expect(
      line(399_999_999, 400_000_000, "bytes", 10)
        == "copying ███████████████████░ 99 %, 40 MB/s, 1 s left")
    #expect(
      line(400, 400, "objects", 0.1) == "copying ████████████████████ 100 %, 4.0k objects/s")
    #expect(line(0, 0, "objects", 1) == "copying ████████████████████ 100 %")
    #expect(line(1_234_567, nil, "bytes", 2) == "copying 1.2 MB, 617 KB/s")
    #expect(line(12, nil, "objects", 0) == "copying 12 objects")
    #expect(line(2, 100, "units", 60).hasSuffix(" 2 %, 0 units/s, 49 min 0 s left"))
    #expect(line(10, 1000, "units", 100).hasSuffix(" 1 %, 0 units/s, 2 h 45 min left"))
    // Before the first per cent nobody knows.
    #expect(line(1, 1000, "units", 100).hasSuffix(" 0 %, 0 units/s"))
    #expect(line(.max, 1, "units", 1).contains("100 %"))
  }

  @Test func anObjectOfJSONHasOnlyWhatIsKnown() {
    func json(_ done: UInt64, _ total: UInt64?, _ seconds: Double) -> String {
      WorkProgress("a \"b\"", "units", done: done, of: total).json(after: seconds)
    }
    #expect(
      json(100, 400, 2)
        == #"{"work":"a \"b\"","unit":"units","done":100,"total":400,"percent":25.0,"#
        + #""perSecond":50.0,"secondsLeft":6.0}"#)
    #expect(json(7, nil, 0) == #"{"work":"a \"b\"","unit":"units","done":7}"#)
  }

  /// The last object of JSON of each total that a command tells.
  private func told(_ arguments: [String]) throws -> [[String: Any]] {
    let run = try tool.run(arguments + ["--progress", "json"])
    #expect(run.code == 0, "\(arguments) \(run)")
    // Remarks, as of what an import leaves out, are lines of words.
    let objects = run.complaint.split(separator: "\n").filter { $0.hasPrefix("{") }
    let lines = try objects.map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
    for line in lines {
      #expect(line["work"] is String && line["unit"] is String && line["done"] is Int)
    }
    return lines
  }

  @Test func programsGetTheProgressOfEachLongCommand() throws {
    try withTemporaryDirectory { directory in
      let (path, text) = (directory + "/ten.roost", directory + "/ten.ndjson")
      let store = try Ten.open(path)
      try Ten.fill(store, seed: 7)
      store.close()
      #expect(try tool.roost("keep", path, "v").code == 0)
      let empty = directory + "/empty.roost"
      try Ten.open(empty).close()
      let commands: [([String], unit: String)] = [
        (["verify", path], "units"), (["dump", path], "objects"),
        (["salvage", path, directory + "/saved.roost"], "units"),
        (["export", path, text], "objects"), (["export", path, directory + "/a.json"], "objects"),
        (["export", path, directory + "/a.csv", "--model", "Film"], "objects"),
        (["export", path, directory + "/a.sqlite"], "objects"),
        (["export", path, "--format", "ndjson"], "objects"), (["import", empty, text], "bytes"),
        (["import", directory + "/b.roost", directory + "/a.sqlite"], "objects"),
        (["restore", path, "v", directory + "/v.roost"], "units"), (["compact", path], "units"),
      ]
      for (command, unit) in commands {
        let last = try #require(try told(command).last, "\(command)")
        #expect(last["unit"] as? String == unit, "\(command) \(last)")
        #expect(last["percent"] as? Double == 100, "\(command) \(last)")
        #expect(last["done"] as? Int == last["total"] as? Int, "\(command) \(last)")
        #expect((last["done"] as? Int ?? 0) > 0, "\(command) \(last)")
      }
      let none = try tool.roost("verify", path, "--progress", "none")
      #expect(none.complaint == "" && none.code == 0)
    }
  }

  @Test func anEndInTheMiddleIsToldToo() throws {
    try withTemporaryDirectory { directory in
      let (path, text) = (directory + "/ten.roost", directory + "/ten.ndjson")
      try Ten.open(path).close()
      try Data("{\"table\":\"Film\"\n".utf8).write(to: URL(fileURLWithPath: text))
      let run = try tool.roost("import", path, text, "--progress", "json")
      let lines = run.complaint.split(separator: "\n")
      #expect(run.code == 1 && lines.count == 2, "\(run)")
      #expect(lines.first?.hasPrefix(#"{"work":"reading","unit":"bytes","done":16,"#) == true)
      #expect(lines.last?.hasPrefix("roost: \(text): line 1, column 16: ") == true)
    }
  }

  #if os(Linux)
  @Test func aTerminalShowsALineUntilTheEnd() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ten.roost"
      let store = try Ten.open(path)
      try Ten.fill(store, seed: 7)
      store.close()
      func shown(_ command: String) throws -> String {
        try TerminalTests().onTerminal(
          "/bin/sh", ["-c", "exec '\(tool.program.path)' " + command], columns: 80,
          environment: [:], typing: "")
      }
      let verify = try shown("verify \(path)")
      #expect(verify.hasPrefix("\r\u{1B}[Kverifying "), "\(verify)")
      #expect(verify.contains(" %"))
      #expect(verify.hasSuffix("\r\u{1B}[K\(path) is sound.\n"), "\(verify)")
      // What is printed there is not mixed with it.
      #expect(!(try shown("dump \(path)")).contains("\u{1B}"))
      #expect(try shown("verify \(path) --progress none") == "\(path) is sound.\n")
      #expect(try shown("dump \(path) | wc -l").contains("\r\u{1B}[K"))
    }
  }
  #endif
}
#endif
