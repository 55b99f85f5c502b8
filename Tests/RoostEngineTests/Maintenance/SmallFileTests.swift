import AllocationCounter
import Foundation
import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// Small files that ask for much work or memory: what they take grows with what they hold.
///
/// Sizes are such that a loop within a loop would compute for minutes. What others compute meanwhile does not count.
@Suite struct SmallFileTests {
  private static let path = Library.path

  /// How long this thread has computed.
  private func secondsOfThread() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func engine(_ disk: SimulatedDisk, isReadOnly: Bool = false) throws -> Engine {
    var options = EngineOptions(cacheBytes: 4 << 20)
    options.isReadOnly = isReadOnly
    return try Engine.open(Self.path, in: disk, options: options)
  }

  private func findings(_ image: FileImage) throws -> [Corruption] {
    try engine(image.disk, isReadOnly: true).snapshot().verify()
  }

  // MARK: Long lists

  /// A store with a playlist of so many songs.
  private func listStore(_ count: Int64, on disk: SimulatedDisk) throws -> SongStore {
    let store = try SongStore(
      disk, path: Self.path, options: EngineOptions(cacheBytes: 4 << 20))
    try store.engine.write { (transaction) throws(EngineError) in
      try store.insertSongs(0..<count, in: transaction)
      try store.insertPlaylist(1, of: 0..<count, in: transaction)
    }
    return store
  }

  /// Adds the entry of a link.
  private func add(_ target: Int64, _ object: Int64, to changes: inout IndexChanges) {
    let flipped = UInt64(bitPattern: target) ^ 1 << 63
    let key = [1] + (0..<8).map { UInt8(truncatingIfNeeded: flipped >> (56 - 8 * $0)) }
    unsafe key.withUnsafeBytes { changes.add(unsafe ByteView($0), object) }
  }

  @Test func aStrayEntryOfALongListIsFoundInOnePass() throws {
    let start = secondsOfThread()
    let store = try listStore(100_000, on: SimulatedDisk())
    let (engine, field) = (store.engine, store.list)
    // The index says of the list that it has one more link.
    try engine.write { (transaction) throws(EngineError) in
      try transaction.catalogDidChange()
      let tree = try transaction.view().index(tree: field.indexTree)
      var changes = IndexChanges()
      add(70, 2, to: &changes)
      add(80, 3, to: &changes)
      transaction.changedRoots.update(with: try tree.apply(changes, writer: transaction.writer))
    }
    #expect(
      try engine.snapshot().verify()
        == [2, 3].map {
          Corruption(.indexEntry, tree: field.indexTree, keys: $0...$0)
        })
    #expect(secondsOfThread() - start < 30)
  }

  @Test func veryManyFindingsOfOneKindArePutTogether() throws {
    let start = secondsOfThread()
    let store = try listStore(12_000, on: SimulatedDisk())
    let (engine, field) = (store.engine, store.list)
    try engine.write { (transaction) throws(EngineError) in
      try transaction.catalogDidChange()
      let tree = try transaction.view().index(tree: field.indexTree)
      var changes = IndexChanges()
      for object in 2..<14_000 as Range<Int64> {
        add(7, object, to: &changes)
      }
      transaction.changedRoots.update(with: try tree.apply(changes, writer: transaction.writer))
    }
    let findings = try engine.snapshot().verify()
    #expect(findings.count == 10_000)
    #expect(findings.last?.keys == 10_001...13_999)
    #expect(secondsOfThread() - start < 30)
  }

  // MARK: Chains

  @Test func aLongChainOfLinksThatIsCutIsGivenUpInOnePass() throws {
    let start = secondsOfThread()
    let count: Int64 = 120_000
    let disk = SimulatedDisk()
    let unit: UInt64
    do {
      let engine = try engine(disk)
      try engine.write { (transaction) throws(EngineError) in
        try transaction.addTables([
          TableDraft(
            name: "Node",
            fields: [
              FieldDefinition(name: "id", type: .int, isIdentifier: true),
              FieldDefinition(name: "next", type: .link),
            ], linkTargets: ["next": "Node"])
        ])
      }
      let table = try #require(engine.snapshot().catalog.table(named: "Node")?.id)
      try engine.write { (transaction) throws(EngineError) in
        for key in 0..<count {
          try transaction.batch(for: table).columns[0].append(min(key + 1, count - 1))
          _ = try transaction.insertRow(into: table, key: key)
        }
      }
      let last = try engine.snapshot().view.objects(table).last()
      unit = try #require(last?.leaf.pointer.unit)
    }
    var image = FileImage(disk)
    image.bytes[Int(unit) * Unit.bytes + 100] ^= 1
    let report = try Engine.salvage(Self.path, to: "saved.roost", in: image.disk)
    #expect(report.tables.map(\.objectsSaved) == [0])
    #expect(report.losses.map(\.keys.lowerBound).min() == 0)
    #expect(secondsOfThread() - start < 30)
  }

  // MARK: Sparse files

  @Test func theUnitsOfASparseFileTakeNoMemory() {
    let highWater: UInt64 = 1 << 32
    let before = allocation_count()
    var ownership = UnitOwnership(highWater: highWater)
    for unit in [16, 70_000, highWater - 3] {
      let pointer = ExtentPointer(unit: unit, units: 2, kind: .leafHead, birth: 1, checksum: 0)
      #expect(ownership.claim(pointer) == nil)
      #expect(ownership.claim(pointer) == .overlap)
    }
    var free = UnitSet()
    free.insert(80_000..<highWater - 5)
    free.insert(70_001..<70_003)
    let (twice, none) = ownership.compare(withFree: free)
    #expect(twice == [70_001])
    #expect(none == [18, 70_003, highWater - 5, highWater - 1])
    #expect(allocation_count() - before < 1000)
    #expect(
      ownership.unowned().filter { $0.lowerBound < 80_000 || $0.upperBound > highWater - 16_384 }
        == [
          18..<16_384, 16_384..<32_768, 32_768..<49_152, 49_152..<65_536, 65_536..<70_000,
          70_002..<81_920, highWater - 16_384..<highWater - 3, highWater - 1..<highWater,
        ])
  }

  // MARK: Columns over the same bytes

  /// A store with an object of four texts that are alike, each in a column of its own.
  private func image(ofTexts text: [UInt8], rows: Int) throws -> (FileImage, TableDefinition) {
    let disk = SimulatedDisk()
    let engine = try engine(disk)
    try engine.write { (transaction) throws(EngineError) in
      try transaction.addTables([
        TableDraft(
          name: "Text",
          fields: [FieldDefinition(name: "id", type: .int, isIdentifier: true)]
            + ["a", "b", "c", "d"].map { FieldDefinition(name: $0, type: .data) })
      ])
    }
    let table = try #require(engine.snapshot().catalog.table(named: "Text"))
    try engine.write { (transaction) throws(EngineError) in
      for key in 0..<Int64(rows) {
        let batch = try transaction.batch(for: table.id)
        for column in batch.columns {
          column.append(.bytes(text + [UInt8(truncatingIfNeeded: key)]))
        }
        _ = try transaction.insertRow(into: table.id, key: key)
      }
    }
    return (FileImage(disk), table)
  }

  @Test func noTwoColumnsHaveTheSameBytes() throws {
    var (image, table) = try image(ofTexts: [1, 2, 3], rows: 9)
    #expect(try findings(image) == [])
    image.changeRootNode(of: table.tree) { image, leaf in
      // The second text lies where the first does.
      let entry = { leaf + 64 + 40 * $0 }
      image.set(image.number(UInt32.self, at: entry(1) + 12), at: entry(2) + 12)
    }
    let leaf = UInt64(image.number(UInt32.self, at: image.root(of: table.tree) + 24))
    #expect(try findings(image).map(\.reason) == [.directory])
    #expect(try findings(image).map(\.unit) == [leaf])
  }

  @Test func noTwoGroupsOfALeafHaveTheSameUnits() throws {
    var (image, table) = try image(ofTexts: [UInt8](repeating: 7, count: 50), rows: 200)
    #expect(image.bytes[image.root(of: table.tree) + 4] == 0)
    image.changeRootNode(of: table.tree) { image, leaf in
      let groups = image.number(UInt16.self, at: leaf + 2)
      #expect(groups > 1)
      let pointers = leaf + 64 + 40 * Int(image.number(UInt16.self, at: leaf + 12))
      for byte in 0..<24 { image.bytes[pointers + 24 + byte] = image.bytes[pointers + byte] }
    }
    let view = try engine(image.disk, isReadOnly: true).snapshot().view
    #expect {
      _ = try view.objects(table.id).first()
    } throws: { error in
      guard case .corrupt(let damage)? = error as? EngineError else { return false }
      return damage.reason == .overlap
    }
  }
}
