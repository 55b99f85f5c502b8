/// Computes the entry that an index of a table has for an object: a key, or none.
package final class TableIndexKeys {
  /// An object's entry in the index.
  package enum Entry {
    /// The object is not in the index.
    case none
    /// An entry with a null among its values; it need not be unique.
    case ofNull
    /// An entry of values.
    case ofValues
  }

  package let index: TableIndex
  /// The fields that are asked for, those of the entry first.
  private let fields: [FieldID]
  /// Their places among the columns of a row.
  private let positions: [Int]
  /// The tests of the fields' values, by the places of the fields above.
  private let tests: [(place: Int, test: FieldTest)]
  /// The fields of one object.
  private let cells: [ColumnBuffer]

  /// The keys of an index of a table whose rows have these columns; nil where they lack some of its fields.
  package init?(_ index: TableIndex, of shape: TableShape) {
    let fields = index.usedFields
    let positions = fields.compactMap { shape.index(of: $0) }
    guard positions.count == fields.count else { return nil }
    self.index = index
    self.fields = fields
    self.positions = positions
    tests = index.condition.compactMap { condition in
      fields.firstIndex(of: condition.field).map { place in
        (place, condition.fieldTest(shape.fields[positions[place]].type))
      }
    }
    cells = positions.map { ColumnBuffer(type: shape.fields[$0].type) }
  }

  /// Whether the index's entry of a row depends on a column.
  func uses(_ position: Int) -> Bool { positions.contains(position) }

  /// Sets the key of the entry of a row of columns.
  func set(_ key: inout IndexKey, _ columns: [ColumnBuffer], row: Int) -> Entry {
    for (place, test) in tests where !test.holds(columns[positions[place]], row: row) {
      return .none
    }
    var entry = Entry.ofValues
    key.set { bytes in
      for position in positions.prefix(index.fields.count) {
        if columns[position].isNull(row) { entry = .ofNull }
        CompoundBytes.appendOptional(
          columns[position], row: row, textBytesMax: IndexKey.byteCountMax, to: &bytes)
      }
    }
    return entry
  }

  /// Sets the key of the entry of an object.
  ///
  /// - Parameter append: Appends one of its fields, which has this place among the columns, to a column.
  package func set(
    _ key: inout IndexKey,
    _ append: (_ field: FieldID, _ position: Int, _ target: ColumnBuffer) throws(EngineError) ->
      Void
  ) throws(EngineError) -> Entry {
    for cell in cells { cell.removeAll(keepingCapacity: true) }
    func read(_ place: Int) throws(EngineError) {
      if cells[place].count == 0 { try append(fields[place], positions[place], cells[place]) }
    }
    for (place, test) in tests {
      try read(place)
      if !test.holds(cells[place], row: 0) { return .none }
    }
    for place in index.fields.indices { try read(place) }
    var entry = Entry.ofValues
    key.set { bytes in
      for cell in cells.prefix(index.fields.count) {
        if cell.isNull(0) { entry = .ofNull }
        CompoundBytes.appendOptional(
          cell, row: 0, textBytesMax: IndexKey.byteCountMax, to: &bytes)
      }
    }
    return entry
  }

  /// Sets the key of the entry of a row of a leaf.
  func set(
    _ key: inout IndexKey, _ leaf: LeafReference, row: Int
  ) throws(EngineError) -> Entry {
    try set(&key) { (field, _, target) throws(EngineError) in
      try RowPlace.leaf(leaf, row).append(field, to: target)
    }
  }
}

extension TableDefinition {
  /// The values of an entry of an index, as readable text.
  ///
  /// - Parameter text: Makes that of one value.
  func text(
    ofEntry bytes: [UInt8], of index: TableIndex, _ text: (Value, FieldDefinition) -> String
  ) -> String {
    let fields = index.fields.compactMap { field($0) }
    let columns = bytes.withByteView {
      CompoundBytes.columns($0, as: fields.map(\.entryShape))
    }
    guard let columns else { return "\(bytes.count) bytes" }
    let texts = zip(fields, columns).map { text($1.value(0), $0) }
    return texts.count == 1 ? texts[0] : "(\(texts.joined(separator: ", ")))"
  }

  /// The error for values too long to be told apart in an index.
  func tooLong(_ index: TableIndex) -> EngineError {
    .tooLong(table: name, field: fieldNames(of: index), limit: IndexKey.byteCountMax)
  }

  /// Whether an entry of an index has a null among its values.
  func hasNull(_ entry: ByteView, of index: TableIndex) -> Bool {
    let shapes = index.fields.compactMap { field($0)?.entryShape }
    return CompoundBytes.columns(entry, as: shapes)?.contains { $0.isNull(0) } ?? false
  }
}
