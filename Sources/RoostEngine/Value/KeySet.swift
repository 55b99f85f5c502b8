/// A set of object keys: a bitmap from the first key to the last if the keys lie close together, otherwise a sorted
/// array.
package final class KeySet: Sendable {
  /// The smallest and the largest key; meaningless if the set is empty.
  let range: ClosedRange<Int64>
  /// The keys, ascending.
  let keys: [Int64]
  /// The distance of the last key from the first.
  private let span: UInt64
  /// A bit for each number in `range`; empty if the keys lie too far apart.
  private let words: [UInt64]

  /// The most bits that a bitmap may take for each key.
  private static let bitsPerKeyMax: UInt64 = 256

  /// - Parameter keys: Strictly ascending.
  package init(ascending keys: [Int64]) {
    self.keys = keys
    guard let first = keys.first, let last = keys.last else {
      (range, span, words) = (0...0, 0, [])
      return
    }
    range = first...last
    span = UInt64(bitPattern: last &- first)
    guard span / Self.bitsPerKeyMax < UInt64(keys.count) else {
      words = []
      return
    }
    var words = [UInt64](repeating: 0, count: Int(span >> 6) + 1)
    for key in keys {
      let bit = UInt64(bitPattern: key &- first)
      words[Int(bit >> 6)] |= 1 &<< (bit & 63)
    }
    self.words = words
  }

  /// The number of keys.
  package var count: Int { keys.count }

  /// Whether the key is in the set.
  @inline(__always)
  package func contains(_ key: Int64) -> Bool {
    // Modulo 2^64, a key before the first one is farther away than the last.
    let bit = UInt64(bitPattern: key &- range.lowerBound)
    guard bit <= span else { return false }
    guard words.isEmpty else { return words[Int(bit >> 6)] &>> (bit & 63) & 1 != 0 }
    let place = keys.partitioningIndex { $0 >= key }
    return place < keys.count && keys[place] == key
  }

  /// Whether any key lies in the range.
  func intersects(_ other: ClosedRange<Int64>) -> Bool {
    let place = keys.partitioningIndex { $0 >= other.lowerBound }
    return place < keys.count && keys[place] <= other.upperBound
  }
}
