internal import RoostEngine

/// Where the cells of one field are: a column of a leaf, or one of rows that are not written yet.
///
/// One word that counts no references, so that it is set and read as a whole. Whoever uses it holds the
/// leaf or the buffer. The word of a column that was not looked for yet says of which field it is.
@safe
struct CellColumn: BitwiseCopyable {
  /// The column's address, which is a multiple of 4; or, with these lowest bits: 1, a buffer's address; 2,
  /// the place of a field in the schema, four times; 3, the offset in an object at which there is no field.
  let word: UInt

  /// A column from its word.
  @inline(__always)
  init(word: UInt) { self.word = word }

  /// The column of the field at a place of the schema, which was not looked for yet.
  init(unknownAt position: Int) { word = UInt(position) << 2 | 2 }

  /// Whether it is a column, and not one that is yet to be found.
  @inline(__always)
  var isKnown: Bool { word & 2 == 0 }

  /// The place in the schema of a column that is yet to be found; nil where there is no field.
  var unknownPosition: Int? { word & 3 == 2 ? Int(word >> 2) : nil }

  /// A column of a leaf.
  init(_ chunk: UnsafePointer<ColumnChunk>) { word = UInt(bitPattern: chunk) }

  /// A column of rows that are not written yet.
  init(_ buffer: ColumnBuffer) {
    word = unsafe UInt(bitPattern: Unmanaged.passUnretained(buffer).toOpaque()) | 1
  }

  /// The column, where it is one of a leaf.
  @inline(__always)
  var chunk: UnsafePointer<ColumnChunk>? {
    // The word was made of such an address.
    word & 1 == 0 ? unsafe UnsafePointer(bitPattern: word) : nil
  }

  /// Calls `body` with the column, which is a buffer.
  @inline(__always)
  func withBuffer<R>(_ body: (ColumnBuffer) -> R) -> R {
    // The word was made of such an address.
    let address = unsafe UnsafeRawPointer(bitPattern: word & ~1).unsafelyUnwrapped
    return unsafe Unmanaged<ColumnBuffer>.fromOpaque(address)._withUnsafeGuaranteedRef(body)
  }
}
