extension Snapshot {
  /// A number that two stores with the same tables and objects have in common, however they are laid
  /// out in their files, and hardly any two others.
  ///
  /// Covers tables, fields, object keys, the next surrogate keys and every value bit for bit; not the
  /// indexes, which follow from them. Reads every column of every object.
  public func contentDigest(
    progress: ((MaintenanceProgress) -> Void)? = nil
  ) throws(EngineError) -> UInt64 {
    let tables = catalog.tables
    var total: UInt64 = 0
    for table in tables { total &+= try view.objects(table.id).count }
    let meter = ProgressMeter(.comparing, total: total, progress)
    var digest = RunningDigest()
    digest.add(catalog.encoded())
    for table in tables {
      let objects = try view.objects(table.id)
      digest.add(objects.count)
      digest.add(objects.root.counter)
      digest.add(try objects.contentDigest(meter))
    }
    return digest.value
  }
}

extension ObjectTree {
  /// Goes through each column on its own, so that leaves may end where they like.
  fileprivate func contentDigest(_ meter: ProgressMeter) throws(EngineError) -> UInt64 {
    var digests = [RunningDigest](repeating: RunningDigest(), count: shape.fields.count + 1)
    let cells = [ColumnBuffer(type: .integer)] + shape.fields.map { ColumnBuffer(type: $0.type) }
    var leaves = try leaves()
    while let leaf = try leaves.next() {
      for (place, buffer) in cells.enumerated() {
        let field = place == 0 ? 0 : shape.fields[place - 1].id
        let chunk = place == 0 ? leaf.keys : try leaf.column(field)
        buffer.removeAll(keepingCapacity: true)
        buffer.append(chunk, rows: 0..<leaf.rowCount)
        try digests[place].add(buffer, of: leaf, field: field)
      }
      meter.advance(UInt64(leaf.rowCount))
      withExtendedLifetime(leaf) {}
    }
    var digest = RunningDigest()
    for column in digests { digest.add(column.value) }
    return digest.value
  }
}

/// A hash of a sequence of numbers and bytes, in the order in which they come.
private struct RunningDigest {
  private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  @inline(__always)
  mutating func add(_ number: UInt64) {
    let product = (value ^ number).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    // What goes in stays in, though the product be zero.
    value = (product.high ^ product.low) &+ number &+ 0x8EBC_6AF0_9C88_C6E3
  }

  mutating func add(_ bytes: ByteView) {
    add(UInt64(bytes.count))
    add(XXH3.hash(bytes))
  }

  mutating func add(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { add(unsafe ByteView($0)) }
  }

  /// Adds the cells of a leaf's column; a null is unlike every value.
  mutating func add(
    _ cells: ColumnBuffer, of leaf: LeafReference, field: FieldID
  ) throws(EngineError) {
    for row in 0..<cells.count {
      guard !cells.isNull(row) else {
        add(0xE703_7ED1_A0B4_28DB)
        continue
      }
      switch cells.type {
      case .integer: add(UInt64(bitPattern: cells.integer(row)))
      case .double: add(cells.double(row).bitPattern)
      case .float: add(UInt64(cells.float(row).bitPattern))
      case .uuid:
        let halves = cells.uuid(row)
        add(halves.high)
        add(halves.low)
      case .bytes:
        guard let reference = cells.external(row) else {
          add(cells.bytes(row))
          continue
        }
        try add(reference, of: leaf, field: field)
      }
    }
  }

  /// Adds a value that lies outside the leaf, a mebibyte at a time: one chunk as if it lay inside.
  private mutating func add(
    _ reference: ValueReference, of leaf: LeafReference, field: FieldID
  ) throws(EngineError) {
    let birth = leaf.head.place(of: field).map { leaf.birth(ofColumnAt: $0) } ?? leaf.pointer.birth
    try leaf.context.reader.streamValue(
      reference.pointer, length: reference.length, parentBirth: birth,
      visit: { _ throws(EngineError) in }, content: { add($0) })
  }
}
