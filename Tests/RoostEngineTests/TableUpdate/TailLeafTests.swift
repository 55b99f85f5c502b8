import RoostEngine
import RoostTestSupport
import Testing

/// Objects that are inserted one by one behind the last one.
@Suite struct TailLeafTests {
  private func leafCount(_ store: PersonStore) throws -> Int {
    var leaves = try store.engine.snapshot().view.objects(store.table).leaves()
    var count = 0
    while try leaves.next() != nil { count += 1 }
    return count
  }

  @Test func anObjectBehindTheLastWritesASmallLeafAndLeavesFillAllTheSame() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try PersonStore(disk, count: 10_000)
    var random = SeededGenerator(seed: 4)
    var written: [UInt64] = []
    for index in 10_000..<13_000 {
      disk.resetCounters()
      try store.engine.write { (transaction) throws(EngineError) in
        try store.insert(index, transaction, &random)
      }
      written.append(disk.counters.bytesWritten)
    }
    written.sort()
    #expect(written[written.count / 2] <= 20 << 10)
    #expect(written.reduce(0, +) / UInt64(written.count) <= 24 << 10)

    let tree = try store.engine.snapshot().view.objects(store.table)
    try tree.checkInvariants()
    #expect(tree.count == 13_000)
    let bulk = try leafCount(PersonStore(MemoryFileSystem(), count: 13_000))
    #expect(try leafCount(store) <= bulk + 2)
  }

  @Test func manyObjectsBehindATailFillTheLeafBeforeIt() throws {
    let store = try PersonStore(MemoryFileSystem(), count: 1500)
    var random = SeededGenerator(seed: 5)
    for range in [1500..<1501, 1501..<9000] {
      try store.engine.write { (transaction) throws(EngineError) in
        for index in range { try store.insert(index, transaction, &random) }
      }
    }
    try store.engine.snapshot().view.objects(store.table).checkInvariants()
    let bulk = try leafCount(PersonStore(MemoryFileSystem(), count: 9000))
    #expect(try leafCount(store) <= bulk + 1)
  }
}
