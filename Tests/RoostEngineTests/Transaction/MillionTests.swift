import AllocationCounter
import RoostEngine
import RoostTestSupport
import Testing

/// What a million objects cost: the promises that can be counted and need no clock.
@Suite struct MillionTests {
  @Test func aMillionPersonsFitEightyMillionBytes() throws {
    let files = MemoryFileSystem()
    let store = try PersonStore(files, count: 1_000_000)
    #expect(try store.engine.fileBytes() <= 80_000_000)
    #expect(try store.engine.snapshot().view.objects(store.table).count == 1_000_000)
  }

  @Test func anUpdateOfOneFieldWritesAPathAndSyncsOnce() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try PersonStore(disk, count: 1_000_000)
    var random = SeededGenerator(seed: 3)
    var written: [UInt64] = []
    for _ in 0..<10_000 {
      disk.resetCounters()
      let key = store.randomKey(&random)
      let age = Int64.random(in: 0..<100, using: &random)
      // A value that is there already would not be written.
      try store.engine.write { (transaction) throws(EngineError) in
        let old = try transaction.row(in: store.table, key: key)?.value(of: PersonStore.Field.age)
        let new = Value.integer(age)
        _ = try transaction.update(
          store.table, key: key, field: PersonStore.Field.age,
          to: old == new ? .integer((age + 1) % 100) : new)
      }
      #expect(disk.counters.synchronizations == 1)
      written.append(disk.counters.bytesWritten)
    }
    written.sort()
    #expect(written[written.count / 2] <= 24 << 10)
    #expect(written.reduce(0, +) / UInt64(written.count) <= 32 << 10)
  }

  @Test func countingReadsTheColumnThatIsAskedForAndAllocatesNothingPerObject() throws {
    let store = try PersonStore(MemoryFileSystem(), count: 1_000_000)
    let view = try store.engine.snapshot().view
    let query = ObjectQuery(
      table: store.table,
      predicate: .compare(PersonStore.Field.age, .equal, .integer(42)))
    var statistics = ScanStatistics()
    let counted = try view.count(query, &statistics)
    #expect(Array(statistics.bytesByField.keys) == [PersonStore.Field.age])
    #expect(statistics.bytesByField[PersonStore.Field.age] ?? 0 >= 1_000_000)

    let before = allocation_count()
    let again = try view.count(query)
    let allocations = allocation_count() - before
    // What is not optimised allocates a few times more for the query itself.
    #expect(allocations <= (isOptimized ? 50 : 100))
    #expect(again == counted)

    // The same count over rows as values, one by one, allocates for each: so the counter counts.
    var naive = 0
    let beforeRows = allocation_count()
    var leaves = try view.objects(store.table).leaves()
    while let leaf = try leaves.next() {
      for row in 0..<leaf.rowCount {
        let place = RowPlace.leaf(leaf, row)
        guard case .bytes = try place.value(of: PersonStore.Field.name) else { continue }
        if try place.value(of: PersonStore.Field.age) == .integer(42) { naive += 1 }
      }
    }
    #expect(naive == counted)
    #if os(Linux)
    #expect(allocation_count() - beforeRows > 1_000_000)
    #endif
  }
}
