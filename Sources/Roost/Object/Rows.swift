internal import RoostEngine

/// The results of a query, in order: a collection that does not decode them.
///
/// It belongs to a version: it does not change through later writes, on every thread, while it is
/// retained. It has the locations of its objects and retains none of them; finding one by its index may read
/// the file, and an error is thrown by the row when it is used.
public struct Rows<M: Model>: RandomAccessCollection, Sendable {
  private let content: RowsContent

  init(_ content: RowsContent) { self.content = content }

  /// The number of objects.
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

  /// Passes the rows to `body` in order, in batches that are stored together in the file.
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
  /// A sorted result usually has one row per batch. Errors of `body` are rethrown unchanged.
  /// - Throws: ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  public func forEachBatch(_ body: (RowBatch<M>) throws -> Void) throws {
    var cursor = content.results.cursor()
    let lookup = content.lookup
    while true {
      let next = try working(on: lookup.file) { () throws(EngineError) in try cursor.next() }
      guard let next else { return }
      try body(RowBatch(next, of: content.model, in: lookup))
    }
  }

  /// What `transform` makes of each row, from front to back.
  ///
  /// A collection's own goes by index, which looks each row up by itself.
  @inlinable
  public func map<Element, Failure: Error>(
    _ transform: (Row<M>) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for row in self { elements.append(try transform(row)) }
    return elements
  }

  /// A property of each row, from front to back: `try rows.map(\.name)`.
  @_alwaysEmitIntoClient
  public func map<Value: Storable>(
    _ property: KeyPath<M, Value>
  ) throws(StoreError) -> [Value] {
    try map { (row) throws(StoreError) in try row[dynamicMember: property] }
  }

  /// Iterates over the rows from front to back.
  public func makeIterator() -> Iterator { Iterator(content) }

  /// Iterates over rows, which are found in pages.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let content: RowsContent
    @usableFromInline var pages: RowPages?
    /// The page found last, and the position of its first row in the result.
    @usableFromInline var page: RowPage?
    @usableFromInline var position = 0
    /// The number of its rows already returned.
    @usableFromInline var place = 0
    @usableFromInline var count = 0

    init(_ content: RowsContent) { self.content = content }

    /// The next row; a row that cannot be found is included, and throws when it is used.
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
