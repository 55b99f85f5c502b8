#if Tool
import Foundation
import Roost
import RoostImport
import RoostTestSupport
import Testing

/// Stores that `roost import` makes of files of other libraries.
@Suite struct ForeignImportTests {
  private let tool = ToolTests()

  /// The lines of the objects of a store, without those of values under names, such as the report of an import.
  private func objects(_ path: String) throws -> [Substring] {
    let run = try tool.roost("dump", path)
    #expect(run.complaint == "" && run.code == 0)
    return run.output.split(separator: "\n").filter { !$0.hasPrefix("{\"table\":\"value:") }
  }

  /// The models of a store, without what values under names have.
  private func schema(_ path: String) throws -> [Substring] {
    let run = try tool.roost("schema", path, "--format", "json")
    #expect(run.complaint == "" && run.code == 0)
    return run.output.split(separator: "\n").filter { !$0.contains("\"isValue\":true") }
  }

  @Test func aStoreOfARealmFileIsTheOneThatItsPrintedModelsMake() async throws {
    try await withTemporaryDirectory { directory in
      let (file, path) = (directory + "/object-store.realm", directory + "/kennel.roost")
      try SampleFiles.make("object-store.realm", file)
      let run = try tool.roost("import", path, file)
      #expect(
        run
          == ToolTests.Run(
            output: """
              from    model   objects
              Dog     Dog          40
              Note    Note         30
              Person  Person      150

              """, complaint: "", code: 0), "\(run)")
      let other = directory + "/other.roost"
      try await Kennel.openStore(other, importing: URL(fileURLWithPath: file)).close()
      #expect(try objects(path) == objects(other))
      #expect(try schema(path) == schema(other))
      // The models open it, and change nothing.
      let before = try tool.roost("dump", path)
      let store = try await Kennel.openStore(path, importing: URL(fileURLWithPath: file))
      #expect(try store.snapshot().fetch(Kennel.Person.all).count == 150)
      store.close()
      #expect(try tool.roost("dump", path) == before)
      #expect(try tool.roost("verify", path).code == 0)
    }
  }

  @Test func aStoreOfAnSQLiteFileIsTheOneThatItsPrintedModelsMake() async throws {
    try await withTemporaryDirectory { directory in
      let (file, path) = (directory + "/shelf.sqlite", directory + "/shelf.roost")
      try ShelfFile.make(file)
      let run = try tool.roost("import", path, file)
      #expect(run.code == 0)
      #expect(
        run.complaint
          == "Left out: the index some_books of Book Item, of expressions or of some rows.\n")
      #expect(run.output.hasPrefix("from       model     objects\nBook Item  BookItem        "))
      let other = directory + "/other.roost"
      try await Shelf.openStore(other, importing: URL(fileURLWithPath: file)).close()
      #expect(try objects(path) == objects(other))
      #expect(try schema(path) == schema(other))
      // The models open it, and change nothing.
      let before = try tool.roost("dump", path)
      let store = try await Shelf.openStore(path, importing: URL(fileURLWithPath: file))
      #expect(try store.snapshot().fetch(Shelf.Place.all).count > 0)
      store.close()
      #expect(try tool.roost("dump", path) == before)
      #expect(try tool.roost("verify", path).code == 0)
    }
  }

  @Test func aKeyOfRealsBecomesAUniqueFieldBesideTheRowID() throws {
    try withTemporaryDirectory { directory in
      let (file, path) = (directory + "/prices.sqlite", directory + "/prices.roost")
      try ShelfFile.make(
        file,
        """
        CREATE TABLE price (amount REAL PRIMARY KEY, name TEXT);
        CREATE TABLE point (x REAL, y REAL, label TEXT, PRIMARY KEY (x, y));
        CREATE TABLE mixed (key PRIMARY KEY, n INTEGER);
        CREATE TABLE gone (a REAL PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE item (id INTEGER PRIMARY KEY, price REAL REFERENCES price(amount));
        INSERT INTO price VALUES (9.5, 'low'), (20.25, 'high'), (NULL, 'free'), (NULL, 'none');
        DELETE FROM price WHERE amount = 20.25;
        INSERT INTO point VALUES (1.5, 2, 'a'), (1.5, 3, 'b');
        INSERT INTO mixed VALUES (1, 1), ('x', 2);
        INSERT INTO item VALUES (7, 9.5);
        """)
      let run = try tool.roost("import", path, file)
      #expect(run.code == 0)
      let none = "is none that Roost could have."
      #expect(
        run.complaint == """
          Left out: gone, whose rows have no key that Roost could have.
          The id of mixed is its rowid, for its key (key) \(none)
          Left out: the index of key of mixed.
          The id of point is its rowid, for its key (x, y) \(none)
          The id of price is its rowid, for its key (amount) \(none)

          """, "\(run)")
      #expect(
        try objects(path) == [
          #"{"table":"Item","id":7,"price":9.5}"#,
          #"{"table":"Mixed","id":1,"key":"{\"integer\":{\"_0\":1}}","n":1}"#,
          #"{"table":"Mixed","id":2,"key":"{\"text\":{\"_0\":\"x\"}}","n":2}"#,
          #"{"table":"Point","id":1,"x":1.5,"y":2.0,"label":"a"}"#,
          #"{"table":"Point","id":2,"x":1.5,"y":3.0,"label":"b"}"#,
          #"{"table":"Price","id":1,"amount":9.5,"name":"low"}"#,
          #"{"table":"Price","id":3,"amount":null,"name":"free"}"#,
          #"{"table":"Price","id":4,"amount":null,"name":"none"}"#,
        ])
      let models = try tool.roost("models", file)
      #expect(models.output.contains(#"    Field("amount", \.amount, .unique),"#), "\(models)")
      #expect(
        models.output.contains(
          #"Price(id: try $0.rowID(), amount: try $0["amount"], name: try $0["name"])"#)
          || models.output.contains("id: try $0.rowID(),"), "\(models)")
      #expect(try tool.roost("verify", path).code == 0)
    }
  }

  @Test func aColumnOfDatesThatBecomesATextIsTold() throws {
    try withTemporaryDirectory { directory in
      let (file, path) = (directory + "/days.sqlite", directory + "/days.roost")
      try ShelfFile.make(
        file,
        """
        CREATE TABLE "order" (id INTEGER PRIMARY KEY, placed DATETIME, sent DATE, paid TIMESTAMP, note TEXT);
        INSERT INTO "order" VALUES (1, '2026-05-06 07:08:09', '2026-05-06', '2026-05-06T07:08:09Z', 'x');
        INSERT INTO "order" VALUES (2, '05/06/2026', '2026-05-07', '2026-05-07', 'y');
        INSERT INTO "order" VALUES (3, '06/06/2026', NULL, '2026-05-07T00:00:00+02:00', 'z');
        """)
      let remark =
        "order.placed, declared datetime, is a text: not all of its texts are dates in one form, "
        + "as 2026-05-06 07:08:09 in UTC or 2026-05-06T07:08:09Z. "
        + "The first that is not: the text \"05/06/2026\"."
      let run = try tool.roost("import", path, file)
      #expect(run.code == 0 && run.complaint == remark + "\n", "\(run)")
      #expect(
        try objects(path).first
          == #"{"table":"Order","id":1,"placed":"2026-05-06 07:08:09","sent":799718400.0,"paid":799744089.0,"note":"x"}"#
      )
      let models = try tool.roost("models", file)
      #expect(models.output.contains("// order.placed, declared datetime, is a text:"), "\(models)")
    }
  }

  @Test func aLinkThatLeadsNowhereIsToldToWhoHasNoProgram() throws {
    try withTemporaryDirectory { directory in
      let (file, path) = (directory + "/pets.sqlite", directory + "/pets.roost")
      try ShelfFile.make(
        file,
        """
        CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES owner(id));
        INSERT INTO owner VALUES (1, 'Ann');
        INSERT INTO pet VALUES (1, 1), (2, 7);
        """)
      let run = try tool.roost("import", path, file)
      #expect(run.code == 1)
      #expect(
        run.complaint.contains(
          "pet.owner is the integer 7 in the row id 2, and \"owner\" has no such row. Mend a copy of the file, and "
            + "import that: `PRAGMA foreign_key_check` in sqlite3 lists all such rows"), "\(run)")
      // As it says.
      try ShelfFile.make(file, "UPDATE pet SET owner = NULL WHERE id = 2;")
      #expect(try tool.roost("import", path, file).code == 0)
    }
  }

  @Test func aKeyOfDatesIsATextThatLinksLeadTo() throws {
    try withTemporaryDirectory { directory in
      let (file, path) = (directory + "/days.sqlite", directory + "/days.roost")
      try ShelfFile.make(
        file,
        """
        CREATE TABLE day (day DATE PRIMARY KEY, opened DATE);
        CREATE TABLE visit (id INTEGER PRIMARY KEY, day DATE REFERENCES day(day));
        INSERT INTO day VALUES ('2026-05-06', '2026-05-06'), ('2026-05-07', NULL);
        INSERT INTO visit VALUES (1, '2026-05-07'), (2, NULL);
        """)
      let run = try tool.roost("import", path, file)
      #expect(run.code == 0, "\(run)")
      #expect(
        try objects(path) == [
          #"{"table":"Day","id":"2026-05-06","opened":799718400.0}"#,
          #"{"table":"Day","id":"2026-05-07","opened":null}"#,
          #"{"table":"Visit","id":1,"day":"2026-05-07"}"#,
          #"{"table":"Visit","id":2,"day":null}"#,
        ])
    }
  }

  /// A key is looked up with each object, an index that is built in the end finds a value that comes twice.
  @Test(arguments: ["uuid UUID PRIMARY KEY, n INTEGER", "n INTEGER PRIMARY KEY, uuid UUID UNIQUE"])
  func aRowThatTheStoreRefusesIsNamed(columns: String) throws {
    try withTemporaryDirectory { directory in
      let (file, path) = (directory + "/ids.sqlite", directory + "/ids.roost")
      // Texts that differ are the same UUID.
      let twin = "0000000A-0000-4000-8000-00000000002A"
      try ShelfFile.make(
        file,
        """
        CREATE TABLE event (\(columns));
        WITH RECURSIVE number(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM number WHERE i < 1499)
        INSERT INTO event (uuid, n) SELECT printf('0000000a-0000-4000-8000-%012x', i), i FROM number;
        INSERT INTO event (uuid, n) VALUES ('\(twin)', 9000);
        WITH RECURSIVE number(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM number WHERE i < 1499)
        INSERT INTO event (uuid, n) SELECT printf('0000000b-0000-4000-8000-%012x', i), 10000 + i FROM number;
        """)
      let run = try tool.roost("import", path, file)
      let row = columns.hasPrefix("n") ? "n 9000" : #"uuid "\#(twin)""#
      #expect(run.code == 1 && run.complaint.contains(row), "\(run)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["ids.sqlite"])
    }
  }

  @Test(arguments: ["all-types", "object-store", "versions", "format-11", "empty"])
  func aRealmFileIsPrintedAsItsTextSays(_ name: String) throws {
    try withTemporaryDirectory { directory in
      let file = directory + "/sample.realm"
      try SampleFiles.make(name + ".realm", file)
      let run = try tool.roost("import", "--raw", file)
      #expect(run.complaint == "" && run.code == 0)
      // The text also says which program wrote the file.
      let text = String(decoding: try SampleFiles.bytes(name + ".json"), as: UTF8.self)
        .replacing(/"core":"[^"]*",/, with: "", maxReplacements: 1)
      #expect(run.output.utf8.elementsEqual(text.utf8))
    }
  }

  @Test func aFileThatCannotBeImportedIsSaidInALine() throws {
    try withTemporaryDirectory { directory in
      let (file, path) = (directory + "/a.realm", directory + "/new.roost")
      func expect(_ arguments: [String], _ complaint: String, _ code: Int32 = 1) throws {
        let run = try tool.run(["import"] + arguments)
        #expect(run == ToolTests.Run(output: "", complaint: "roost: \(complaint)\n", code: code))
        // Nothing is left beside it.
        let left = try FileManager.default.contentsOfDirectory(atPath: directory)
        #expect(Set(left).isSubset(of: ["a.realm", "b.db", "old.roost"]), "\(left)")
      }
      for arguments in [[path, file], ["--raw", file]] {
        try expect(arguments, "there is no file \(file): check the path.")
        try SampleFiles.make("format-9.realm", file)
        try expect(
          arguments,
          "The file has Realm's format 9, of before 2020, which is not read. Open it once with a version of Realm that "
            + "upgrades it (realm-core 6 to 13), and then import it.")
        try FileManager.default.removeItem(atPath: file)
      }
      let other = directory + "/b.db"
      try Data("text".utf8).write(to: URL(fileURLWithPath: other))
      try expect([path, other], "\(other) is not a Realm or an SQLite file: check the path.")
      try expect(
        ["--raw", other], "\(other) is not a Realm file, which --raw prints: check the path.")
      try SampleFiles.make("object-store.realm", file)
      try expect(
        ["/nowhere/new.roost", file], "there is no directory /nowhere: create it before.")
      let old = directory + "/old.roost"
      try Data("old".utf8).write(to: URL(fileURLWithPath: old))
      try expect(
        [old, file], "\(old) is there already; replace it with --force, or take another name.")
      #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == Data("old".utf8))
      #expect(try tool.roost("import", old, file, "--force").code == 0)
      #expect(try objects(old).count == 220)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      bytes.removeLast(bytes.count / 2)
      try bytes.write(to: URL(fileURLWithPath: file))
      let run = try tool.roost("import", old, file, "--force")
      #expect(run.code == 3 && run.complaint.contains("is damaged at byte"), "\(run)")
      #expect(try objects(old).count == 220)
      for arguments in [
        [path, file, "--model", "Dog"], [path, "a.csv", "--force"], ["--raw", file, path], [path],
      ] {
        #expect(try tool.run(["import"] + arguments).code == 2)
      }
    }
  }
}
#endif
