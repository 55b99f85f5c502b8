/// People of a first release in SQLite.
final class SQLiteMigratingPeople: MigratingPeople {
  private let database: SQLiteDatabase

  init(migrating path: String, by change: PeopleMigration) throws {
    database = try SQLiteDatabase(path: path)
    try database.transaction {
      for statement in change.statements { try database.execute(statement) }
    }
  }

  func answer(after change: PeopleMigration) throws -> Answer {
    Answer(
      try database.prepare("SELECT count(*) FROM person").scalar(),
      try database.prepare("SELECT count(*) FROM person WHERE \(change.condition)").scalar())
  }

  func close() throws { try database.close() }
}

extension PeopleMigration {
  /// What makes the change in SQLite. Where values change, a column is added, set and put in the old one's place: a table made
  /// anew takes up to three times as long, with its indexes.
  var statements: [String] {
    switch self {
    case .add: ["ALTER TABLE person ADD COLUMN nickname TEXT NOT NULL DEFAULT 'none'"]
    case .rename: ["ALTER TABLE person RENAME COLUMN email TO mail"]
    case .drop: ["ALTER TABLE person DROP COLUMN score"]
    case .dropIndexed: ["DROP INDEX person_name", "ALTER TABLE person DROP COLUMN name"]
    case .convert:
      [
        "ALTER TABLE person ADD COLUMN age_text TEXT NOT NULL DEFAULT ''",
        "UPDATE person SET age_text = CAST(age AS TEXT)",
        "ALTER TABLE person DROP COLUMN age",
        "ALTER TABLE person RENAME COLUMN age_text TO age",
      ]
    case .split:
      [
        "ALTER TABLE person ADD COLUMN first TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE person ADD COLUMN last TEXT NOT NULL DEFAULT ''",
        """
        UPDATE person SET
          first = substr(name, 1, instr(name, ' ') - 1), last = substr(name, instr(name, ' ') + 1)
        """,
        "DROP INDEX person_name",
        "ALTER TABLE person DROP COLUMN name",
      ]
    }
  }

  /// Of the people that are counted after it.
  var condition: String {
    switch self {
    case .add: "nickname = 'none'"
    case .rename: "instr(mail, '@mail42.') > 0"
    case .drop: "instr(name, 'ann') > 0"
    case .dropIndexed: "age = 42"
    case .convert: "age = '42'"
    case .split: "instr(first, 'ann') > 0 AND instr(last, 'el') > 0"
    }
  }
}
