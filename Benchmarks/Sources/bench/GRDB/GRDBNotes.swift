#if GRDB
import Dispatch
import Foundation
import GRDB

/// Notes in GRDB, as records with coding by hand.
final class GRDBNotes: NoteDatabase {
  private let database: any DatabaseWriter

  init(creating path: String) throws {
    let pool = try GRDBFile.open(path)
    database = pool
    try create()
  }

  /// GRDB's documentation recommends this for tests and previews.
  init() throws {
    SQLiteDatabase.configureLibrary()
    database = try DatabaseQueue()
    try create()
  }

  init(opening path: String) throws { database = try GRDBFile.open(path) }

  private func create() throws {
    try database.write { database in
      try database.create(table: "note") { table in
        table.primaryKey("id", .blob)
        table.column("title", .text).notNull()
        table.column("text", .text).notNull()
        table.column("folder", .integer).notNull().indexed()
        table.column("stars", .integer).notNull()
        table.column("isDone", .boolean).notNull()
        table.column("date", .double).notNull()
      }
    }
  }

  func close() throws { try database.close() }

  func insert(_ notes: [Note]) throws {
    try database.write { database in
      for note in notes { try GRDBNote(note).insert(database) }
    }
  }

  func insertUnsynced(_ note: Note) throws {
    try setSynchronous("NORMAL")
    try database.write { try GRDBNote(note).insert($0) }
  }

  /// The mode for the following commits.
  private func setSynchronous(_ mode: String) throws {
    guard mode != synchronous else { return }
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(mode)") }
    synchronous = mode
  }

  private var synchronous = "FULL"

  func all() throws -> [Note] { try database.read { try GRDBNote.fetchAll($0).map(\.note) } }

  func find(_ id: UUID) throws -> Note? {
    try database.read { try GRDBNote.fetchOne($0, key: id)?.note }
  }

  func notes(inFolder folder: Int) throws -> [Note] {
    try database.read {
      try GRDBNote.filter(Column("folder") == folder).fetchAll($0).map(\.note)
    }
  }

  func count(stars: Int, isDone: Bool) throws -> Int {
    try database.read {
      try GRDBNote.filter(Column("stars") == stars && Column("isDone") == isDone).fetchCount($0)
    }
  }

  func latest(_ count: Int) throws -> [Note] {
    try database.read {
      try GRDBNote.order(Column("date").desc).limit(count).fetchAll($0).map(\.note)
    }
  }

  func delete(_ ids: [UUID]) throws {
    try database.write { database in
      for id in ids { _ = try GRDBNote.deleteOne(database, key: id) }
    }
  }

  func observe(
    folder: Int, while changes: [(id: UUID, stars: Int)]
  ) throws -> [Resumption<Note>.Seen] {
    try setSynchronous("OFF")
    let resumption = Resumption<Note>()
    let queue = DispatchQueue(label: "bench.observe")
    let observer =
      ValueObservation
      .tracking { try GRDBNote.filter(Column("folder") == folder).fetchAll($0).map(\.note) }
      .start(
        in: database, scheduling: .async(onQueue: queue),
        onError: { fatalError("GRDB's observation ended: \($0)") },
        onChange: { notes in resumption.note { id in notes.first { $0.id == id } } })
    defer { observer.cancel() }
    resumption.wait()
    return try changes.map { change in
      try resumption.time(change.id, isChanged: { $0.stars == change.stars }) {
        _ = try database.write {
          try GRDBNote.filter(key: change.id).updateAll($0, Column("stars").set(to: change.stars))
        }
      }
    }
  }
}

/// A note as GRDB's users write a record that is to be fast.
private struct GRDBNote: FetchableRecord, PersistableRecord, Sendable {
  static let databaseTableName = "note"

  let note: Note

  init(_ note: Note) { self.note = note }

  init(row: Row) {
    note = Note(
      id: row[0], title: row[1], text: row[2], folder: row[3], stars: row[4], isDone: row[5],
      date: Date(timeIntervalSinceReferenceDate: row[6]))
  }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = note.id
    container["title"] = note.title
    container["text"] = note.text
    container["folder"] = note.folder
    container["stars"] = note.stars
    container["isDone"] = note.isDone
    container["date"] = note.date.timeIntervalSinceReferenceDate
  }
}
#endif
