internal import RoostEngine

/// The objects that a query found, in order: a collection that decodes nothing by itself.
///
/// It belongs to a version: whatever is written later, it stays as it is, on every thread, for as long as
/// it is held. It knows where its objects are and holds none of them; finding one by its index may read
/// the file, and an error of that is thrown by the row when it is used.
public struct Rows<M: Model>: RandomAccessCollection, Sendable {
  let results: ResultSet
  let layout: RowLayout<M>
  private let path: String

  init(_ results: ResultSet, layout: RowLayout<M>, path: String) {
    self.results = results
    self.layout = layout
    self.path = path
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
      return Row(layout: layout, place: .leaf(place.leaf, place.row))
    } catch {
      return failed(error)
    }
  }

  private func failed(_ error: EngineError) -> Row<M> {
    Row(layout: layout, place: .failed(Row<M>.Failure(StoreError(error, path: path))))
  }

  /// Goes through the rows from front to back, leaf by leaf.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Goes through rows, leaf by leaf.
  public struct Iterator: IteratorProtocol {
    private let rows: Rows<M>
    private var cursor: ResultCursor
    private var batch: ResultBatch?
    private var place = 0

    init(_ rows: Rows<M>) {
      self.rows = rows
      cursor = rows.results.cursor()
    }

    /// The next row; one that cannot be found is there too, and throws when it is used.
    public mutating func next() -> Row<M>? {
      if let batch, place < batch.rows.count {
        defer { place += 1 }
        return Row(layout: rows.layout, place: .leaf(batch.leaf, batch.rows[place]))
      }
      return nextLeaf()
    }

    private mutating func nextLeaf() -> Row<M>? {
      let position = cursor.position
      do {
        batch = try cursor.next()
        guard let batch else { return nil }
        place = 1
        return Row(layout: rows.layout, place: .leaf(batch.leaf, batch.rows[0]))
      } catch {
        cursor = rows.results.cursor(from: position + 1)
        batch = nil
        return rows.failed(error)
      }
    }
  }
}
