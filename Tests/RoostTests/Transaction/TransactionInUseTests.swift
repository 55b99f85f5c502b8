import Roost
import RoostTestSupport
import Testing

/// What a conversion does while an object is encoded or decoded; of the thread that the test runs on.
private enum Meddling {
  nonisolated(unsafe) static var meddle: (() -> Void)?

  static func now() {
    guard let meddle = unsafe meddle else { return }
    unsafe Self.meddle = nil
    meddle()
  }

  /// Runs a body with something that is done once, in the middle of it.
  static func with<R>(_ meddle: @escaping () -> Void, _ body: () throws -> R) rethrows -> R {
    unsafe Self.meddle = meddle
    defer { unsafe Self.meddle = nil }
    return try body()
  }
}

/// A value whose conversions run code of the program's.
private struct Word: RawRepresentable, Storable, Hashable {
  let text: String
  init(_ text: String) { self.text = text }
  init(rawValue: String) {
    Meddling.now()
    text = rawValue
  }
  var rawValue: String {
    Meddling.now()
    return text
  }
}

private struct Note: Model {
  let id: Int
  var first: String
  var word: Word
  var last: String
  static let schema = Schema(
    Note.init, Key("id", \.id), Field("first", \.first), Field("word", \.word),
    Field("last", \.last))

  init(id: Int, first: String, word: Word, last: String) {
    self.id = id
    self.first = first
    self.word = word
    self.last = last
  }

  init(_ id: Int) {
    self.init(id: id, first: "first \(id)", word: Word("word \(id)"), last: "last \(id)")
  }
}

/// Code of a model's types that uses the transaction which encodes or decodes an object.
@Suite(.serialized) struct TransactionInUseTests {
  private struct TakenReader: ObjectReader {
    let reader: _Reader
    var _reader: _Reader { reader }
  }

  /// Uses of a transaction, of which none may happen in the middle of another.
  private func errors(_ transaction: WriteTransaction) -> [StoreError?] {
    func error(_ use: () throws -> Void) -> StoreError? {
      do { try use() } catch { return error as? StoreError }
      return nil
    }
    return [
      error { try transaction.insert(Note(1000)) },
      error { try transaction.insert(contentsOf: [Note(1001)]) },
      error { try transaction.delete(Note.self, id: 0) },
      error { try transaction.update(Note.self, id: 0, set: \.first, to: "other") },
      error { _ = try transaction.count(Note.all) },
      error { try transaction.savepoint {} },
    ]
  }

  @Test(arguments: ["insert", "bulk", "update", "set", "fetch own", "fetch stored", "query"])
  func isRefused(in operation: String) throws {
    let store = try Store(.inMemory, models: Note.self)
    try store.write { try $0.insert(contentsOf: (0..<20).map { Note($0) }) }
    try store.write { transaction in
      try transaction.insert(Note(50))
      var found: [StoreError?] = []
      try Meddling.with({ found = errors(transaction) }) {
        switch operation {
        case "insert": try transaction.insert(Note(60))
        case "bulk": try transaction.insert(contentsOf: (60..<70).map { Note($0) })
        case "update": try transaction.update(Note(3))
        case "set": try transaction.update(Note.self, id: 3, set: \.word, to: Word("set"))
        case "fetch own": #expect(try transaction.fetch(Note.self, id: 50) == Note(50))
        case "fetch stored":
          // Read where it lies, and so no row is half written: this one may be changed meanwhile.
          #expect(try transaction.fetch(Note.self, id: 4) == Note(4))
          found = []
        default: #expect(try transaction.fetch(Note.all).count == 21)
        }
      }
      #expect(found.allSatisfy { $0 == .transactionInUse }, "\(found)")
      #expect(operation == "fetch stored" || found.count == 6)
      // It goes on afterwards.
      try transaction.insert(Note(80))
    }
    let notes = try store.snapshot().fetch(Note.all)
    for note in notes where note.word.text != "set" && note.id < 100 {
      #expect(note == Note(note.id))
    }
    #expect(try store.verify() == [])
  }

  @Test func aClosureThatChangesAnObjectMayUseTheTransaction() throws {
    let store = try Store(.inMemory, models: Note.self)
    try store.write { try $0.insert(contentsOf: (0..<20).map { Note($0) }) }
    try store.write { transaction in
      try transaction.update(Note.all) { note in
        note.first = "changed"
        try transaction.insert(Note(note.id + 100))
      }
      // The object is gone when the closure returns.
      #expect(throws: StoreError.notFound(model: "Note", id: "3")) {
        try transaction.update(Note.self, id: 3) { _ in
          try transaction.delete(Note.self, id: 3)
        }
      }
    }
    #expect(try store.snapshot().count(Note.all) == 39)
    #expect(try store.verify() == [])
  }

  @Test func linksAndBytesThatComeFromTheTransactionItselfGoIn() throws {
    let store = try Store(.inMemory, models: Note.self)
    try store.write { transaction in
      try transaction.insert(Note(1))
      // A sequence that reads and writes through the transaction while it is taken in.
      let sequence = sequence(state: 10) { (id: inout Int) -> Note? in
        guard id < 1600 else { return nil }
        id += 1
        if id == 700 { _ = try? transaction.insert(Note(5000)) }
        return Note(id)
      }
      try transaction.insert(contentsOf: sequence)
    }
    #expect(try store.snapshot().count(Note.all) == 1592)
    #expect(try store.verify() == [])
  }
}
