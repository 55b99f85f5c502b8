/// Testing a condition on a whole leaf.
extension FieldTest {
  /// The zone map's answer for all rows; reads no byte of the column.
  @inline(__always)
  func zoneMapResult(_ leaf: borrowing ScanLeaf) -> ZoneMapResult {
    guard let entry = leaf.entry(field) else { return .some }
    return answer(entry, rowCount: leaf.rowCount)
  }

  /// The answer for all rows from the zone map of a directory entry.
  func answer(_ entry: ColumnEntry, rowCount: Int) -> ZoneMapResult {
    // If a leaf stores the field as another type, reading its column will report damage.
    guard entry.type == type else { return .some }
    switch kind {
    case .compare(let comparison, let constant):
      return entry.answer(comparison, constant, rowCount: rowCount)
    case .isNull: return entry.answerIsNull(rowCount: rowCount)
    case .isNotNull: return entry.answerIsNull(rowCount: rowCount).negated
    case .oneOf(let constants): return entry.answer(oneOf: constants, rowCount: rowCount)
    case .text(let match, let pattern):
      return entry.answer(match, pattern, rowCount: rowCount)
    case .keys(let keys):
      guard entry.flags.contains(.zoneMap) else { return .some }
      let minimum = Int64(bitPattern: entry.minimum)
      let maximum = Int64(bitPattern: entry.maximum)
      guard minimum <= maximum else { return .some }
      return keys.intersects(minimum...maximum) ? .some : .none
    case .pattern, .hasNaN: return entry.nullCount < rowCount ? .some : .none
    case .links, .compareColumns: return .some
    }
  }

  /// Finds the rows that meet the condition; the selection contains them if the answer is `some`.
  ///
  /// Reads the columns only if the zone map does not decide.
  func filter(
    _ leaf: inout ScanLeaf, into selection: Selection
  ) throws(EngineError) -> ZoneMapResult {
    let answer = zoneMapResult(leaf)
    guard answer == .some else { return answer }
    let column = try checkedColumn(field, of: &leaf)
    if case .compareColumns(let comparison, let other) = kind {
      let others = try checkedColumn(other, of: &leaf)
      try leaf.compare((field, column), comparison, (other, others), into: selection)
      return .some
    }
    filter(column, into: selection)
    switch kind {
    case .isNull, .isNotNull: break
    default: try settleExternals(column, leaf, selection)
    }
    return .some
  }

  /// Selects the rows of a column that meet the condition, for values inside the leaf.
  func filter(_ column: ColumnChunk, into selection: Selection) {
    switch kind {
    case .compare(let comparison, let constant):
      column.filter(comparison, constant, into: selection)
    case .isNull: column.filterNull(into: selection)
    case .isNotNull:
      column.filterNull(into: selection)
      selection.invert()
    case .oneOf(let constants):
      column.filter(oneOf: constants, into: selection, scratch: Selection())
    case .text(let match, let pattern): column.filter(match, pattern, into: selection)
    case .pattern(let matcher): column.filter(matcher, into: selection)
    case .keys(let keys):
      column.filter(among: keys, into: selection)
    case .compareColumns: preconditionFailure("Two columns are compared.")
    case .links(let target):
      selection.fill(rowCount: column.rowCount) {
        !column.isNull($0) && !column.isExternal($0) && column.bytes($0).hasLink(to: target)
      }
    case .hasNaN(let part):
      selection.fill(rowCount: column.rowCount) {
        !column.isNull($0) && !column.isExternal($0) && part.hasNaN(column.bytes($0))
      }
    }
  }

  private func checkedColumn(
    _ field: FieldID, of leaf: inout ScanLeaf
  ) throws(EngineError) -> ColumnChunk {
    let column = field == 0 ? leaf.head.keys : try leaf.column(field)
    guard column.type == type else {
      throw .corrupt(Corruption(.directory, unit: leaf.edge.pointer.unit))
    }
    return column
  }

  /// Tests the rows whose values lie outside the leaf: reads their bytes.
  private func settleExternals(
    _ column: ColumnChunk, _ leaf: borrowing ScanLeaf, _ selection: Selection
  ) throws(EngineError) {
    guard column.hasExternals else { return }
    for row in 0..<column.rowCount {
      guard let reference = column.external(row) else { continue }
      selection.set(row, try holds(reference, in: leaf))
    }
  }
}

extension ColumnChunk {
  /// Selects the rows whose integer is in a set.
  fileprivate func filter(among keys: KeySet, into selection: Selection) {
    selection.fill(rowCount: rowCount) { keys.contains(uncheckedInteger($0)) }
    keepPresent(selection)
  }
}
