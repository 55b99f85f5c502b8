import Foundation
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// Many threads that read while one writes. For longer with `ROOST_STRESS_SECONDS`.
@Suite struct ThreadStressTests {
  private static let readers = 16
  private static let keys: Int64 = 4000

  /// How long it runs: a second, or as many as the environment says.
  private static var duration: Duration {
    .seconds(Int(ProcessInfo.processInfo.environment["ROOST_STRESS_SECONDS"] ?? "") ?? 1)
  }

  private final class Run: Sendable {
    let isOver = Atomic(false)
    let versions = Atomic(0)
    let failures = Mutex<[String]>([])

    func fail(_ what: String) {
      failures.withLock { $0.append(what) }
      isOver.store(true, ordering: .releasing)
    }
  }

  /// The writer moves rank from one note to another, and the sum stays what it was.
  @Test func everyReaderSeesWholeTransactionsAlone() throws {
    try withTemporaryDirectory { try stress($0 + "/stress.roost") }
  }

  private func stress(_ path: String) throws {
    // Far less memory than the file has bytes: leaves come and go.
    let store = try NoteStore(PosixFileSystem(), path: path, cacheBytes: 64 << 10)
    try store.engine.write { (transaction) throws(EngineError) in
      for key in 0..<Self.keys { try store.insertNote(transaction, key: key) }
    }
    let sum = try Self.sum(store.engine.snapshot(), store)
    let run = Run()
    let ended = DispatchSemaphore(value: 0)
    for reader in 0..<Self.readers {
      Thread {
        Self.read(store, as: reader, sum: sum, run)
        ended.signal()
      }.start()
    }
    let end = ContinuousClock.now + Self.duration
    var random = SeededGenerator(seed: 1)
    var writes = 0
    while ContinuousClock.now < end, !run.isOver.load(ordering: .acquiring) {
      try store.engine.write(SyncPolicy.allCases[writes % 4]) { (transaction) throws(EngineError) in
        try Self.move(transaction, store, &random)
      }
      writes += 1
    }
    run.isOver.store(true, ordering: .releasing)
    for _ in 0..<Self.readers { ended.wait() }
    #expect(run.failures.withLock { $0 } == [])
    #expect(run.versions.load(ordering: .acquiring) >= Self.readers)
    #expect(writes > 0)
    try store.verify()
    #expect(try Self.sum(store.engine.snapshot(), store) == sum)
  }

  /// Gives one note a point of another's rank.
  private static func move(
    _ transaction: EngineTransaction, _ store: NoteStore, _ random: inout SeededGenerator
  ) throws(EngineError) {
    let from = Int64.random(in: 0..<keys, using: &random)
    let to = Int64.random(in: 0..<keys, using: &random)
    guard from != to else { return }
    for (key, change) in [(from, -1), (to, 1)] as [(Int64, Int64)] {
      guard let place = try transaction.row(in: store.table, key: key),
        case .integer(let rank) = try place.value(of: 2)
      else { throw .unknownTable(name: "note \(key)") }
      try transaction.update(store.table, key: key, field: 2, to: .integer(rank + change))
    }
  }

  private static func read(_ store: NoteStore, as reader: Int, sum: Int64, _ run: Run) {
    var random = SeededGenerator(seed: UInt64(reader) + 100)
    while !run.isOver.load(ordering: .acquiring) {
      do throws(EngineError) {
        let snapshot = store.engine.snapshot()
        if reader.isMultiple(of: 2) {
          guard try Self.sum(snapshot, store) == sum else { return run.fail("another sum") }
        } else {
          for _ in 0..<50 {
            let key = Int64.random(in: 0..<keys, using: &random)
            guard try snapshot.view.find(key, in: store.table) != nil else {
              return run.fail("note \(key) is not there")
            }
          }
        }
        run.versions.add(1, ordering: .relaxed)
      } catch { return run.fail("\(error)") }
    }
  }

  private static func sum(
    _ snapshot: EngineSnapshot, _ store: NoteStore
  ) throws(EngineError) -> Int64 {
    var sum: Int64 = 0
    var leaves = try snapshot.view.objects(store.table).leaves()
    while let leaf = try leaves.next() {
      for row in 0..<leaf.rowCount {
        guard case .integer(let rank) = try RowPlace.leaf(leaf, row).value(of: 2) else {
          throw .unknownTable(name: "rank")
        }
        sum += rank
      }
    }
    return sum
  }
}
