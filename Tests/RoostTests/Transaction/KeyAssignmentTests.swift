import Foundation
import Roost
import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

private struct Note: Model {
  let id: Int
  var text: String
  static let schema = Schema(Note.init, Key("id", \.id, .assigned), Field("text", \.text))
}

/// The same, when it had one field more.
private enum Newer {
  struct Note: Model {
    let id: Int
    var text: String
    var color: Int
    static let schema = Schema(
      Note.init, Key("id", \.id, .assigned), Field("text", \.text),
      Field("color", \.color, .default(3)))
  }
}

/// The same, when its keys were the program's business.
private enum Plain {
  struct Note: Model {
    let id: Int
    var text: String
    static let schema = Schema(Note.init, Key("id", \.id), Field("text", \.text))
  }
}

private struct Small: Model {
  let id: Int8
  static let schema = Schema(Small.init, Key("id", \.id, .assigned))
}

private struct Unsigned: Model {
  let id: UInt64
  static let schema = Schema(Unsigned.init, Key("id", \.id, .assigned))
}

private struct EventID: RawRepresentable, AssignableKey {
  let rawValue: UUID
  static let assigned = EventID(rawValue: .assigned)
}

private struct Event: Model {
  let id: EventID
  var name: String
  var cause: Link<Event>?
  static let schema = Schema(
    Event.init, Key("id", \.id, .assigned), Field("name", \.name), Field("cause", \.cause))
}

private struct Refusal: Error {}

/// Keys that the store gives.
@Suite struct KeyAssignmentTests {
  @Test(arguments: [UInt64](1...12))
  func aNumberIsNeverGivenTwice(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try withTemporaryDirectory { directory in
      let path = directory + "/notes.roost"
      var configuration = Configuration()
      configuration.durability = .relaxed
      // Compaction takes the count along.
      configuration.compaction = .custom { _, _ in true }
      var there: Set<Int> = []
      var highest = 0
      for _ in 0..<5 {
        let store = try Store(.file(path), models: Note.self, configuration: configuration)
        for _ in 0..<12 {
          var changed = there
          var top = highest
          let isRolledBack = random.chance(1, in: 4)
          do {
            try store.write { transaction in
              for _ in 0..<Int.random(in: 1...5, using: &random) {
                try Self.change(transaction, &changed, &top, &random)
              }
              if isRolledBack { throw Refusal() }
            }
            (there, highest) = (changed, top)
          } catch is Refusal {}
        }
        let stored = try store.read { try $0.fetch(Note.all).map(\.id) }
        #expect(stored == there.sorted(), "seed \(seed)")
        store.close()
      }
    }
  }

  private static func change(
    _ transaction: WriteTransaction, _ there: inout Set<Int>, _ highest: inout Int,
    _ random: inout SeededGenerator
  ) throws {
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      // Some with a number of their own among them.
      let own = highest + Int.random(in: 1...9, using: &random)
      try transaction.insert(
        contentsOf: [0, own, 0].map { Note(id: $0, text: "many") })
      let given = try transaction.fetch(Note.all).map(\.id).filter { !there.contains($0) }
      #expect(given.count == 3 && given.allSatisfy { $0 > highest })
      there.formUnion(given)
      highest = max(highest, given.max() ?? 0)
    case 1:
      guard let last = there.max() else { return }
      try transaction.delete(Note.self, id: last)
      there.remove(last)
    case 2:
      let top = highest
      try? transaction.savepoint {
        #expect(try transaction.insert(Note(id: .assigned, text: "undone")).id > top)
        throw Refusal()
      }
    case 3:
      let id = Int.random(in: -5...highest + 3, using: &random)
      guard id != 0, !there.contains(id) else { return }
      try transaction.insert(Note(id: id, text: "own"))
      there.insert(id)
      highest = max(highest, id)
    default:
      let made = Note(id: .assigned, text: "one")
      let note =
        try random.chance(1, in: 2) ? transaction.insert(made) : transaction.upsert(made)
      #expect(note.text == "one")
      #expect(note.id > highest)
      there.insert(note.id)
      highest = note.id
    }
  }

  @Test func aModelTakesToAssignedKeysAndGetsAFieldWithoutGivingANumberTwice() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/notes.roost"
      var store = try Store(.file(path), models: Plain.Note.self)
      try store.write { try $0.insert(Plain.Note(id: 7, text: "seven")) }
      store.close()
      store = try Store(.file(path), models: Note.self)
      try store.write { transaction in
        #expect(try transaction.insert(Note(id: .assigned, text: "")).id == 8)
        try transaction.delete(Note.all)
      }
      store.close()
      store = try Store(.file(path), models: Newer.Note.self)
      let made = try store.write { try $0.insert(Newer.Note(id: .assigned, text: "", color: 1)) }
      #expect(made == Newer.Note(id: 9, text: "", color: 1))
      try store.write { _ = try $0.delete(Newer.Note.all) }
      store.close()
      _ = try Engine.salvage(path, to: path + "-saved")
      store = try Store(.file(path + "-saved"), models: Newer.Note.self)
      #expect(
        try store.write { try $0.insert(Newer.Note(id: 0, text: "", color: 1)) }.id == 10)
      #expect(try store.verify() == [])
    }
  }

  @Test func numbersEndWhereTheTypeDoes() throws {
    let store = try Store(.inMemory, models: Small.self, Unsigned.self)
    try store.write { transaction in
      try transaction.insert(contentsOf: (0..<126).map { _ in Small(id: .assigned) })
      #expect(try transaction.insert(Small(id: 0)) == Small(id: 127))
      #expect(throws: StoreError.self) { try transaction.insert(Small(id: 0)) }
      #expect(throws: StoreError.self) { try transaction.insert(contentsOf: [Small(id: 0)]) }
      #expect(try transaction.count(Small.all) == 127)
      #expect(try transaction.insert(Unsigned(id: 0)) == Unsigned(id: 1))
      try transaction.insert(Unsigned(id: 1 << 63))
      #expect(try transaction.insert(Unsigned(id: 0)) == Unsigned(id: 1 << 63 + 1))
      try transaction.insert(Unsigned(id: .max))
      #expect(throws: StoreError.self) { try transaction.insert(Unsigned(id: 0)) }
    }
    #expect(try store.verify() == [])
  }

  @Test func anUpsertWithoutAKeyAdds() throws {
    let store = try Store(.inMemory, models: Note.self)
    try store.write { transaction in
      try transaction.upsert(Note(id: .assigned, text: "a"))
      try transaction.upsert(Note(id: .assigned, text: "b"))
      try transaction.upsert(Note(id: 2, text: "c"))
      #expect(
        try transaction.fetch(Note.all) == [Note(id: 1, text: "a"), Note(id: 2, text: "c")])
      try transaction.replaceAll([Note(id: 2, text: "c"), Note(id: .assigned, text: "d")])
      #expect(
        try transaction.fetch(Note.all) == [Note(id: 2, text: "c"), Note(id: 3, text: "d")])
    }
  }

  @Test func uuidsAreOfVersionSevenAndAscend() throws {
    let store = try Store(.inMemory, models: Event.self)
    let before = Date().timeIntervalSince1970
    let (first, second) = try store.write { transaction in
      let first = try transaction.insert(Event(id: .assigned, name: "first", cause: nil))
      let second = try transaction.insert(
        Event(id: .assigned, name: "second", cause: Link(first)))
      try transaction.insert(
        contentsOf: (0..<1000).map { Event(id: .assigned, name: "\($0)", cause: Link(first)) })
      return (first, second)
    }
    let own = EventID(rawValue: UUID())
    #expect(
      try store.write { try $0.insert(Event(id: own, name: "own", cause: nil)) }.id == own)
    try store.write { _ = try $0.delete(Event.self, id: own) }
    #expect(second.cause == Link(first))
    let events = try store.read { try $0.fetch(Event.all) }
    #expect(events.count == 1002)
    let texts = events.map(\.id.rawValue.uuidString)
    #expect(texts == texts.sorted() && Set(texts).count == texts.count)
    for text in texts {
      let characters = Array(text)
      #expect(characters[14] == "7" && "89AB".contains(characters[19]))
      let milliseconds = try #require(
        UInt64(text.prefix(13).filter { $0 != "-" }, radix: 16))
      #expect(abs(Double(milliseconds) / 1000 - before) < 60)
    }
  }

  @Test func uuidsAscendWhateverTheClockDoes() {
    var random = SeededGenerator(seed: 7)
    var uuids = TimeOrderedUUIDs()
    var previous = (high: UInt64(0), low: UInt64(0))
    var now: UInt64 = 1_700_000_000_000
    for _ in 0..<200_000 {
      now = random.chance(1, in: 100) ? now - 3 : now + UInt64.random(in: 0...1, using: &random)
      let next = uuids.next(at: now, using: &random)
      #expect((next.high, next.low) > (previous.high, previous.low))
      #expect(next.high >> 12 & 0xF == 7 && next.low >> 62 == 2)
      previous = next
    }
  }
}
