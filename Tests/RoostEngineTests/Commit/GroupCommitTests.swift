import Foundation
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// Threads that commit while another one's sync is under way.
@Suite struct GroupCommitTests {
  /// A store whose syncs can be held up.
  private final class HeldDisk: Sendable {
    let disk = SimulatedDisk(seed: 1)
    let store: NoteStore
    private let isHolding = Atomic(false)
    private let arrived = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)
    private let wrote = DispatchSemaphore(value: 0)

    init(ringUnits: Int?) throws {
      store = try NoteStore(disk, ringUnits: ringUnits)
      disk.observeCalls { [weak self] call in
        // A store that is let go writes once more.
        guard let self else { return }
        if call == .write { wrote.signal() }
        guard call == .synchronize,
          isHolding.exchange(false, ordering: .acquiringAndReleasing)
        else { return }
        arrived.signal()
        released.wait()
      }
    }

    /// Inserts a note on a thread of its own.
    func insert(_ key: Int64) -> Attempt {
      Attempt { [store] () throws(EngineError) in
        try store.engine.write { (transaction) throws(EngineError) in
          try store.insertNote(transaction, key: key)
        }
      }
    }

    /// Inserts a note on a thread of its own, whose sync does not end before ``release()``.
    func insertAndHold(_ key: Int64) -> Attempt {
      isHolding.store(true, ordering: .releasing)
      let attempt = insert(key)
      arrived.wait()
      return attempt
    }

    /// Inserts notes on threads of their own, and returns when all wait for a sync.
    func stage(_ keys: [Int64]) throws -> [Attempt] {
      try keys.map { key in
        while wrote.wait(timeout: .now()) == .success {}
        let attempt = insert(key)
        // Its extents go to the file under the write lock, and it gives that back when it is staged.
        wrote.wait()
        try store.engine.beginWrite().rollback()
        return attempt
      }
    }

    func waitForWrites(_ count: Int) { for _ in 0..<count { wrote.wait() } }

    /// Forgets the writes so far.
    func forgetWrites() { while wrote.wait(timeout: .now()) == .success {} }

    func release() { released.signal() }

    func keys(_ disk: SimulatedDisk? = nil) throws -> [Int64] {
      let store = try disk.map { try NoteStore($0) } ?? store
      try store.verify()
      return try store.notes().keys.sorted()
    }
  }

  /// Something that runs on a thread of its own and may fail.
  private final class Attempt: Sendable {
    private let error = Mutex<EngineError?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () throws(EngineError) -> Void) {
      Thread { [self] in
        do throws(EngineError) { try body() } catch { self.error.withLock { $0 = error } }
        ended.signal()
      }.start()
    }

    /// Waits for the end; returns the error of one that failed.
    func end() -> EngineError? {
      ended.wait()
      return error.withLock { $0 }
    }
  }

  @Test(arguments: [0, nil])
  func transactionsThatCommitDuringASyncShareTheNext(ringUnits: Int?) throws {
    let held = try HeldDisk(ringUnits: ringUnits)
    held.disk.resetCounters()
    let first = held.insertAndHold(1)
    let others = try held.stage([2, 3, 4, 5])
    #expect(try held.keys() == [])
    held.release()
    #expect(first.end() == nil)
    for other in others { #expect(other.end() == nil) }
    #expect(held.disk.counters.synchronizations == 2)
    #expect(try held.keys() == [1, 2, 3, 4, 5])
    for seed in 0..<20 {
      #expect(try held.keys(held.disk.crashImage(seed: UInt64(seed))) == [1, 2, 3, 4, 5])
    }
  }

  @Test(arguments: [0, nil])
  func aCrashBeforeTheSharedSyncLeavesAllOrNothingOfTheRest(ringUnits: Int?) throws {
    let held = try HeldDisk(ringUnits: ringUnits)
    let first = held.insertAndHold(1)
    let others = try held.stage([2, 3, 4])
    for seed in 0..<40 {
      let found = try held.keys(held.disk.crashImage(seed: UInt64(seed)))
      // A version whose record is in the ring is whole by itself.
      let whole: [[Int64]] =
        ringUnits == 0 ? [[], [1]] : [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4]]
      #expect(whole.contains(found), "seed \(seed)")
    }
    held.release()
    #expect(first.end() == nil)
    for other in others { #expect(other.end() == nil) }
  }

  @Test(arguments: [0, nil])
  func aFailedSharedSyncFailsAllThatItShouldHaveCovered(ringUnits: Int?) throws {
    let held = try HeldDisk(ringUnits: ringUnits)
    let first = held.insertAndHold(1)
    let others = try held.stage([2, 3, 4])
    // The first call is the one that is held up.
    held.disk.inject(
      .init(.only(.synchronize), call: 2, .failOnce(SystemError.ioError.rawValue)))
    held.release()
    #expect(first.end() == nil)
    for other in others { #expect(other.end() != nil) }
    held.disk.removeFaults()
    // Nobody knows what is on the disk: nothing is written any more, and reading goes on.
    #expect(held.insert(9).end() == .writesRefused)
    #expect(try held.store.notes().keys.sorted() == [1])
    for seed in 0..<20 {
      let found = try held.keys(held.disk.crashImage(seed: UInt64(seed)))
      let whole: [[Int64]] = [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]]
      #expect((ringUnits == 0 ? [whole[0], whole[3]] : whole).contains(found), "seed \(seed)")
    }
  }

  @Test(arguments: [0, nil])
  func aFailedSyncFailsAlsoThoseThatWereStagedMeanwhile(ringUnits: Int?) throws {
    let held = try HeldDisk(ringUnits: ringUnits)
    let first = held.insertAndHold(1)
    let others = try held.stage([2, 3, 4])
    held.disk.inject(
      .init(.only(.synchronize), call: 1, .failOnce(SystemError.ioError.rawValue)))
    held.release()
    #expect(first.end() != nil)
    for other in others { #expect(other.end() != nil) }
    held.disk.removeFaults()
    #expect(try held.keys() == [])
  }

  @Test func aFailedSharedSlotFailsAlsoTheTransactionThatBeganFromIt() throws {
    let held = try HeldDisk(ringUnits: 0)
    let first = held.insertAndHold(1)
    let others = try held.stage([2, 3])
    let last = try held.store.engine.beginWrite()
    try held.store.insertNote(last, key: 4)
    held.forgetWrites()
    // The first call is the mark that confirms the first, the second is the shared slot.
    held.disk.inject(.init(.only(.write), call: 2, .failOnce(SystemError.noSpace.rawValue)))
    held.release()
    // The third takes the slot back.
    held.waitForWrites(3)
    held.disk.removeFaults()
    #expect(throws: EngineError.self) { try last.commit() }
    #expect(first.end() == nil)
    for other in others { #expect(other.end() != nil) }
    #expect(try held.keys() == [1])
    #expect(held.insert(5).end() == nil)
    #expect(try held.keys() == [1, 5])
    #expect(try held.keys(held.disk.crashImage(seed: 1)) == [1, 5])
  }

  @Test(arguments: [0, 4, nil])
  func manyThreadsLoseNothing(ringUnits: Int?) throws {
    let disk = SimulatedDisk(seed: 2)
    let store = try NoteStore(disk, ringUnits: ringUnits)
    let attempts = (0..<8).map { thread in
      Attempt { () throws(EngineError) in
        for number in 0..<50 {
          let key = Int64(number * 8 + thread)
          try store.engine.write { (transaction) throws(EngineError) in
            try store.insertNote(transaction, key: key)
          }
          let found = try store.engine.snapshot().view.objects(store.table).contains(key)
          guard found else { throw .unknownTable(name: "note \(key)") }
        }
      }
    }
    for attempt in attempts { #expect(attempt.end() == nil) }
    try store.verify()
    #expect(try store.notes().keys.sorted() == Array(0..<400))
    #expect(try NoteStore(disk.crashImage(seed: 3)).notes().count == 400)
  }
}
