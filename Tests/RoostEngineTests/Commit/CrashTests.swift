import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// Power failures: what was acknowledged is there, and nothing but whole transactions.
@Suite struct CrashTests {
  /// 60 workloads of some 80 crash images each, 5,000 in all; more in `Scripts/test-long`.
  @Test(arguments: 0..<20, [0, 4, nil])
  func afterACrashEveryAcknowledgedCommitIsThere(seed: Int, ringUnits: Int?) throws {
    var random = SeededGenerator(seed: UInt64(seed) &* 7919 &+ 1)
    let disk = SimulatedDisk(seed: UInt64(seed))
    let store = try NoteStore(disk, ringUnits: ringUnits, smallCommits: SmallCommits(seed))
    var notes: Notes = [:]
    var images = 0
    while images < scaled(80) {
      let acknowledged = notes
      var attempted = notes
      // A crash at random calls of the commit, and one behind it.
      let crashes = Mutex<[SimulatedDisk]>([])
      let salt = UInt64.random(in: 0 ... .max, using: &random)
      let calls = Mutex<UInt64>(0)
      disk.observeCalls { _ in
        let call = calls.withLock { calls -> UInt64 in
          calls += 1
          return calls
        }
        if (call &* 0x9E37_79B9_7F4A_7C15 ^ salt) % 3 == 0 {
          crashes.withLock { $0.append(disk.crashImage(seed: salt &+ call)) }
        }
      }
      let operations = random.chance(1, in: 10) ? 400 : Int.random(in: 1..<12, using: &random)
      try store.run(&attempted, &random, operations: operations, keys: 300)
      disk.observeCalls(nil)
      for image in crashes.withLock({ $0 }) {
        try expect(image, holds: [acknowledged, attempted], seed: seed, ringUnits)
      }
      images += crashes.withLock { $0.count } + 1
      try expect(disk.crashImage(seed: salt), holds: [attempted], seed: seed, ringUnits)
      notes = attempted
    }
  }

  @Test(arguments: 0..<60, [0, nil])
  func recoveryIsTheSameWhenItIsInterrupted(seed: UInt64, ringUnits: Int?) throws {
    var random = SeededGenerator(seed: seed)
    let disk = SimulatedDisk(seed: seed)
    let store = try NoteStore(disk, ringUnits: ringUnits, smallCommits: SmallCommits(seed))
    var notes: Notes = [:]
    try store.run(&notes, &random, operations: 50, keys: 100)
    var attempted = notes
    disk.inject(.init(.only(.synchronize), call: 1, .cutPower))
    #expect(throws: EngineError.self) {
      try store.run(&attempted, &random, operations: 30, keys: 100)
    }
    disk.removeFaults()
    var image = disk.crashImage(seed: seed)
    // The power fails again while it recovers, three times, at any call.
    for _ in 0..<3 {
      image.inject(.init(.any, call: Int.random(in: 1..<12, using: &random), .cutPower))
      _ = try? NoteStore(image, ringUnits: ringUnits)
      image.removeFaults()
      image = image.crashImage(seed: UInt64.random(in: 0 ... .max, using: &random))
    }
    let found = try NoteStore(image, ringUnits: ringUnits).notes()
    #expect(found == notes || found == attempted)
    #expect(try NoteStore(image.crashImage(seed: 5)).notes() == found)
  }

  /// The n-th call that changes the file fails: the transaction is gone, or refused, or there.
  @Test(arguments: [SystemError.noSpace, .ioError], [0, nil])
  func afterAFailingCallTheStoreIsAsBefore(code: SystemError, ringUnits: Int?) throws {
    for call in 1..<14 {
      var random = SeededGenerator(seed: UInt64(call))
      let disk = SimulatedDisk(seed: UInt64(call))
      let store = try NoteStore(disk, ringUnits: ringUnits, smallCommits: SmallCommits(call))
      var notes: Notes = [:]
      try store.run(&notes, &random, operations: 200, keys: 500)
      var attempted = notes
      disk.inject(.init(.changing, call: call, .failOnce(code.rawValue)))
      let failed: Bool
      do {
        try store.run(&attempted, &random, operations: 50, keys: 500)
        failed = false
      } catch {
        failed = true
      }
      disk.removeFaults()
      let expected = failed ? notes : attempted
      #expect(try store.notes() == expected, "call \(call)")
      try store.verify()
      // Writing goes on, unless a sync failed; then reading does, and reopening helps.
      var next = expected
      do {
        try store.run(&next, &random, operations: 20, keys: 500)
        #expect(try store.notes() == next)
      } catch {
        #expect(error == .writesRefused)
        #expect(try store.notes() == expected)
        let reopened = try NoteStore(disk.crashImage(seed: 3)).notes()
        #expect(reopened == notes || reopened == attempted)
      }
    }
  }

  /// What gathered is partly applied then: committing it would leave index entries without objects.
  @Test(arguments: 1...2)
  func aTransactionThatCouldNotSpillCannotBeCommitted(call: Int) throws {
    var random = SeededGenerator(seed: UInt64(call))
    let disk = SimulatedDisk(seed: UInt64(call))
    let store = try NoteStore(disk)
    var notes: Notes = [:]
    try store.run(&notes, &random, operations: 200, keys: 500)
    let transaction = try store.engine.beginWrite()
    try store.insertMany(transaction, keys: 10_000..<70_000, &random)
    disk.inject(.init(.changing, call: call, .failForGood(SystemError.noSpace.rawValue)))
    // Whoever ignores the error of the query must not lose the half of what was written.
    #expect(throws: EngineError.self) { try transaction.view() }
    disk.removeFaults()
    #expect(throws: EngineError.transactionEnded) { try transaction.commit() }
    #expect(try store.notes() == notes)
    try store.verify()
    try store.run(&notes, &random, operations: 20, keys: 500)
    #expect(try store.notes() == notes)
  }

  private func expect(
    _ image: SimulatedDisk, holds allowed: [Notes], seed: Int, _ ringUnits: Int?
  ) throws {
    let store = try NoteStore(image, ringUnits: ringUnits)
    let found = try store.notes()
    #expect(allowed.contains(found), "seed \(seed)")
    try store.verify()
  }
}

/// The system's numbers for the errors that are injected.
enum SystemError: Int32 {
  case ioError = 5
  case noSpace = 28
}
