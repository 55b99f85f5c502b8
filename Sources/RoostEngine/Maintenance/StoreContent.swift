/// Digests of a version's tables and indexes, by their trees.
struct StoreContent {
  /// Random for every copy, so that an attacker cannot choose entries that cancel each other out.
  let seed = UInt64.random(in: .min ... .max)
  var objects: [UInt32: Objects] = [:]
  var indexes: [UInt32: IndexDigest] = [:]

  /// The digest of a table's objects.
  struct Objects {
    let digest: UInt64
    /// The first keys of the leaves that were copied unchanged, ascending.
    let movedLeaves: [Int64]
  }
}

/// A digest of a set of index entries, independent of their order.
struct IndexDigest: Equatable {
  private let seed: UInt64
  private var count: UInt64 = 0
  private var sum: UInt64 = 0

  /// No entries; digests are compared that have one seed.
  init(seed: UInt64) { self.seed = seed }

  /// Adds an entry, given the hash of its value.
  @inline(__always)
  mutating func add(_ hash: UInt64, _ key: Int64) {
    count &+= 1
    sum &+= Self.mix(hash, key, seed: seed)
  }

  /// A hash that almost no other entry shares, given the hash of the entry's value.
  @inline(__always)
  static func mix(_ hash: UInt64, _ key: Int64, seed: UInt64) -> UInt64 {
    let mixed = (hash ^ seed).multipliedFullWidth(
      by: UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15 | 1)
    let folded = (mixed.high ^ mixed.low &+ UInt64(bitPattern: key))
      .multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return folded.high ^ folded.low
  }
}
