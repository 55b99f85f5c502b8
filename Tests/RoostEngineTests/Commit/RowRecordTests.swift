import RoostEngine
import RoostTestSupport
import Testing

/// Commits whose records say which rows are others, and whose trees are made while the disk writes that.
@Suite struct RowRecordTests {
  private func open(_ disk: SimulatedDisk, cacheBytes: Int = 4 << 20) throws -> NoteStore {
    try NoteStore(disk, cacheBytes: cacheBytes, ringUnits: 256, smallCommits: .rows)
  }

  private func insert(_ keys: ClosedRange<Int64>, into store: NoteStore) throws {
    for key in keys {
      try store.engine.write { (transaction) throws(EngineError) in
        try store.insertNote(transaction, key: key)
      }
    }
  }

  @Test func theTreesHaveTheRowsAtOnceAndRecoveryMakesThemAnew() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try open(disk)
    try insert(1...40, into: store)
    #expect(store.engine.snapshot().unappliedCommits == 0)
    let image = disk.crashImage(seed: 2, survival: .nothing)
    let recovered = try open(image)
    // The first commit made the ring, and wrote what it changed.
    #expect(recovered.engine.snapshot().unappliedCommits == 39)
    #expect(try recovered.notes() == store.notes())
    try insert(41...41, into: recovered)
    #expect(try recovered.notes().keys.sorted() == Array(1...41))
    #expect(try recovered.engine.snapshot().verify() == [])
  }

  @Test func whatNoRecordOfRowsSaysIsWrittenOutBehindSomeOfThem() throws {
    let disk = SimulatedDisk(seed: 3)
    let store = try open(disk)
    try insert(1...10, into: store)
    // Its trees changed before it was committed.
    for key in 11...12 as ClosedRange<Int64> {
      try store.engine.write { (transaction) throws(EngineError) in
        try store.insertNote(transaction, key: key)
        _ = try transaction.view()
      }
      let recovered = try open(disk.crashImage(seed: 4, survival: .nothing))
      #expect(recovered.engine.snapshot().unappliedCommits == 0)
      #expect(try recovered.notes().keys.sorted() == Array(1...key))
    }
    // Later, records of rows follow again.
    try insert(13...60, into: store)
    let recovered = try open(disk.crashImage(seed: 5, survival: .nothing))
    #expect(recovered.engine.snapshot().unappliedCommits > 0)
    #expect(try recovered.notes().keys.sorted() == Array(1...60))
  }

  @Test(arguments: 1...12)
  func aCommitWhoseTreesCannotBeReadIsTakenBack(call: Int) throws {
    let first = SimulatedDisk(seed: 6)
    var random = SeededGenerator(seed: 7)
    var notes: Notes = [:]
    do {
      let store = try open(first)
      for _ in 0..<10 { try store.run(&notes, &random, operations: 300, keys: 4000) }
      try store.engine.checkpoint()
    }
    let disk = first.crashImage(seed: 8)
    let store = try open(disk, cacheBytes: 64 << 10)
    try store.run(&notes, &random, operations: 1, keys: 4000)
    disk.inject(.init(.only(.read), call: call, .failOnce(SystemError.ioError.rawValue)))
    var attempted = notes
    let hasFailed: Bool
    do {
      try store.run(&attempted, &random, operations: 1, keys: 4000)
      hasFailed = false
    } catch EngineError.file { hasFailed = true }
    disk.removeFaults()
    let expected = hasFailed ? notes : attempted
    #expect(try store.notes() == expected)
    let image = try NoteStore(disk.crashImage(seed: UInt64(call))).notes()
    #expect(image == expected || image == attempted)
    var later = expected
    try store.run(&later, &random, operations: 5, keys: 4000)
    #expect(try NoteStore(disk.crashImage(seed: UInt64(call))).notes() == later)
  }
}
