internal import RoostEngine

/// The values of a leaf's column, decoded to memory for a walk over many rows, so that reading a value takes no call
/// and no arithmetic.
///
/// Numbers lie one after the other in their stored width: a program's own code reads them. Texts are stored as
/// the address of the column's heap, then a word for each row: the offset of its first byte in the lower half, the offset
/// behind its last byte in the upper half. Only columns without nulls and without values outside the leaf are decoded.
enum DecodedColumn {
  /// Decodes a column; nil if it has nulls, values outside its leaf, or UUIDs, which are not encoded.
  static func make(_ chunk: UnsafePointer<ColumnChunk>) -> CellColumn? {
    guard unsafe !chunk.pointee.hasNulls else { return nil }
    let count = unsafe chunk.pointee.rowCount
    let memory = UnsafeMutableRawPointer.allocate(byteCount: (count + 1) * 8, alignment: 8)
    switch unsafe chunk.pointee.type {
    case .integer:
      unsafe chunk.pointee.decode(
        0..<count, into: memory.bindMemory(to: Int64.self, capacity: count))
    case .double:
      unsafe chunk.pointee.decode(
        0..<count, into: memory.bindMemory(to: Double.self, capacity: count))
    case .float:
      unsafe chunk.pointee.decode(
        0..<count, into: memory.bindMemory(to: Float.self, capacity: count))
    case .bytes:
      let words = unsafe memory.bindMemory(to: UInt64.self, capacity: count + 1)
      if let heap = unsafe chunk.pointee.decodeTexts(0..<count, into: words + 1) {
        unsafe words.pointee = UInt64(UInt(bitPattern: heap))
        return unsafe CellColumn(texts: memory)
      }
      unsafe memory.deallocate()
      return nil
    case .uuid:
      unsafe memory.deallocate()
      return nil
    }
    return unsafe CellColumn(numbers: memory)
  }
}
