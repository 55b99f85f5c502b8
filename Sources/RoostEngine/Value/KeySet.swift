/// A set of object keys: a bit for each number between the first and the last where they lie close together, else a
/// sorted array.
package final class KeySet: Sendable {
  /// The smallest and the largest key; of an empty set, a range that holds nothing of use.
  let range: ClosedRange<Int64>
  /// The keys, ascending.
  let keys: [Int64]
  /// The distance of the last key from the first.
  private let span: UInt64
  /// A bit for each key of `range`; empty where they lie too far apart.
  private let words: [UInt64]

  /// A bitmap may take this many bits for each key.
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

  /// How many keys there are.
  package var count: Int { keys.count }

  /// Whether the key is in the set.
  @inline(__always)
  package func contains(_ key: Int64) -> Bool {
    // A key before the first one is farther than the last, counted modulo 2^64.
    let bit = UInt64(bitPattern: key &- range.lowerBound)
    guard bit <= span else { return false }
    guard words.isEmpty else { return words[Int(bit >> 6)] &>> (bit & 63) & 1 != 0 }
    let place = keys.partitioningIndex { $0 >= key }
    return place < keys.count && keys[place] == key
  }

  /// Whether some key lies in the range.
  func intersects(_ other: ClosedRange<Int64>) -> Bool {
    let place = keys.partitioningIndex { $0 >= other.lowerBound }
    return place < keys.count && keys[place] <= other.upperBound
  }
}
