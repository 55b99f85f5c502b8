/// Finds the entries of an index that no object should have, in bounded memory.
///
/// Entries are spread over buckets by a hash. Expected and existing entries are counted, and only if
/// a bucket differs its entries are compared one by one.
struct OrphanEntrySearch {
  private let seed: UInt64
  private var asked: [IndexDigest]
  private var found: [IndexDigest]
  /// The number of expected entries in each bucket.
  private var askedCounts: [UInt64]
  /// Whether a bucket's entries are compared one by one.
  private var isSearched: [Bool] = []
  /// What the entries of those buckets that are asked for amount to.
  private var known: Set<UInt64> = []

  private static let bucketBits = 14
  private static let bucketCount = 1 << bucketBits
  /// The maximum of entries that are compared one by one.
  private static let knownMax: UInt64 = 1 << 20

  /// A search in an index; its hashes depend on the seed.
  init(seed: UInt64) {
    self.seed = seed
    asked = [IndexDigest](repeating: IndexDigest(seed: seed), count: Self.bucketCount)
    found = asked
    askedCounts = [UInt64](repeating: 0, count: Self.bucketCount)
  }

  private func bucket(_ hash: UInt64, _ object: Int64) -> Int {
    Int(
      truncatingIfNeeded: IndexDigest.mix(hash, object, seed: seed) >> UInt64(64 - Self.bucketBits))
  }

  /// Counts an expected entry of an object.
  mutating func count(asked hash: UInt64, _ object: Int64) {
    let bucket = bucket(hash, object)
    asked[bucket].add(hash, object)
    askedCounts[bucket] += 1
  }

  /// Counts an entry of the index.
  mutating func count(found hash: UInt64, _ object: Int64) {
    found[bucket(hash, object)].add(hash, object)
  }

  /// Chooses the buckets whose entries are compared, when all are counted.
  ///
  /// - Returns: Whether some differ that are not looked at, for their entries are too many.
  mutating func narrow() -> Bool {
    var left = Self.knownMax
    var isCut = false
    isSearched = (0..<Self.bucketCount).map { bucket in
      guard asked[bucket] != found[bucket] else { return false }
      guard askedCounts[bucket] <= left else {
        isCut = true
        return false
      }
      left -= askedCounts[bucket]
      return true
    }
    return isCut
  }

  /// Notes an expected entry of an object.
  mutating func note(asked hash: UInt64, _ object: Int64) {
    let mixed = IndexDigest.mix(hash, object, seed: seed)
    if isSearched[Int(truncatingIfNeeded: mixed >> UInt64(64 - Self.bucketBits))] {
      known.insert(mixed)
    }
  }

  /// Whether an entry of the index is one that no object asks for, as far as its bucket is looked at.
  func isStray(_ hash: UInt64, _ object: Int64) -> Bool {
    let mixed = IndexDigest.mix(hash, object, seed: seed)
    return isSearched[Int(truncatingIfNeeded: mixed >> UInt64(64 - Self.bucketBits))]
      && !known.contains(mixed)
  }
}
