internal import RoostEngine

/// Where the cells of one field are: a column of a leaf, encoded or decoded, or one of rows that are not written yet.
///
/// One word that counts no references, so that it is set and read as a whole. The user must retain the
/// leaf or the buffer. The word of a column that was not looked for yet says of which field it is.
@safe
struct CellColumn: BitwiseCopyable {
  /// The column's address, which is a multiple of 8; or, with these lowest bits: 1, a buffer's address; 2,
  /// the place of a field in the schema, eight times; 3, the offset in an object at which there is no field,
  /// eight times; 4 and 5, the address of decoded numbers and of decoded texts, which ``_Cell`` reads.
  let word: UInt

  /// A column from its word.
  @inline(__always)
  init(word: UInt) { self.word = word }

  /// The column of the field at a place of the schema, which was not looked for yet.
  init(unknownAt position: Int) { word = UInt(position) << 3 | 2 }

  /// Whether it is a column, and not one that is yet to be found.
  @inline(__always)
  var isKnown: Bool { word & 2 == 0 }

  /// The place in the schema of a column that is yet to be found; nil where there is no field.
  var unknownPosition: Int? { word & 7 == 2 ? Int(word >> 3) : nil }

  /// A column of a leaf.
  init(_ chunk: UnsafePointer<ColumnChunk>) { word = UInt(bitPattern: chunk) }

  /// A column of rows that are not written yet.
  init(_ buffer: ColumnBuffer) {
    word = unsafe UInt(bitPattern: Unmanaged.passUnretained(buffer).toOpaque()) | 1
  }

  /// Decoded numbers, as ``DecodedColumn`` says.
  init(numbers: UnsafeMutableRawPointer) { word = UInt(bitPattern: numbers) | 4 }

  /// Decoded texts, as ``DecodedColumn`` says.
  init(texts: UnsafeMutableRawPointer) { word = UInt(bitPattern: texts) | 5 }

  /// Whether it is decoded: then no cell is null, and none lies outside of the leaf.
  @inline(__always)
  var isDecoded: Bool { word & 4 != 0 && isKnown }

  /// Where a value is that lies outside of its column.
  func external(_ row: Int) -> ValueReference? {
    unsafe chunk?.pointee.external(row)
  }

  /// Gives the memory of a decoded column back.
  func deallocate() {
    guard isDecoded else { return }
    // The word was made of such an address.
    unsafe UnsafeMutableRawPointer(bitPattern: word & ~7)?.deallocate()
  }

  /// The column, where it is an encoded one of a leaf.
  @inline(__always)
  var chunk: UnsafePointer<ColumnChunk>? {
    // The word was made of such an address.
    word & 7 == 0 ? unsafe UnsafePointer(bitPattern: word) : nil
  }

  /// The column, where it is a buffer.
  var buffer: Unmanaged<ColumnBuffer>? {
    guard word & 7 == 1, let address = unsafe UnsafeRawPointer(bitPattern: word & ~7) else {
      return nil
    }
    // The word was made of such an address.
    return unsafe Unmanaged<ColumnBuffer>.fromOpaque(address)
  }

  /// Calls `body` with the column, which is a buffer.
  @inline(__always)
  func withBuffer<R>(_ body: (ColumnBuffer) -> R) -> R {
    precondition(word & 7 == 1, "The column is no buffer.")
    // The word was made of such an address.
    let address = unsafe UnsafeRawPointer(bitPattern: word & ~7).unsafelyUnwrapped
    return unsafe Unmanaged<ColumnBuffer>.fromOpaque(address)._withUnsafeGuaranteedRef(body)
  }
}
