#if Tool
import Foundation
import Roost
import RoostTestSupport
import Testing

/// What the tool answers to names that are misspelt, and to constants that are written otherwise.
@Suite struct HintTests {
  private let tool = ToolTests()

  private struct Place: Model {
    let id: Int
    var name: String
    var 城市: String?
    var founded: Date?
    var area: Double?
    static let schema = Schema(
      Place.init, Key("id", \.id), Field("name", \.name), Field("城市", \.城市),
      Field("founded", \.founded), Field("area", \.area))
  }

  private func withStore(_ body: (_ path: String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/places.roost"
      let store = try Store(.file(path), models: Place.self)
      try store.write {
        try $0.insert(Place(id: 1, name: "Delft", 城市: nil, founded: nil, area: 24))
      }
      store.close()
      try body(path)
    }
  }

  private func expect(
    _ arguments: [String], _ complaint: String, code: Int32,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let run = try tool.run(arguments)
    #expect(
      run == ToolTests.Run(output: "", complaint: complaint + "\n", code: code),
      sourceLocation: location)
  }

  @Test func aMisspeltNameIsAnsweredWithTheOneThatIsThere() throws {
    try withStore { path in
      try expect(
        ["query", path, "Place where nmae == 3"],
        """
        roost: Place has no field nmae. Did you mean "name"?
          Place where nmae == 3
                      ^
        """, code: 2)
      try expect(
        ["delete", path, "Plaice", "--yes"],
        """
        roost: There is no model Plaice in the store. Did you mean "Place"?
          Plaice
          ^
        """, code: 2)
      try expect(
        ["export", path, "--format", "csv", "--model", "place"],
        #"roost: \#(path): there is no model place. Did you mean "Place"?"#, code: 1)
      try expect(
        ["export", path, "--format", "csv", "--model", "Dog"],
        "roost: \(path): there is no model Dog. `roost schema` lists them.", code: 1)
      try expect(
        ["drop-field", path, "Plac", "name"],
        #"roost: \#(path) has no model Plac. Did you mean "Place"?"#, code: 1)
      try expect(
        ["watch", path, "--model", "Plac"],
        #"roost: \#(path) has no model Plac. Did you mean "Place"?"#, code: 1)
      // The sign stands under the character, also behind wide ones.
      try expect(
        ["query", path, "Place where 城市 == nil && aera > 3"],
        """
        roost: Place has no field aera. Did you mean "area"?
          Place where 城市 == nil && aera > 3
        \(String(repeating: " ", count: 29))^
        """, code: 2)
    }
  }

  @Test func aMisspeltCommandIsAnsweredWithTheOneThatIsThere() throws {
    try withStore { path in
      for arguments in [["qurey", path, "Place"], ["qurey", path], ["qurey"]] {
        let run = try tool.run(arguments)
        #expect(
          run.complaint.hasSuffix("qurey. Did you mean \"query\"?\n") && run.code == 2, "\(run)")
      }
      try expect(
        ["nonsense"], "roost: there is neither a command nor a file nonsense. See `roost --help`.",
        code: 2)
      try expect(
        ["query", path, "Place", "where", "area", ">", "3", "--count"],
        """
        roost: the query has 5 words: put it in quotation marks.
          roost query \(path) 'Place where area > 3'
        """, code: 2)
    }
  }

  @Test func aPatternOfSQLIsToldWhichWildcardsThereAre() throws {
    try withStore { (path) throws in
      func complaint(_ condition: String) throws -> String {
        let run = try tool.roost("query", path, "Place where \(condition)", "--count")
        #expect(run.code == 0 && run.output.count == 2)
        return run.complaint
      }
      let remark =
        "roost: In a pattern of like * stands for any text and ? for one character; % is no wildcard.\n"
      #expect(try complaint(#"name like "%Delft%""#) == remark)
      #expect(try complaint(#"area > 3 && name LIKE[c] "delf%""#) == remark)
      #expect(try complaint(#"name like "*lft""#) == "")
      #expect(try complaint(#"name like "100 %*" || name == "%""#) == "")
    }
  }

  @Test func aDateWithoutQuotationMarksIsToldItsForm() throws {
    try withStore { path in
      let form = #""2013-01-31T05:00:00Z" or "2013-01-31""#
      func expectAt(_ marked: String, _ reason: String) throws {
        let parts = marked.components(separatedBy: "¶")
        let mark = String(repeating: " ", count: parts[0].count)
        try expect(
          ["query", path, parts.joined()], "roost: \(reason)\n  \(parts.joined())\n  \(mark)^",
          code: 2)
      }
      try expectAt(
        "Place where founded > ¶2013-01-31",
        "A value of type Date is not compared with one of type Int: a date is written in quotation marks, as in \(form)."
      )
      try expectAt(
        "Place where founded > 2013-01-31T05¶:00:00Z",
        "There is no sign : in a query: a date is written in quotation marks, as in \(form).")
      try expectAt(
        #"Place where founded > ¶"yesterday""#,
        "This is no constant of type Date: a date is written as \(form).")
      #expect(
        try tool.roost("query", path, #"Place where founded == nil || founded > "2013-01-31""#).code
          == 0)
      try expect(
        ["set", path, "Place", "founded=yesterday", "--yes"],
        """
        roost: Place.founded takes a date, such as 2013-01-31T05:00:00Z, or nil.
          founded=yesterday
                  ^
        """, code: 1)
    }
  }

  @Test(
    arguments: [
      (
        "Place where name ¶is null",
        "There is no IS here: write == nil for IS NULL, or == and a value."
      ),
      (
        "Place where name ¶IS NOT NULL",
        "There is no IS NOT here: write != nil for IS NOT NULL, or != and a value."
      ),
      (
        #"Place where name ¶NOT IN ("a")"#,
        "NOT stands before the whole condition: write !(… IN …)."
      ),
      (
        "Place where area > 3 ¶ORDER BY name",
        "Objects are sorted by sort: write sort name desc, and not ORDER BY."
      ),
      ("Place sort ¶by name", "No BY follows here: write sort name."),
      ("Place group ¶by name", "No BY follows here: write group name."),
      ("Place sort name ¶ASC", "Without a word the order is ascending: leave ASC out."),
      ("Place sort name ¶DESC", "For a descending order write desc, and not DESC."),
      (
        "¶SELECT * FROM Place WHERE area > 3",
        "A query begins with the model, and finds whole objects: write Place where …, and not "
          + "SELECT … FROM Place WHERE …."
      ),
      (
        "¶select name from Place",
        "A query begins with the model, and finds whole objects: write Place where …, and not "
          + "SELECT … FROM Place WHERE …."
      ),
      (
        "Place select ¶name, area",
        "Behind select come count, sum(…), min(…), max(…) or average(…). Without it whole objects are "
          + "found, and Place group name finds the different values."
      ),
      (
        "Place select ¶*",
        "Behind select come count, sum(…), min(…), max(…) or average(…). Whole objects are found "
          + "without it: Place."
      ),
    ])
  func aHabitOfSQLIsAnsweredWithWhatIsWrittenHere(_ marked: String, _ reason: String) throws {
    try withStore { path in
      let parts = marked.components(separatedBy: "¶")
      let mark = String(repeating: " ", count: parts[0].count)
      try expect(
        ["query", path, parts.joined()], "roost: \(reason)\n  \(parts.joined())\n  \(mark)^",
        code: 2)
    }
  }
}
#endif
