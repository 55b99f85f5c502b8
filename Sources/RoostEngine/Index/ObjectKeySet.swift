/// Object keys to be looked up: as bits where they lie close together, else in their sorted list.
package struct ObjectKeySet: ~Copyable {
  private let keys: [Int64]
  private let first: Int64
  /// The distance of the last key from the first.
  private let span: UInt64
  /// A bit for each number from the first key to the last; empty where that takes much memory.
  private var bits = PlainBuffer<UInt64>()

  /// The bits may take so much more than the keys themselves.
  private static let bitsPerKeyMax: UInt64 = 256

  /// A set of keys in ascending order.
  package init(ascending keys: [Int64]) {
    self.keys = keys
    first = keys.first ?? 0
    span = UInt64(bitPattern: (keys.last ?? 0) &- first)
    guard span / Self.bitsPerKeyMax <= UInt64(keys.count) else { return }
    bits.resize(to: Int(span / 64) + 1, filling: 0)
    for key in keys {
      let distance = UInt64(bitPattern: key &- first)
      bits[Int(distance / 64)] |= 1 << (distance % 64)
    }
  }

  /// How many keys there are.
  package var count: Int { keys.count }

  /// Whether a key is there.
  @inline(__always)
  package func contains(_ key: Int64) -> Bool {
    // A key before the first one is farther than the last, counted modulo 2^64.
    let distance = UInt64(bitPattern: key &- first)
    guard distance <= span, !keys.isEmpty else { return false }
    guard bits.isEmpty else { return bits[Int(distance / 64)] >> (distance % 64) & 1 != 0 }
    return isListed(key)
  }

  private func isListed(_ key: Int64) -> Bool {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low] == key
  }
}
