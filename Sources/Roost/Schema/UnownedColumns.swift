/// The columns of rows, held by the leaf (or by whoever made them) and not by this reference, so that
/// passing it on counts no references.
@safe
struct UnownedColumns: Sendable {
  private let reference: Unmanaged<ModelColumns>

  @inline(__always)
  init(_ columns: ModelColumns) { unsafe reference = .passUnretained(columns) }

  /// The columns at an address that ``address`` gave.
  @inline(__always)
  init(address: UnsafeRawPointer) { unsafe reference = .fromOpaque(address) }

  var address: UnsafeRawPointer { unsafe UnsafeRawPointer(reference.toOpaque()) }

  /// The column of the stored property of a type at an offset in an object, if it was found before.
  @inline(__always)
  func column(atOffset offset: Int, of type: ObjectIdentifier) -> CellColumn? {
    unsafe reference._withUnsafeGuaranteedRef { columns in
      guard let position = columns.model.position(atOffset: offset, of: type) else { return nil }
      return columns.knownColumn(position)
    }
  }

  /// The cell of a row in one of the columns; all are held while it is read.
  @inline(__always)
  func cell(_ column: CellColumn, row: Int, in lookup: ObjectLookup) -> _Cell {
    unsafe _Cell(
      word: column.word, row: row, columns: address,
      lookup: UnsafeRawPointer(Unmanaged.passUnretained(lookup).toOpaque()))
  }

  /// Calls `body` with the columns.
  @inline(__always)
  func with<Result, Failure: Error>(
    _ body: (ModelColumns) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The standard library's form is not generic over its error.
    let result = unsafe reference._withUnsafeGuaranteedRef { columns in
      Swift.Result { () throws(Failure) -> Result in try body(columns) }
    }
    return try result.get()
  }
}
