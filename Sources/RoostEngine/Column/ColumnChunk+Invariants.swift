extension ColumnChunk {
  /// Throws unless the zone map says of the column's values exactly what they are.
  ///
  /// A pass over all values, for `verify` and for tests; reading does not depend on it.
  public func checkZoneMap(unit: UInt64) throws(EngineError) {
    let decoded = ColumnBuffer(type: type)
    decoded.append(self, rows: 0..<rowCount)
    let plan = ColumnEncoder.plan(decoded, rows: 0..<rowCount)
    guard plan.nullCount == Int(entry.nullCount), plan.minimum == entry.minimum,
      plan.maximum == entry.maximum,
      plan.flags.subtracting(.external) == entry.flags.subtracting(.external)
    else { throw .corrupt(Corruption(.column, unit: unit)) }
  }
}
