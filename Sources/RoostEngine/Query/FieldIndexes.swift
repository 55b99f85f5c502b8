/// The indexes of the fields of a view.
@safe
final class FieldIndexes: @unchecked Sendable {  // immutable after init
  @safe
  struct Entry {
    let table: UInt32
    let field: FieldID
    /// How the values of the index are stored.
    let type: PhysicalType
    let isIdentifier: Bool
    /// Held by the indexes.
    let tree: Unmanaged<IndexTree>
  }

  /// The indexes in the order of their tables' numbers.
  private let base: UnsafeMutablePointer<Entry>
  private let count: Int
  /// Where a tree's index is, where they are many.
  private let places: [UInt32: Int]
  /// So few indexes are compared with one after the other, which is faster than to bisect or hash them.
  private static let comparedMax = 16

  init(_ catalog: Catalog, roots: [UInt32: TreeRoot], reader: PageReader) {
    var entries: [Entry] = []
    for table in catalog.tables {
      for field in table.fields where field.indexTree != 0 {
        let root = roots[field.indexTree] ?? TreeRoot(empty: field.indexTree, kind: .index)
        unsafe entries.append(
          Entry(
            table: table.id, field: field.id, type: field.type.indexed,
            isIdentifier: field.isIdentifier,
            tree: Unmanaged.passRetained(IndexTree(root: root, reader: reader))))
      }
    }
    count = entries.count
    unsafe base = .allocate(capacity: max(count, 1))
    unsafe base.initialize(from: entries, count: count)
    var places: [UInt32: Int] = [:]
    for place in entries.indices where entries.count > Self.comparedMax {
      places[unsafe entries[place].tree._withUnsafeGuaranteedRef { $0.root.id }] = place
    }
    self.places = places
  }

  /// The same indexes with other roots; an index that did not change stays the same one.
  init(succeeding other: FieldIndexes, roots: [UInt32: TreeRoot]) {
    count = other.count
    places = other.places
    unsafe base = .allocate(capacity: max(count, 1))
    for place in 0..<count {
      let entry = unsafe other.base[place]
      let known = unsafe entry.tree.takeUnretainedValue()
      let root = roots[known.root.id] ?? TreeRoot(empty: known.root.id, kind: .index)
      let tree = root == known.root ? known : IndexTree(root: root, reader: known.reader)
      unsafe (base + place).initialize(
        to: Entry(
          table: entry.table, field: entry.field, type: entry.type,
          isIdentifier: entry.isIdentifier, tree: Unmanaged.passRetained(tree)))
    }
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
    for place in firstPlace(of: table)..<count {
      if unsafe base[place].field == field && base[place].table == table {
        return unsafe base[place]
      }
      if unsafe base[place].table > table { return nil }
    }
    return nil
  }

  @inline(__always)
  func identifierIndex(in table: UInt32) -> Entry? {
    for place in firstPlace(of: table)..<count {
      if unsafe base[place].isIdentifier && base[place].table == table {
        return unsafe base[place]
      }
      if unsafe base[place].table > table { return nil }
    }
    return nil
  }

  /// Where to begin to look for a table's indexes: at the first of all where they are few, which is faster.
  @inline(__always)
  private func firstPlace(of table: UInt32) -> Int {
    count <= Self.comparedMax ? 0 : bisectedPlace(of: table)
  }

  @inline(never)
  private func bisectedPlace(of table: UInt32) -> Int {
    var low = 0
    var length = count
    while length > 0 {
      let half = length >> 1
      if unsafe base[low + half].table < table {
        low += half + 1
        length -= half + 1
      } else {
        length = half
      }
    }
    return low
  }
}
