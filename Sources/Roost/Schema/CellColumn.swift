internal import RoostEngine

/// Where the cells of one field are: a column of a leaf, or one of rows that are not written yet.
///
/// One word that counts no references, so that it is set and read as a whole. Whoever uses it holds the
/// leaf or the buffer.
@safe
struct CellColumn: BitwiseCopyable {
  /// The column's address; the lowest bit is set for a buffer's. Never 0.
  let word: UInt

  /// A column from its word.
  @inline(__always)
  init(word: UInt) { self.word = word }

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
