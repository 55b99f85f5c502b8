internal import RoostEngine

/// The objects that a query found, in order: a collection that decodes nothing by itself.
///
/// It belongs to a version: whatever is written later, it stays as it is, on every thread, for as long as
/// it is held. It knows where its objects are and holds none of them; finding one by its index may read
/// the file, and an error of that is thrown by the row when it is used.
public struct Rows<M: Model>: RandomAccessCollection, Sendable {
  private let content: RowsContent

  init(_ content: RowsContent) { self.content = content }

  /// How many objects there are.
  public var count: Int { content.results.count }
  /// The index of the first row, 0.
  public var startIndex: Int { 0 }
  /// The index after the last row.
  public var endIndex: Int { count }

  /// The row at an index.
  ///
  /// - Complexity: O(log n) at most. Going through a collection from front to back is faster.
  public subscript(index: Int) -> Row<M> {
    precondition(index >= 0 && index < count, "Index out of range.")
    return Row(content.page(at: index), 0)
  }

  /// Gives the rows to `body` in order, as many at a time as lie together in the file.
  ///
  /// The fastest way through many objects: a column is found once for all rows of a batch.
  ///
  /// ```swift
  /// try rows.forEachBatch { batch in
  ///   let ages = try batch.column(\.age)
  ///   for index in ages.indices { sum += try ages[index] }
  /// }
  /// ```
  ///
  /// A sorted result has mostly one row at a time. What `body` throws comes out unchanged.
  /// - Throws: ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  public func forEachBatch(_ body: (RowBatch<M>) throws -> Void) throws {
    var cursor = content.results.cursor()
    let lookup = unsafe content.lookup
    while true {
      let next = try working(on: lookup.file) { () throws(EngineError) in try cursor.next() }
      guard let next else { return }
      try body(RowBatch(next, of: content.model, in: lookup))
    }
  }

  /// Goes through the rows from front to back.
  public func makeIterator() -> Iterator { Iterator(content) }

  /// Goes through rows, of which some are found at a time.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let content: RowsContent
    @usableFromInline var pages: RowPages?
    /// The rows that were found last, and where among all the first of them is.
    @usableFromInline var page: RowPage?
    @usableFromInline var position = 0
    /// How many of them were given.
    @usableFromInline var place = 0
    @usableFromInline var count = 0

    init(_ content: RowsContent) { self.content = content }

    /// The next row; one that cannot be found is there too, and throws when it is used.
    @inlinable
    public mutating func next() -> Row<M>? {
      if place == count {
        position &+= count
        (page, pages) = content.page(from: position, pages)
        place = 0
        count = page?.count ?? 0
      }
      guard let page else { return nil }
      defer { place &+= 1 }
      return Row(page, place)
    }
  }
}
