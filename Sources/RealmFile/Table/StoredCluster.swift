/// Up to 256 objects of a table, whose columns are read when they are first asked for.
///
/// It is not for several threads at the same time.
package final class StoredCluster {
  private let table: StoredTable
  private let leaf: ClusterLeaf
  private let reader: NodeReader
  private var single: [Int: ColumnLeaf] = [:]
  private var references: [Int: Node] = [:]
  /// For the leaves that are kept.
  private var budget: ReadBudget

  /// The number of objects.
  package var count: Int { leaf.count }

  init(_ table: StoredTable, _ leaf: ClusterLeaf, _ reader: NodeReader) {
    self.table = table
    self.leaf = leaf
    self.reader = reader
    budget = reader.budget
  }

  /// The key of the object in a row.
  package func key(at row: Int) throws(RealmFileError) -> Int64 {
    Int64(clamping: try leaf.key(at: row))
  }

  /// A value of the object in a row.
  ///
  /// - Parameter column: The column's place in the table's `columns`.
  package func value(at row: Int, column: Int) throws(RealmFileError) -> StoredValue {
    guard table.columns.indices.contains(column) else { throw .damaged(at: table.root, .index) }
    let definition = table.columns[column]
    var budget = reader.budget
    let collections = Collections(reader)
    guard let collection = definition.collection else {
      let leaf = try leaf(of: definition)
      return try collections.value(at: row, of: leaf, &budget) ?? .null
    }
    let node = try references(at: definition.leafIndex)
    switch (try node.slot(row), collection) {
    case (.empty, .list): return .list([])
    case (.empty, .set): return .set([])
    case (.empty, .dictionary): return .dictionary([])
    case (.number, _): throw node.damage(.nodeKind)
    case (.reference(let reference), .list):
      return .list(try collections.elements(reference, definition.leafType, &budget))
    case (.reference(let reference), .set):
      return .set(try collections.elements(reference, definition.leafType, &budget))
    case (.reference(let reference), .dictionary):
      let keys =
        definition.hasIntegerKeys ? LeafType(type: .int, isNullable: false) : LeafType.key
      return .dictionary(try collections.entries(reference, keys: keys, &budget))
    }
  }

  /// The keys of the objects that link to the object in a row; one that links twice is there twice.
  package func backlinks(
    at row: Int, _ backlinks: StoredBacklinks
  ) throws(RealmFileError) -> [Int64] {
    let node = try references(at: backlinks.leafIndex)
    var budget = reader.budget
    switch try node.slot(row) {
    case .empty: return []
    case .number(let key): return [Int64(clamping: key)]
    case .reference(let reference):
      return try Collections(reader).integers(reference, &budget)
    }
  }

  /// The leaf of a column of single values.
  private func leaf(of column: StoredColumn) throws(RealmFileError) -> ColumnLeaf {
    if let leaf = single[column.leafIndex] { return leaf }
    let reference = try leaf.column(column.leafIndex)
    let leaf = try ColumnLeaf(reference, column.leafType, reader, &budget)
    guard leaf.count == count else { throw .damaged(at: reference, .elementCount) }
    single[column.leafIndex] = leaf
    return leaf
  }

  /// The leaf of a column that has a reference for each object.
  private func references(at leafIndex: Int) throws(RealmFileError) -> Node {
    if let node = references[leafIndex] { return node }
    let node = try reader.array(
      leaf.column(leafIndex), countMax: ClusterLeaf.countMax, hasReferences: true, &budget)
    try node.require(node.count == count, .elementCount)
    references[leafIndex] = node
    return node
  }
}

/// Goes through the objects of a table, cluster by cluster, in the order of their keys.
package struct StoredCursor {
  private let table: StoredTable
  private let reader: NodeReader
  private var cursor: ClusterCursor

  init(_ table: StoredTable, _ reader: NodeReader) {
    self.table = table
    self.reader = reader
    cursor = ClusterCursor(table.root, reader)
  }

  /// The next cluster, which has at least one object.
  package mutating func next() throws(RealmFileError) -> StoredCluster? {
    while true {
      var budget = reader.budget
      guard let leaf = try cursor.next(&budget) else { return nil }
      if leaf.count > 0 { return StoredCluster(table, leaf, reader) }
    }
  }
}
