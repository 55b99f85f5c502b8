#if Tool
import Foundation
import Roost
import RoostDynamic
import RoostTestSupport
import RoostTool
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
      #expect(
        again.complaint.hasPrefix("roost: \(file): 403 mistakes, and nothing was changed\n  line ")
          && again.complaint.hasSuffix("\n  and 383 more\n"), "\(again)")
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

  /// Films as text, object by object.
  private func films(_ numbers: [Int], as format: TextExport.Format) -> [String] {
    switch format {
    case .ndjson: numbers.map { #"{"table":"Film","id":\#($0),"sound":""}"# + "\n" }
    case .json:
      numbers.enumerated().map { #"\#($0 == 0 ? "{\"Film\":[" : ","){"id":\#($1),"sound":""}"# }
        + ["]}"]
    case .csv: ["id,sound\r\n"] + numbers.map { "\($0),\r\n" }
    }
  }

  @Test(arguments: TextExport.Format.allCases)
  func aTextIsReadObjectByObject(_ format: TextExport.Format) throws {
    /// Hands out pieces, and counts them.
    final class Pieces {
      var rest: ArraySlice<[UInt8]>
      /// The objects that were inserted when half of the pieces were read.
      var insertedAtHalf = 0
      private let half: Int

      init(_ pieces: [[UInt8]]) {
        rest = pieces[...]
        half = pieces.count / 2
      }

      func next(_ transaction: DynamicTransaction) throws -> [UInt8]? {
        if rest.count == half { insertedAtHalf = try transaction.count(.all("Film")) }
        return rest.popFirst()
      }
    }
    try withTemporaryDirectory { directory in
      let path = directory + "/ten.roost"
      try Ten.open(path).close()
      let store = try DynamicStore(path, access: .write)
      defer { store.close() }
      func read(_ pieces: Pieces) throws -> Int {
        try store.write { transaction in
          var reading = try TextImport(
            transaction, into: format == .csv ? "Film" : nil, updates: false)
          try reading.read(as: format) { try pieces.next(transaction) }
          return reading.inserted
        }
      }
      let pieces = Pieces(films(Array(101...1100), as: format).map { Array($0.utf8) })
      #expect(try read(pieces) == 1000)
      #expect((490...502).contains(pieces.insertedAtHalf))
      // Each object but the first is refused, to the end.
      let equal = Pieces(films(Array(repeating: 1, count: 1000), as: format).map { Array($0.utf8) })
      let error = #expect(throws: ExportError.self) { try read(equal) }
      #expect(
        error?.description.hasPrefix("999 mistakes, and nothing was changed\n  line ") == true
          && error?.description.hasSuffix("\n  and 979 more") == true)
      // Pieces end anywhere.
      let bytes = Array("\u{FEFF}".utf8) + films(Array(1...50), as: format).joined().utf8
      for count in [1, 7] {
        let parts = stride(from: 0, to: bytes.count, by: count).map {
          Array(bytes[$0..<min($0 + count, bytes.count)])
        }
        #expect(try read(Pieces(parts)) == 50)
        try store.write { transaction in
          for number in 1...50 { try transaction.delete(.int(Int64(number)), from: "Film") }
        }
      }
    }
  }

  @Test func boolsOfCSVAreAlsoOneAndZero() throws {
    try withTemporaryDirectory { directory in
      let (path, file) = (directory + "/flags.roost", directory + "/flags.csv")
      let store = try DynamicStore(path, access: .create)
      try store.write {
        try $0.add([
          DynamicTable(
            "Flag",
            fields: [
              DynamicField("id", .int, isKey: true), DynamicField("isOn", .bool),
              DynamicField("isNew", .bool, isOptional: true), DynamicField("count", .int),
            ])
        ])
      }
      store.close()
      let text = "id,isOn,isNew,count\n1,1,0,1\n2,0,,0\n3,TRUE,False,1\n4,true,false,0\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      let run = try tool.roost("import", path, file, "--model", "Flag")
      #expect(run.output == "\(path): 4 inserted, 0 updated.\n", "\(run)")
      #expect(
        try objects(path) == [
          #"{"table":"Flag","id":1,"isOn":true,"isNew":false,"count":1}"#,
          #"{"table":"Flag","id":2,"isOn":false,"isNew":null,"count":0}"#,
          #"{"table":"Flag","id":3,"isOn":true,"isNew":false,"count":1}"#,
          #"{"table":"Flag","id":4,"isOn":true,"isNew":false,"count":0}"#,
        ])
      try Data("id,isOn,count\n5,2,1\n".utf8).write(to: URL(fileURLWithPath: file))
      let refused = try tool.roost("import", path, file, "--model", "Flag")
      #expect(
        refused.complaint
          == "roost: \(file): line 2, column 3: Flag.isOn takes true or false; this is \"2\".\n")
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
        #"line 3, column 22: Film.id takes a whole number of 64 bits; this is "x"."#, "--format",
        "ndjson")
      try expect(
        film + #"{"id":2}"#,
        #"line 2, column 1: there is no member "table" that names the model; say --model."#,
        "--format", "ndjson")
      try expect(
        #"{"table":"Fim","id":2}"#,
        #"line 1, column 10: there is no model Fim. Did you mean "Film"?"#, "--format", "ndjson")
      try expect(
        #"[{"id":2,"sund":1}]"#,
        #"line 1, column 10: Film has no field sund. Did you mean "sound"?"#, "--format", "json",
        "--model", "Film")
      try expect(
        #"[{"id":2]"#,
        "line 1, column 9: \",\" or \"}\" was expected, and \"]\" found.",
        "--format", "json", "--model", "Film")
      try expect(
        film + film.replacing("1", with: "2") + "{]",
        "line 3, column 2: a member's name was expected, and \"]\" found.", "--format", "ndjson")
      try expect(
        "[]", "an array does not say which model its objects are of: say --model.", "--format",
        "json")
      try expect(
        "id,sound\n1,\n2,AQ==,3\n",
        "line 3, column 1: 2 cells were expected, as in the first line, and 3 found.", "--format",
        "csv", "--model", "Film")
      try expect(
        "id,sound\n1,AQ==\n2,!\n", #"line 3, column 3: Film.sound takes Base64; this is "!"."#,
        "--format", "csv", "--model", "Film")
      try expect("id\n1\n", "CSV is of one model: name it with --model.", "--format", "csv")
      try expect(
        "id\n1\n", #"there is no model Fim. Did you mean "Film"?"#, "--format", "csv", "--model",
        "Fim")
      // All of them, as far as the text can be read.
      try expect(
        #"""
        {"Film":[{"id":1},{"id":"x","sund":1},
        7,{"id":1},
        {"id":2,"sound":true}],"Pictures":[],"Plaim":[{"id":1}]}
        """#,
        #"""
        7 mistakes, and nothing was changed
          line 1, column 25: Film.id takes a whole number of 64 bits; this is "x".
          line 1, column 29: Film has no field sund. Did you mean "sound"?
          line 2, column 1: an object was expected.
          line 2, column 3: Film already has an object whose id is 1; --update changes it.
          line 3, column 17: Film.sound takes Base64; this is true.
          line 3, column 24: there is no model Pictures. `roost schema` lists them.
          line 3, column 38: there is no model Plaim. Did you mean "Plain"?
        """#, "--format", "json")
      try expect(
        "id,sund\nx,\n1\n",
        #"""
        3 mistakes, and nothing was changed
          line 1, column 4: Film has no field sund. Did you mean "sound"?
          line 2, column 1: Film.id takes a whole number of 64 bits; this is "x".
          line 3, column 1: 2 cells were expected, as in the first line, and 1 found.
        """#, "--format", "csv", "--model", "Film")
      try expect(
        "id;sound\n1;\n",
        "line 1, column 1: Film has no field id;sound. Is it another separator? --separator ';'",
        "--format", "csv", "--model", "Film")
      try expect(
        "id,farbe\n1,\n",
        "line 1, column 4: Film has no field farbe. --column 'farbe=FIELD' reads it as one, --leave-out-others leaves it out.",
        "--format", "csv", "--model", "Film")
      try expect(
        "sound\nAQ==\n",
        "line 2, column 1: Film.id is the key, and this has none. A program can number the records: `numberedField`.",
        "--format", "csv", "--model", "Film")
      let new = try tool.roost("import", directory + "/new.roost", file, "--format", "csv")
      #expect(
        new.complaint
          == "roost: there is no store \(directory)/new.roost, and a text does not say which models it has: it is read into "
          + "a store that a program has made. Of a Realm or SQLite file `roost import` makes a new one.\n"
      )
      #expect(try tool.roost("import", path, file).code == 2)
      #expect(try tool.roost("import", path, file, "--format", "sqlite").code == 2)
      let missing = try tool.roost("import", path, directory + "/a.json")
      #expect(
        missing.complaint == "roost: there is no file \(directory)/a.json: check the path.\n")
    }
  }

  @Test func aTableOfAnotherProgramIsReadAsItsOptionsDescribeIt() throws {
    struct Plane: Model {
      let id: String
      var year: Int?
      var seats: Int
      var owner: String
      var maker: String?
      static let schema = Schema(
        Plane.init, Key("id", \.id), Field("year", \.year), Field("seats", \.seats),
        Field("owner", \.owner), Field("maker", \.maker))
    }
    try withTemporaryDirectory { directory in
      let (path, file) = (directory + "/planes.roost", directory + "/planes.txt")
      try Store(.file(path), models: Plane.self).close()
      func read(_ text: String, _ options: String...) throws -> ToolTests.Run {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return try tool.run(
          ["import", path, file, "--format", "csv", "--model", "Plane"] + options)
      }
      let text = """
        tailnum;year;engine;seats;owner;made by
        N1;NA;Turbo;55;NA;"NA"
        N2;?;;2;A = B;NA

        """
      let run = try read(
        text, "--separator", ";", "--missing", "NA", "--missing", "?", "--column", "tailnum=id",
        "--column", "made by=maker", "--leave-out-others")
      #expect(run.complaint == "" && run.output == "\(path): 2 inserted, 0 updated.\n")
      do {
        let store = try Store(.file(path), models: Plane.self)
        let planes = try store.snapshot().fetch(Plane.all.order(by: \.id))
        // Words in quotation marks are texts, and so is one where a text is needed.
        #expect(planes.map(\.id) == ["N1", "N2"] && planes.map(\.year) == [nil, nil])
        #expect(planes.map(\.seats) == [55, 2] && planes.map(\.owner) == ["NA", "A = B"])
        #expect(planes.map(\.maker) == ["NA", nil])
        store.close()
      }
      let turned = try read(
        "tailnum,seats,owner\nN4,1,C\n", "--column", "id=tailnum", "--leave-out-others")
      #expect(
        turned.complaint.contains(
          "line 1, column 1: there is no column id. The column comes first: --column 'tailnum=id'."
        ), "\(turned.complaint)")
      let misspelt = try read(
        "tailnum,seats,owner\nN4,1,C\n", "--column", "tailnum=ident", "--leave-out-others",
        "--column", "seat=seats")
      #expect(
        misspelt.complaint.contains("line 1, column 1: Plane has no field ident.")
          && misspelt.complaint.contains("there is no column seat. Did you mean \"seats\"?"),
        "\(misspelt.complaint)")
      let tabs = try read(
        "id\tseats\towner\nN3\t1\tC\n", "--separator", "\\t")
      #expect(tabs.output == "\(path): 1 inserted, 0 updated.\n")
      #expect(
        try read("tailnum,seats,owner\nN4,NA,D\n", "--missing", "NA", "--column", "tailnum=id")
          .complaint.contains("seats"))
      for wrong in ["", ";;", "a", ".", "ä", "\n"] {
        #expect(try read(text, "--separator", wrong).code == 2)
      }
      #expect(try read(text, "--column", "tailnum").code == 2)
      let json = try tool.roost(
        "import", path, file, "--format", "json", "--model", "Plane", "--missing", "NA")
      #expect(json.code == 2 && json.complaint.contains("are for CSV"))
    }
  }
}
#endif
