import CRoostSQLite

/// An SQLite file as an app may have it.
enum ShelfFile {
  struct Failure: Error { var message: String }

  static let sql = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born DATETIME, uuid UUID);
    CREATE TABLE "Book Item" (
      isbn TEXT PRIMARY KEY, author_id INTEGER REFERENCES author(id) ON DELETE CASCADE,
      title TEXT NOT NULL UNIQUE, pages INTEGER, price REAL, cover BLOB, is_read BOOLEAN NOT NULL DEFAULT 0,
      state TEXT NOT NULL, odd, "class" INT) WITHOUT ROWID;
    CREATE INDEX by_pages ON "Book Item"(pages);
    CREATE INDEX by_author ON "Book Item"(author_id, title);
    CREATE INDEX some_books ON "Book Item"(pages) WHERE pages > 100;
    CREATE TABLE tag (name TEXT PRIMARY KEY NOT NULL);
    CREATE TABLE book_tag (
      book TEXT NOT NULL REFERENCES "Book Item"(isbn), tag TEXT NOT NULL REFERENCES tag(name),
      PRIMARY KEY (book, tag));
    CREATE TABLE place (shelf INTEGER, board TEXT, book TEXT REFERENCES "Book Item"(isbn), PRIMARY KEY (shelf, board));
    CREATE TABLE note (text TEXT, at DATETIME);
    INSERT INTO author VALUES (1, 'Ann', '1970-01-02 03:04:05.250', x'000102030405060708090a0b0c0d0e0f'),
      (2, 'Bob', NULL, NULL);
    INSERT INTO tag VALUES ('old'), ('new');
    INSERT INTO "Book Item" VALUES ('a', 1, 'First', 100, 9.5, x'00ff', 1, 'on loan', 1, 5),
      ('b', NULL, 'Second', NULL, 3, NULL, 0, 'here', 'text', NULL),
      ('c', 2, 'Third', 7, NULL, x'', 0, 'here', NULL, 6);
    INSERT INTO book_tag VALUES ('a', 'old'), ('a', 'new'), ('c', 'old');
    INSERT INTO place VALUES (1, 'top', 'a'), (1, 'low', NULL);
    INSERT INTO note VALUES ('x', '2026-05-06T07:08:09.5Z'), (NULL, NULL);
    """

  /// Makes a file of statements.
  static func make(_ path: String, _ sql: String = sql) throws {
    var database: OpaquePointer?
    defer { unsafe sqlite3_close(database) }
    guard unsafe sqlite3_open(path, &database) == SQLITE_OK,
      unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
    else { throw Failure(message: unsafe String(cString: sqlite3_errmsg(database))) }
  }

  /// The first column of a statement's rows, as text.
  static func rows(_ path: String, _ sql: String) throws -> [String] {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      unsafe sqlite3_finalize(statement)
      unsafe sqlite3_close(database)
    }
    guard unsafe sqlite3_open(path, &database) == SQLITE_OK,
      unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK
    else { throw Failure(message: unsafe String(cString: sqlite3_errmsg(database))) }
    var rows: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      let text = unsafe sqlite3_column_text(statement, 0)
      rows.append(unsafe text.map { unsafe String(cString: $0) } ?? "NULL")
    }
    return rows
  }
}
