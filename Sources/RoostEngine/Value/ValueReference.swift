/// Where a value that lies outside its leaf is, how long it is, and how it begins.
///
/// A reference in a cell to a value of more than 1024 bytes outside the leaf (Format.md §3).
@usableFromInline
package struct ValueReference: Hashable, Sendable {
  /// The bytes of a stored reference.
  package static let byteCount = 48
  /// The bytes of the value that a reference repeats.
  static let prefixByteCount = 16
  /// The longest value that lies in its leaf.
  package static let inlineByteCountMax = 1024

  /// The extent that holds the value, or the list of its chunks.
  package var pointer: ExtentPointer
  /// The length of the value in bytes.
  package var length: UInt64
  /// The value's first 16 bytes as two big-endian numbers, so that they sort as the bytes do.
  package var prefix: (high: UInt64, low: UInt64) { (prefixHigh, prefixLow) }

  private var prefixHigh: UInt64
  private var prefixLow: UInt64

  /// A reference to a value that begins with `prefix`, of which the first 16 bytes are kept.
  package init(pointer: ExtentPointer, length: UInt64, prefix: ByteView) {
    self.pointer = pointer
    self.length = length
    prefixHigh = prefix.bigEndianPrefix(at: 0)
    prefixLow = prefix.bigEndianPrefix(at: 8)
  }

  /// Reads the reference at `offset`; its 48 bytes must lie in the view.
  package init(_ bytes: ByteView, at offset: Int) {
    pointer = ExtentPointer(bytes, at: offset)
    length = bytes.uint64(at: offset + 24)
    prefixHigh = bytes.uint64(at: offset + 32).byteSwapped
    prefixLow = bytes.uint64(at: offset + 40).byteSwapped
  }

  /// Whether a value that begins with these bytes, at least 16, begins as the reference says.
  func hasPrefix(of bytes: ByteView) -> Bool {
    prefix == (bytes.bigEndianPrefix(at: 0), bytes.bigEndianPrefix(at: 8))
  }

  /// Writes the reference at `offset`.
  package func store(in bytes: MutableByteView, at offset: Int) {
    pointer.store(in: bytes, at: offset)
    bytes.store(length, at: offset + 24)
    bytes.store(prefixHigh.byteSwapped, at: offset + 32)
    bytes.store(prefixLow.byteSwapped, at: offset + 40)
  }
}
