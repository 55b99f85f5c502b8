/// The indexes of the fields of a view.
final class FieldIndexes: Sendable {
  struct Entry {
    let table: UInt32
    let field: FieldID
    /// The storage type of the index's values.
    let type: PhysicalType
    let isIdentifier: Bool
    /// Retained by the indexes.
    let tree: UnownedReference<IndexTree>
  }

  /// The indexes, ordered by table number.
  private let entries: FixedArray<Entry>
  /// The trees of the entries, which it holds.
  private let trees: [IndexTree]
  /// The position of each tree's entry, if there are many.
  private let places: [UInt32: Int]
  /// Up to this many indexes are searched linearly, which is faster than bisecting or hashing.
  private static let comparedMax = 16

  init(
    _ catalog: Catalog, roots: TreeRoots, reader: PageReader
  ) throws(EngineError) {
    var found: [(table: UInt32, field: FieldDefinition)] = []
    var trees: [IndexTree] = []
    for table in catalog.tables {
      for field in table.fields where field.indexTree != 0 {
        let root = try roots.root(of: field.indexTree)
        found.append((table.id, field))
        trees.append(IndexTree(root: root, reader: reader))
      }
    }
    self.trees = trees
    entries = FixedArray(count: found.count) { place in
      let (table, field) = found[place]
      return Entry(
        table: table, field: field.id, type: field.type.indexed,
        isIdentifier: field.isIdentifier, tree: UnownedReference(trees[place]))
    }
    var places: [UInt32: Int] = [:]
    if trees.count > Self.comparedMax {
      for (place, tree) in trees.enumerated() { places[tree.root.id] = place }
    }
    self.places = places
  }

  /// The same indexes as another's, with these trees.
  private init(_ other: FieldIndexes, trees: [IndexTree]) {
    self.trees = trees
    entries = FixedArray(count: trees.count) { place in
      let entry = other.entries[place]
      return Entry(
        table: entry.table, field: entry.field, type: entry.type,
        isIdentifier: entry.isIdentifier, tree: UnownedReference(trees[place]))
    }
    places = other.places
  }

  /// The same indexes with other roots; keeps the unchanged ones, and itself where all are.
  func succeeded(by roots: TreeRoots) -> FieldIndexes {
    guard trees.contains(where: { $0.hasChanged(in: roots) }) else { return self }
    return FieldIndexes(self, trees: trees.map { $0.succeeded(by: roots) })
  }

  /// The index in a tree.
  func index(tree: UInt32) -> IndexTree? {
    guard trees.count <= Self.comparedMax else { return places[tree].map { trees[$0] } }
    return trees.first { $0.root.id == tree }
  }

  @inline(__always)
  func index(of field: FieldID, in table: UInt32) -> Entry? {
    first(of: table) { $0.field == field }
  }

  @inline(__always)
  func identifierIndex(in table: UInt32) -> Entry? {
    first(of: table) { $0.isIdentifier }
  }

  /// The first index of a table that the closure accepts.
  @inline(__always)
  private func first(
    of table: UInt32, where isSought: (Entry) -> Bool
  ) -> Entry? {
    var place = entries.count <= Self.comparedMax ? 0 : firstPlace(of: table)
    while place < entries.count {
      if entries[place].table == table {
        if isSought(entries[place]) { return entries[place] }
      } else if entries[place].table > table {
        return nil
      }
      place &+= 1
    }
    return nil
  }

  @inline(never)
  private func firstPlace(of table: UInt32) -> Int {
    (0..<entries.count).partitioningIndex { entries[$0].table >= table }
  }
}

extension IndexTree {
  fileprivate func hasChanged(in roots: TreeRoots) -> Bool {
    roots[root.id].map { $0 != root } ?? false
  }

  /// The index with its new root; itself where that has not changed.
  func succeeded(by roots: TreeRoots) -> IndexTree {
    guard let next = roots[root.id], next != root else { return self }
    return IndexTree(root: next, reader: reader)
  }
}
