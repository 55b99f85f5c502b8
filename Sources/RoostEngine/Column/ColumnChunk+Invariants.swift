extension ColumnChunk {
  /// Throws unless the zone map is exact for the column's values, the cells of nulls are 0 or empty, and every value
  /// inside the leaf is short enough for it.
  ///
  /// Reads all values; used by `verify` and tests. Reading does not depend on it.
  package func checkInvariants(unit: UInt64) throws(EngineError) {
    let decoded = ColumnBuffer(type: type)
    decoded.append(self, rows: 0..<rowCount)
    let plan = ColumnEncoder.plan(decoded, rows: 0..<rowCount)
    guard plan.nullCount == Int(entry.nullCount), plan.minimum == entry.minimum,
      plan.maximum == entry.maximum,
      plan.flags.subtracting(.external) == entry.flags.subtracting(.external)
    else { throw .corrupt(Corruption(.column, unit: unit)) }
    for row in 0..<rowCount {
      guard isNull(row) ? isEmpty(row) : type != .bytes || isShort(row) else {
        throw .corrupt(Corruption(.column, unit: unit))
      }
    }
  }

  /// Whether a row's cell is 0, or no bytes.
  private func isEmpty(_ row: Int) -> Bool {
    switch entry.encoding {
    case .allNull, .stride: true
    case .frameOfReference, .scaled, .dictionary: code(row) == 0
    case .plain: text(row).count == 0
    case .rawUUID: uuid(row) == (0, 0)
    case .raw:
      type == .double ? uncheckedDouble(row).bitPattern == 0 : uncheckedFloat(row).bitPattern == 0
    }
  }

  /// Whether the bytes of a row may lie inside the leaf.
  private func isShort(_ row: Int) -> Bool {
    bytes(row).count <= ValueReference.inlineByteCountMax
  }
}
