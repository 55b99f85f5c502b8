extension EngineSnapshot {
  /// A number that two stores with the same tables and objects share, regardless of the layout
  /// of their files, and that almost no other two stores share.
  ///
  /// Covers tables, fields, object keys, the next surrogate keys and every value bit for bit; not the
  /// indexes, which follow from them. Reads every column of every object.
  package func contentDigest() throws(EngineError) -> UInt64 {
    var digest = CellDigest()
    digest.add(catalog.encoded())
    for table in catalog.tables {
      let objects = try view.objects(table.id)
      let content = ObjectsDigest(objects.shape)
      var leaves = try objects.leaves()
      while let leaf = try leaves.next() { try content.add(leaf) }
      digest.add(content.value(counter: objects.root.counter))
    }
    return digest.value
  }
}

/// The digest of a table's objects, computed a leaf at a time in the order of their keys.
/// Each column is hashed separately, so that leaves may end anywhere.
/// Each column counts on its own, so that leaves may end where they like.
final class ObjectsDigest {
  private let shape: TableShape
  private var count: UInt64 = 0
  private var keys = CellDigest()
  private var columns: [CellDigest]
  /// The first keys of the leaves that were moved unchanged.
  private(set) var movedLeaves: [Int64] = []
  private var moved = CellDigest()
  /// Memory for decoding a leaf.
  private let batch: RecordBatch

  /// No objects of a table with these fields.
  init(_ shape: TableShape) {
    self.shape = shape
    columns = [CellDigest](repeating: CellDigest(), count: shape.fields.count)
    batch = RecordBatch(shape: shape)
  }

  /// Adds the rows of a leaf.
  func add(_ leaf: LeafReference) throws(EngineError) {
    let rows = 0..<leaf.rowCount
    batch.removeAll(keepingCapacity: true)
    batch.keys.append(leaf.keys, rows: rows)
    for (column, field) in zip(batch.columns, shape.fields) {
      column.append(try leaf.column(field.id), rows: rows)
    }
    try add(leaf, decoded: batch, rows: rows)
  }

  /// Adds the rows of a leaf, which were decoded to rows of a batch.
  func add(
    _ leaf: LeafReference, decoded batch: RecordBatch, rows: Range<Int>
  ) throws(EngineError) {
    precondition(rows.count == leaf.rowCount, "Not the rows of the leaf.")
    count += UInt64(rows.count)
    try keys.add(batch.keys, rows, of: leaf, field: 0)
    for (place, field) in shape.fields.enumerated() {
      try columns[place].add(batch.columns[place], rows, of: leaf, field: field.id)
    }
    withExtendedLifetime(leaf) {}
  }

  /// Takes in a leaf that is moved from one file to another as it is: what was checked of its bytes when they
  /// were read stands for its rows.
  func add(moved leaf: LeafReference) {
    count += UInt64(leaf.rowCount)
    movedLeaves.append(leaf.firstKey)
    let bytes = leaf.frame.bytes
    let pointers = leaf.head.groupPointers
    let columns = pointers + ExtentPointer.size * leaf.head.groups.count
    moved.add(bytes.slice(0, pointers))
    moved.add(bytes.slice(columns, bytes.count - columns))
    for group in leaf.head.groups { moved.add(group.checksum) }
    withExtendedLifetime(leaf) {}
  }

  /// The digest of all objects, and of the table's next surrogate key.
  func value(counter: UInt64) -> UInt64 {
    var digest = CellDigest()
    digest.add(count)
    digest.add(counter)
    digest.add(keys.value)
    for column in columns { digest.add(column.value) }
    digest.add(moved.value)
    return digest.value
  }
}

/// A hash of a sequence of numbers and texts, in the order in which they come.
///
/// Each is mixed with its place and the results are added up: no step waits for the previous one.
private struct CellDigest {
  private(set) var value: UInt64 = 0
  /// The value that the next number is mixed with; it differs at each place.
  private var place: UInt64 = 0x9E37_79B9_7F4A_7C15

  @inline(__always)
  mutating func add(_ number: UInt64) {
    let first = (number ^ place).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    let second = (first.high ^ first.low ^ place).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    value &+= second.high ^ second.low
    place &+= 0xD1B5_4A32_D192_ED03
  }

  @inline(__always)
  mutating func add(_ bytes: ByteView) {
    add(XXH3.hash(bytes) &+ UInt64(bytes.count))
  }

  mutating func add(_ bytes: [UInt8]) {
    bytes.withByteView { add($0) }
  }

  /// Adds the cells of a leaf's column; a null differs from every value.
  mutating func add(
    _ cells: ColumnBuffer, _ rows: Range<Int>, of leaf: LeafReference, field: FieldID
  ) throws(EngineError) {
    guard cells.nullCount == 0, cells.externalCount == 0 else {
      for row in rows { try add(cells, row, of: leaf, field, leafRow: row - rows.lowerBound) }
      return
    }
    switch cells.type {
    case .integer: for row in rows { add(UInt64(bitPattern: cells.integer(row))) }
    case .double: for row in rows { add(cells.double(row).bitPattern) }
    case .bytes: for row in rows { add(cells.bytes(row)) }
    case .float, .uuid:
      for row in rows { try add(cells, row, of: leaf, field, leafRow: row - rows.lowerBound) }
    }
  }

  private mutating func add(
    _ cells: ColumnBuffer, _ row: Int, of leaf: LeafReference, _ field: FieldID, leafRow: Int
  ) throws(EngineError) {
    guard !cells.isNull(row) else { return add(0xE703_7ED1_A0B4_28DB) }
    switch cells.type {
    case .integer: add(UInt64(bitPattern: cells.integer(row)))
    case .double: add(cells.double(row).bitPattern)
    case .float: add(UInt64(cells.float(row).bitPattern))
    case .uuid:
      let halves = cells.uuid(row)
      add(halves.high)
      add(halves.low)
    case .bytes:
      guard cells.external(row) != nil else { return add(cells.bytes(row)) }
      // What the batch refers to may lie in another file already; the leaf's own value counts.
      let column = try leaf.column(field)
      guard let reference = column.external(leafRow) else { return add(column.bytes(leafRow)) }
      try add(reference, of: leaf, field: field)
    }
  }

  /// Adds a value that lies outside the leaf, a mebibyte at a time: one chunk as if it lay inside.
  private mutating func add(
    _ reference: ValueReference, of leaf: LeafReference, field: FieldID
  ) throws(EngineError) {
    let birth = leaf.head.place(of: field).map { leaf.birth(ofColumnAt: $0) } ?? leaf.pointer.birth
    do {
      try leaf.context.reader.streamValue(
        reference.pointer, length: reference.length, parentBirth: birth,
        visit: { _ throws(EngineError) in }, content: { add($0) })
    } catch { throw leaf.located(error) }
  }
}
