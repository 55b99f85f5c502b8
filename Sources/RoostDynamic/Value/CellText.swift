internal import RoostEngine
internal import RoostInterchange

/// Cells as JSON, in the form of Format.md §12.
extension [UInt8] {
  /// Adds a cell that is not null and lies in its leaf.
  mutating func add(_ field: FieldDefinition, _ chunk: ColumnChunk, _ row: Int) {
    switch field.type.physical {
    case .integer: addInteger(chunk.integer(row), field.type)
    case .double: addNumber(chunk.double(row))
    case .float: addNumber(chunk.float(row))
    case .uuid:
      let halves = chunk.uuid(row)
      addHalves(halves.high, halves.low, field.type)
    case .bytes: add(field.type, field.parts, chunk.bytes(row))
    }
  }

  private mutating func addHalves(_ high: UInt64, _ low: UInt64, _ type: FieldType) {
    if type == .duration {
      addString(FieldType.seconds(high, low))
    } else {
      addUUID(high, low)
    }
  }

  /// Adds a value that is stored as bytes; bytes that are not valid for its type as Base64.
  mutating func add(_ type: FieldType, _ parts: [ElementColumn], _ bytes: ByteView) {
    switch type {
    case .string, .json: addString(bytes)
    case .decimal:
      if let number = DecimalBytes.text(bytes) { addString(number) } else { addBase64(bytes) }
    case .list, .set, .dictionary:
      guard let packed = PackedColumns(bytes, as: parts.map(\.shape)) else {
        return addBase64(bytes)
      }
      addElements(packed, parts, hasKeys: type == .dictionary)
    case .compound:
      guard let columns = CompoundBytes.columns(bytes, as: parts.map(\.shape)) else {
        return addBase64(bytes)
      }
      addParts(Array<(ElementColumn, ColumnBuffer)>(zip(parts, columns))[...], 0)
    default: addBase64(bytes)
    }
  }

  // MARK: Collections

  private mutating func addElements(
    _ packed: PackedColumns, _ parts: [ElementColumn], hasKeys: Bool
  ) {
    let columns = Array<(ElementColumn, ColumnBuffer)>(zip(parts, packed.columns))
    add("[")
    for row in 0..<packed.count {
      if row > 0 { add(",") }
      if hasKeys, let key = columns.first {
        add("[")
        addElement([key][...], row)
        add(",")
        addElement(columns.dropFirst(), row)
        add("]")
      } else {
        addElement(columns[...], row)
      }
    }
    add("]")
  }

  /// Adds an element: its single value, or an object of its parts.
  private mutating func addElement(
    _ columns: ArraySlice<(ElementColumn, ColumnBuffer)>, _ row: Int
  ) {
    var parts = columns
    if let (first, column) = columns.first, !first.name.contains(".") {
      guard columns.count > 1 else { return addValue(first, column, row) }
      // The column before the parts stores whether there is a struct.
      guard column.integer(row) != 0 else { return add("null") }
      parts = columns.dropFirst()
    }
    addParts(parts, row)
  }

  /// Adds an object of parts, named by the last component of their names.
  private mutating func addParts(_ parts: ArraySlice<(ElementColumn, ColumnBuffer)>, _ row: Int) {
    add("{")
    for (place, (part, column)) in parts.enumerated() {
      if place > 0 { add(",") }
      let name = part.name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      addString(String(name.last ?? ""))
      add(":")
      addValue(part, column, row)
    }
    add("}")
  }

  /// Adds a value of a column, or null.
  mutating func addValue(_ part: ElementColumn, _ column: ColumnBuffer, _ row: Int) {
    guard !column.isNull(row) else { return add("null") }
    switch column.type {
    case .integer: addInteger(column.integer(row), part.type)
    case .double: addNumber(column.double(row))
    case .float: addNumber(column.float(row))
    case .uuid:
      let halves = column.uuid(row)
      addHalves(halves.high, halves.low, part.type)
    case .bytes: add(part.type, part.parts, column.bytes(row))
    }
  }
}
