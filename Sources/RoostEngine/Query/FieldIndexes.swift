/// The indexes of the fields of a view.
@safe
final class FieldIndexes: @unchecked Sendable {  // immutable after init
  @safe
  struct Entry {
    let table: UInt32
    let field: FieldID
    /// The storage type of the index's values.
    let type: PhysicalType
    let isIdentifier: Bool
    /// Retained by the indexes.
    let tree: Unmanaged<IndexTree>
  }

  /// The indexes, ordered by table number.
  private let base: UnsafeMutablePointer<Entry>
  private let count: Int
  /// The position of each tree's entry, if there are many.
  private let places: [UInt32: Int]
  /// Up to this many indexes are searched linearly, which is faster than bisecting or hashing.
  private static let comparedMax = 16

  init(
    _ catalog: Catalog, roots: [UInt32: TreeRoot], reader: PageReader
  ) throws(EngineError) {
    var found: [(table: UInt32, field: FieldDefinition, tree: IndexTree)] = []
    for table in catalog.tables {
      for field in table.fields where field.indexTree != 0 {
        let root = try roots.root(of: field.indexTree)
        found.append((table.id, field, IndexTree(root: root, reader: reader)))
      }
    }
    count = found.count
    unsafe base = .allocate(capacity: max(count, 1))
    var places: [UInt32: Int] = [:]
    for (place, index) in found.enumerated() {
      if found.count > Self.comparedMax { places[index.tree.root.id] = place }
      unsafe (base + place).initialize(
        to: Entry(
          table: index.table, field: index.field.id, type: index.field.type.indexed,
          isIdentifier: index.field.isIdentifier, tree: Unmanaged.passRetained(index.tree)))
    }
    self.places = places
  }

  /// The same indexes with other roots; keeps the unchanged ones.
  init(succeeding other: FieldIndexes, roots: [UInt32: TreeRoot]) throws(EngineError) {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: max(other.count, 1))
    for place in 0..<other.count {
      let entry = unsafe other.base[place]
      let known = unsafe entry.tree.takeUnretainedValue()
      guard let root = roots[known.root.id] else {
        for made in 0..<place { unsafe entries[made].tree.release() }
        unsafe entries.deallocate()
        throw .corrupt(Corruption(.roots, tree: known.root.id))
      }
      let tree = root == known.root ? known : IndexTree(root: root, reader: known.reader)
      unsafe (entries + place).initialize(
        to: Entry(
          table: entry.table, field: entry.field, type: entry.type,
          isIdentifier: entry.isIdentifier, tree: Unmanaged.passRetained(tree)))
    }
    unsafe base = entries
    count = other.count
    places = other.places
  }

  deinit {
    for place in 0..<count { unsafe base[place].tree.release() }
    unsafe base.deallocate()
  }

  /// The index in a tree.
  func index(tree: UInt32) -> IndexTree? {
    guard count <= Self.comparedMax else {
      return places[tree].map { unsafe base[$0].tree.takeUnretainedValue() }
    }
    for place in 0..<count {
      let index = unsafe base[place].tree.takeUnretainedValue()
      if index.root.id == tree { return index }
    }
    return nil
  }

  @inline(__always)
  func index(of field: FieldID, in table: UInt32) -> Entry? {
    unsafe first(of: table) { unsafe $0.pointee.field == field }
  }

  @inline(__always)
  func identifierIndex(in table: UInt32) -> Entry? {
    unsafe first(of: table) { unsafe $0.pointee.isIdentifier }
  }

  /// The first index of a table that the closure accepts.
  @inline(__always)
  private func first(
    of table: UInt32, where isSought: (UnsafePointer<Entry>) -> Bool
  ) -> Entry? {
    var place = count <= Self.comparedMax ? 0 : firstPlace(of: table)
    while place < count {
      let entry = unsafe UnsafePointer(base) + place
      if unsafe entry.pointee.table == table {
        if unsafe isSought(entry) { return unsafe entry.pointee }
      } else if unsafe entry.pointee.table > table {
        return nil
      }
      place &+= 1
    }
    return nil
  }

  @inline(never)
  private func firstPlace(of table: UInt32) -> Int {
    unsafe UnsafeBufferPointer(start: base, count: count)
      .partitioningIndex { $0.table >= table }
  }
}
