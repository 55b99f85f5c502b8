import Foundation
import RoostEngine
import RoostTestSupport
import Testing

@Suite struct EngineTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func randomTransactionsGiveWhatTheOracleSays(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let files = MemoryFileSystem()
    var opened: NoteStore? = try NoteStore(files)
    var notes: Notes = [:]
    var reopens = false
    for round in 0..<150 {
      if reopens {
        // The file is locked until its last holder has gone.
        opened = nil
        opened = try NoteStore(files)
        reopens = false
        #expect(try opened?.notes() == notes)
      }
      let store = try #require(opened)
      let operations = [1, 3, 30, 300][Int.random(in: 0..<4, using: &random)]
      try store.run(&notes, &random, operations: operations)
      try store.verify()
      if round % 10 == 0 { #expect(try store.notes() == notes) }
      if round % 50 == 49 {
        #expect(try store.notes() == notes)
        reopens = true
      }
    }
  }

  @Test func aSnapshotStaysAsItIsWhateverIsWritten() throws {
    var random = SeededGenerator(seed: 7)
    let store = try NoteStore(MemoryFileSystem())
    var notes: Notes = [:]
    var pinned: [(snapshot: EngineSnapshot, notes: Notes)] = []
    for round in 0..<120 {
      try store.run(&notes, &random, operations: 20, keys: 400)
      if round % 15 == 0 { pinned.append((store.engine.snapshot(), notes)) }
      if round % 40 == 39 { pinned.removeFirst() }
    }
    for pin in pinned { #expect(try store.notes(in: pin.snapshot) == pin.notes) }
    #expect(try store.notes() == notes)
  }

  @Test func aFileDoesNotGrowWithTheNumberOfCommits() throws {
    var random = SeededGenerator(seed: 11)
    let store = try NoteStore(MemoryFileSystem())
    var notes: Notes = [:]
    try store.run(&notes, &random, operations: 3000)
    let before = try store.engine.fileBytes()
    for _ in 0..<2000 { try store.run(&notes, &random, operations: 1) }
    #expect(try store.engine.fileBytes() <= before + (2 << 20))
    try store.verify()
  }

  @Test func aPinnedSnapshotCostsWhatItAloneCanSee() throws {
    var random = SeededGenerator(seed: 12)
    let store = try NoteStore(MemoryFileSystem())
    var notes: Notes = [:]
    try store.run(&notes, &random, operations: 5000)
    let snapshot = store.engine.snapshot()
    let before = try store.engine.fileBytes()
    for _ in 0..<2000 { try store.run(&notes, &random, operations: 1) }
    #expect(try store.engine.fileBytes() <= 2 * before + (2 << 20))
    withExtendedLifetime(snapshot) {}
  }

  @Test func anErrorRollsEverythingBack() throws {
    var random = SeededGenerator(seed: 3)
    let store = try NoteStore(MemoryFileSystem())
    var notes: Notes = [:]
    try store.run(&notes, &random, operations: 500)
    #expect(throws: EngineError.cancelled) {
      try store.engine.write { (transaction) throws(EngineError) in
        for key in notes.keys.sorted() { try transaction.delete(from: store.table, key: key) }
        throw .cancelled
      }
    }
    #expect(try store.notes() == notes)
    try store.verify()
  }

  @Test func aDuplicateKeyLeavesTheTransactionAsItWas() throws {
    let store = try NoteStore(MemoryFileSystem())
    try store.engine.write { (transaction) throws(EngineError) in
      func insert(_ key: Int64, _ title: String) throws(EngineError) {
        let batch = try transaction.batch(for: store.table)
        batch.columns[0].append(title)
        batch.columns[1].append(Int64(1))
        batch.columns[2].appendNull()
        try transaction.insertRow(into: store.table, key: key)
      }
      try insert(5, "first")
      #expect(throws: EngineError.duplicate(table: "Note", field: "id", value: "5")) {
        try insert(5, "second")
      }
      try insert(4, "before")
    }
    #expect(
      try store.notes() == [
        4: Note(title: "before", rank: 1, score: nil), 5: Note(title: "first", rank: 1, score: nil),
      ])
  }

  @Test func aWriteInsideAWriteIsRefused() throws {
    let store = try NoteStore(MemoryFileSystem())
    #expect(throws: EngineError.nestedWrite) {
      try store.engine.write { (_) throws(EngineError) in
        try store.engine.write { (_) throws(EngineError) in }
      }
    }
  }

  @Test func aTransactionThatEndedIsRefused() throws {
    let store = try NoteStore(MemoryFileSystem())
    let transaction = try store.engine.beginWrite()
    try transaction.commit()
    #expect(throws: EngineError.transactionEnded) {
      try transaction.delete(from: store.table, key: 1)
    }
    #expect(throws: EngineError.transactionEnded) { try transaction.commit() }
  }

  @Test func aTransactionIsUsedByItsOwnThreadAlone() throws {
    let store = try NoteStore(MemoryFileSystem())
    try store.engine.write { (transaction) throws(EngineError) in
      nonisolated(unsafe) let leaked = transaction
      nonisolated(unsafe) var errors: [EngineError?] = []
      let table = store.table
      @Sendable func attempt(_ use: () throws(EngineError) -> Void) {
        do throws(EngineError) {
          try use()
          unsafe errors.append(nil)
        } catch { unsafe errors.append(error) }
      }
      let ended = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        attempt { () throws(EngineError) in _ = try unsafe leaked.view() }
        attempt { () throws(EngineError) in _ = try unsafe leaked.batch(for: table) }
        attempt { () throws(EngineError) in try unsafe leaked.abandonRows(of: table) }
        attempt { () throws(EngineError) in try unsafe leaked.insertRow(into: table, key: 1) }
        attempt { () throws(EngineError) in
          try unsafe leaked.insertRows(into: table, count: 0, keys: nil)
        }
        attempt { () throws(EngineError) in _ = try unsafe leaked.replaceRow(in: table, key: 1) }
        attempt { () throws(EngineError) in
          try unsafe leaked.update(table, key: 1, field: 2, to: .integer(1))
        }
        attempt { () throws(EngineError) in
          _ = try unsafe leaked.update(ObjectQuery(table: table), [])
        }
        attempt { () throws(EngineError) in try unsafe leaked.delete(from: table, key: 1) }
        attempt { () throws(EngineError) in _ = try unsafe leaked.row(in: table, key: 1) }
        attempt { () throws(EngineError) in
          _ = try unsafe leaked.objectKey(in: table, identifier: .integer(1))
        }
        attempt { () throws(EngineError) in
          _ = try unsafe leaked.linkCount(table, key: 1, field: 1)
        }
        attempt { () throws(EngineError) in
          _ = try unsafe leaked.blobLength(table, key: 1, field: 1)
        }
        attempt { () throws(EngineError) in
          _ = try unsafe leaked.takeNumbers(1, in: table, max: 9)
        }
        attempt { () throws(EngineError) in try unsafe leaked.removeTable(table) }
        attempt { () throws(EngineError) in
          try unsafe leaked.addTables([TableDraft(name: "Other", fields: [])])
        }
        attempt { () throws(EngineError) in try unsafe leaked.commit() }
        // Does nothing there.
        unsafe leaked.rollback()
        ended.signal()
      }
      ended.wait()
      #expect(unsafe errors.allSatisfy { $0 == .foreignThread })
      let batch = try transaction.batch(for: table)
      batch.columns[0].append("title")
      batch.columns[1].append(Int64(1))
      batch.columns[2].appendNull()
      try transaction.insertRow(into: table, key: 3)
    }
    #expect(try store.notes().count == 1)
  }

  @Test func aFileOpenedTwiceIsOneEngine() throws {
    try withTemporaryDirectory { directory in
      let first = try NoteStore(PosixFileSystem(), path: directory + "/notes.roost")
      let second = try NoteStore(PosixFileSystem(), path: directory + "/./notes.roost")
      #expect(first.engine === second.engine)
    }
  }

  @Test func aReadOnlyEngineWritesNothing() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/notes.roost"
      do { _ = try NoteStore(PosixFileSystem(), path: path) }
      let engine = try Engine.open(path, options: EngineOptions(isReadOnly: true))
      #expect(throws: EngineError.readOnly) { _ = try engine.beginWrite() }
    }
  }
}
