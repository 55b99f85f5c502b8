public import Synchronization

/// The columns of rows, held by the leaf (or by whoever made them) and not by this reference, so that
/// passing it on counts no references.
@safe
@usableFromInline
struct UnownedColumns: Sendable {
  /// What a program's own code reads without a call: part of the ``ModelColumns``.
  @safe
  @usableFromInline
  struct Header {
    @usableFromInline let places: PropertyPlaces
    /// For each field of the schema the word of its ``CellColumn``, or 0 where it was not asked for yet.
    @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>
    /// The ``ModelColumns``.
    @usableFromInline let columns: UnsafeRawPointer
  }

  @usableFromInline nonisolated(unsafe) let header: UnsafePointer<Header>

  @inline(__always)
  init(_ columns: ModelColumns) { unsafe header = UnsafePointer(columns.header) }

  /// The address of the ``ModelColumns``.
  @inlinable @inline(__always)
  var address: UnsafeRawPointer { unsafe header.pointee.columns }

  /// The word of the column of the stored property of a type at an offset in an object; 0 where it was not
  /// found before.
  @inlinable @inline(__always)
  func word(atOffset offset: Int, of type: ObjectIdentifier) -> UInt {
    guard let position = unsafe header.pointee.places.position(atOffset: offset, of: type) else {
      return 0
    }
    // A place in the schema, which has as many fields as there are words.
    return unsafe header.pointee.words[position].load(ordering: .acquiring)
  }

  /// Calls `body` with the columns.
  @inline(__always)
  func with<Result, Failure: Error>(
    _ body: (ModelColumns) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The standard library's form is not generic over its error.
    let reference = unsafe Unmanaged<ModelColumns>.fromOpaque(address)
    let result = unsafe reference._withUnsafeGuaranteedRef { columns in
      Swift.Result { () throws(Failure) -> Result in try body(columns) }
    }
    return try result.get()
  }
}
