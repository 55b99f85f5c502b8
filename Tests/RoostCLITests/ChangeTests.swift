#if Tool
import Foundation
import Roost
import RoostTestSupport
import Testing

/// What differs between files, and changes from the command line.
@Suite struct ChangeTests {
  private let tool = ToolTests()

  private struct Owner: Model {
    let id: String
    var age: Int?
    var born: Date
    var size: Double
    static let schema = Schema(
      Owner.init, Key("id", \.id), Field("age", \.age), Field("born", \.born),
      Field("size", \.size))
  }

  private struct Dog: Model {
    let id: Int
    var name: String
    var owner: Link<Owner>
    var friend: Link<Owner>?
    var film = Blob()
    static let schema = Schema(
      Dog.init, Key("id", \.id), Field("name", \.name),
      Field("owner", \.owner, .onTargetDelete(.cascade)),
      Field("friend", \.friend, .onTargetDelete(.nullify)), Field("film", \.film))
  }

  private func makeStore(_ path: String) throws {
    let store = try Store(.file(path), models: Owner.self, Dog.self)
    defer { store.close() }
    try store.write { transaction in
      for id in ["ann", "bob"] {
        let born = Date(timeIntervalSinceReferenceDate: 0)
        try transaction.insert(Owner(id: id, age: 30, born: born, size: .nan))
      }
      for id in 1...13 {
        try transaction.insert(
          Dog(id: id, name: "Rex \(id)", owner: Link(id: id < 13 ? "ann" : "bob"), friend: nil))
      }
    }
  }

  private func expect(
    _ arguments: [String], output: String = "", complaint: String = "", code: Int32 = 0
  ) throws {
    let run = try tool.run(arguments)
    #expect(run == ToolTests.Run(output: output, complaint: complaint, code: code))
  }

  @Test func whatIsSetIsShownBefore() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/dogs.roost"
      try makeStore(path)
      try expect(
        [
          "set", path, "Owner where id == \"ann\"", "age=nil", "born=2013-01-31T05:00:00Z", "--yes",
        ],
        output: "\(path): 1 changed.\n",
        complaint:
          "Owner \"ann\": age 30 → null, born 2001-01-01T00:00:00Z → 2013-01-31T05:00:00Z\n")
      #expect(
        try tool.roost("query", path, "Owner where age == nil").output
          == "{\"id\":\"ann\",\"age\":null,\"born\":381301200.0,\"size\":\"nan\"}\n")
      let table = try tool.roost("query", path, "Owner where age == nil", "--format", "table")
      #expect(table.output.contains(" 2013-01-31T05:00:00Z "))
      let many = try tool.roost("set", path, "Dog", "friend=bob", "name=a=b", "--yes")
      #expect(many.output == "\(path): 13 changed.\n")
      let lines = many.complaint.split(separator: "\n")
      #expect(lines.count == 11 && lines.last == "and 3 more")
      #expect(lines.first == #"Dog 1: friend null → "bob", name "Rex 1" → "a=b""#)
      #expect(
        try tool.roost(
          "query", path, "Dog where friend.id == \"bob\" && name == \"a=b\"", "--count"
        )
        .output == "13\n")
    }
  }

  @Test func quotesAndTheWordNullAreReadAsInAQuery() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/dogs.roost"
      try makeStore(path)
      let dog = "Dog where id == 1"
      try expect(
        ["set", path, dog, #"name="null""#, #"friend="bob""#, "--yes"],
        output: "\(path): 1 changed.\n",
        complaint: #"Dog 1: name "Rex 1" → "null", friend null → "bob""# + "\n")
      try expect(
        ["set", path, dog, #"name="a \"b\"""#, "friend=null", "--yes"],
        output: "\(path): 1 changed.\n",
        complaint: #"Dog 1: name "null" → "a \"b\"", friend "bob" → null"# + "\n")
      // A text that is not optional has the word, and a single quotation mark is a text.
      try expect(
        ["set", path, dog, "name=null", "--yes"], output: "\(path): 1 changed.\n",
        complaint: #"Dog 1: name "a \"b\"" → "null""# + "\n")
      try expect(
        ["set", path, dog, #"name=""#, "--yes"], output: "\(path): 1 changed.\n",
        complaint: #"Dog 1: name "null" → "\"""# + "\n")
      #expect(try tool.roost("set", path, dog, #"name="a"b""#, "--yes").code == 1)
    }
  }

  @Test func whatIsDeletedIsShownBeforeWithWhatGoesAlong() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/dogs.roost"
      try makeStore(path)
      try expect(
        ["delete", path, "Owner where id == \"ann\"", "--yes"], output: "\(path): 1 deleted.\n",
        complaint: "Owner \"ann\"\n12 of Dog, by the rules of their links\n")
      #expect(try tool.roost("query", path, "Dog", "--count").output == "1\n")
      #expect(try tool.roost("verify", path).code == 0)
    }
  }

  @Test func nothingChangesUnasked() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/dogs.roost"
      try makeStore(path)
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let hint = "roost: Nothing was changed: say --yes where nobody can be asked.\n"
      try expect(["delete", path, "Dog where id == 1"], complaint: "Dog 1\n\(hint)", code: 2)
      try expect(
        ["set", path, "Dog where id == 1", "name=Fido"],
        complaint: "Dog 1: name \"Rex 1\" → \"Fido\"\n\(hint)", code: 2)
      try expect(
        ["set", path, "Dog", "nam=x", "--yes"],
        complaint: "roost: Dog has no field nam. Did you mean \"name\"?\n  nam=x\n  ^\n", code: 1)
      try expect(
        ["set", path, "Owner", "age=old", "--yes"],
        complaint: """
          roost: Owner.age takes a whole number of 64 bits, or nil.
            age=old
                ^

          """, code: 1)
      try expect(
        ["set", path, "Owner", "age", "--yes"],
        complaint: "roost: age is no assignment: write a field, = and its value.\n", code: 2)
      #expect(try tool.roost("set", path, "Dog", "owner=nobody", "--yes").code == 1)
      #expect(try tool.roost("set", path, "Dog where").code == 2)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  }

  @Test func differencesAreListedByKeyAndField() throws {
    try withTemporaryDirectory { directory in
      let (path, other) = (directory + "/dogs.roost", directory + "/later.roost")
      try makeStore(path)
      try FileManager.default.copyItem(atPath: path, toPath: other)
      try expect(["diff", path, other])
      _ = try tool.roost("keep", other, "before")
      _ = try tool.roost("set", other, "Dog where id == 2", "name=Fido", "film=AQ==", "--yes")
      _ = try tool.roost("delete", other, "Dog where id == 3", "--yes")
      try Data("[{\"id\":99,\"name\":\"New\",\"owner\":\"bob\"}]".utf8).write(
        to: URL(fileURLWithPath: directory + "/new.json"))
      _ = try tool.roost("import", other, directory + "/new.json", "--model", "Dog")
      let lines = """
        ~ Dog 2: name "Rex 2" → "Fido", film "" → "AQ=="
        - Dog 3
        + Dog 99

        """
      try expect(["diff", path, other], output: lines, code: 1)
      try expect(["diff", other, "--from", "before"], output: lines, code: 1)
      try expect(
        ["diff", other, path, "--format", "json"],
        output: """
          {"change":"modified","model":"Dog","key":2,"fields":{"name":["Fido","Rex 2"],"film":["AQ==",""]}}
          {"change":"deleted","model":"Dog","key":99}
          {"change":"inserted","model":"Dog","key":3}

          """, code: 1)
      #expect(try tool.roost("diff", path).code == 2)
      try expect(
        ["diff", other, "--from", "none"],
        complaint:
          "roost: \(other) has no version \"none\"; `roost versions` lists those that are kept.\n",
        code: 1)
      let odd = directory + "/odd.roost"
      try OddStore.make(odd)
      let models = try tool.roost("diff", path, odd).output.split(separator: "\n")
      #expect(models.prefix(3) == ["- Owner", "- Dog", "+ Date"])
    }
  }

  #if os(Linux)
  @Test func whoIsAskedCanSayNo() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/dogs.roost"
      try makeStore(path)
      let count = ["query", path, "Dog", "--count"]
      _ = try TerminalTests().roostOnTerminal(
        ["delete", path, "Dog where id == 1"], columns: 80, typing: "n\n")
      #expect(try tool.run(count).output == "13\n")
      let text = try TerminalTests().roostOnTerminal(
        ["delete", path, "Dog where id == 1"], columns: 80, typing: "y\n")
      #expect(text.contains("\(path): 1 deleted."))
      #expect(try tool.run(count).output == "12\n")
    }
  }
  #endif
}
#endif
