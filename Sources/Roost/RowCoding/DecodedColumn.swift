internal import RoostEngine

/// The values of a leaf's column, decoded to memory for a walk over many rows, so that reading a value takes no call
/// and no arithmetic.
///
/// Numbers lie one after the other in their stored width: a program's own code reads them. Texts are stored as
/// the address of the column's heap, then a word for each row: the offset of its first byte in the lower half, the offset
/// behind its last byte in the upper half. Only columns without nulls and without values outside the leaf are decoded.
///
/// A ``CellColumn``'s word is the memory's address with the tag 4 for numbers, 5 for texts.
@usableFromInline
enum DecodedColumn {
  /// Decodes a column; nil if it has nulls, values outside its leaf, or UUIDs, which are not encoded.
  static func make(_ chunk: UnownedChunk) -> CellColumn? {
    guard !chunk.column.hasNulls else { return nil }
    let count = chunk.column.rowCount
    // A word for each row, and one for the heap: the decoders below write no more.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: (count + 1) * 8, alignment: 8)
    let address = UInt(bitPattern: memory)
    switch chunk.column.type {
    case .integer: unsafe chunk.column.decode(0..<count, into: elements(memory, Int64.self, count))
    case .double: unsafe chunk.column.decode(0..<count, into: elements(memory, Double.self, count))
    case .float: unsafe chunk.column.decode(0..<count, into: elements(memory, Float.self, count))
    case .bytes:
      let words = unsafe elements(memory, UInt64.self, count + 1)
      if let heap = unsafe chunk.column.decodeTexts(0..<count, into: words + 1) {
        unsafe words.pointee = UInt64(UInt(bitPattern: heap))
        return CellColumn(word: address | 5)
      }
      unsafe memory.deallocate()
      return nil
    case .uuid:
      unsafe memory.deallocate()
      return nil
    }
    return CellColumn(word: address | 4)
  }

  /// Whether the word is that of decoded texts.
  static func isText(_ word: UInt) -> Bool { word & 7 == 5 }

  /// The number of a row in the column of a word; nil for a word of any other column.
  ///
  /// - Parameter row: One of the leaf's, as in every ``_Cell``.
  @inlinable @_transparent
  static func number<Number: BitwiseCopyable>(_ word: UInt, row: Int, as: Number.Type) -> Number? {
    guard word & 7 == 4 else { return nil }
    // The memory has a number of the field's type, which is the caller's, for each row.
    return unsafe UnsafePointer<Number>(bitPattern: word & ~7).unsafelyUnwrapped[row]
  }

  /// The bytes of a text in the column of a word, as long as the leaf; nil for a word of any other column.
  ///
  /// - Parameter row: One of the leaf's, as in every ``_Cell``.
  @inlinable @_transparent
  static func text(_ word: UInt, row: Int) -> UnsafeRawBufferPointer? {
    guard word & 7 == 5 else { return nil }
    // The memory has the heap's address, and then a word for each row.
    let words = unsafe UnsafePointer<UInt64>(bitPattern: word & ~7).unsafelyUnwrapped
    let span = unsafe words[row &+ 1]
    let start = Int(truncatingIfNeeded: span & 0xFFFF_FFFF)
    let heap = unsafe UnsafeRawPointer(bitPattern: UInt(truncatingIfNeeded: words.pointee))
    return unsafe UnsafeRawBufferPointer(
      start: heap.unsafelyUnwrapped + start, count: Int(truncatingIfNeeded: span &>> 32) &- start)
  }
}

/// Memory for plain elements of one type.
private func elements<Element: BitwiseCopyable>(
  _ memory: UnsafeMutableRawPointer, _ type: Element.Type, _ count: Int
) -> UnsafeMutablePointer<Element> {
  unsafe memory.bindMemory(to: Element.self, capacity: count)
}
