internal import RoostEngine

/// Rows of a result that were found together.
///
/// A row retains its page, and the page everything needed to read the row: so a row is one reference and a few
/// numbers, and iterating over a page counts no references if no row is kept.
@usableFromInline
final class RowPage: @unchecked Sendable {  // immutable, and what it refers to may go to any thread
  /// The location of a row.
  @usableFromInline
  struct Place: BitwiseCopyable {
    @usableFromInline let columns: UnownedColumns
    @usableFromInline let row: Int
  }

  /// The locations of the rows.
  @usableFromInline let places: UnownedArray<Place>
  /// What the rows are read in; retained by the holder below.
  @usableFromInline let lookup: UnownedLookup

  /// The number of rows.
  @inlinable var count: Int { places.count }

  private let lookupHolder: ObjectLookup
  /// Retains the columns if the version does not: the leaf.
  private let owner: AnyObject?

  private init(_ places: UnownedArray<Place>, owner: AnyObject?, in lookup: ObjectLookup) {
    self.places = places
    self.owner = owner
    lookupHolder = lookup
    self.lookup = UnownedLookup(lookup)
  }

  deinit { places.deallocate() }

  /// Rows of columns that the owner retains.
  convenience init(
    _ rows: some RandomAccessCollection<Int>, of columns: UnownedColumns, owner: AnyObject,
    in lookup: ObjectLookup
  ) {
    let places = UnownedArray(count: rows.count) { place in
      Place(columns: columns, row: rows[rows.index(rows.startIndex, offsetBy: place)])
    }
    self.init(places, owner: owner, in: lookup)
  }

  /// A row of columns that the owner retains.
  convenience init(
    row: Int, of columns: UnownedColumns, owner: AnyObject, in lookup: ObjectLookup
  ) {
    self.init(CollectionOfOne(row), of: columns, owner: owner, in: lookup)
  }

  /// Rows in leaves that the version retains.
  convenience init(
    _ rows: UnsafeBufferPointer<CachedRow>, of model: ModelBinding, in lookup: ObjectLookup
  ) {
    // The caller's buffer outlives this initializer, and the version retains the leaves.
    let places = UnownedArray(count: rows.count) { place in
      let row = unsafe rows[place]
      return Place(columns: row.leaf.withObject { ModelColumns.of($0, for: model) }, row: row.row)
    }
    self.init(places, owner: nil, in: lookup)
  }

  /// A row that could not be found; reading it throws the error.
  convenience init(_ error: StoreError, of model: ModelBinding, in lookup: ObjectLookup) {
    let columns = ModelColumns(model, failure: error)
    self.init(CollectionOfOne(0), of: UnownedColumns(columns), owner: columns, in: lookup)
  }
}
