import Foundation

/// A database of notes, with an index of their folders: each method does the work as an app would that fetches structs.
protocol NoteDatabase: FileDatabase {
  /// A database in memory, empty.
  init() throws
  /// One transaction.
  func insert(_ notes: [Note]) throws
  /// One transaction, which returns without a sync; a crash of the process may not take it.
  func insertUnsynced(_ note: Note) throws
  func all() throws -> [Note]
  func find(_ id: UUID) throws -> Note?
  /// Found by the index.
  func notes(inFolder folder: Int) throws -> [Note]
  /// Counted without an index.
  func count(stars: Int, isDone: Bool) throws -> Int
  /// The latest, found without an index.
  func latest(_ count: Int) throws -> [Note]
  /// One transaction, of which each note is deleted by its id.
  func delete(_ ids: [UUID]) throws
  /// Observes a folder and gives another number of stars to one note after the other, without syncs.
  ///
  /// - Returns: For each, how long it took from the start of the write until an observer had all notes of the folder as structs.
  func observe(
    folder: Int, while changes: [(id: UUID, stars: Int)]
  ) throws -> [Resumption<Note>.Seen]
}

extension Subject {
  var noteDatabase: (any NoteDatabase.Type)? {
    switch self {
    case .roost: RoostNotes.self
    #if GRDB
    case .grdb: GRDBNotes.self
    #endif
    default: nil
    }
  }
}
