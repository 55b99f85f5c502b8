/// Bytes in two parts: the prefix that all values of a node share, and the rest of one value.
struct SplitBytes {
  let prefix: ByteView
  let suffix: ByteView

  @inline(__always)
  init(_ prefix: ByteView, _ suffix: ByteView) {
    self.prefix = prefix
    self.suffix = suffix
  }

  /// Bytes in one part.
  @inline(__always)
  init(_ bytes: ByteView) {
    self.init(ByteView(), bytes)
  }

  var count: Int { prefix.count + suffix.count }

  /// Negative, zero or positive as the bytes sort before, with or after the other's.
  @inline(__always)
  func compare(_ other: ByteView) -> Int {
    guard prefix.count > 0 else { return suffix.compare(other) }
    let shared = min(prefix.count, other.count)
    let order = prefix.slice(0, shared).compare(other.slice(0, shared))
    if order != 0 { return order }
    guard shared == prefix.count else { return 1 }
    return suffix.compare(other.slice(shared, other.count - shared))
  }

  /// Negative, zero or positive as the bytes sort before, with or after the other's.
  func compare(_ other: SplitBytes) -> Int {
    guard prefix.count > 0 else { return -other.compare(suffix) }
    guard other.prefix.count > 0 else { return compare(other.suffix) }
    let shared = min(prefix.count, other.prefix.count)
    let order = prefix.slice(0, shared).compare(other.prefix.slice(0, shared))
    if order != 0 { return order }
    return dropping(shared).compare(other.dropping(shared))
  }

  /// The bytes after the first `count`, which lie in the prefix.
  private func dropping(_ count: Int) -> SplitBytes {
    SplitBytes(prefix.slice(count, prefix.count - count), suffix)
  }

  /// A copy of the bytes.
  var array: [UInt8] { prefix.array + suffix.array }
}

extension ByteView {
  /// The length of the common prefix of the view and another.
  func sharedPrefix(with other: ByteView) -> Int {
    let limit = min(count, other.count)
    var shared = 0
    while shared + 8 <= limit {
      let difference = uint64(at: shared) ^ other.uint64(at: shared)
      if difference != 0 { return shared + difference.trailingZeroBitCount / 8 }
      shared += 8
    }
    while shared < limit, uint8(at: shared) == other.uint8(at: shared) { shared += 1 }
    return shared
  }
}

/// The position of a value relative to all values with a node's prefix.
enum PrefixOrder {
  case before
  case among
  case after

  /// - Parameter node: Holds at least eight bytes from the prefix's first on.
  @inline(__always)
  init(of value: ByteView, in node: ByteView, prefixAt offset: Int, _ count: Int) {
    if count <= 8, value.count >= 8 {
      // Masks the bytes behind the prefix.
      let mask = count == 0 ? 0 : UInt64.max << UInt64(truncatingIfNeeded: 64 &- 8 &* count)
      let prefix = node.uint64(at: offset).byteSwapped & mask
      let start = value.uint64(at: 0).byteSwapped & mask
      self = prefix == start ? .among : prefix < start ? .after : .before
      return
    }
    if count > 8, value.count >= 8 {
      let prefix = node.uint64(at: offset).byteSwapped
      let start = value.uint64(at: 0).byteSwapped
      guard prefix == start else {
        self = prefix < start ? .after : .before
        return
      }
    }
    let shared = min(count, value.count)
    let order = node.slice(offset, shared).compare(value.slice(0, shared))
    self = order < 0 ? .after : order == 0 && shared == count ? .among : .before
  }
}

/// Bytes to search for, with their first eight as one number, so that most comparisons are of numbers.
struct ProbeBytes {
  let bytes: ByteView
  /// The first eight bytes, padded with zeros, as a number with the same order.
  let chunk: UInt64

  /// The bytes of a value after the first `offset`.
  @inline(__always)
  init(_ value: ByteView, after offset: Int) {
    bytes = value.slice(offset, value.count - offset)
    if bytes.count >= 8 {
      chunk = bytes.uint64(at: 0).byteSwapped
    } else if value.count >= 8 {
      // The last bytes of the value, without the bytes before.
      let last = value.uint64(at: value.count - 8).byteSwapped
      chunk =
        bytes.count == 0 ? 0 : last << UInt64(truncatingIfNeeded: 64 &- 8 &* bytes.count)
    } else {
      var chunk: UInt64 = 0
      for offset in 0..<bytes.count {
        chunk |= UInt64(bytes.uint8(at: offset)) << (56 - 8 * offset)
      }
      self.chunk = chunk
    }
  }

  /// Negative, zero or positive as part of a node sorts before, with or after the bytes.
  ///
  /// - Parameter node: Holds at least eight bytes from the part's first on.
  @inline(__always)
  func compare(_ node: ByteView, _ offset: Int, _ count: Int) -> Int {
    let other = Self.chunk(node, offset, count)
    if other != chunk { return other < chunk ? -1 : 1 }
    if count <= 8, bytes.count <= 8 { return count &- bytes.count }
    return node.slice(offset, count).compare(bytes)
  }

  /// The first eight bytes of part of a node as a number.
  ///
  /// - Parameter node: Holds at least eight bytes from the part's first on.
  @inline(__always)
  static func chunk(_ node: ByteView, _ offset: Int, _ count: Int) -> UInt64 {
    let chunk = node.uint64(at: offset).byteSwapped
    // Masks the bytes behind the part.
    return count < 8 ? chunk & ~(UInt64.max >> (8 &* UInt64(count))) : chunk
  }
}

/// The separator of two neighbours: entries of the left one lie before it, those of the right one do not.
struct IndexSeparator {
  let bytes: SplitBytes
  /// The least object key behind the separator, for entries whose value equals `bytes`.
  let key: Int64
}

extension IndexSeparator {
  /// Whether the separator lies before another.
  func precedes(_ other: IndexSeparator) -> Bool {
    let order = bytes.compare(other.bytes)
    return order < 0 || (order == 0 && key < other.key)
  }
}
