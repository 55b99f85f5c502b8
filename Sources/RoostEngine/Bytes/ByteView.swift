/// A read-only view of bytes whose owner keeps them alive.
///
/// Loads are little-endian and need no alignment.
/// Invariant: a view is used only while its owner (a frame, a buffer) is held; every type that stores
/// a view also stores the owner. Offsets come from structures that were validated when they were
/// loaded, so an offset outside the view is a mistake in the engine: it ends the program in every build instead of
/// reading foreign memory.
@safe
@frozen
@usableFromInline
package struct ByteView: @unchecked Sendable {
  /// The first byte.
  @usableFromInline let base: UnsafeRawPointer
  /// The number of bytes in the view.
  @usableFromInline package let count: Int

  /// An empty view.
  @inlinable package init() {
    unsafe base = UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
    count = 0
  }

  /// A view of `count` bytes from `base`.
  @inlinable package init(base: UnsafeRawPointer, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  /// A view of a buffer's bytes.
  @inlinable package init(_ buffer: UnsafeRawBufferPointer) {
    if let start = buffer.baseAddress {
      unsafe self.init(base: start, count: buffer.count)
    } else {
      self.init()
    }
  }

  /// A view of a literal's bytes, which are never freed.
  @inlinable package init(_ literal: StaticString) {
    unsafe self.init(base: UnsafeRawPointer(literal.utf8Start), count: literal.utf8CodeUnitCount)
  }

  /// The integer stored at `offset`, little-endian.
  @inlinable @_transparent
  package func load<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type) -> T {
    precondition(offset >= 0 && offset <= count &- MemoryLayout<T>.size, "Load outside the view.")
    return unsafe T(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// The integer stored at `offset`, little-endian, for loops whose bounds are checked before them.
  ///
  /// - Parameter offset: Inside of the view with all of the integer's bytes: say beside the call why it is.
  @unsafe
  @inlinable @_transparent
  package func uncheckedLoad<T: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: T.Type
  ) -> T {
    assert(offset >= 0 && offset <= count &- MemoryLayout<T>.size, "Load outside the view.")
    return unsafe T(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// The byte stored at `offset`.
  @inlinable @_transparent package func uint8(at offset: Int) -> UInt8 {
    load(at: offset, as: UInt8.self)
  }
  /// The unsigned 16-bit integer stored at `offset`.
  @inlinable @_transparent package func uint16(at offset: Int) -> UInt16 {
    load(at: offset, as: UInt16.self)
  }
  /// The unsigned 32-bit integer stored at `offset`.
  @inlinable @_transparent package func uint32(at offset: Int) -> UInt32 {
    load(at: offset, as: UInt32.self)
  }
  /// The unsigned 64-bit integer stored at `offset`.
  @inlinable @_transparent package func uint64(at offset: Int) -> UInt64 {
    load(at: offset, as: UInt64.self)
  }
  /// The signed 64-bit integer stored at `offset`.
  @inlinable @_transparent package func int64(at offset: Int) -> Int64 {
    load(at: offset, as: Int64.self)
  }

  /// The part of the view from `offset` on, `count` bytes long.
  @inlinable @_transparent package func slice(_ offset: Int, _ count: Int) -> ByteView {
    precondition(
      offset >= 0 && count >= 0 && count <= self.count && offset <= self.count &- count,
      "Slice outside the view.")
    return unsafe ByteView(base: base + offset, count: count)
  }

  /// The part of the view from `offset` on, `count` bytes long; nil if it does not lie inside the view.
  ///
  /// For offsets and lengths that come from a file.
  @inlinable package func checkedSlice(_ offset: Int, _ count: Int) -> ByteView? {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
      return nil
    }
    return unsafe ByteView(base: base + offset, count: count)
  }

  /// The offset of these bytes in a view that contains them.
  package func offset(in whole: ByteView) -> Int { unsafe base - whole.base }

  /// Calls `body` with the bytes in place.
  @inlinable package func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Whether one of the bytes is this one.
  package func contains(_ byte: UInt8) -> Bool {
    unsafe UnsafeRawBufferPointer(start: base, count: count).contains(byte)
  }

  /// A copy of the bytes.
  package var array: [UInt8] { unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: count)) }

  /// The text whose UTF-8 the bytes are; invalid bytes become U+FFFD.
  @inlinable package var string: String {
    let bytes = unsafe base.assumingMemoryBound(to: UInt8.self)
    return unsafe String(
      decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// Whether all bytes are below 128.
  package var isASCII: Bool {
    var bits: UInt64 = 0
    var place = 0
    while place &+ 8 <= count {
      bits |= uint64(at: place)
      place &+= 8
    }
    while place < count {
      bits |= UInt64(uint8(at: place))
      place &+= 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// The text whose UTF-8 the bytes are; nil if they are not UTF-8.
  package var validString: String? {
    // Most texts are ASCII, and need no other check.
    if isASCII { return string }
    return unsafe withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
  }

  /// Whether two views hold the same bytes.
  package func bytesEqual(_ other: ByteView) -> Bool {
    unsafe count == other.count && compareBytes(base, other.base, count) == 0
  }

  /// Whether the bytes sort before the other's, as unsigned bytes; a prefix sorts before a longer view.
  package func precedes(_ other: ByteView) -> Bool { compare(other) < 0 }

  /// Negative, zero or positive if the bytes sort before, equal to or after the other's.
  package func compare(_ other: ByteView) -> Int {
    let order = unsafe compareBytes(base, other.base, min(count, other.count))
    return order != 0 ? order : count - other.count
  }
}

/// A writable view of bytes.
///
/// The invariant of ``ByteView`` applies.
@safe
@frozen
@usableFromInline
package struct MutableByteView {
  @usableFromInline let base: UnsafeMutableRawPointer
  /// The number of bytes in the view.
  @usableFromInline package let count: Int

  /// A view of `count` bytes from `base`.
  @inlinable package init(base: UnsafeMutableRawPointer, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  /// A view of a buffer's bytes.
  @inlinable package init(_ buffer: UnsafeMutableRawBufferPointer) {
    // The base of an empty view is never dereferenced.
    let start =
      unsafe buffer.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped
    unsafe self.init(base: start, count: buffer.count)
  }

  /// The same bytes, read-only.
  @inlinable package var readOnly: ByteView { unsafe ByteView(base: base, count: count) }

  /// Stores an integer at `offset`, little-endian.
  @inlinable @_transparent
  package func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
    precondition(offset >= 0 && offset <= count &- MemoryLayout<T>.size, "Store outside the view.")
    unsafe base.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
  }

  /// Copies bytes to `offset`.
  @inlinable package func copy(_ bytes: ByteView, at offset: Int) {
    precondition(offset >= 0 && offset <= count &- bytes.count, "Copy outside the view.")
    unsafe (base + offset).copyMemory(from: bytes.base, byteCount: bytes.count)
  }

  /// The part of the view from `offset` on, `count` bytes long.
  @inlinable package func slice(_ offset: Int, _ count: Int) -> MutableByteView {
    precondition(
      offset >= 0 && count >= 0 && count <= self.count && offset <= self.count &- count,
      "Slice outside the view.")
    return unsafe MutableByteView(base: base + offset, count: count)
  }

  /// Sets all bytes to zero.
  package func zero() { unsafe zeroBytes(base, count) }
}
