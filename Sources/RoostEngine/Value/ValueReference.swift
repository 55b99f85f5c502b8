/// The position, length and first bytes of a value outside its leaf.
///
/// A reference in a cell to a value of more than 1024 bytes outside the leaf (Format.md §3).
@usableFromInline
package struct ValueReference: Hashable, Sendable {
  /// The bytes of a stored reference.
  package static let byteCount = 48
  /// The number of the value's first bytes that a reference stores.
  static let prefixByteCount = 16
  /// The length of the longest value that lies in its leaf.
  package static let inlineByteCountMax = 1024

  /// The extent that holds the value, or the list of its chunks.
  package var pointer: ExtentPointer
  /// The length of the value in bytes.
  package var length: UInt64
  /// The value's first 16 bytes as two big-endian numbers, so that they sort like the bytes.
  package var prefix: (high: UInt64, low: UInt64) { (prefixHigh, prefixLow) }

  private var prefixHigh: UInt64
  private var prefixLow: UInt64

  /// A reference to a value that begins with `prefix`; the first 16 bytes are stored.
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

  /// Whether these first bytes of a value, at least 16, match the reference's prefix.
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
