internal import RoostEngine

/// The columns of rows, retained by the leaf (or by their maker) and not by this reference, so that
/// copying it counts no references.
///
/// Invariant: it is used only while the ``ModelColumns`` that it was made from are retained.
@safe
@usableFromInline
struct UnownedColumns: BitwiseCopyable, Sendable {
  /// The part of the ``ModelColumns`` that finds a cell, which owns it. Its fields do not change.
  private nonisolated(unsafe) let header: UnsafeMutablePointer<ColumnsHeader>

  @_transparent
  init(_ columns: ModelColumns) { self = columns.unowned }

  /// The columns that a leaf's attachment keeps, which ``attachment(of:)`` made.
  @_transparent
  init(_ attachment: LeafAttachment) {
    unsafe header = UnsafeMutablePointer(
      mutating: attachment.part.assumingMemoryBound(to: ColumnsHeader.self))
  }

  /// A header to be filled by ``point(to:)`` before anything is read, and freed by ``deallocate()``.
  init() { unsafe header = .allocate(capacity: 1) }

  /// Fills the header; called once by the initializer of the columns.
  func point(to content: ColumnsHeader) { unsafe header.initialize(to: content) }

  /// Frees the header; called by the columns at their end.
  func deallocate() { unsafe header.deallocate() }

  /// What keeps the columns of a leaf beside it.
  func attachment(of columns: ModelColumns) -> LeafAttachment {
    unsafe LeafAttachment(columns, part: UnsafeRawPointer(header), for: columns.model)
  }

  @_transparent
  private var content: ColumnsHeader {
    // The invariant: the columns, which own the header, are retained.
    unsafeAddress { unsafe UnsafePointer(header) }
  }

  /// The word of the ``CellColumn`` of the stored property of a type at an offset in an object.
  ///
  /// A call marked as read-only: for an inlined atomic load, the compiler would assume that it may
  /// free the row, and would count a reference for each row.
  @_effects(readonly)
  @usableFromInline
  @inline(never)
  func word(atOffset offset: Int, of type: ObjectIdentifier) -> UInt {
    var position = content.places.position(atOffset: offset, of: type)
    if position == nil { position = positionOfSizeless(type) }
    guard let position else { return UInt(bitPattern: offset) &<< 3 | 3 }
    return content.words[position].word
  }

  @inline(never)
  private func positionOfSizeless(_ type: ObjectIdentifier) -> Int? {
    with { $0.model.positionOfSizeless(type) }
  }

  /// The words of all columns from a position on, which have been found.
  @_transparent
  func foundWords(from position: Int) -> WordCursor { content.words.found(from: position) }

  /// Finds the columns of all fields.
  @_transparent
  func findAll(in lookup: ObjectLookup) throws(StoreError) {
    if content.words.isComplete { return }
    try with { (columns) throws(StoreError) in try columns.findAll(in: lookup) }
  }

  /// The columns, retained.
  @_transparent
  var object: ModelColumns { content.columns.object }

  /// Calls `body` with the columns.
  @inline(__always)
  func with<Result, Failure: Error>(
    _ body: (ModelColumns) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try content.columns.withObject(body)
  }
}

/// What ``UnownedColumns`` point to.
struct ColumnsHeader {
  let places: PropertyPlaces
  let words: ColumnWords
  let columns: UnownedReference<ModelColumns>
}
