/// A set of object keys: what a condition on a link's targets comes down to.
///
/// A bitmap where the keys lie close together, else a sorted array.
final class KeySet: Sendable {
  /// The smallest and the largest key; of an empty set, a range that holds nothing of use.
  let range: ClosedRange<Int64>
  /// The keys, ascending.
  let keys: [Int64]
  /// A bit for each key of `range`; empty where they lie too far apart.
  private let words: [UInt64]

  /// A bitmap may take this many bits for each key.
  private static let bitsPerKeyMax: UInt64 = 64

  /// - Parameter keys: Strictly ascending.
  init(_ keys: [Int64]) {
    self.keys = keys
    guard let first = keys.first, let last = keys.last else {
      range = 0...0
      words = []
      return
    }
    range = first...last
    let span = UInt64(bitPattern: last &- first)
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
  var count: Int { keys.count }

  /// Whether the key is in the set.
  @inline(__always)
  func contains(_ key: Int64) -> Bool {
    guard range.contains(key) else { return false }
    guard words.isEmpty else {
      let bit = UInt64(bitPattern: key &- range.lowerBound)
      return words[Int(truncatingIfNeeded: bit >> 6)] &>> (bit & 63) & 1 != 0
    }
    let place = keys.partitioningIndex { $0 >= key }
    return place < keys.count && keys[place] == key
  }

  /// Whether some key lies in the range.
  func intersects(_ other: ClosedRange<Int64>) -> Bool {
    let place = keys.partitioningIndex { $0 >= other.lowerBound }
    return place < keys.count && keys[place] <= other.upperBound
  }
}
