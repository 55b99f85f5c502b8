internal import RoostEngine

/// Some rows of a result that were found together.
///
/// A row holds its page, and the page all that the row is read by: so that a row is one reference and a few
/// numbers, and going through a page counts none where no row is kept.
@safe
@usableFromInline
final class RowPage: @unchecked Sendable {  // immutable, and what it refers to may go to any thread
  /// Where a row is.
  @safe
  @usableFromInline
  struct Place: BitwiseCopyable {
    @usableFromInline let columns: UnownedColumns
    @usableFromInline let row: Int
  }

  /// How many rows there are.
  @usableFromInline let count: Int
  /// Where the rows are.
  @usableFromInline let places: UnsafePointer<Place>
  /// The ``ObjectLookup`` that the rows are read in.
  @usableFromInline let lookup: UnsafeRawPointer

  private let lookupHolder: ObjectLookup
  /// What holds the columns, where the version does not: the leaf.
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

  /// Rows of columns, which the owner holds.
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

  /// A row of a leaf, whose columns these are.
  convenience init(
    row: Int, of columns: UnownedColumns, leaf: LeafReference, in lookup: ObjectLookup
  ) {
    self.init(CollectionOfOne(row), of: columns, owner: leaf, in: lookup)
  }

  /// Rows in leaves that the version holds.
  convenience init(
    _ rows: UnsafeBufferPointer<HeldRow>, of model: ModelBinding, in lookup: ObjectLookup
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

  /// One row that could not be found, and that throws why when it is read.
  convenience init(_ error: StoreError, of model: ModelBinding, in lookup: ObjectLookup) {
    let columns = ModelColumns(model, failure: error)
    self.init(CollectionOfOne(0), of: UnownedColumns(columns), owner: columns, in: lookup)
  }
}

/// The objects that a query found, whatever their model.
final class RowsContent: Sendable {
  let results: ResultSet
  let model: ModelBinding
  /// What the rows are read in, which holds the version and changes no more.
  nonisolated(unsafe) let lookup: ObjectLookup

  init(_ results: ResultSet, of model: ModelBinding, in lookup: ObjectLookup) {
    self.results = results
    self.model = model
    unsafe self.lookup = lookup
  }

  /// The row at an index; one that cannot be found throws when it is read.
  func page(at index: Int) -> RowPage {
    do {
      let place = try results.place(at: index)
      let columns = ModelColumns.of(place.leaf, for: model)
      return unsafe RowPage(row: place.row, of: columns, leaf: place.leaf, in: lookup)
    } catch {
      return failure(error)
    }
  }

  /// A row that could not be found.
  fileprivate func failure(_ error: EngineError) -> RowPage {
    unsafe RowPage(StoreError(error, path: lookup.path), of: model, in: lookup)
  }
}

/// Goes through a result from front to back, page by page. Not thread safe.
@usableFromInline
final class RowPages {
  private let content: RowsContent
  /// How many rows were given.
  private var position = 0
  /// Reads the leaves that the version does not hold.
  private var cursor: ResultCursor?
  /// The results of a leaf, and how many of them were given.
  private var rest: (batch: ResultBatch, givenCount: Int)?

  /// So many rows of one leaf make a page at most.
  private static let countMax = 1024
  /// So many rows in leaves of their own.
  private static let heldCountMax = 64

  init(_ content: RowsContent) { self.content = content }

  /// The next rows; nil behind the last. A row that cannot be found is a page of its own.
  @usableFromInline
  func next() -> RowPage? {
    guard position < content.results.count else { return nil }
    let next = rest.map { page($0.batch, from: $0.givenCount) } ?? nextPage()
    position += next.count
    return next
  }

  private func nextPage() -> RowPage {
    do {
      if let page = try heldPage() { return page }
      // Taken out, so that what it holds is not copied when it goes on.
      var cursor = self.cursor.take() ?? content.results.cursor()
      defer { self.cursor = cursor }
      cursor.move(to: position)
      guard let batch = try cursor.next() else { preconditionFailure("There are more results.") }
      return page(batch, from: 0)
    } catch {
      return content.failure(error)
    }
  }

  private func heldPage() throws(EngineError) -> RowPage? {
    let first = position
    // The standard library's form is not generic over its error.
    let capacity = Self.heldCountMax
    let held = unsafe withUnsafeTemporaryAllocation(of: HeldRow.self, capacity: capacity) { rows in
      Result { () throws(EngineError) -> RowPage? in
        let count = try unsafe content.results.held(from: first, into: rows)
        guard count > 0 else { return nil }
        return unsafe RowPage(
          UnsafeBufferPointer(rebasing: rows[..<count]), of: content.model, in: content.lookup)
      }
    }
    return try held.get()
  }

  private func page(_ batch: ResultBatch, from first: Int) -> RowPage {
    let end = min(first + Self.countMax, batch.rows.count)
    rest = end < batch.rows.count ? (batch, end) : nil
    let columns = ModelColumns.of(batch.leaf, for: content.model)
    let lookup = unsafe content.lookup
    if let rows = batch.rows.contiguous {
      return RowPage(
        rows.dropFirst(first).prefix(end - first), of: columns, owner: batch.leaf, in: lookup)
    }
    return RowPage(batch.rows[first..<end], of: columns, owner: batch.leaf, in: lookup)
  }
}
