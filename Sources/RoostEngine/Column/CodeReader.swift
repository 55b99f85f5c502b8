/// Extracts a code of any width from a column without a branch.
///
/// Codes whose width divides 64 never cross a word, and parts are padded to whole words; codes of the other
/// widths begin at a byte and are followed by 8 bytes of slack (Format.md §3). So one 8-byte load always
/// contains the whole code.
@frozen
@usableFromInline
struct CodeReader: Sendable {
  /// Bits of a code; also 0 for a column without codes, where every code reads as 0.
  @usableFromInline let width: Int
  @usableFromInline let mask: UInt64
  @usableFromInline let addressMask: Int
  @usableFromInline let shiftMask: Int

  init(width: Int) {
    let isWhole = width > 0 && width <= 64 && 64 % width == 0
    self.width = width
    mask = width >= 64 ? ~0 : (1 &<< UInt64(width)) &- 1
    addressMask = isWhole ? ~7 : ~0
    shiftMask = isWhole ? 63 : 0
  }

  @inlinable @inline(__always)
  func code(_ row: Int, in cells: ByteView) -> UInt64 {
    let bit = row &* width
    return part(of: cells.uint64(at: (bit &>> 3) & addressMask), bit)
  }

  /// As ``code(_:in:)``, without a check of the cells' bounds.
  ///
  /// - Parameter row: One of the rows of the column that the cells belong to, which is why they hold its code: say beside
  ///   the call where the row was compared.
  @unsafe
  @inlinable @inline(__always)
  func uncheckedCode(_ row: Int, in cells: ByteView) -> UInt64 {
    let bit = row &* width
    return part(
      of: unsafe cells.uncheckedLoad(at: (bit &>> 3) & addressMask, as: UInt64.self), bit)
  }

  @inlinable @inline(__always)
  func part(of word: UInt64, _ bit: Int) -> UInt64 {
    word &>> UInt64(truncatingIfNeeded: bit & shiftMask) & mask
  }
}

/// Zeros in place of the parts that a column lacks.
enum Zeros {
  /// As many bytes as the bitmap of the largest leaf.
  static let view: ByteView = {
    let byteCount = ColumnLayout.rowCountMax / 8
    let zeros = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
    unsafe _ = zeros.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    return unsafe ByteView(base: zeros, count: byteCount)
  }()
}
