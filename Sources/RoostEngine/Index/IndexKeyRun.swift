/// The object keys of one value, ascending, packed as in a leaf.
///
/// Valid inside the closure that receives it, or until its cursor moves: it does not retain the leaf.
package struct IndexKeyRun: RandomAccessCollection {
  /// The packed keys and at least as many bytes behind them as a load needs, which is checked when the run is made:
  /// so each load of a key below ``count`` is in bounds.
  private let codes: ByteView
  private let base: Int64
  private let width: Int
  private let mask: UInt64
  /// The number of keys.
  package let count: Int

  @inline(__always)
  init(codes: ByteView, base: Int64, width: Int, count: Int) {
    self.codes = codes
    self.base = base
    self.width = width
    self.count = count
    mask = width == 8 ? .max : (1 << UInt64(width * 8)) &- 1
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  /// The key at an index.
  @inline(__always)
  package subscript(index: Int) -> Int64 { key(index) }

  /// A key minus the base of its leaf.
  @inline(__always)
  func code(_ index: Int) -> UInt64 {
    precondition(index >= 0 && index < count, "Key outside the run.")
    return unsafe codes.uncheckedLoad(at: index &* width, as: UInt64.self) & mask
  }

  @inline(__always)
  func key(_ index: Int) -> Int64 { base &+ Int64(bitPattern: code(index)) }

  /// Calls `body` with each key in order.
  @inline(__always)
  package func forEachKey(_ body: (Int64) -> Void) {
    for index in 0..<count { body(key(index)) }
  }

  /// Adds the keys to an array.
  package func append(to keys: inout [Int64]) {
    keys.reserveCapacity(keys.count + count)
    for index in 0..<count { keys.append(key(index)) }
  }

  /// Appends the keys to a buffer.
  @inline(__always)
  func append(to keys: inout PlainBuffer<Int64>) {
    keys.append(count: count, key)
  }

  /// The number of keys below a key, or not above it.
  func rank(_ key: Int64, orEqual: Bool) -> Int {
    (0..<count).partitioningIndex {
      let candidate = self.key($0)
      return candidate > key || (!orEqual && candidate == key)
    }
  }

  /// Whether the run contains a key.
  func holds(_ key: Int64) -> Bool {
    let place = rank(key, orEqual: false)
    return place < count && self.key(place) == key
  }
}
