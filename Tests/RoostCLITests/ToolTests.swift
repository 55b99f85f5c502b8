#if Tool
import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Testing

/// The tool as somebody runs it: the built program, its two outputs and its exit code.
@Suite struct ToolTests {
  /// What a run of the program came to.
  struct Run: Equatable {
    var output: String
    var complaint: String
    var code: Int32
  }

  func roost(_ arguments: String...) throws -> Run { try run(arguments) }

  /// The built program.
  var program: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("roost")
  }

  /// Runs the program.
  ///
  /// - Parameters:
  ///   - input: Its standard input.
  ///   - environment: What its environment has beside that of the tests, without colours.
  func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Run {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = Self.environment(environment)
    let output = Pipe()
    let complaint = Pipe()
    let text = Pipe()
    process.standardOutput = output
    process.standardError = complaint
    process.standardInput = text
    try process.run()
    try text.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try text.fileHandleForWriting.close()
    let written = output.fileHandleForReading.readDataToEndOfFile()
    let error = complaint.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Run(
      output: String(decoding: written, as: UTF8.self),
      complaint: String(decoding: error, as: UTF8.self), code: process.terminationStatus)
  }

  /// The environment of the tests without what is said about colours, and with other values.
  static func environment(_ values: [String: String]) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    for name in ["NO_COLOR", "FORCE_COLOR", "COLUMNS"] { environment[name] = nil }
    environment["TERM"] = "xterm"
    return environment.merging(values) { _, new in new }
  }

  /// Makes a store with a value of every type.
  private func makeStore(_ path: String) throws {
    let engine = try Engine.open(path)
    try engine.write { (transaction) throws(EngineError) in
      try transaction.addTables([
        TableDraft(
          name: "Tag", fields: [FieldDefinition(name: "id", type: .string, isIdentifier: true)]),
        TableDraft(
          name: "Thing",
          fields: [
            FieldDefinition(name: "id", type: .int, isIdentifier: true),
            FieldDefinition(name: "isOn", type: .bool),
            FieldDefinition(name: "size", type: .double, isOptional: true),
            FieldDefinition(name: "ratio", type: .float),
            FieldDefinition(name: "text", type: .string),
            FieldDefinition(name: "bytes", type: .data),
            FieldDefinition(name: "at", type: .date),
            FieldDefinition(name: "key", type: .uuid),
            FieldDefinition(name: "tag", type: .link, isOptional: true),
          ], linkTargets: ["tag": "Tag"]),
      ])
    }
    let catalog = engine.snapshot().catalog
    let tags = try #require(catalog.table(named: "Tag")?.id)
    let things = try #require(catalog.table(named: "Thing")?.id)
    try engine.write { (transaction) throws(EngineError) in
      let batch = try transaction.batch(for: tags)
      batch.columns[0].append("vip")
      let tag = try transaction.insertRow(into: tags, key: nil)
      let uuid = Value.uuid(0x0011_2233_4455_6677, 0x8899_AABB_CCDD_EEFF)
      let long = String(repeating: "é", count: 600)
      let rows: [(Int64, [Value])] = [
        (
          -7,
          [
            .integer(1), .double(0.1), .float(0.1), .bytes(Array("a\"b\\c\n\u{1}é".utf8)),
            .bytes([0, 1, 2, 255]), .double(-1234.5), uuid, .integer(tag),
          ]
        ),
        (
          9,
          [
            .integer(0), .null, .float(.infinity), .bytes(Array(long.utf8)), .bytes([]),
            .double(.nan), uuid, .null,
          ]
        ),
      ]
      for (key, values) in rows {
        let batch = try transaction.batch(for: things)
        for (column, value) in zip(batch.columns, values) { column.append(value) }
        try transaction.insertRow(into: things, key: key)
      }
    }
  }

  @Test func dumpsEveryTypeWithoutLoss() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      try makeStore(path)
      let long = String(repeating: "é", count: 600)
      let uuid = "00112233-4455-6677-8899-AABBCCDDEEFF"
      let run = try roost("dump", path)
      #expect(run.complaint == "")
      #expect(run.code == 0)
      #expect(
        run.output == """
          {"table":"Tag","id":"vip"}
          {"table":"Thing","id":-7,"isOn":true,"size":0.1,"ratio":0.1,"text":"a\\"b\\\\c\\n\\u0001é",\
          "bytes":"AAEC/w==","at":-1234.5,"key":"\(uuid)","tag":"vip"}
          {"table":"Thing","id":9,"isOn":false,"size":null,"ratio":"inf","text":"\(long)",\
          "bytes":"","at":"nan","key":"\(uuid)","tag":null}

          """)
    }
  }

  @Test func aFieldThatIsCalledTableHasANameOfItsOwn() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/names.roost"
      do {
        let engine = try Engine.open(path)
        try engine.write { (transaction) throws(EngineError) in
          try transaction.addTables([
            TableDraft(
              name: "Seat",
              fields: [
                FieldDefinition(name: "table", type: .int, isIdentifier: true),
                FieldDefinition(name: "_table", type: .int),
                FieldDefinition(name: "tables", type: .int),
              ])
          ])
          let table = transaction.catalog.tables[0].id
          let batch = try transaction.batch(for: table)
          batch.columns[0].append(Int64(2))
          batch.columns[1].append(Int64(3))
          try transaction.insertRow(into: table, key: 1)
        }
      }
      let line = #"{"table":"Seat","_table":1,"__table":2,"tables":3}"# + "\n"
      #expect(try roost("dump", path) == Run(output: line, complaint: "", code: 0))
    }
  }

  @Test func dumpingLeavesOutWhatIsDamagedAndSaysSo() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      try makeStore(path)
      let leaves = try fillThings(path)
      #expect(leaves.count > 5)
      let whole = try roost("dump", path)
      #expect(whole.code == 0)
      // The first leaf, and two neighbours further on.
      let damaged = [leaves[0], leaves[2], leaves[3]]
      try damage(path, units: damaged.map(\.unit))
      let run = try roost("dump", path)
      let expected = whole.output.split(separator: "\n").filter { line in
        guard let id = line.firstMatch(of: /"Thing","id":(-?\d+)/), let key = Int64(id.1) else {
          return true
        }
        return !damaged.contains { $0.keys.contains(key) }
      }
      #expect(run.output.split(separator: "\n") == expected)
      #expect(run.code == 3)
      let said = run.complaint.split(separator: "\n")
      #expect(said.count == 4)
      for (line, leaf) in zip(said, damaged) {
        #expect(
          line.hasPrefix("roost: left out of Thing: checksum, unit \(leaf.unit), Thing, objects "))
      }
      let missing = whole.output.split(separator: "\n").count - expected.count
      let end = "roost: \(path) is damaged: \(missing) objects are not in the dump."
      #expect(said.last?.hasPrefix(end) == true)
    }
  }

  /// Adds so many things to the store that they lie in several leaves, and returns these.
  private func fillThings(
    _ path: String
  ) throws -> [(unit: UInt64, keys: ClosedRange<Int64>)] {
    let engine = try Engine.open(path)
    let things = try #require(engine.snapshot().catalog.table(named: "Thing")?.id)
    try engine.write { (transaction) throws(EngineError) in
      for key in Int64(100)..<20_000 {
        let batch = try transaction.batch(for: things)
        let values: [Value] = [
          .integer(0), .null, .float(0), .bytes(Array("text \(key)".utf8)), .bytes([]),
          .double(0), .uuid(UInt64(key) &* 0x9E37_79B9_7F4A_7C15, 1), .null,
        ]
        for (column, value) in zip(batch.columns, values) { column.append(value) }
        try transaction.insertRow(into: things, key: key)
      }
    }
    var found: [(unit: UInt64, keys: ClosedRange<Int64>)] = []
    var leaves = try engine.snapshot().view.objects(things).leaves()
    while let leaf = try leaves.next() {
      found.append((leaf.pointer.unit, leaf.firstKey...leaf.lastKey))
    }
    return found
  }

  func damage(_ path: String, units: [UInt64]) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for unit in units { bytes[Int(unit) * 4096 + 40] ^= 1 }
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  @Test func dumpingGoesOnBehindATableThatCannotBeRead() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      try makeStore(path)
      let unit: UInt64
      do {
        let engine = try Engine.open(path)
        let tags = try #require(engine.snapshot().catalog.table(named: "Tag")?.id)
        var leaves = try engine.snapshot().view.objects(tags).leaves()
        unit = try #require(try leaves.next()).pointer.unit
      }
      let whole = try roost("dump", path)
      try damage(path, units: [unit])
      let run = try roost("dump", path)
      // The thing that links to the lost tag cannot be said whole; the other one can.
      #expect(
        run.output.split(separator: "\n") == whole.output.split(separator: "\n").suffix(1))
      #expect(run.code == 3)
      #expect(run.complaint.contains("2 objects are not in the dump."))
    }
  }

  @Test func salvagingSavesWhatCanBeReadAndSaysWhatIsLost() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      try makeStore(path)
      let whole = try roost("salvage", path, directory + "/whole.roost")
      #expect(
        whole
          == Run(
            output: "Table  saved  lost\nTag        1     0\nThing      2     0\n", complaint: "",
            code: 0))
      #expect(try roost("dump", directory + "/whole.roost") == roost("dump", path))
      let unit: UInt64
      do {
        let engine = try Engine.open(path)
        let tags = try #require(engine.snapshot().catalog.table(named: "Tag")?.id)
        var leaves = try engine.snapshot().view.objects(tags).leaves()
        unit = try #require(try leaves.next()).pointer.unit
      }
      try damage(path, units: [unit])
      let out = directory + "/saved.roost"
      let run = try roost("salvage", path, out)
      #expect(run.code == 3)
      #expect(
        run.output.split(separator: "\n") == [
          "Table  saved  lost", "Tag        0     1", "Thing      2     0",
          "lost: Tag: all objects (checksum, unit \(unit))", "lost: Thing.tag of object -7 (link)",
        ])
      #expect(try roost("dump", out).output.hasPrefix("{\"table\":\"Thing\",\"id\":-7,"))
      #expect(try roost("verify", out).code == 0)
      let again = try roost("salvage", "--format", "json", path, out)
      #expect(again.code == 1)
      #expect(again.complaint.contains("File exists"))
    }
  }

  @Test func compactingChangesNothingThatIsDumped() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      try makeStore(path)
      let before = try roost("dump", path)
      #expect(
        try roost("compact", "--if-needed", path)
          == Run(output: "\(path): nothing to do.\n", complaint: "", code: 0))
      let run = try roost("compact", "--format", "json", path)
      #expect(run.code == 0)
      #expect(run.output.hasPrefix("{\"file\":\"\(path)\",\"compacted\":true,\"bytesBefore\":"))
      #expect(try roost("dump", path) == before)
    }
  }

  @Test func aFieldIsDroppedWhereItIsNamedAndNeverAKey() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      try makeStore(path)
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(
        try roost("drop-field", path, "Thing", "txet")
          == Run(
            output: "",
            complaint:
              "roost: \(path) has no field Thing.txet. Did you mean \"text\"?\n", code: 1))
      #expect(
        try roost("drop-field", path, "Thing", "id").complaint
          == "roost: Thing.id is the key of its objects and cannot go.\n")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)

      let texts = try roost("dump", path).output
      #expect(texts.contains("\"text\":"))
      let asked = try roost("drop-field", path, "Thing", "text")
      #expect(asked.code == 2 && asked.output.isEmpty)
      #expect(asked.complaint.hasPrefix("Thing.text of "))
      #expect(
        asked.complaint.hasSuffix(
          "\nroost: Nothing was changed: say --yes where nobody can be asked.\n"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
      let run = try roost("drop-field", path, "Thing", "text", "--yes")
      #expect(run.code == 0 && run.output.hasPrefix("Thing.text: "))
      #expect(try !roost("dump", path).output.contains("\"text\":"))
      #expect(try roost("verify", path).code == 0)
    }
  }

  @Test func versionsAreKeptListedRolledBackToAndDropped() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      try makeStore(path)
      let before = try roost("dump", path)
      #expect(try roost("versions", path).output == "\(path): no versions.\n")
      #expect(
        try roost("keep", path, "before")
          == Run(output: "\(path): \"before\" kept.\n", complaint: "", code: 0))
      #expect(
        try roost("keep", path, "before").complaint
          == "roost: \(path) has a version \"before\" already; drop it with `--drop`, or take another "
          + "name.\n"
      )
      _ = try roost("drop-field", path, "Thing", "text", "--yes")
      #expect(try roost("dump", path) != before)
      let list = try roost("versions", path).output.split(separator: "\n")
      #expect(list.count == 2)
      #expect(list[0].split(separator: " ") == ["name", "date", "version", "size", "openings"])
      #expect(list[1].hasPrefix("before  20"))
      let json = try JSONSerialization.jsonObject(
        with: Data(roost("versions", "--format", "json", path).output.utf8))
      #expect((json as? [String: Any])?["name"] as? String == "before")
      #expect(try roost("stats", path).output.contains("\nkept: \"before\", version "))
      let compacted = try roost("compact", path)
      #expect(compacted.code == 0)
      #expect(
        try roost("restore", path, "before", directory + "/old.roost")
          == Run(
            output: "\(directory)/old.roost: \"before\" of \(path).\n", complaint: "", code: 0))
      #expect(try roost("dump", directory + "/old.roost").output == before.output)
      #expect(try roost("versions", directory + "/old.roost").output.hasSuffix("no versions.\n"))
      #expect(try roost("verify", directory + "/old.roost").code == 0)
      #expect(try roost("dump", path) != before)
      #expect(try roost("restore", path, "before", path).code == 1)
      let asked = try roost("restore", path, "before")
      #expect(asked.code == 2 && asked.complaint.contains("\nWhat was written since "))
      #expect(asked.complaint.contains("Thing: "))
      #expect(try roost("dump", path) != before)
      let restored = try roost("restore", path, "before", "--yes")
      #expect(restored.output == "\(path): restored \"before\".\n" && restored.code == 0)
      #expect(try roost("dump", path) == before)
      #expect(
        try roost("restore", path, "--before", "2026-02").complaint
          == "roost: \(path) has no version \"before 2026-02\"; "
          + "`roost versions` lists those that are kept.\n"
      )
      #expect(try roost("restore", path).code == 2)
      #expect(try roost("restore", path, "a", "b", "--before", "c").code == 2)
      let kept = try Data(contentsOf: URL(fileURLWithPath: path))
      let dropping = try roost("keep", path, "before", "--drop")
      #expect(dropping.code == 2 && dropping.complaint.hasPrefix("\"before\" of 20"))
      #expect(dropping.complaint.hasSuffix("say --yes where nobody can be asked.\n"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == kept)
      #expect(try roost("keep", path, "after", "--yes").code == 2)
      let none = try roost("keep", path, "none", "--drop", "--yes").complaint
      #expect(none.hasPrefix("roost: \(path) has no version \"none\"; `roost versions` lists"))
      #expect(
        try roost("keep", path, "before", "--drop", "--yes").output
          == "\(path): \"before\" dropped.\n")
      #expect(try roost("versions", path).output == "\(path): no versions.\n")
      #expect(try roost("verify", path).code == 0)
    }
  }

  @Test(arguments: [
    "restore <file> [<name>] [<out>] [--before <step>] [--force] [--yes]",
    "keep <file> <name> [--drop] [--yes]", "versions <file> [--format <format>]",
  ])
  func theHelpOfACommandForVersionsSaysWhatItTakes(usage: String) throws {
    let command = String(usage.prefix { $0 != " " })
    #expect(try roost(command, "--help").output.contains("USAGE: roost " + usage))
  }

  private struct Note: Model {
    let id: Int
    var text: String
    static let schema = Schema(Note.init, Key("id", \.id), Field("text", \.text))
  }

  @Test func theHistoryListsTheStepsThatAFileHasBehindIt() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/notes.roost"
      try Store(.file(path), models: Note.self).close()
      #expect(
        try roost("history", path) == Run(output: "\(path): no steps.\n", complaint: "", code: 0))
      try Store(
        .file(path), models: Note.self,
        migrations: {
          MigrationStep("2026-01 no title", .compatible) { try $0.remove("title", of: "Note") }
          MigrationStep("2026-02 a number") { try $0.add("number", to: "Note", default: 1) }
        }
      ).close()
      let lines = try roost("history", path).output.split(separator: "\n")
      try #require(lines.count == 3)
      #expect(lines[0].hasPrefix("step              date"))
      #expect(
        lines[1].hasPrefix("2026-01 no title  20") && lines[2].hasPrefix("2026-02 a number  20"))
      let json = try roost("history", "--format", "json", path).output.split(separator: "\n")
      #expect(json.count == 2 && json[0].hasPrefix("{\"step\":\"2026-01 no title\",\"date\":\"20"))
      #expect(json[0].hasSuffix(",\"compatible\":true}") && json[1].hasSuffix("false}"))
      // What a file keeps of them is nothing that somebody restores.
      #expect(try roost("keep", path, "migrated").code == 0)
      let asked = try roost("restore", path, "migrated")
      #expect(asked.complaint.hasPrefix("Note: 0 objects → 0\nWhat was written since"), "\(asked)")
      #expect(
        try roost("history", directory + "/none").complaint
          == "roost: there is no file \(directory)/none: check the path.\n")
    }
  }

  @Test func verifyingTellsSoundFromDamaged() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      try makeStore(path)
      #expect(
        try roost("verify", path) == Run(output: "\(path) is sound.\n", complaint: "", code: 0))
      #expect(
        try roost("verify", "--format", "json", path).output
          == "{\"file\":\"\(path)\",\"isSound\":true,\"findings\":[]}\n")
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      for unit in 16..<bytes.count / 4096 { bytes[unit * 4096 + 40] ^= 1 }
      try bytes.write(to: URL(fileURLWithPath: path))
      let run = try roost("verify", path)
      #expect(run.code == 3)
      #expect(run.complaint.hasPrefix("roost: \(path) is damaged"))
    }
  }

  @Test func aQueryPrintsWhatItFinds() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      try makeStore(path)
      func lines(_ query: String) throws -> [Substring] {
        let run = try roost("query", path, query)
        #expect(run.complaint == "" && run.code == 0)
        return run.output.split(separator: "\n")
      }
      #expect(try lines("Tag") == [#"{"id":"vip"}"#])
      let all = try lines("Thing sort id desc")
      try #require(all.count == 2)
      #expect(all[0].hasPrefix(#"{"id":9,"isOn":false,"size":null"#))
      #expect(
        all[1].hasSuffix(#""key":"00112233-4455-6677-8899-AABBCCDDEEFF","tag":"vip"}"#))
      #expect(try lines(#"Thing where tag.id == "vip" && isOn == true"#) == [all[1]])
      #expect(try lines("Thing where at == nan || size == nil limit 5") == [all[0]])
      #expect(try lines(#"Tag where (Thing by tag).count > 1"#) == [])
      #expect(try roost("query", "--count", path, "Thing where tag == nil").output == "1\n")
      let plan = try roost("query", "--explain", path, #"Tag where id == "vip""#)
      #expect(plan.output.hasPrefix("1 entries of the index of id\n") && plan.code == 0)
    }
  }

  @Test func groupsAreATableOrLinesOfJSON() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      try makeStore(path)
      let text = "Thing group isOn, tag, key select count, max(id), average(size), min(at) sort tag"
      let table = try roost("query", path, text)
      let uuid = "00112233-4455-6677-8899-AABBCCDDEEFF"
      let gap = String(repeating: " ", count: uuid.count - 3)
      #expect(
        table
          == Run(
            output: """
              isOn   tag  key\(gap)  count  max(id)  average(size)                   min(at)
              false  nil  \(uuid)      1        9            nil                       nil
              true   vip  \(uuid)      1       -7            0.1  2000-12-31T23:39:25.500Z

              """, complaint: "", code: 0))
      let json = try roost("query", "--format", "ndjson", path, text)
      let lines = """
        {"isOn":false,"tag":null,"key":"\(uuid)","count":1,"max(id)":9,"average(size)":null,\
        "min(at)":null}
        {"isOn":true,"tag":"vip","key":"\(uuid)","count":1,"max(id)":-7,"average(size)":0.1,\
        "min(at)":-1234.5}

        """
      #expect(json == Run(output: lines, complaint: "", code: 0))
      #expect(
        try roost("query", path, "Thing select count, sum(size) having count > 1").output
          == "count  sum(size)\n2            0.1\n")
      #expect(try roost("query", "--count", path, text).output == "2\n")
      let plan = try roost("query", "--explain", path, #"Tag where id == "vip" group id"#)
      #expect(plan.output.hasPrefix("1 entries of the index of id\n") && plan.code == 0)
      let wrong = try roost("query", path, "Thing group größe")
      #expect(wrong.code == 2 && wrong.complaint.hasSuffix("größe\n              ^\n"))
    }
  }

  @Test func aLongCellOfATableIsCut() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      try makeStore(path)
      let table = try roost("query", path, "Thing group text select count sort text")
      let gap = { (count: Int) in String(repeating: " ", count: count) }
      let cut = String(repeating: "é", count: 99) + "…"
      let expected = """
        text\(gap(96))  count
        a"b\\c\\u000A\\u0001é\(gap(82))      1
        \(cut)      1

        """
      #expect(table.output == expected)
    }
  }

  @Test func aTextThatIsNoQuerySaysWhere() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      try makeStore(path)
      #expect(
        try roost("query", path, "Thing where größe > 3")
          == Run(
            output: "",
            complaint: """
              roost: Thing has no field größe.
                Thing where größe > 3
                            ^

              """, code: 2))
      #expect(try roost("query", path, "Thing", "--count", "--explain").code == 2)
    }
  }

  @Test func statisticsAreTextOrJSON() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      try makeStore(path)
      let text = try roost("stats", path)
      #expect(text.code == 0)
      #expect(text.output.contains("\n  unique index id"))
      let json = try roost("stats", "--format", "json", path)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
      let tables = try #require(object["tables"] as? [[String: Any]])
      #expect(tables.map { $0["objects"] as? Int } == [1, 2])
    }
  }

  @Test func saysWhatToDoAndExitsAccordingly() throws {
    try withTemporaryDirectory { directory in
      let missing = directory + "/missing.roost"
      #expect(
        try roost("stats", missing)
          == Run(
            output: "", complaint: "roost: there is no file \(missing): check the path.\n", code: 1)
      )
      #expect(!FileManager.default.fileExists(atPath: missing))
      let other = directory + "/other"
      try Data("something else, and long enough".utf8).write(to: URL(fileURLWithPath: other))
      #expect(
        try roost("dump", other)
          == Run(
            output: "", complaint: "roost: \(other) is not a Roost file: check the path.\n", code: 1
          ))
      #expect(try roost("verify").code == 2)
      #expect(try roost("nonsense").code == 2)
      #expect(try roost("stats", "--format", "csv", other).code == 2)
      #expect(try roost("--help").code == 0)
      let path = directory + "/open.roost"
      let engine = try Engine.open(path)
      let complaint = "roost: \(path) is in use by another process; close it there and try again.\n"
      #expect(try roost("compact", path) == Run(output: "", complaint: complaint, code: 1))
      withExtendedLifetime(engine) {}
    }
  }
}
#endif
