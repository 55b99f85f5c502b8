import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// Parts of a transaction that are undone by themselves.
@Suite struct SavepointTests {
  @Test(arguments: 0..<30)
  func whatWasDoneSinceASavepointIsUndoneAndNothingElse(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try NoteStore(MemoryFileSystem())
    var notes: Notes = [:]
    let isLarge = seed % 5 == 4
    for _ in 0..<(isLarge ? 6 : 30) {
      let before = notes
      let transaction = try store.engine.beginWrite()
      try store.runSavepoints(
        transaction, &notes, &random, operations: isLarge ? 900 : 40, keys: isLarge ? 9000 : 300)
      if random.chance(1, in: 6) {
        transaction.rollback()
        notes = before
      } else {
        try transaction.commit(random.chance(1, in: 2) ? .full : .relaxed)
      }
      #expect(try store.notes() == notes)
      try store.verify()
    }
  }

  @Test(arguments: 0..<10)
  func afterACrashNothingIsThereOfWhatWasUndone(seed: UInt64) throws {
    var random = SeededGenerator(seed: 77 + seed)
    let disk = SimulatedDisk(seed: seed)
    let store = try NoteStore(disk)
    var notes: Notes = [:]
    for _ in 0..<8 {
      let acknowledged = notes
      let crashes = Mutex<[SimulatedDisk]>([])
      disk.observeCalls { _ in
        crashes.withLock { crashes in
          if crashes.count < 60 { crashes.append(disk.crashImage(seed: UInt64(crashes.count))) }
        }
      }
      let transaction = try store.engine.beginWrite()
      try store.runSavepoints(transaction, &notes, &random, operations: 60, keys: 300)
      try transaction.commit()
      disk.observeCalls(nil)
      for image in crashes.withLock({ $0 }) {
        let recovered = try NoteStore(image)
        let found = try recovered.notes()
        #expect(found == acknowledged || found == notes)
        try recovered.verify()
      }
    }
  }

  /// Pages that were written before the savepoint and spilled to the file are there again after it.
  @Test func aTransactionLargerThanMemoryGoesBack() throws {
    let store = try NoteStore(MemoryFileSystem(), cacheBytes: 1 << 20)
    var random = SeededGenerator(seed: 3)
    try store.engine.write { (transaction) throws(EngineError) in
      try store.insertMany(transaction, keys: 0..<40_000, &random)
      let savepoint = try transaction.savepoint()
      for key in Int64(0)..<40_000 where key % 3 != 0 {
        try transaction.delete(from: store.table, key: key)
      }
      try store.insertMany(transaction, keys: 40_000..<70_000, &random)
      _ = try transaction.view()
      try transaction.rollback(to: savepoint)
      guard try transaction.view().objects(store.table).count == 40_000 else {
        throw .unknownTable(name: "count")
      }
    }
    #expect(try store.notes().count == 40_000)
    try store.verify()
  }

  @Test func tablesAndFieldsGoBackToo() throws {
    let store = try NoteStore(MemoryFileSystem())
    var random = SeededGenerator(seed: 5)
    try store.engine.write { (transaction) throws(EngineError) in
      try store.insertMany(transaction, keys: 0..<100, &random)
      let outer = try transaction.savepoint()
      try transaction.addField(
        FieldDefinition(name: "kept", type: .int, isIndexed: true, defaultValue: .integer(3)),
        to: store.table)
      let inner = try transaction.savepoint()
      try transaction.removeField(1, from: store.table)
      try transaction.addTables([
        TableDraft(
          name: "Other", fields: [FieldDefinition(name: "id", type: .int, isIdentifier: true)])
      ])
      try transaction.rollback(to: inner)
      transaction.release(outer)
    }
    let catalog = store.engine.snapshot().catalog
    #expect(catalog.table(named: "Other") == nil)
    #expect(
      catalog.table(named: "Note")?.fields.map(\.name) == ["id", "title", "rank", "score", "kept"])
    #expect(try store.notes().count == 100)
    try store.verify()
  }

  @Test func aSavepointOfATransactionThatEndedIsNothing() throws {
    let store = try NoteStore(MemoryFileSystem())
    let transaction = try store.engine.beginWrite()
    try store.insertNote(transaction, key: 1)
    let first = try transaction.savepoint()
    let second = try transaction.savepoint()
    try store.insertNote(transaction, key: 2)
    try transaction.commit()
    transaction.release(first)
    try transaction.rollback(to: second)
    #expect(try store.notes().count == 2)
    #expect(throws: EngineError.transactionEnded) { _ = try transaction.savepoint() }
  }
}
