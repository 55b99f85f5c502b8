import RoostEngine
import RoostTestSupport
import Testing

/// Lookups by key in versions that follow one another, and share what they have in common.
@Suite struct SharedLookupTests {
  /// Long titles make many leaves of few rows, and so a tree of three levels.
  private static func title(_ key: Int64, _ rank: Int64) -> String {
    "\(key) \(rank) " + String(repeating: "x", count: 900)
  }

  /// The oracle: the ranks of the notes that are there.
  private typealias Ranks = [Int64: Int64]

  private func insert(
    _ keys: some Sequence<Int64>, rank: Int64, into store: NoteStore,
    _ transaction: EngineTransaction, _ ranks: inout Ranks
  ) throws(EngineError) {
    for key in keys where ranks[key] == nil {
      let batch = try transaction.batch(for: store.table)
      batch.columns[0].append(Self.title(key, rank))
      batch.columns[1].append(rank)
      batch.columns[2].appendNull()
      try transaction.insertRow(into: store.table, key: key)
      ranks[key] = rank
    }
  }

  private func check(
    _ snapshot: EngineSnapshot, holds ranks: Ranks, in store: NoteStore,
    _ random: inout SeededGenerator
  ) throws {
    let notes = try snapshot.view.objects(store.table)
    for _ in 0..<150 {
      let key = Int64.random(in: 0..<12_100, using: &random)
      let found = try notes.find(key)
      #expect((found == nil) == (ranks[key] == nil))
      guard let found else { continue }
      let place = RowPlace.leaf(found.leaf, found.row)
      #expect(found.key == key)
      #expect(try place.value(of: 2) == .integer(try #require(ranks[key])))
      guard case .bytes(let title) = try place.value(of: 1) else { continue }
      #expect(String(decoding: title, as: UTF8.self).hasPrefix("\(key) "))
    }
  }

  @Test(arguments: [1, 2] as [UInt64], [1 << 20, 64 << 20])
  func everyVersionFindsItsOwnObjects(seed: UInt64, cacheBytes: Int) throws {
    var random = SeededGenerator(seed: seed)
    let store = try NoteStore(MemoryFileSystem(), cacheBytes: cacheBytes)
    var ranks: Ranks = [:]
    try store.engine.write { (transaction) throws(EngineError) in
      try insert(
        stride(from: 0, to: 12_000, by: 1), rank: 0, into: store, transaction, &ranks)
    }
    var pinned: [(snapshot: EngineSnapshot, ranks: Ranks)] = []
    for round in 1...60 {
      try store.engine.write { (transaction) throws(EngineError) in
        let start = Int64.random(in: 0..<12_000, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
          // Most go, so that nodes join and the tree may lose a level; then they come again.
          for key in ranks.keys.sorted() where key % 97 != 0 {
            _ = try transaction.delete(from: store.table, key: key)
            ranks[key] = nil
          }
        case 1, 2:
          try insert(0..<12_000, rank: Int64(round), into: store, transaction, &ranks)
        case 3:
          for key in start..<start + 700 where ranks.removeValue(forKey: key) != nil {
            _ = try transaction.delete(from: store.table, key: key)
          }
        case 4:
          for key in ranks.keys.sorted() where key % 3 == 0 {
            _ = try transaction.update(
              store.table, key: key, field: 2, to: .integer(Int64(round)))
            ranks[key] = Int64(round)
          }
        case 5:
          try insert(12_000..<12_100, rank: Int64(round), into: store, transaction, &ranks)
        default:
          for key in [start, (start * 31) % 12_000] where ranks[key] != nil {
            _ = try transaction.update(
              store.table, key: key, field: 2, to: .integer(Int64(round)))
            ranks[key] = Int64(round)
          }
        }
      }
      let newest = store.engine.snapshot()
      try check(newest, holds: ranks, in: store, &random)
      if round % 7 == 0 { pinned.append((newest, ranks)) }
      if round % 20 == 0 { pinned.removeFirst() }
      for pin in pinned { try check(pin.snapshot, holds: pin.ranks, in: store, &random) }
    }
    try store.verify()
  }

  @Test func whatLookupsHoldIsNotReadAgain() throws {
    let files = MemoryFileSystem()
    var ranks: Ranks = [:]
    do {
      let store = try NoteStore(files)
      try store.engine.write { (transaction) throws(EngineError) in
        try insert(
          stride(from: 0, to: 12_000, by: 1), rank: 0, into: store, transaction, &ranks)
      }
    }
    // The notes are three times what may be in memory.
    let store = try NoteStore(files, cacheBytes: 4 << 20)
    let view = try store.engine.snapshot().view
    let notes = try view.objects(store.table)
    for key in 0..<1000 as Range<Int64> { #expect(try view.find(key, in: store.table) != nil) }
    func read(_ keys: ClosedRange<Int64>) throws {
      var leaves = try notes.leaves(in: keys)
      while let leaf = try leaves.next() { _ = try leaf.column(1) }
    }
    for _ in 0..<3 { try read(2000...11_999) }
    let loads = view.reader.statistics.loads
    try read(0...900)
    #expect(view.reader.statistics.loads == loads)
  }

  @Test func aRowThatWasFoundByKeyStaysAfterItsVersion() throws {
    let files = MemoryFileSystem()
    var ranks: Ranks = [:]
    do {
      let store = try NoteStore(files)
      try store.engine.write { (transaction) throws(EngineError) in
        try insert(
          stride(from: 0, to: 2000, by: 1), rank: 0, into: store, transaction, &ranks)
      }
    }
    // Opened again, so that the titles are not in memory.
    let store = try NoteStore(files)
    var rows: [LeafRow] = []
    for key in stride(from: Int64(0), to: 2000, by: 100) {
      rows.append(
        try #require(try store.engine.snapshot().view.objects(store.table).find(key)))
    }
    for round in 1...20 {
      // Everything is written anew, again and again, wherever units are free.
      try store.engine.write { (transaction) throws(EngineError) in
        for key in ranks.keys.sorted() {
          _ = try transaction.delete(from: store.table, key: key)
        }
        ranks = [:]
        try insert(
          stride(from: 0, to: 2000, by: 1), rank: Int64(round), into: store, transaction, &ranks)
      }
    }
    for row in rows {
      let place = RowPlace.leaf(row.leaf, row.row)
      #expect(try place.value(of: 1) == .bytes(Array(Self.title(row.key, 0).utf8)))
    }
  }
}
