import RoostEngine
import RoostTestSupport
import Testing

/// Files that lie under right checksums: reading and changing them throws or works, and never traps.
struct HostileTreeTests {
  /// A small tree of two levels, with groups, dictionaries, nulls, sparse keys and external values.
  private static func table(_ seed: UInt64) throws -> TableUnderTest {
    var generator = SeededGenerator(seed: seed)
    let table = try TableUnderTest(ObjectTreeOracleTests.shape)
    var key: Int64 = 0
    let rows = (0..<1500).map { place -> (Int64, [Value]) in
      key += seed % 2 == 0 ? 2 : Int64.random(in: 1...1000, using: &generator)
      var row = ObjectTreeOracleTests.row(&generator)
      if place % 2 == 0 { row[1] = .bytes(Array("group \(place % 10)".utf8)) }
      if place == 700 { row[5] = .bytes(generator.bytes(2_500_000)) }
      return (key, row)
    }
    try table.apply(insert: rows)
    return table
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func neverTrapsWhateverAHeadOrANodeSays(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let table = try Self.table(seed)
    var root = try #require(try Extent(table.root.pointer, table.pager.reader))
    try root.loadChildren(table.pager.reader)
    for _ in 0..<scaled(100) {
      var changed = root
      changed.mutate(&generator)
      let pointer = try table.pager.write(protected: Array(1...table.pager.transaction)) {
        writer throws(EngineError) in try changed.write(writer)
      }
      var hostile = table.root
      hostile.pointer = pointer
      Self.use(hostile, of: table, &generator)
    }
  }

  /// Reads all of a tree and changes it, whatever comes of it.
  private static func use(
    _ root: TreeRoot, of table: TableUnderTest, _ generator: inout SeededGenerator
  ) {
    let tree = ObjectTree(root: root, shape: table.shape, reader: table.pager.reader)
    try? tree.checkInvariants()
    var damage = 0
    try? tree.walk(damaged: { _ in damage += 1 }) { _ in }
    if var cursor = try? tree.leaves() {
      while let leaf = try? cursor.next() {
        for field in table.shape.fields {
          guard let column = try? leaf.column(field.id) else { continue }
          for row in 0..<leaf.rowCount {
            _ = column.value(row)
            if let reference = column.external(row) {
              _ = try? leaf.value(reference, of: field.id)
            }
          }
        }
      }
    }
    let keys = table.sortedKeys
    for _ in 0..<20 {
      let key = keys.randomElement(using: &generator) ?? 0
      _ = try? tree.find(key)
      _ = try? tree.position(of: key)
      _ = try? tree.object(at: UInt64.random(in: 0...1600, using: &generator))
    }
    let batch = RecordBatch(shape: table.shape)
    batch.append(key: Int64.min + 3, ObjectTreeOracleTests.row(&generator))
    batch.append(key: (keys.last ?? 0) + 1, ObjectTreeOracleTests.row(&generator))
    let values = ColumnBuffer(type: .bytes)
    values.append(.bytes([1]))
    let changes = [
      TableChanges(inserts: batch),
      TableChanges(
        inserts: RecordBatch(shape: table.shape),
        deletes: keys.filter { _ in generator.chance(1, in: 3) }),
      TableChanges(
        inserts: RecordBatch(shape: table.shape),
        updates: [TableChanges.FieldUpdates(field: 7, keys: [keys[700]], values: values)]),
    ]
    for change in changes {
      let protected = Array(1...table.pager.transaction)
      _ = try? table.pager.write(protected: protected) { writer throws(EngineError) in
        _ = try tree.apply(change, writer: writer)
        throw .cancelled
      }
    }
  }

  @Test func namesTheUnitTheTreeAndTheKeysOfDamage() throws {
    let table = try Self.table(1)
    let leaf = try #require(try table.tree.last()?.leaf)
    let file = table.file
    let unit = leaf.pointer.unit
    try file.write([UInt8](repeating: 0xAA, count: 16), at: unit * 4096 + 100)
    let reader = PageReader(scratch: file)
    let tree = ObjectTree(root: table.root, shape: table.shape, reader: reader)
    do {
      _ = try tree.last()
      Issue.record("The damage was not found.")
    } catch .corrupt(let corruption) {
      #expect(corruption.reason == .checksum)
      #expect(corruption.unit == unit)
      #expect(corruption.tree == 7)
      #expect(corruption.keys?.contains(leaf.firstKey) == true)
    }
    // The rest stays readable, and a walk says what is hit.
    #expect(try tree.first()?.key == table.sortedKeys.first)
    var damage: [EngineError] = []
    var units = 0
    try tree.walk(damaged: { damage.append($0) }) { _ in units += 1 }
    #expect(damage.count == 1)
    #expect(units > 3)
  }
}

/// An extent and those that it points to, to be changed and written again with right checksums.
private struct Extent {
  var bytes: [UInt8]
  let kind: ExtentKind
  var children: [(offset: Int, extent: Extent)] = []

  init?(_ pointer: ExtentPointer, _ reader: PageReader) throws {
    guard let kind = pointer.kind else { return nil }
    self.kind = kind
    bytes = try reader.frame(pointer).bytes.array
  }

  private func load<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as type: T.Type) -> Int {
    unsafe Int(
      truncatingIfNeeded: bytes.withUnsafeBytes { unsafe ByteView($0).load(at: offset, as: type) })
  }

  /// Takes in the nodes, heads and groups below.
  mutating func loadChildren(_ reader: PageReader) throws {
    let offsets: [Int]
    switch kind {
    case .objectInner: offsets = (0..<load(2, as: UInt16.self)).map { 1648 + 24 * $0 }
    case .leafHead:
      let start = 64 + 40 * load(12, as: UInt16.self)
      offsets = (0..<load(2, as: UInt16.self)).map { start + 24 * $0 }
    default: offsets = []
    }
    for offset in offsets {
      let pointer = unsafe bytes.withUnsafeBytes {
        unsafe ExtentPointer(ByteView($0), at: offset)
      }
      guard var extent = try Extent(pointer, reader) else { continue }
      try extent.loadChildren(reader)
      children.append((offset, extent))
    }
  }

  /// Changes a few bytes of this extent or of one below.
  mutating func mutate(_ generator: inout SeededGenerator) {
    if !children.isEmpty, generator.chance(3, in: 4) {
      let child = Int.random(in: children.indices, using: &generator)
      children[child].extent.mutate(&generator)
      return
    }
    // The head's fields and the directory more often than the cells.
    let limit = generator.chance(2, in: 3) ? min(bytes.count, 64 + 40 * 8) : bytes.count
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let offset = Int.random(in: 0..<limit, using: &generator)
      switch generator.next() % 4 {
      case 0: bytes[offset] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes[offset] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 2: bytes[offset] = 0xFF
      default: bytes[offset] = bytes[offset] &+ 1
      }
    }
  }

  /// Writes the extent, those below first, and mends the pointers to them.
  func write(_ writer: PageWriter) throws(EngineError) -> ExtentPointer {
    var bytes = bytes
    for (offset, child) in children {
      let pointer = try child.write(writer)
      unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        unsafe pointer.store(in: MutableByteView(base: base, count: buffer.count), at: offset)
      }
    }
    return try writer.write(kind: kind, units: bytes.count / 4096) { target in
      unsafe bytes.withUnsafeBytes { unsafe target.copy(ByteView($0), at: 0) }
    }
  }
}
