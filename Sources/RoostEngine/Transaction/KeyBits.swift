/// Which object keys were seen: a bit each, in blocks of neighbouring keys.
///
/// Answers for keys that lie close together, in whatever order they come, from a few kilobytes. Where keys
/// lie far apart blocks would be nearly empty: then it gives up, and any key may have been seen.
struct KeyBits: ~Copyable {
  /// The numbers of the blocks that are there, in the order of their bits.
  private let blocks = KeyLog()
  private var words = PlainBuffer<UInt64>()
  private var count = 0
  private var gaveUp = false

  private static let blockBits: Int64 = 12
  private static let wordsPerBlock = 1 << (blockBits - 6)
  /// From so many blocks on each must hold so many keys on average.
  private static let blocksMin = 4096
  private static let keysPerBlockMin = 8

  /// Forgets all keys.
  mutating func removeAll() { self = KeyBits() }

  /// Whether a key may have been seen.
  func mayHold(_ key: Int64) -> Bool {
    guard !gaveUp else { return true }
    guard let block = blocks.row(of: key >> Self.blockBits) else { return false }
    let (word, bit) = place(of: key, in: block)
    return words[word] & bit != 0
  }

  /// Notes that a key was seen.
  mutating func insert(_ key: Int64) {
    guard !gaveUp else { return }
    count += 1
    let block: Int
    if let known = blocks.row(of: key >> Self.blockBits) {
      block = known
    } else {
      block = blocks.count
      guard block < Self.blocksMin || count >= block * Self.keysPerBlockMin else {
        words = PlainBuffer<UInt64>()
        blocks.removeAll()
        gaveUp = true
        return
      }
      blocks.append(key >> Self.blockBits)
      words.resize(to: (block + 1) * Self.wordsPerBlock, filling: 0)
    }
    let (word, bit) = place(of: key, in: block)
    words[word] |= bit
  }

  @inline(__always)
  private func place(of key: Int64, in block: Int) -> (word: Int, bit: UInt64) {
    let place = Int(truncatingIfNeeded: key) & (1 << Int(Self.blockBits) - 1)
    return (block * Self.wordsPerBlock + place / 64, 1 << UInt64(place % 64))
  }
}
