/// Row-by-row comparison of two columns of a leaf: null equals null, is unequal to every value, and neither below nor
/// above anything.
extension ScanLeaf {
  /// Selects the rows whose values meet the comparison.
  ///
  /// Both columns have the same type.
  func compare(
    _ first: (field: FieldID, column: ColumnChunk), _ comparison: Comparison,
    _ second: (field: FieldID, column: ColumnChunk), into selection: Selection
  ) throws(EngineError) {
    let (a, b) = (first.column, second.column)
    switch a.type {
    case .integer:
      selection.fill(rowCount: rowCount) {
        comparison.holds(a.uncheckedInteger($0), b.uncheckedInteger($0))
      }
    case .double:
      selection.fill(rowCount: rowCount) {
        comparison.holds(a.uncheckedDouble($0), b.uncheckedDouble($0))
      }
    case .float:
      selection.fill(rowCount: rowCount) {
        comparison.holds(a.uncheckedFloat($0), b.uncheckedFloat($0))
      }
    case .uuid:
      selection.fill(rowCount: rowCount) { comparison.holds(a.value($0), b.value($0)) }
    case .bytes:
      selection.fill(rowCount: rowCount) {
        comparison.holds(order: a.bytes($0).compare(b.bytes($0)))
      }
      guard a.hasExternals || b.hasExternals else { break }
      for row in 0..<rowCount where a.isExternal(row) || b.isExternal(row) {
        selection.set(
          row,
          comparison.holds(
            try value(of: first.field, a, row: row), try value(of: second.field, b, row: row)))
      }
    }
    guard a.hasNulls || b.hasNulls else { return }
    for row in 0..<rowCount where a.isNull(row) || b.isNull(row) {
      selection.set(row, comparison.holds(a.isNull(row), b.isNull(row)))
    }
  }

  /// The value of a row in a field, stored or computed.
  mutating func value(of field: FieldID, row: Int) throws(EngineError) -> Value {
    if field == 0 { return .integer(head.key(row)) }
    if let value = try computedValue(field, row: row) { return value }
    return try value(of: field, try column(field), row: row)
  }

  private func value(
    of field: FieldID, _ column: ColumnChunk, row: Int
  ) throws(EngineError) -> Value {
    guard let reference = column.external(row) else { return column.value(row) }
    return .bytes(try value(reference, of: field))
  }
}

extension Comparison {
  /// The comparison with exchanged operands.
  var mirrored: Comparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Whether the comparison holds for two values, at least one of which is null.
  fileprivate func holds(_ isFirstNull: Bool, _ isSecondNull: Bool) -> Bool {
    switch self {
    case .equal: isFirstNull && isSecondNull
    case .notEqual: isFirstNull != isSecondNull
    default: false
    }
  }

  /// Whether the comparison holds for two values of one type, or nulls.
  func holds(_ first: Value, _ second: Value) -> Bool {
    switch (first, second) {
    case (.null, _), (_, .null): holds(first == .null, second == .null)
    case (.double(let first), .double(let second)): holds(first, second)
    case (.float(let first), .float(let second)): holds(first, second)
    default:
      holds(order: first.precedes(second) ? -1 : second.precedes(first) ? 1 : 0)
    }
  }
}
