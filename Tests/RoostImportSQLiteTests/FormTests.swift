import Foundation
import Roost
import RoostImport
import RoostImportSQLite
import Testing

/// Times, which SQLite has no type for, and JSON.
@Suite struct FormTests {
  /// What a mapping makes of each row of `t (id, c)`, as text.
  private func read(
    _ literals: [String], _ make: @escaping @Sendable (SQLiteRow) throws -> String
  ) async throws -> (texts: [String], report: ImportReport?) {
    let rows = literals.enumerated().map { "(\($0.offset), \($0.element))" }
    let file = try SQLiteFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, c); INSERT INTO t VALUES \(rows.joined(separator: ", "));"
    )
    let store = try await Store.open(.inMemory, models: Item.self, importing: file.source) {
      $0.rows("t") { Item(id: try $0.id(), text: try make($0)) }
    }
    return (try store.snapshot().fetch(Item.all).map(\.text), try store.importReport)
  }

  @Test(
    arguments: [
      (
        SQLiteDateForm.unixSeconds, ["0", "1700000000", "1700000000.5", "-1"],
        [0, 1_700_000_000, 1_700_000_000.5, -1]
      ),
      (.unixMilliseconds, ["0", "1700000000123", "-1"], [0, 1_700_000_000.123, -0.001]),
      (.since2001, ["0", "0.25"], [978_307_200, 978_307_200.25]),
      (
        .julianDay, ["2440587.5", "2440588", "julianday('2026-05-06 07:08:09.123')"],
        [0, 43200, 1_778_051_289.123]
      ),
      (
        .iso8601,
        [
          "'2026-05-06T07:08:09Z'", "'2026-05-06T07:08:09.123+02:00'", "'1969-12-31 23:59:59-0000'",
          // A day alone is the same in all forms.
          "'2026-05-06'",
        ],
        [1_778_051_289, 1_778_044_089.123, -1, 1_778_025_600]
      ),
      (
        .grdbText,
        [
          "'2026-05-06 07:08:09.123'", "'2026-05-06T07:08:09'", "'2026-05-06 07:08'",
          "'2026-05-06'",
          "datetime(1700000000, 'unixepoch')", "'2000-02-29'", "'0001-01-01'",
        ],
        [
          1_778_051_289.123, 1_778_051_289, 1_778_051_280, 1_778_025_600, 1_700_000_000,
          951_782_400,
          -62_135_596_800,
        ]
      ),
    ] as [(SQLiteDateForm, [String], [Double])])
  func timesAreReadInTheFormThatIsSaid(
    _ form: SQLiteDateForm, _ literals: [String], _ expected: [Double]
  ) async throws {
    let found = try await read(literals) { row in
      let date: Date = try row.date("c", as: form)
      let optional: Date? = try row.date("c", as: form)
      guard date == optional else { return "different" }
      return "\((date.timeIntervalSince1970 * 1_000_000).rounded())"
    }
    #expect(found.texts == expected.map { "\(($0 * 1_000_000).rounded())" })
    #expect(found.report?.roundings.isEmpty == true)
  }

  @Test func theDaysOfAllYearsAreThoseOfTheCalendar() async throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    var literals: [String] = []
    var expected: [String] = []
    // The calendar of Foundation has Julian dates before 1583.
    for year in stride(from: 1583, to: 9999, by: 7) {
      for (month, day) in [(1, 1), (2, 28), (3, 1), (12, 31)] {
        literals.append("'" + String(format: "%04d-%02d-%02d", year, month, day) + "'")
        let date = try #require(
          calendar.date(from: DateComponents(year: year, month: month, day: day)))
        expected.append("\(date.timeIntervalSince1970)")
      }
    }
    let found = try await read(literals) { row in
      "\((try row.date("c", as: .grdbText) as Date).timeIntervalSince1970)"
    }
    #expect(found.texts == expected)
  }

  @Test(arguments: [
    "'2026-02-29'", "'1900-02-29'", "'2026-13-01'", "'2026-1-1'", "'2026-05-06 24:00:00'",
    "'2026-05-06 07:08:09Z'",
    "'2026-05-06 07:08:09.'", "'2026-05-06x'", "''", "1700000000", "x'00'", "9e999",
  ])
  func whatIsNoTimeInTheFormIsAnError(_ literal: String) async throws {
    await #expect(throws: SQLiteError.self) {
      try await read([literal]) { "\(try $0.date("c", as: .grdbText) as Date)" }
    }
    await #expect(throws: SQLiteError.self) {
      try await read(["9e999"]) { "\(try $0.date("c", as: .unixSeconds) as Date)" }
    }
  }

  @Test(arguments: [
    "'2026-05-06 07:08:09'", "'2026-05-06T07:08'", "'2026-05-06Z'", "'2026-05-06+02:00'",
    "'2026-05-06T'", "'2026-02-29'",
  ])
  func aTimeWithoutItsOffsetIsNoneOfISO8601(_ literal: String) async throws {
    await #expect(throws: SQLiteError.self) {
      try await read([literal]) { "\(try $0.date("c", as: .iso8601) as Date)" }
    }
  }

  @Test func aDateIsNeverGuessed() async throws {
    let error = await #expect(throws: SQLiteError.self) {
      try await read(["1700000000"]) { "\(try $0["c"] as Date?)" }
    }
    #expect(
      error?.only
        == .dateWithoutForm(
          table: "t", column: "c", row: "id 0", found: "the integer 1700000000",
          lines: [
            "`try row.date(\"c\", as: .unixSeconds)` is 2023-11-14 22:13:20 UTC",
            "`try row.date(\"c\", as: .unixMilliseconds)` is 1970-01-20 16:13:20 UTC",
            "`try row.date(\"c\", as: .since2001)` is 2054-11-14 22:13:20 UTC",
          ]))
    let text = await #expect(throws: SQLiteError.self) {
      try await read(["'2026-05-06 07:08:09.123'"]) { "\(try $0["c"] as Date)" }
    }
    guard case .dateWithoutForm(_, _, _, _, let lines)? = text?.only else {
      Issue.record("\(String(describing: text))")
      return
    }
    #expect(lines == ["`try row.date(\"c\", as: .grdbText)` is 2026-05-06 07:08:09 UTC"])
    let none = await #expect(throws: SQLiteError.self) {
      try await read(["NULL"]) { "\(try $0.date("c", as: .grdbText) as Date)" }
    }
    #expect(
      none?.only
        == .mismatch(
          table: "t", column: "c", row: "id 0", declared: "", found: "NULL", asked: "a Date",
          line: "`try row.date(\"c\", as: .grdbText) as Date?`"))
    let nothing = try await read(["NULL"]) { "\(try $0.date("c", as: .grdbText) as Date? == nil)" }
    #expect(nothing.texts == ["true"])
  }

  @Test func whatADateDoesNotHoldIsCounted() async throws {
    let found = try await read(["'2026-05-06 07:08:09.123456789'", "'2026-05-06 07:08:09.5000000'"])
    {
      "\(try $0.date("c", as: .grdbText) as Date)"
    }
    #expect(
      found.report?.roundings.map { "\($0.className).\($0.property) \($0.count)" } == ["t.c 1"])
  }

  private struct Address: Codable, Equatable {
    var city: String
  }

  @Test func jsonIsDecodedOrKept() async throws {
    let json = #"'{"city":"Delft"}'"#
    let found = try await read([json, "CAST(\(json) AS BLOB)"]) { row in
      let address: Address = try row.json("c")
      let optional: Address? = try row.json("c")
      return address.city + (optional?.city ?? "") + "\((try row["c"] as Data).count)"
    }
    #expect(found.texts == ["DelftDelft16", "DelftDelft16"])
    let none = try await read(["NULL"]) { "\(try $0.json("c", as: Address?.self) == nil)" }
    #expect(none.texts == ["true"])
    for (literal, line) in [
      ("NULL", "`try row.json(\"c\") as Address?`"), ("7", "`try row.value(\"c\")`"),
      ("'{}'", "`try row[\"c\"] as String`"),
    ] {
      let error = await #expect(throws: SQLiteError.self) {
        try await read([literal]) { (try $0.json("c") as Address).city }
      }
      guard case .mismatch(_, "c", "id 0", _, _, let asked, line)? = error?.only else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(asked.hasPrefix("JSON of Address"))
    }
  }
}
