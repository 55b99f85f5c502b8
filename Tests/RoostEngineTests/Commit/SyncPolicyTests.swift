import Foundation
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// What each level of durability waits for, and what a crash can take.
@Suite struct DurabilityTests {
  private static func insert(
    _ keys: Range<Int64>, into store: NoteStore, _ durability: SyncPolicy
  ) throws(EngineError) {
    try store.engine.write(durability) { (transaction) throws(EngineError) in
      for key in keys { try store.insertNote(transaction, key: key) }
    }
  }

  private static func keys(_ store: NoteStore) throws -> [Int64] {
    try store.verify()
    return try store.notes().keys.sorted()
  }

  @Test(arguments: [0, 4, nil])
  func aRelaxedCommitIsSeenBeforeAnySync(ringUnits: Int?) throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try NoteStore(disk, ringUnits: ringUnits)
    let mayGoOn = DispatchSemaphore(value: 0)
    disk.observeCalls { call in
      guard call == .synchronize else { return }
      mayGoOn.wait()
      mayGoOn.signal()
    }
    for key in 0..<40 {
      try Self.insert(Int64(key)..<Int64(key) + 1, into: store, .relaxed)
      #expect(try store.notes().count == key + 1)
    }
    // What the process wrote outlasts the process: another one finds all of it.
    #expect(
      try Self.keys(try NoteStore(disk.crashImage(seed: 1, survival: .everything))) == Array(0..<40)
    )
    mayGoOn.signal()
    try store.engine.synchronize()
    disk.observeCalls(nil)
    for seed in 0..<10 {
      let image = disk.crashImage(seed: UInt64(seed))
      #expect(try Self.keys(try NoteStore(image)) == Array(0..<40))
    }
  }

  @Test(arguments: 0..<12, [0, 4, nil])
  func aCrashTakesRelaxedCommitsOnlyFromTheLastOn(seed: Int, ringUnits: Int?) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let disk = SimulatedDisk(seed: UInt64(seed))
    let store = try NoteStore(disk, ringUnits: ringUnits, smallCommits: SmallCommits(seed))
    var states: [Notes] = [[:]]
    // The place of the newest state that was acknowledged as durable.
    var durable = 0
    for step in 0..<60 {
      var next = states[states.count - 1]
      let isRelaxed = !random.chance(1, in: 6)
      try store.run(
        &next, &random, operations: Int.random(in: 1..<8, using: &random), keys: 200,
        isRelaxed ? .relaxed : [.full, .grouped, .paranoid][step % 3])
      states.append(next)
      if !isRelaxed { durable = states.count - 1 }
      for salt in 0..<4 {
        let image = disk.crashImage(seed: UInt64(seed * 1000 + step * 4 + salt))
        let recovered = try NoteStore(image)
        let found = states.lastIndex(of: try recovered.notes()) ?? -1
        #expect(found >= durable, "seed \(seed), step \(step)")
        try recovered.verify()
      }
    }
  }

  /// A whole version may name a high-water mark that the file did not reach before the crash.
  @Test func aCrashWhileTheFileHadGrownLeavesAFileThatOpens() throws {
    let disk = SimulatedDisk(seed: 7)
    let store = try NoteStore(disk)
    try Self.insert(0..<1, into: store, .full)
    let mayGoOn = DispatchSemaphore(value: 0)
    disk.observeCalls { call in
      guard call == .synchronize else { return }
      mayGoOn.wait()
      mayGoOn.signal()
    }
    try Self.insert(1..<8000, into: store, .relaxed)
    try store.engine.write(.relaxed) { (transaction) throws(EngineError) in
      for key in 1..<8000 { try transaction.delete(from: store.table, key: Int64(key)) }
    }
    for seed in 0..<300 {
      let keys = try Self.keys(try NoteStore(disk.crashImage(seed: UInt64(seed))))
      #expect(keys.first == 0 && [1, 8000].contains(keys.count), "seed \(seed)")
    }
    mayGoOn.signal()
  }

  @Test func atMostFourMebibytesWaitForASync() throws {
    let disk = SimulatedDisk(seed: 3)
    let store = try NoteStore(disk)
    let unsynced = Mutex((now: UInt64(0), covered: UInt64(0), most: UInt64(0)))
    disk.observeCalls { call in
      let written = disk.counters.bytesWritten
      unsynced.withLock { unsynced in
        // A sync covers what was written before it began; it is over when the next one begins.
        unsynced.most = max(unsynced.most, written - unsynced.covered)
        guard call == .synchronize else { return }
        unsynced.covered = unsynced.now
        unsynced.now = written
      }
    }
    for step in 0..<200 {
      try Self.insert(Int64(step) * 1000..<Int64(step + 1) * 1000, into: store, .relaxed)
    }
    disk.observeCalls(nil)
    #expect(disk.counters.bytesWritten > 16 << 20)
    // Two syncs' worth, as the observer counts, with the slots.
    #expect(unsynced.withLock { $0.most } < 11 << 20)
    #expect(try store.notes().count == 200_000)
  }

  @Test func aParanoidCommitSyncsWhatItWroteBeforeItsSlot() throws {
    let disk = SimulatedDisk(seed: 4)
    let store = try NoteStore(disk)
    let calls = Mutex<[SimulatedDisk.Call]>([])
    disk.observeCalls { call in calls.withLock { $0.append(call) } }
    try Self.insert(0..<1, into: store, .paranoid)
    disk.observeCalls(nil)
    let order = calls.withLock { $0 }.filter { $0 == .write || $0 == .synchronize }
    // Extents, sync, slot, sync, mark.
    #expect(order.drop { $0 == .write } == [.synchronize, .write, .synchronize, .write])
  }

  @Test func closingSyncsWhatIsRelaxed() throws {
    let disk = SimulatedDisk(seed: 5)
    do {
      let store = try NoteStore(disk)
      try Self.insert(0..<10, into: store, .relaxed)
    }
    for seed in 0..<10 {
      let image = disk.crashImage(seed: UInt64(seed))
      #expect(try Self.keys(try NoteStore(image)) == Array(0..<10))
    }
  }

  /// Begins each sync at once, on a thread of its own.
  private struct EagerTimer: SyncTimer {
    func schedule(afterMilliseconds delay: Int, _ sync: @escaping @Sendable () -> Void) {
      Thread.detachNewThread(sync)
    }
  }

  @Test func aStoreThatIsLetGoDuringASyncCanBeOpenedAtOnce() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/notes.roost"
      var options = EngineOptions(cacheBytes: 1 << 20)
      options.syncTimer = EagerTimer()
      try Self.insert(0..<1, into: NoteStore(PosixFileSystem(), path: path), .full)
      for key in 1..<300 as Range<Int64> {
        let engine = try Engine.open(path, in: PosixFileSystem(), options: options)
        let table = try #require(engine.snapshot().catalog.table(named: "Note"))
        _ = try engine.write(.relaxed) { (transaction) throws(EngineError) in
          try transaction.update(table.id, key: 0, field: table.fields[2].id, to: .integer(key))
        }
      }
    }
  }

  @Test(arguments: [0, nil])
  func afterASyncThatNobodyWaitedForFailedNothingIsWrittenAndReadingGoesOn(
    ringUnits: Int?
  ) throws {
    let disk = SimulatedDisk(seed: 6)
    let store = try NoteStore(disk, ringUnits: ringUnits)
    try Self.insert(0..<3, into: store, .full)
    disk.inject(
      .init(.only(.synchronize), call: 1, .failForGood(SystemError.ioError.rawValue)))
    try Self.insert(3..<5, into: store, .relaxed)
    #expect(throws: EngineError.self) { try store.engine.synchronize() }
    disk.removeFaults()
    #expect(throws: EngineError.writesRefused) { try Self.insert(5..<6, into: store, .full) }
    #expect(throws: EngineError.writesRefused) { try store.engine.synchronize() }
    #expect(try store.notes().keys.sorted() == Array(0..<5))
    for seed in 0..<20 {
      let found = try Self.keys(try NoteStore(disk.crashImage(seed: UInt64(seed))))
      #expect([Array(0..<3), Array(0..<5)].contains(found))
    }
  }
}
