/// The ranks of texts in a collation.
///
/// Texts are compared only to rank the distinct ones; rows are then ordered by integers.
struct TextRanks: Sendable {
  private let ranks: [[UInt8]: Int64]

  /// The ranks of all texts of a column; texts of which neither precedes the other have the same rank.
  ///
  /// - Throws: `.cancelled` when the task was cancelled: a collation may take a microsecond to compare two texts.
  init(_ column: ColumnBuffer, _ collation: TextCollation) throws(EngineError) {
    var texts: [[UInt8]: String] = [:]
    for row in 0..<column.count where !column.isNull(row) {
      let bytes = column.bytes(row).array
      if texts[bytes] == nil { texts[bytes] = String(decoding: bytes, as: UTF8.self) }
    }
    var ranks: [[UInt8]: Int64] = [:]
    var rank: Int64 = 0
    var before: String?
    var cancellation = SortCancellation()
    let sorted = texts.sorted {
      !cancellation.isDue() && collation.precedes($0.value, $1.value)
    }
    for (bytes, text) in sorted {
      if cancellation.isDue() { throw .cancelled }
      if let before, collation.precedes(before, text) { rank += 1 }
      before = text
      ranks[bytes] = rank
    }
    self.ranks = ranks
  }

  /// The ranks of a column's texts; null for null.
  func column(_ texts: ColumnBuffer) -> ColumnBuffer {
    let places = ColumnBuffer(type: .integer)
    for row in 0..<texts.count {
      let rank = texts.isNull(row) ? nil : ranks[texts.bytes(row).array]
      if let rank { places.append(rank) } else { places.appendNull() }
    }
    return places
  }
}
