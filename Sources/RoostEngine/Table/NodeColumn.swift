/// The columns of one field in all leaves below a node, side by side.
///
/// A scan runs along it and reaches neither nodes nor leaves: the next zone map, or the next column, lies
/// where the one before ends. It belongs to a cached node, which retains the leaves and so their bytes, and
/// is filled leaf by leaf during scans.
final class NodeColumn: ChainLink {
  let field: FieldID
  /// Another field's node column of the same node.
  let next: NodeColumn?
  private let entries: PublishedArray<ColumnEntry>
  private let columns: PublishedArray<ColumnChunk>

  /// The size in bytes of a node column for the given number of leaves.
  static func byteCount(_ count: Int) -> Int {
    count * (MemoryLayout<ColumnEntry>.stride + MemoryLayout<ColumnChunk>.stride + 2)
  }

  init(_ field: FieldID, count: Int, next: NodeColumn?) {
    self.field = field
    self.next = next
    entries = PublishedArray(count: count)
    columns = PublishedArray(count: count)
  }

  /// The places of the node column, which must be held while they are used.
  var places: NodeColumnPlaces { NodeColumnPlaces(entries: entries.view, columns: columns.view) }

  /// Records the field's entry in a leaf's directory; the column too, if that needs no read.
  ///
  /// - Parameter leaf: Held by the node.
  func note(_ leaf: LeafReference, at place: Int) throws(EngineError) {
    guard let entry = leaf.head.place(of: field).map({ leaf.head.entries[$0] }), entry.group > 0
    else { return try load(leaf, at: place) }
    entries.publish(entry, at: place)
  }

  /// Records the column of a leaf.
  ///
  /// - Parameter leaf: Held by the node.
  func load(_ leaf: LeafReference, at place: Int) throws(EngineError) {
    let column = try leaf.column(field)
    entries.publish(column.entry, at: place)
    columns.publish(column, at: place)
  }
}

/// The places of a ``NodeColumn``, one for each leaf. Does not retain it.
struct NodeColumnPlaces {
  /// What the directories of the leaves say of the field.
  let entries: PublishedArray<ColumnEntry>.View
  /// The columns; each one's entry was published before.
  let columns: PublishedArray<ColumnChunk>.View
}
