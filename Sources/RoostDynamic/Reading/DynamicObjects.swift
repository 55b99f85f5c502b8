internal import Roost
internal import RoostEngine

/// The results of a query, in order: a collection that reads no values by itself.
///
/// Stores the places of its objects but not the objects, so a million cost as little as ten. It belongs to a version, like
/// its objects. An object that cannot be found because of damage is still an element, and throws when it is read.
public struct DynamicObjects: RandomAccessCollection, Sendable {
  let results: ResultSet
  let definition: TableDefinition
  let content: SnapshotContent

  init(_ results: ResultSet, of table: TableDefinition, in content: SnapshotContent) {
    self.results = results
    definition = table
    self.content = content
  }

  /// The name of the table.
  public var table: String { definition.name }
  /// The number of objects.
  public var count: Int { results.count }
  /// The index of the first object, 0.
  public var startIndex: Int { 0 }
  /// The index after the last object.
  public var endIndex: Int { results.count }

  /// The object at an index.
  ///
  /// - Complexity: O(log n) at most. Going through a collection from front to back is faster.
  public subscript(index: Int) -> DynamicObject {
    precondition(index >= 0 && index < count, "Index out of range.")
    let place = DynamicObject.Place { () throws(StoreError) in
      let found = try content.working { _ throws(EngineError) in try results.place(at: index) }
      return (found.leaf, found.row)
    }
    return DynamicObject(place, of: definition, in: content)
  }

  /// Iterates over the objects from front to back.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Iterates over objects, one leaf at a time.
  public struct Iterator: IteratorProtocol {
    private let objects: DynamicObjects
    private var cursor: ResultCursor
    private var batch: ResultBatch?
    /// The number of objects of the batch already returned.
    private var place = 0

    fileprivate init(_ objects: DynamicObjects) {
      self.objects = objects
      cursor = objects.results.cursor()
    }

    /// The next object.
    public mutating func next() -> DynamicObject? {
      if let batch, place < batch.rows.count { return object(batch) }
      batch = nil
      place = 0
      let position = cursor.position
      guard position < objects.count else { return nil }
      do throws(EngineError) {
        guard let found = try cursor.next() else { return nil }
        batch = found
        return object(found)
      } catch {
        // Continue past the damage.
        cursor = objects.results.cursor(from: position + 1)
        return DynamicObject(
          .failure(StoreError(error, in: objects.content.file)), of: objects.definition,
          in: objects.content)
      }
    }

    private mutating func object(_ batch: ResultBatch) -> DynamicObject {
      defer { place += 1 }
      return DynamicObject(
        .success((batch.leaf, batch.rows[place])), of: objects.definition, in: objects.content)
    }
  }
}
