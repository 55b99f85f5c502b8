#if Tool
import Foundation
import Roost
import RoostDynamic
import RoostImport
import RoostTestSupport
import Testing

/// Stores as files that other programs read.
@Suite struct ExportTests {
  private let tool = ToolTests()

  /// The lines of a dump without those of values under names.
  private func objects(_ path: String) throws -> [Substring] {
    let run = try tool.roost("dump", path)
    #expect(run.complaint == "" && run.code == 0)
    return run.output.split(separator: "\n").filter { !$0.hasPrefix("{\"table\":\"value:") }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func aStoreComesBackFromSQLiteAsItWas(_ seed: UInt64) async throws {
    try await withTemporaryDirectory { directory in
      let (path, file) = (directory + "/ten.roost", directory + "/ten.sqlite")
      let store = try Ten.open(path)
      try Ten.fill(store, seed: seed)
      store.close()
      let run = try tool.roost("export", path, file)
      #expect(run == ToolTests.Run(output: "", complaint: "", code: 0))
      let back = try await Ten.open(directory + "/back.roost", importing: file)
      let report = try #require(try back.importReport)
      #expect(report.isComplete && report.unnamed == [])
      back.close()
      #expect(try objects(directory + "/back.roost") == objects(path))
    }
  }

  /// The indexes of an exported file.
  private static let indexes = [
    #"CREATE INDEX "Person by home.city" ON "Person" ("home.city")"#,
    #"CREATE INDEX "Person by work.city" ON "Person" ("work.city")"#,
    #"CREATE INDEX "Plain by text" ON "Plain" ("text")"#,
    #"CREATE INDEX "Playlist.songs by target" ON "Playlist.songs" ("target")"#,
    #"CREATE INDEX "Playlist.tickets by target" ON "Playlist.tickets" ("target")"#,
    #"CREATE INDEX "Texted by count" ON "Texted" ("count") WHERE "mood" = 'wild' AND "select" IS NOT NULL"#,
    #"CREATE INDEX "Texted by mood, count" ON "Texted" ("mood", "count")"#,
    #"CREATE INDEX "Ticket by dated" ON "Ticket" ("dated")"#,
    #"CREATE INDEX "Ticket by helper" ON "Ticket" ("helper")"#,
    #"CREATE INDEX "Ticket by owner" ON "Ticket" ("owner")"#,
    #"CREATE INDEX "Ticket by previous" ON "Ticket" ("previous")"#,
    #"CREATE INDEX "Ticket by seat" ON "Ticket" ("seat.row", "seat.letter")"#,
  ]

  @Test func anExportedFileHasKeysForeignKeysAndIndexes() throws {
    try withTemporaryDirectory { directory in
      let (path, file) = (directory + "/ten.roost", directory + "/ten.sqlite")
      try Ten.open(path).close()
      #expect(try tool.roost("export", path, file).code == 0)
      let sql = try ShelfFile.rows(
        file, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
      func statement(_ name: String) -> String? { sql.first { $0.contains(name) } }
      #expect(
        statement("TABLE \"Texted\"") == #"""
          CREATE TABLE "Texted" (
            "the ""key""" TEXT NOT NULL PRIMARY KEY,
            "select" INTEGER UNIQUE,
            "count" UNSIGNED BLOB NOT NULL,
            "mood" TEXT NOT NULL,
            "level" INTEGER
          )
          """#)
      #expect(
        statement("TABLE \"Ticket\"")?.hasSuffix(
          """
            "seat.row" INTEGER,
            "seat.letter" TEXT,
            FOREIGN KEY ("owner") REFERENCES "Person" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
            FOREIGN KEY ("helper") REFERENCES "Person" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
            FOREIGN KEY ("dated") REFERENCES "Dated" ("id") DEFERRABLE INITIALLY DEFERRED,
            FOREIGN KEY ("previous") REFERENCES "Ticket" ("id") DEFERRABLE INITIALLY DEFERRED,
            FOREIGN KEY ("seat.row", "seat.letter") REFERENCES "Seat" ("id.row", "id.letter") DEFERRABLE INITIALLY DEFERRED
          )
          """) == true)
      #expect(
        statement("TABLE \"Playlist.tickets\"") == """
          CREATE TABLE "Playlist.tickets" (
            "source" TEXT NOT NULL,
            "position" INTEGER NOT NULL,
            "target" INTEGER NOT NULL,
            PRIMARY KEY ("source", "position"),
            FOREIGN KEY ("source") REFERENCES "Playlist" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
            FOREIGN KEY ("target") REFERENCES "Ticket" ("id") DEFERRABLE INITIALLY DEFERRED
          )
          """)
      #expect(sql.filter { $0.contains("INDEX") }.sorted() == Self.indexes)
      #expect(try ShelfFile.rows(file, "PRAGMA foreign_key_check") == [])
      #expect(try ShelfFile.rows(file, "PRAGMA integrity_check") == ["ok"])
    }
  }

  @Test func whatSQLiteHasNoTypeForIsText() throws {
    try withTemporaryDirectory { directory in
      let (path, file) = (directory + "/odd.roost", directory + "/odd.sqlite")
      try Origin.fill(path)
      #expect(try tool.roost("export", path, file).code == 0)
      let row = try ShelfFile.rows(
        file,
        """
        SELECT typeof(total) || ' ' || total || ' ' || patience || ' ' || born || ' ' || score || ' ' || notes
          || ' ' || tags || ' ' || places FROM Customer WHERE id = 1
        """)
      #expect(
        row == [
          #"text 18446744073709551615 -1.5 2001-01-01 00:00:00.25 Inf [["a","b"]] ["x","y"] "#
            + #"[{"city":"Delft","zip":"2611","place":false,"place.street":null,"place.number":null}]"#
        ])
      let seats = try ShelfFile.rows(
        file, #"SELECT "seat.row" || "seat.letter" FROM "Order" WHERE number = 2"#)
      #expect(seats == ["7b"])
      let settings = try ShelfFile.rows(file, #"SELECT "value.theme" FROM "value:settings""#)
      #expect(settings == ["dark"])
    }
  }

  @Test func nothingIsReplacedUnasked() throws {
    try withTemporaryDirectory { directory in
      let (path, file) = (directory + "/ten.roost", directory + "/ten.sqlite")
      try Ten.open(path).close()
      try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
      let refusal =
        "roost: \(file) is there already; replace it with --force, or take another name.\n"
      #expect(
        try tool.roost("export", path, file)
          == ToolTests.Run(output: "", complaint: refusal, code: 1))
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("mine".utf8))
      #expect(try tool.roost("export", path, file, "--force").code == 0)
      #expect(try ShelfFile.rows(file, "SELECT count(*) FROM Film") == ["0"])
      let missing = try tool.roost("export", path, directory + "/none/a.sqlite")
      #expect(missing.code == 1 && missing.complaint.contains("unable to open database file"))
      // Nothing unfinished is left.
      let left = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
      #expect(left == ["ten.roost", "ten.sqlite"])
    }
  }
}
#endif
