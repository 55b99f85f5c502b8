#if Tool
import Foundation
import Roost
import RoostDynamic
import RoostTestSupport
import Testing

/// Stores as JSON and CSV, there and back.
@Suite struct TextImportTests {
  private let tool = ToolTests()

  private func objects(_ path: String) throws -> [Substring] {
    let run = try tool.roost("dump", path)
    #expect(run.complaint == "" && run.code == 0)
    return run.output.split(separator: "\n").filter { !$0.hasPrefix("{\"table\":\"value:") }
  }

  /// The same objects, in any order.
  private func expectSame(_ one: String, _ other: String) throws {
    let (one, other) = (Set(try objects(one)), Set(try objects(other)))
    let differences = one.symmetricDifference(other).sorted()
    #expect(differences == [], "\(differences.prefix(4))")
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  /// Fills a store, with values that only texts can hold.
  private func fill(_ path: String) throws {
    let store = try Ten.open(path)
    defer { store.close() }
    try Ten.fill(store, seed: 7)
    try store.write { transaction in
      try transaction.insert(
        Ten.Plain(
          id: 5000, text: "=1+1", name: "", Name: "a,\"b\"\r\n", isOn: true, size: .nan,
          ratio: -0.0))
      try transaction.insert(
        Ten.Texted(id: "big", number: .min, count: .max, mood: .calm, level: nil))
      try transaction.insert(
        Ten.Dated(
          id: UUID(), at: Date(timeIntervalSinceReferenceDate: 1e15),
          until: Date(timeIntervalSinceReferenceDate: .nan), bytes: Data(), more: nil))
    }
  }

  @Test(arguments: ["json", "ndjson"])
  func aStoreComesBackFromJSONAsItWas(_ format: String) throws {
    try withTemporaryDirectory { directory in
      let (path, file) = (directory + "/ten.roost", directory + "/ten." + format)
      try fill(path)
      #expect(
        try tool.roost("export", path, file)
          == ToolTests.Run(output: "", complaint: "", code: 0))
      #expect(try tool.roost("export", path, "--format", format).output == text(file))
      let back = directory + "/back.roost"
      try Ten.open(back).close()
      let run = try tool.roost("import", back, file)
      #expect(
        run
          == ToolTests.Run(
            output: "\(back): 403 inserted, 0 updated.\n", complaint: "", code: 0))
      try expectSame(back, path)
      // A second time everything is there.
      let again = try tool.roost("import", back, file)
      #expect(
        again.code == 1 && again.complaint.contains("already has an object whose"), "\(again)")
      let update = try tool.roost("import", back, file, "--update")
      #expect(update.output == "\(back): 0 inserted, 403 updated.\n", "\(update)")
      try expectSame(back, path)
      #expect(try tool.roost("verify", back).code == 0)
    }
  }

  @Test func aStoreComesBackFromCSVAsItWas() throws {
    try withTemporaryDirectory { directory in
      let (path, back) = (directory + "/ten.roost", directory + "/back.roost")
      try fill(path)
      try Ten.open(back).close()
      let models = [
        "Plain", "Texted", "Dated", "Priced", "Seat", "Person", "Ticket", "Playlist", "Collected",
        "Film",
      ]
      for model in models {
        let file = directory + "/\(model).csv"
        #expect(try tool.roost("export", path, file, "--model", model).code == 0)
        let run = try tool.roost("import", back, file, "--model", model)
        #expect(run.complaint == "" && run.code == 0)
      }
      try expectSame(back, path)
      #expect(try text(directory + "/Seat.csv").hasPrefix("id,isFree\r\n\"{\"\"row\"\":0,"))
      let quoted = try tool.roost(
        "export", path, "--format", "csv", "--model", "Plain", "--quote-formulas")
      #expect(quoted.output.contains("\r\n5000,'=1+1,\"\",\"a,\"\"b\"\"\r\n\",true,nan,-0.0\r\n"))
      let all = try tool.roost("export", path, directory + "/all.csv")
      #expect(
        all.complaint
          == "roost: \(directory)/all.csv: CSV is of one model: name it with --model.\n")
      #expect(all.code == 1)
    }
  }

  @Test func anErrorNamesTheLineAndChangesNothing() throws {
    try withTemporaryDirectory { directory in
      let (path, file) = (directory + "/ten.roost", directory + "/some.text")
      try Ten.open(path).close()
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      func expect(
        _ text: String, _ complaint: String, _ arguments: String...
      ) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        let run = try tool.run(["import", path, file] + arguments)
        #expect(
          run == ToolTests.Run(output: "", complaint: "roost: \(file): \(complaint)\n", code: 1))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
      }
      let film = #"{"table":"Film","id":1,"sound":""}"# + "\n"
      try expect(
        film + "\n" + #"{"table":"Film","id":"x"}"#,
        "line 3: the value of Film.id is not of its type.", "--format", "ndjson")
      try expect(
        film + #"{"id":2}"#,
        #"line 2: there is no member "table" that names the model; say --model."#, "--format",
        "ndjson")
      try expect(
        #"{"table":"Fim","id":2}"#,
        "line 1: there is no model Fim; `roost schema` lists them.", "--format", "ndjson")
      try expect(
        #"[{"id":2,"sund":1}]"#, "Film, object 1: Film has no field sund.", "--format", "json",
        "--model", "Film")
      try expect(
        #"[{"id":2]"#,
        "the text, line 1, column 9: \",\" or \"}\" was expected, and \"]\" found.",
        "--format", "json", "--model", "Film")
      try expect(
        "[]", "an array does not say which model its objects are of: say --model.", "--format",
        "json")
      try expect(
        "id,sound\n1,\n2,AQ==,3\n", "line 3: 2 cells were expected, as in the first line.",
        "--format", "csv", "--model", "Film")
      try expect(
        "id,sound\n1,AQ==\n2,!\n", "line 3: the value of Film.sound is not of its type.",
        "--format", "csv", "--model", "Film")
      try expect("id\n1\n", "CSV is of one model: name it with --model.", "--format", "csv")
      try expect(
        "id\n1\n", "there is no model Fim; `roost schema` lists them.", "--format", "csv",
        "--model", "Fim")
      #expect(try tool.roost("import", path, file).code == 2)
      #expect(try tool.roost("import", path, file, "--format", "sqlite").code == 2)
      let missing = try tool.roost("import", path, directory + "/a.json")
      #expect(
        missing.complaint == "roost: there is no file \(directory)/a.json: check the path.\n")
    }
  }
}
#endif
