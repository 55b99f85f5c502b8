internal import RoostEngine

/// An encoded column of a leaf, in place; valid while the leaf is retained.
@safe
struct UnownedChunk: BitwiseCopyable {
  private let address: UnsafePointer<ColumnChunk>

  /// The column that a leaf has for a field.
  init(_ field: FieldID, of leaf: LeafReference) throws(EngineError) {
    // The leaf keeps its columns where they are until its own end.
    unsafe address = try leaf.columnPointer(field)
  }

  /// The column at an address, which another reference gave.
  @unsafe
  @inline(__always)
  init?(at address: UInt) {
    guard let address = unsafe UnsafePointer<ColumnChunk>(bitPattern: address) else { return nil }
    unsafe self.address = address
  }

  /// A multiple of 8.
  var bitPattern: UInt { UInt(bitPattern: unsafe address) }

  /// The column, which is read in place and not copied.
  @inline(__always)
  var column: ColumnChunk {
    unsafeAddress { unsafe address }
  }
}
