import Foundation
import Roost

/// Notes in Roost.
final class RoostNotes: NoteDatabase {
  private let store: Store

  init(creating path: String) throws { store = try Store(.file(path), models: Note.self) }

  init() throws { store = try Store(.inMemory, models: Note.self) }

  convenience init(opening path: String) throws { try self.init(creating: path) }

  func close() { store.close() }

  func insert(_ notes: [Note]) throws { try store.write { try $0.insert(contentsOf: notes) } }

  func insertUnsynced(_ note: Note) throws {
    try store.write(durability: .relaxed) { try $0.insert(note) }
  }

  func all() throws -> [Note] { try store.read { try $0.fetch(Note.all) } }

  func find(_ id: UUID) throws -> Note? { try store.read { try $0.fetch(Note.self, id: id) } }

  func notes(inFolder folder: Int) throws -> [Note] {
    try store.read { try $0.fetch(Note.where { $0.folder == folder }) }
  }

  func count(stars: Int, isDone: Bool) throws -> Int {
    try store.read { try $0.count(Note.where { $0.stars == stars && $0.isDone == isDone }) }
  }

  func latest(_ count: Int) throws -> [Note] {
    try store.read { try $0.fetch(Note.all.order(by: \.date, descending: true).limit(count)) }
  }

  func delete(_ ids: [UUID]) throws {
    try store.write { transaction in
      for id in ids { try transaction.delete(Note.self, id: id) }
    }
  }

  func observe(
    folder: Int, while changes: [(id: UUID, stars: Int)]
  ) throws -> [Resumption<Note>.Seen] {
    let resumption = Resumption<Note>()
    let sequence = store.changes(of: Note.where { $0.folder == folder })
    let observer = Task {
      for try await change in sequence {
        let notes = try change.results.map { try $0.value }
        resumption.note { id in notes.first { $0.id == id } }
      }
    }
    defer { observer.cancel() }
    resumption.wait()
    return try changes.map { change in
      try resumption.time(change.id, isChanged: { $0.stars == change.stars }) {
        try store.write(durability: .relaxed) {
          _ = try $0.update(Note.self, id: change.id, set: \.stars, to: change.stars)
        }
      }
    }
  }
}

extension Note: Model {
  static let schema = Schema(
    Note.init, Key("id", \.id), Field("title", \.title), Field("text", \.text),
    Field("folder", \.folder, .indexed), Field("stars", \.stars), Field("isDone", \.isDone),
    Field("date", \.date))
}
