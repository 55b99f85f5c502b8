internal import RoostEngine

/// Rows of a result that were found together.
///
/// A row retains its page, and the page everything needed to read the row: so a row is one reference and a few
/// numbers, and iterating over a page counts no references if no row is kept.
@safe
@usableFromInline
final class RowPage: @unchecked Sendable {  // immutable, and what it refers to may go to any thread
  /// The location of a row.
  @safe
  @usableFromInline
  struct Place: BitwiseCopyable {
    @usableFromInline let columns: UnownedColumns
    @usableFromInline let row: Int
  }

  /// The number of rows.
  @usableFromInline let count: Int
  /// The locations of the rows.
  @usableFromInline let places: UnsafePointer<Place>
  /// The ``ObjectLookup`` that the rows are read in.
  @usableFromInline let lookup: UnsafeRawPointer

  private let lookupHolder: ObjectLookup
  /// Retains the columns if the version does not: the leaf.
  private let owner: AnyObject?

  private init(
    _ places: UnsafePointer<Place>, count: Int, owner: AnyObject?, in lookup: ObjectLookup
  ) {
    unsafe self.places = places
    self.count = count
    self.owner = owner
    lookupHolder = lookup
    unsafe self.lookup = UnsafeRawPointer(Unmanaged.passUnretained(lookup).toOpaque())
  }

  // Places are plain bytes.
  deinit { unsafe places.deallocate() }

  /// Rows of columns that the owner retains.
  convenience init(
    _ rows: some Collection<Int>, of columns: UnownedColumns, owner: AnyObject,
    in lookup: ObjectLookup
  ) {
    let places = UnsafeMutablePointer<Place>.allocate(capacity: rows.count)
    for (place, row) in rows.enumerated() {
      unsafe (places + place).initialize(to: Place(columns: columns, row: row))
    }
    unsafe self.init(UnsafePointer(places), count: rows.count, owner: owner, in: lookup)
  }

  /// A row of a leaf that has these columns.
  convenience init(
    row: Int, of columns: UnownedColumns, leaf: LeafReference, in lookup: ObjectLookup
  ) {
    self.init(CollectionOfOne(row), of: columns, owner: leaf, in: lookup)
  }

  /// Rows in leaves that the version retains.
  convenience init(
    _ rows: UnsafeBufferPointer<CachedRow>, of model: ModelBinding, in lookup: ObjectLookup
  ) {
    let places = UnsafeMutablePointer<Place>.allocate(capacity: rows.count)
    for place in rows.indices {
      let columns = unsafe rows[place].leaf._withUnsafeGuaranteedRef {
        ModelColumns.of($0, for: model)
      }
      unsafe (places + place).initialize(to: Place(columns: columns, row: rows[place].row))
    }
    unsafe self.init(UnsafePointer(places), count: rows.count, owner: nil, in: lookup)
  }

  /// A row that could not be found; reading it throws the error.
  convenience init(_ error: StoreError, of model: ModelBinding, in lookup: ObjectLookup) {
    let columns = ModelColumns(model, failure: error)
    self.init(CollectionOfOne(0), of: UnownedColumns(columns), owner: columns, in: lookup)
  }
}
