/// A value in index order: bytes whose unsigned order is the order of the values.
///
/// The first byte is 0 for null and 1 for a value; Format.md §4 describes the rest. The
/// buffer is reused for the next value, so one key can serve for many values.
package struct IndexKey: Equatable, Sendable {
  /// The maximum key length: the tag and 1023 bytes of the value.
  package static let byteCountMax = 1024

  /// The bytes.
  package private(set) var bytes: [UInt8]
  /// Whether the value was longer than a key can be.
  ///
  /// Values with equal beginnings then share a key: an entry is a candidate that the query must test again.
  package private(set) var isTruncated = false

  /// The key of null.
  package init() {
    bytes = [Tag.null]
    bytes.reserveCapacity(32)
  }

  /// The key of null.
  package mutating func setNull() {
    reset(Tag.null)
  }

  /// The key of an integer: eight bytes, the highest first, with the sign bit flipped.
  package mutating func set(_ value: Int64) {
    set(fixed: UInt64(bitPattern: value) ^ (1 << 63))
  }

  /// The key of a double; −0 equals 0, and every NaN is one value above all others.
  package mutating func set(_ value: Double) {
    let bits = (value == 0 ? 0.0 : value).bitPattern
    let isNegative = bits >> 63 == 1
    set(fixed: value.isNaN ? UInt64.max : isNegative ? ~bits : bits | (1 << 63))
  }

  /// The key of a float, as a double's but four bytes long.
  package mutating func set(_ value: Float) {
    let bits = (value == 0 ? 0.0 : value).bitPattern
    let isNegative = bits >> 31 == 1
    set(fixed: value.isNaN ? UInt32.max : isNegative ? ~bits : bits | (1 << 31))
  }

  /// The key of a UUID, given as two big-endian halves.
  package mutating func set(uuid high: UInt64, _ low: UInt64) {
    set(fixed: UInt128(high) << 64 | UInt128(low))
  }

  /// The key of bytes: their first 1023.
  @inline(never)
  package mutating func set(_ value: ByteView) {
    reset(Tag.value)
    let room = Self.byteCountMax - 1
    isTruncated = value.count > room
    bytes.append(value.slice(0, min(value.count, room)))
  }

  /// The key of bytes: their first 1023.
  package mutating func set(_ value: [UInt8]) {
    value.withByteView { set($0) }
  }

  /// The key of several values, whose bytes `append` concatenates: the first 1024 of them.
  mutating func set(parts append: (inout [UInt8]) -> Void) {
    bytes.removeAll(keepingCapacity: true)
    append(&bytes)
    isTruncated = bytes.count > Self.byteCountMax
    if isTruncated { bytes.removeLast(bytes.count - Self.byteCountMax) }
  }

  /// Appends a number to the key: a longer key sorts right behind its prefix.
  mutating func append(_ number: UInt64) {
    bytes.append(bytesOf: number.bigEndian)
  }

  /// Calls `body` with the bytes in place.
  @inline(__always)
  package func withView<R, E: Error>(_ body: (ByteView) throws(E) -> R) throws(E) -> R {
    try bytes.withByteView(body)
  }

  private enum Tag {
    static let null: UInt8 = 0
    static let value: UInt8 = 1
  }

  /// Makes the key a tag, followed by zeros where it is to be longer.
  @inline(never)
  private mutating func reset(_ tag: UInt8, count: Int = 1) {
    isTruncated = false
    bytes.removeAll(keepingCapacity: true)
    bytes.append(tag)
    for _ in 1..<count { bytes.append(0) }
  }

  /// Stores a number, the highest byte first; overwrites the last key in place if that had the same length.
  @inline(__always)
  private mutating func set<T: FixedWidthInteger & BitwiseCopyable>(fixed value: T) {
    let count = 1 + MemoryLayout<T>.size
    if bytes.count != count || isTruncated {
      reset(Tag.value, count: count)
    }
    bytes.withMutableByteView { bytes in
      bytes.store(Tag.value, at: 0)
      // A view stores little-endian.
      bytes.store(value.byteSwapped, at: 1)
    }
  }
}
