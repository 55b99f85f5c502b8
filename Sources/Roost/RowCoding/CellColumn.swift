internal import RoostEngine

/// The location of a field's cells: a column of a leaf, encoded or decoded, or a column of rows not yet written.
///
/// A single word that counts no references, so that it can be set and read as a whole. The user must retain the
/// leaf or the buffer. Until the column is found, the word has the field's position.
@safe
struct CellColumn: BitwiseCopyable {
  /// The column's address, which is a multiple of 8, or, by its lowest bits: 1, a buffer's address; 2,
  /// the position of a field in the schema, times 8; 3, the offset in an object at which there is no field,
  /// times 8; 4 and 5, the address of decoded numbers and of decoded texts, which ``DecodedColumn`` reads.
  let word: UInt

  /// A column from its word.
  @_transparent
  init(word: UInt) { self.word = word }

  /// The column of the field at a position of the schema, not found yet.
  init(unknownAt position: Int) { word = UInt(position) << 3 | 2 }

  /// Whether the column has been found.
  @_transparent
  var isKnown: Bool { word & 2 == 0 }

  /// The position in the schema of a column not found yet; nil if there is no field.
  var unknownPosition: Int? { word & 7 == 2 ? Int(word >> 3) : nil }

  /// A column of a leaf.
  init(_ chunk: UnownedChunk) { word = chunk.bitPattern }

  /// A column of rows not yet written.
  init(_ buffer: ColumnBuffer) {
    word = unsafe UInt(bitPattern: Unmanaged.passUnretained(buffer).toOpaque()) | 1
  }

  /// A buffer that is retained until ``releaseBuffer()``.
  init(retaining buffer: ColumnBuffer) {
    word = unsafe UInt(bitPattern: Unmanaged.passRetained(buffer).toOpaque()) | 1
  }

  /// Whether it is decoded: then no cell is null, and none lies outside the leaf.
  @_transparent
  var isDecoded: Bool { word & 4 != 0 && isKnown }

  /// The location of a value that lies outside its column.
  func external(_ row: Int) -> ValueReference? { chunk?.column.external(row) }

  /// The column, if it is an encoded column of a leaf.
  @_transparent
  var chunk: UnownedChunk? {
    // A word without a tag was made from a column's address.
    word & 7 == 0 ? unsafe UnownedChunk(at: word) : nil
  }

  /// The column, if it is a buffer.
  @_transparent
  private var buffer: Unmanaged<ColumnBuffer>? {
    guard word & 7 == 1, let address = unsafe UnsafeRawPointer(bitPattern: word & ~7) else {
      return nil
    }
    // A word with this tag was made from a buffer's address.
    return unsafe Unmanaged.fromOpaque(address)
  }

  /// Calls `body` with the column, which is a buffer.
  @inline(__always)
  func withBuffer<R>(_ body: (ColumnBuffer) -> R) -> R {
    guard let buffer = unsafe buffer else { preconditionFailure("The column is no buffer.") }
    // The user of this column retains the buffer.
    return unsafe buffer._withUnsafeGuaranteedRef(body)
  }

  /// Releases the buffer of a column made with ``init(retaining:)``; does nothing to any other but a buffer.
  func releaseBuffer() { unsafe buffer?.release() }

  /// Frees the memory of a decoded column.
  func deallocate() {
    guard isDecoded else { return }
    // A word with these tags was made from memory of its own.
    unsafe UnsafeMutableRawPointer(bitPattern: word & ~7)?.deallocate()
  }
}
