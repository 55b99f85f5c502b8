/// A row in an order, with the bytes of its sort keys.
struct OrderedRow {
  let bytes: [UInt8]
  /// The tie-breaker of equal rows.
  let key: Int64

  func precedes(_ other: OrderedRow) -> Bool {
    let order = bytes.compareBytes(other.bytes)
    return order != 0 ? order < 0 : key < other.key
  }
}

extension [OrderedRow] {
  /// The indices of the rows, in sorted order.
  @inline(never)
  func ascendingPlaces() -> [Int] { indices.sorted { self[$0].precedes(self[$1]) } }
}

extension [UInt8] {
  /// Negative, zero or positive as the bytes sort before, with or after another's.
  @inline(__always)
  func compareBytes(_ other: [UInt8]) -> Int {
    withByteView { first in other.withByteView { first.compare($0) } }
  }
}
