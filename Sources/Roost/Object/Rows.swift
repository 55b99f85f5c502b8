internal import RoostEngine

/// The objects that a query found, in order: a collection that decodes nothing by itself.
///
/// It belongs to a version: whatever is written later, it stays as it is, on every thread, for as long as
/// it is held. It knows where its objects are and holds none of them; finding one by its index may read
/// the file, and an error of that is thrown by the row when it is used.
public struct Rows<M: Model>: RandomAccessCollection, Sendable {
  let results: ResultSet
  private let model: ModelBinding
  /// What the rows are read in, which holds the version and changes no more.
  private nonisolated(unsafe) let lookup: ObjectLookup

  init(_ results: ResultSet, of model: ModelBinding, in lookup: ObjectLookup) {
    self.results = results
    self.model = model
    unsafe self.lookup = lookup
  }

  /// How many objects there are.
  public var count: Int { results.count }
  /// The index of the first row, 0.
  public var startIndex: Int { 0 }
  /// The index after the last row.
  public var endIndex: Int { results.count }

  /// The row at an index.
  ///
  /// - Complexity: O(log n) at most. Going through a collection from front to back is faster.
  public subscript(index: Int) -> Row<M> {
    precondition(index >= 0 && index < count, "Index out of range.")
    do {
      let place = try results.place(at: index)
      return row(place.row, of: place.leaf, ModelColumns.of(place.leaf, for: model))
    } catch {
      return failed(error)
    }
  }

  @inline(__always)
  private func row(
    _ row: Int, of leaf: LeafReference, _ columns: UnownedColumns
  ) -> Row<M> {
    unsafe Row(columns, of: leaf, row: row, in: lookup)
  }

  private func failed(_ error: EngineError) -> Row<M> {
    unsafe Row(StoreError(error, path: lookup.path), in: lookup)
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
  /// - Throws: ``StoreError/corrupt(path:unit:reason:)`` where the file is damaged.
  public func forEachBatch(_ body: (RowBatch<M>) throws -> Void) throws {
    var cursor = results.cursor()
    while true {
      let next = try atPath(unsafe lookup.path) { () throws(EngineError) in try cursor.next() }
      guard let next else { return }
      try body(unsafe RowBatch(next, of: model, in: lookup))
    }
  }

  /// Goes through the rows from front to back, leaf by leaf.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Goes through rows, leaf by leaf.
  public struct Iterator: IteratorProtocol {
    private let rows: Rows<M>
    private var cursor: ResultCursor
    /// The results in the leaf at hand, with its columns.
    private var batch: (results: ResultBatch, columns: UnownedColumns)?
    private var place = 0

    init(_ rows: Rows<M>) {
      self.rows = rows
      cursor = rows.results.cursor()
    }

    /// The next row; one that cannot be found is there too, and throws when it is used.
    public mutating func next() -> Row<M>? {
      if let batch, place < batch.results.rows.count {
        defer { place += 1 }
        return rows.row(
          batch.results.rows[place], of: batch.results.leaf, batch.columns)
      }
      return nextLeaf()
    }

    @inline(never)
    private mutating func nextLeaf() -> Row<M>? {
      let position = cursor.position
      do {
        batch = nil
        guard let results = try cursor.next() else { return nil }
        let columns = ModelColumns.of(results.leaf, for: rows.model)
        batch = (results, columns)
        place = 1
        return rows.row(results.rows[0], of: results.leaf, columns)
      } catch {
        cursor = rows.results.cursor(from: position + 1)
        return rows.failed(error)
      }
    }
  }
}
