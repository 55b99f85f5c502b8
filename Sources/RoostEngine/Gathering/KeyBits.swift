/// Which object keys were seen, of those in a column that only grows: a bit each from the lowest to the highest.
///
/// Answers for keys in whatever order they came from an eighth of a byte for each number between them. Where
/// that is much for as few keys as there are, any key may have been seen.
struct KeyBits: ~Copyable {
  private var words = PlainBuffer<UInt64>()
  /// The number of the first word: its keys by 64.
  private var firstWord: Int64 = 0
  /// How many of the keys have their bit.
  private var seenCount = 0
  /// So many keys there must be before the bits are tried again.
  private var neededCount = 0

  /// So many keys take a hash table no longer.
  private static let keysMin = 64
  /// The bits may take so many words for each key.
  private static let wordsPerKeyMax = 4

  /// Forgets all keys.
  mutating func removeAll() {
    if seenCount > 0 || neededCount > 0 { self = KeyBits() }
  }

  /// Whether a key may be one of the column's.
  @inline(__always)
  mutating func mayHold(_ key: Int64, among keys: ColumnBuffer) -> Bool {
    if seenCount < keys.count, !see(keys) { return true }
    // A word before the first one is farther than the last, counted modulo 2^64.
    let word = UInt64(bitPattern: key >> 6 &- firstWord)
    guard word < UInt64(words.count) else { return false }
    return words[Int(word)] &>> UInt64(bitPattern: key & 63) & 1 != 0
  }

  /// Sets the bits of keys that came since; false where they would take too much.
  @inline(never)
  private mutating func see(_ keys: ColumnBuffer) -> Bool {
    guard keys.count >= neededCount else { return false }
    guard keys.count >= Self.keysMin, makeRoom(for: keys) else {
      neededCount = max(Self.keysMin, keys.count * 2)
      return false
    }
    for row in seenCount..<keys.count {
      let key = keys.integer(row)
      words[Int(key >> 6 &- firstWord)] |= 1 &<< UInt64(bitPattern: key & 63)
    }
    seenCount = keys.count
    return true
  }

  /// Makes room for the words of all keys; false where they would be too many.
  private mutating func makeRoom(for keys: ColumnBuffer) -> Bool {
    var low = words.isEmpty ? Int64.max : firstWord
    var high = words.isEmpty ? Int64.min : firstWord + Int64(words.count - 1)
    for row in seenCount..<keys.count {
      low = min(low, keys.integer(row) >> 6)
      high = max(high, keys.integer(row) >> 6)
    }
    // Numbers of words have 58 bits, so that nothing overflows.
    let needed = high - low + 1
    guard needed > words.count else { return true }
    guard needed <= keys.count * Self.wordsPerKeyMax else { return false }
    // Half as much on either side, so that keys which go on do not move the bits each time.
    var grown = PlainBuffer<UInt64>()
    grown.resize(to: Int(needed) * 2, filling: 0)
    let first = low - needed / 2
    for word in 0..<words.count { grown[Int(firstWord - first) + word] = words[word] }
    words = grown
    firstWord = first
    return true
  }
}
