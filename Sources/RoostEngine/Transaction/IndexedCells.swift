/// The fields of a leaf that an index is of, decoded for all its rows at once.
struct IndexedCells {
  private let rule: IndexRule
  /// A column for each field of the table; those that the index does not use stay empty.
  private let columns: [ColumnBuffer]
  /// The fields that it uses, with their places.
  private let used: [(position: Int, field: FieldID)]

  /// - Parameter shape: The fields of the table.
  init(_ rule: IndexRule, of shape: TableShape) {
    self.rule = rule
    columns = shape.fields.map { ColumnBuffer(type: $0.type) }
    used = shape.fields.enumerated().filter { rule.uses($0.element.id, at: $0.offset) }
      .map { ($0.offset, $0.element.id) }
  }

  /// Calls `body` with the value of each entry of each row of a leaf.
  ///
  /// - Parameters:
  ///   - key: A key to be used for it.
  ///   - body: Takes whether the value is null or contains a null, too; where values must be unique, this is so.
  func forEachKey(
    _ leaf: LeafReference, _ key: inout IndexKey,
    _ body: (_ key: IndexKey, _ row: Int, _ hasNull: Bool) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard let first = used.first, try decode(leaf) else {
      for row in 0..<leaf.rowCount {
        try rule.forEachKey(leaf, row: row, &key) { (key) throws(EngineError) in
          try body(key, row, rule.isUnique && key.withView { rule.hasNull($0) })
        }
      }
      return
    }
    switch rule {
    case .field(let field):
      let column = columns[first.position]
      for row in 0..<leaf.rowCount {
        try field.forEachIndexKey(column, row: row, &key) { (key) throws(EngineError) in
          try body(key, row, column.isNull(row))
        }
      }
    case .table(let keys, _):
      for row in 0..<leaf.rowCount {
        let entry = keys.set(&key, columns, row: row)
        if entry != .none { try body(key, row, entry == .ofNull) }
      }
    }
  }

  /// Decodes the fields; false if a value lies outside the leaf, for all of them might take much memory.
  private func decode(_ leaf: LeafReference) throws(EngineError) -> Bool {
    defer { withExtendedLifetime(leaf) {} }
    for (position, field) in used {
      let column = try leaf.column(field)
      guard !column.hasExternals else { return false }
      columns[position].removeAll(keepingCapacity: true)
      columns[position].append(column, rows: 0..<leaf.rowCount)
    }
    return true
  }
}
