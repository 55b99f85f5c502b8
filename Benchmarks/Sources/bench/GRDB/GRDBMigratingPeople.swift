#if GRDB
import GRDB

/// People of a first release in GRDB, whose migrator checks all foreign keys after a step.
final class GRDBMigratingPeople: MigratingPeople {
  private let pool: DatabasePool

  init(migrating path: String, by change: PeopleMigration) throws {
    pool = try GRDBFile.open(path)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("second release") { database in
      for statement in change.statements { try database.execute(sql: statement) }
    }
    try migrator.migrate(pool)
  }

  func answer(after change: PeopleMigration) throws -> Answer {
    try pool.read { database in
      Answer(
        try Int.fetchOne(database, sql: "SELECT count(*) FROM person") ?? 0,
        try Int.fetchOne(
          database, sql: "SELECT count(*) FROM person WHERE \(change.condition)") ?? 0)
    }
  }

  func close() throws { try pool.close() }
}
#endif
