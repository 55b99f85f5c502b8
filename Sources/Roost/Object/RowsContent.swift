internal import RoostEngine

/// The results of a query, for any model.
@usableFromInline
final class RowsContent: Sendable {
  let results: ResultSet
  let model: ModelBinding
  /// The context of the rows, which retains the version and is immutable.
  let lookup: any ObjectLookup & Sendable

  /// The number of rows in separate leaves that are found at once.
  private static let heldCountMax = 64

  init(_ results: ResultSet, of model: ModelBinding, in lookup: any ObjectLookup & Sendable) {
    self.results = results
    self.model = model
    self.lookup = lookup
  }

  /// The row at an index; if it cannot be found, it throws when it is read.
  func page(at index: Int) -> RowPage {
    do {
      let place = try results.place(at: index)
      let columns = ModelColumns.of(place.leaf, for: model)
      return RowPage(row: place.row, of: columns, owner: place.leaf, in: lookup)
    } catch {
      return failure(error)
    }
  }

  /// The rows from a position on that are found together; no page after the last.
  ///
  /// A row that cannot be found is a page of its own.
  /// - Parameter pages: What the page before came with: it goes on from there, where the version does not hold
  ///   the leaves.
  @usableFromInline
  func page(from position: Int, _ pages: RowPages?) -> (page: RowPage?, pages: RowPages?) {
    guard position < results.count else { return (nil, nil) }
    do {
      // For results by keys, the version may retain the leaves of the next results but not of the last.
      if pages == nil || results.isByKeys, let page = try heldPage(from: position) {
        return (page, pages)
      }
      let pages = pages ?? RowPages(self)
      return (try pages.page(from: position), pages)
    } catch {
      return (failure(error), nil)
    }
  }

  private func heldPage(from position: Int) throws(EngineError) -> RowPage? {
    // The standard library's form is not generic over its error. As many rows are initialized as `held` counts, and the
    // page copies what it needs of them.
    let capacity = Self.heldCountMax
    let held = unsafe withUnsafeTemporaryAllocation(of: CachedRow.self, capacity: capacity) {
      rows in
      Result { () throws(EngineError) -> RowPage? in
        let count = try unsafe results.held(from: position, into: rows)
        guard count > 0 else { return nil }
        return unsafe RowPage(
          UnsafeBufferPointer(rebasing: rows[..<count]), of: model, in: lookup)
      }
    }
    return try held.get()
  }

  /// A row that could not be found.
  private func failure(_ error: EngineError) -> RowPage {
    RowPage(StoreError(error, in: lookup.file), of: model, in: lookup)
  }
}

/// Iterates over the leaves of a result that the version does not retain. Not thread safe.
///
/// Copies of an iterator share it: a copy can use another's read leaf only if it continues at the same position.
@usableFromInline
final class RowPages {
  private let content: RowsContent
  private var cursor: ResultCursor
  /// The results of a leaf, and the number of them already returned.
  private var rest: (batch: ResultBatch, givenCount: Int)?

  /// The maximum number of rows of a page.
  private static let countMax = 1024

  fileprivate init(_ content: RowsContent) {
    self.content = content
    cursor = content.results.cursor()
  }

  /// The rows from a position on; nil after the last.
  fileprivate func page(from position: Int) throws(EngineError) -> RowPage? {
    if let rest, rest.batch.position + rest.givenCount == position {
      return page(rest.batch, from: rest.givenCount)
    }
    cursor.move(to: position)
    return try cursor.next().map { page($0, from: 0) }
  }

  private func page(_ batch: ResultBatch, from first: Int) -> RowPage {
    let end = min(first + Self.countMax, batch.rows.count)
    rest = end < batch.rows.count ? (batch, end) : nil
    // A reader of only the first rows should not decode their whole leaf.
    let columns =
      batch.position > 0 && first == 0
      ? ModelColumns.of(batch, for: content.model) : ModelColumns.of(batch.leaf, for: content.model)
    let lookup = content.lookup
    if let rows = batch.rows.contiguous {
      return RowPage(
        rows.dropFirst(first).prefix(end - first), of: columns, owner: batch.leaf, in: lookup)
    }
    return RowPage(batch.rows[first..<end], of: columns, owner: batch.leaf, in: lookup)
  }
}
