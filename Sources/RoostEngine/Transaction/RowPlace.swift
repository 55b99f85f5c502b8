/// Where an object's fields are: in a leaf of the file, or in a batch that was not written yet.
public enum RowPlace {
  /// Row `1` of a leaf.
  case leaf(LeafReference, Int)
  /// Row `1` of a batch; only until the transaction changes something.
  case batch(RecordBatch, Int)

  /// The value of a field; a large value is read whole.
  public func value(of field: FieldID) throws(EngineError) -> Value {
    switch self {
    case .leaf(let leaf, let row):
      let column = try leaf.column(field)
      defer { withExtendedLifetime(leaf) {} }
      guard let reference = column.external(row) else { return column.value(row) }
      return .bytes(try leaf.value(reference, of: field))
    case .batch(let batch, let row):
      guard let column = batch.column(field) else { throw .unknown(name: "field \(field)") }
      return column.value(row)
    }
  }

  /// Appends the field's cell to a column.
  func append(_ field: FieldID, to target: ColumnBuffer) throws(EngineError) {
    switch self {
    case .leaf(let leaf, let row):
      let column = try leaf.column(field)
      if column.hasExternals, let reference = column.external(row) {
        target.append(.bytes(try leaf.value(reference, of: field)))
      } else {
        target.append(column, rows: row..<row + 1)
      }
      withExtendedLifetime(leaf) {}
    case .batch(let batch, let row):
      guard let column = batch.column(field) else { throw .unknown(name: "field \(field)") }
      target.append(column, row: row)
    }
  }

  /// Whether the field's cell is bit for bit the one in a column.
  func hasSame(
    _ field: FieldID, as cells: ColumnBuffer, row: Int
  ) throws(EngineError) -> Bool {
    let own = ColumnBuffer(type: cells.type)
    try append(field, to: own)
    return own.isIdentical(0, to: cells, row: row)
  }
}

extension ColumnBuffer {
  /// Whether two cells are the same bit for bit (so that NaN is itself, and −0 is not 0).
  func isIdentical(_ row: Int, to other: ColumnBuffer, row otherRow: Int) -> Bool {
    guard isNull(row) == other.isNull(otherRow) else { return false }
    guard !isNull(row) else { return true }
    switch type {
    case .integer: return integer(row) == other.integer(otherRow)
    case .double: return double(row).bitPattern == other.double(otherRow).bitPattern
    case .float: return float(row).bitPattern == other.float(otherRow).bitPattern
    case .bytes: return bytes(row).bytesEqual(other.bytes(otherRow))
    case .uuid: return uuid(row) == other.uuid(otherRow)
    }
  }
}

extension IndexKey {
  /// The key of a field of a row.
  mutating func set(_ place: RowPlace, field: FieldID) throws(EngineError) {
    let cell: ColumnBuffer
    switch place {
    case .batch(let batch, let row):
      guard let column = batch.column(field) else { throw .unknown(name: "field \(field)") }
      return set(column, row: row)
    case .leaf(let leaf, _):
      cell = ColumnBuffer(
        type: leaf.shape.index(of: field).map { leaf.shape.fields[$0].type } ?? .integer)
    }
    try place.append(field, to: cell)
    set(cell, row: 0)
  }
}
