/// The trees of one state of the store, for reading: of a version, or of a write transaction so far.
///
/// A class, so that a reader copies one reference and not the catalog and all trees.
package final class ReadView: Sendable {
  /// The tables and fields.
  package let catalog: Catalog
  /// The reader of the extents.
  package let reader: PageReader
  /// The trees, ordered by table number.
  private let trees: [TableTree]
  /// The trees' caches, for lookups without reference counting; in the order of the trees, which retain them.
  private let caches: TableCaches
  private let indexes: FieldIndexes
  /// The table indexes, ascending by tree.
  private let tableIndexes: [IndexTree]

  /// - Parameters:
  ///   - roots: The roots of the trees.
  ///   - pin: What keeps the extents from being written over.
  /// - Throws: `.corrupt` where a tree of the catalog has no root.
  package init(
    catalog: Catalog, roots: TreeRoots, reader: PageReader,
    pin: (any AnyObject & Sendable)?
  ) throws(EngineError) {
    self.catalog = catalog
    self.reader = reader
    trees = try catalog.tables.map { (table) throws(EngineError) in
      TableTree(
        table: table.id,
        objects: ObjectTree(
          root: try roots.root(of: table.tree), shape: TableShape(table), reader: reader, pin: pin))
    }
    caches = TableCaches(trees)
    indexes = try FieldIndexes(catalog, roots: roots, reader: reader)
    tableIndexes = try catalog.tables.flatMap(\.indexes).ascending(by: { Int($0.tree) }).map {
      (index) throws(EngineError) in
      IndexTree(root: try roots.root(of: index.tree), reader: reader)
    }
  }

  /// The view of the version after another's, with the same tables and fields.
  ///
  /// - Parameters:
  ///   - roots: The roots of the trees; a tree without one is as it was.
  ///   - pin: What keeps the extents from being written over.
  init(
    succeeding other: ReadView, roots: TreeRoots, pin: any AnyObject & Sendable
  ) {
    catalog = other.catalog
    reader = other.reader
    trees = other.trees.map { known in
      let tree = known.objects
      return TableTree(
        table: known.table,
        objects: ObjectTree(
          root: roots[tree.root.id] ?? tree.root, succeeding: tree, pin: pin))
    }
    caches = TableCaches(trees)
    indexes = other.indexes.succeeded(by: roots)
    tableIndexes = other.tableIndexes.map { $0.succeeded(by: roots) }
  }

  /// The table of this name.
  package func table(named name: String) throws(EngineError) -> TableDefinition {
    guard let table = catalog.table(named: name) else { throw .unknownTable(name: name) }
    return table
  }

  /// The objects of a table.
  package func objects(_ table: UInt32) throws(EngineError) -> ObjectTree {
    guard let place = caches.place(of: table) else { throw .unknownTable(name: "\(table)") }
    return trees[place].objects
  }

  /// The place of the object with a key, if the path to it is in memory. Does no reference counting.
  package func cachedLookup(_ key: Int64, in table: UInt32) -> CachedLookup {
    switch caches.leaf(for: key, in: table) {
    case .leaf(let leaf):
      let row = leaf.withObject { $0.row(of: key) }
      return row.map { .row(CachedRow(leaf: leaf, row: $0)) } ?? .absent
    case .none: return .absent
    case .unknown: return .unknown
    }
  }

  /// The place of the object with a key, if it exists.
  package func find(_ key: Int64, in table: UInt32) throws(EngineError) -> LeafRow? {
    try objects(table).find(key)
  }

  /// The index of an indexed field.
  package func index(_ field: FieldDefinition) throws(EngineError) -> IndexTree {
    try index(tree: field.indexTree)
  }

  /// The index in a tree, of a field or of a table.
  package func index(tree: UInt32) throws(EngineError) -> IndexTree {
    if let index = indexes.index(tree: tree) { return index }
    let place = tableIndexes.partitioningIndex { $0.root.id >= tree }
    guard place < tableIndexes.count, tableIndexes[place].root.id == tree else {
      throw .unknownIndex(tree: tree)
    }
    return tableIndexes[place]
  }

  /// The index of a field, if it exists and has values of this type; retained by this view.
  func index(
    of field: FieldID, in table: UInt32, _ type: PhysicalType
  ) -> UnownedReference<IndexTree>? {
    guard let index = indexes.index(of: field, in: table), index.type == type else { return nil }
    return index.tree
  }

  /// The object key of the object with this identifier, in a table whose object key is another.
  package func objectKey(
    in table: UInt32, identifier value: Value
  ) throws(EngineError) -> Int64? {
    // No identifier is longer than a key: the keys of a unique index contain whole values.
    guard let index = indexes.identifierIndex(in: table), index.type == value.type,
      value.isWholeInIndexKey
    else { return nil }
    return try value.withIndexKey { (key) throws(EngineError) in
      try index.tree.withObject { (tree) throws(EngineError) in
        try tree.first(equal: key)
      }
    }
  }
}

extension TableShape {
  /// The fields of a table in its object tree.
  package init(_ table: TableDefinition) {
    self.init(
      table.fields.filter { !$0.isObjectKey }.map {
        TableField(
          id: $0.id, type: $0.type.physical, defaultValue: $0.defaultValue,
          partBytesMax: $0.type.partBytesMax, isStreamed: $0.type == .blob,
          isWriteTime: $0.isWriteTime)
      })
  }
}

/// The result of a lookup in the cache alone.
package enum CachedLookup: BitwiseCopyable {
  /// The place of the object. Retain the view while using the row.
  case row(CachedRow)
  /// There is no such object.
  case absent
  /// The key must be looked up in the tree.
  case unknown
}

/// The objects of one table of a view.
private struct TableTree {
  let table: UInt32
  let objects: ObjectTree
}

/// The caches of the tables of a view, which retains them.
private final class TableCaches: Sendable {
  private let caches: FixedArray<(table: UInt32, nodes: UnownedReference<NodeCache>)>

  init(_ trees: [TableTree]) {
    caches = FixedArray(count: trees.count) { place in
      (trees[place].table, UnownedReference(trees[place].objects.nodes))
    }
  }

  /// Looks a key up in the cache alone; `unknown` for a table that does not exist.
  @inline(__always)
  func leaf(for key: Int64, in table: UInt32) -> NodeCache.CachedLeaf {
    // A few are searched linearly, which is faster than bisecting them.
    var place = 0
    if caches.count > Self.comparedMax { place = firstPlace(of: table) }
    let end = min(caches.count, place &+ Self.comparedMax)
    while place < end {
      let cache = caches[place]
      if cache.table == table { return cache.nodes.withObject { $0.cachedLeaf(for: key) } }
      place &+= 1
    }
    return .unknown
  }

  /// The place of a table; nil where there is none.
  func place(of table: UInt32) -> Int? {
    let place = firstPlace(of: table)
    return place < caches.count && caches[place].table == table ? place : nil
  }

  private static var comparedMax: Int { 16 }

  @inline(never)
  private func firstPlace(of table: UInt32) -> Int {
    (0..<caches.count).partitioningIndex { caches[$0].table >= table }
  }
}

extension ReadView {
  /// Whether no object has a value of a field. Reads the heads of the leaves up to the first that has one.
  package func isNull(
    everywhere field: FieldID, in table: UInt32
  ) throws(EngineError) -> Bool {
    var leaves = try objects(table).leaves()
    while let leaf = try leaves.next() {
      if try leaf.column(field).entry.nullCount < UInt32(clamping: leaf.rowCount) { return false }
    }
    return true
  }

  /// Whether no object has a value of a field, or, where the field says whether a struct is present, no object has the struct.
  ///
  /// Reads the heads of the leaves up to the first that has one; of a struct, what counting the objects that have it reads.
  package func isUnused(
    _ field: FieldDefinition, of table: TableDefinition
  ) throws(EngineError) -> Bool {
    if field.isOptional { return try isNull(everywhere: field.id, in: table.id) }
    guard field.type == .bool, table.fields.contains(where: { $0.name.hasPrefix("\(field.name).") })
    else { return false }
    return try count(field.id, in: table.id, equal: .integer(1)) == 0
  }

  /// The number of objects with null in a field. Reads the heads of all leaves.
  package func nullCount(of field: FieldID, in table: UInt32) throws(EngineError) -> UInt64 {
    var leaves = try objects(table).leaves()
    var count: UInt64 = 0
    while let leaf = try leaves.next() { count += UInt64(try leaf.column(field).entry.nullCount) }
    return count
  }
}
