internal import Synchronization

/// The columns of rows, retained by the leaf (or by their maker) and not by this reference, so that
/// copying it counts no references.
@safe
@usableFromInline
struct UnownedColumns: BitwiseCopyable, Sendable {
  /// The part of the ``ModelColumns`` that finds a cell.
  @safe
  struct Header {
    let places: PropertyPlaces
    /// The word of the ``CellColumn`` of each field of the schema.
    let words: UnsafeMutablePointer<Atomic<UInt>>
    /// The ``ModelColumns``.
    let columns: UnsafeRawPointer
  }

  nonisolated(unsafe) let header: UnsafePointer<Header>

  @inline(__always)
  init(_ columns: ModelColumns) { unsafe header = UnsafePointer(columns.header) }

  /// The columns that this header belongs to.
  @unsafe
  @inline(__always)
  init(part: UnsafeRawPointer) { unsafe header = part.assumingMemoryBound(to: Header.self) }

  /// The word of the ``CellColumn`` of the stored property of a type at an offset in an object.
  ///
  /// A call marked as read-only: for an inlined atomic load, the compiler would assume that it may
  /// free the row, and would count a reference for each row.
  @_effects(readonly)
  @usableFromInline
  @inline(never)
  func word(atOffset offset: Int, of type: ObjectIdentifier) -> UInt {
    var position = unsafe header.pointee.places.position(atOffset: offset, of: type)
    if position == nil { position = positionOfSizeless(type) }
    guard let position else { return UInt(bitPattern: offset) &<< 3 | 3 }
    // The position is in the schema, which has as many fields as there are words.
    return unsafe header.pointee.words[position].load(ordering: .acquiring)
  }

  @inline(never)
  private func positionOfSizeless(_ type: ObjectIdentifier) -> Int? {
    with { $0.model.positionOfSizeless(type) }
  }

  /// Calls `body` with the columns.
  @inline(__always)
  func with<Result, Failure: Error>(
    _ body: (ModelColumns) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The standard library's form is not generic over its error.
    let reference = unsafe Unmanaged<ModelColumns>.fromOpaque(header.pointee.columns)
    let result = unsafe reference._withUnsafeGuaranteedRef { columns in
      Swift.Result { () throws(Failure) -> Result in try body(columns) }
    }
    return try result.get()
  }
}
