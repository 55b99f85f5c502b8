/// Rows of leaves in any order: a sorted result.
struct SortedPlaces: Sendable {
  /// The leaves of the rows.
  let edges: [TreeEdge]
  /// For each result the number of its leaf, times the maximum number of rows of a leaf, plus its row.
  private let places: [UInt64]

  init(edges: [TreeEdge], places: [UInt64]) {
    self.edges = edges
    self.places = places
  }

  var count: Int { places.count }

  /// The leaf, as an index of `edges`, and the row of a result.
  subscript(position: Int) -> (leaf: Int, row: Int) {
    Self.unpacked(places[position])
  }

  /// A leaf has at most 4096 rows.
  private static let rowBits: UInt64 = 12

  /// A leaf and row as one number, ascending with leaf and row.
  @inline(__always)
  static func packed(leaf: Int, row: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: leaf) &<< rowBits | UInt64(truncatingIfNeeded: row)
  }

  /// The leaf and the row of a packed place.
  static func unpacked(_ place: UInt64) -> (leaf: Int, row: Int) {
    (Int(place >> rowBits), Int(place & ((1 << rowBits) - 1)))
  }
}
