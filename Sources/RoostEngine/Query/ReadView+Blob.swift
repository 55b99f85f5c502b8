extension ReadView {
  /// The content of a blob; nil if there is no such object.
  package func blob(
    _ field: FieldID, of key: Int64, in table: UInt32
  ) throws(EngineError) -> BlobContent? {
    guard catalog.table(table)?.field(field)?.type == .blob else {
      throw catalog.unknown(field, of: table)
    }
    guard let found = try find(key, in: table) else { return nil }
    return try BlobContent(found.leaf, row: found.row, field: field)
  }
}
