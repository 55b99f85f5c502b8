/// The roots of all trees, as a slot stores them: a roots extent, and inline records that override it.
///
/// So a small commit writes no extent for its roots (Format.md §2).
package struct RootTable {
  /// All roots.
  package private(set) var roots = TreeRoots()
  private(set) var extent = ExtentPointer.null
  /// The trees whose records are inline, ascending.
  private var inline: [UInt32] = []
  /// The trees that have always been empty, and got no record from a library of earlier days.
  private var unwritten: [UInt32] = []

  private static let header = 8

  /// No trees.
  init() {}

  /// Reads the roots that a slot describes.
  package init(_ slot: MetaSlot, reader: PageReader) throws(EngineError) {
    extent = slot.rootsExtent
    if !extent.isNull {
      let frame = try reader.frame(extent)
      let count = Int(frame.bytes.uint32(at: 0))
      guard count <= (frame.bytes.count - Self.header) / TreeRoot.size else {
        throw .corrupt(Corruption(.roots, unit: extent.unit))
      }
      var last: UInt32 = 0
      for index in 0..<count {
        let root = try TreeRoot(
          frame.bytes, at: Self.header + index * TreeRoot.size, parentBirth: extent.birth)
        guard root.id > last else { throw .corrupt(Corruption(.roots, unit: extent.unit)) }
        last = root.id
        roots.update(with: root)
      }
    }
    for root in slot.inlineRoots {
      guard addInline(root.id) else { throw .corrupt(Corruption(.roots)) }
      roots.update(with: root)
    }
  }

  /// Reads the roots that a slot describes: one for each tree of the catalog.
  ///
  /// - Throws: `.corrupt` where there is none for a tree, or one for another tree.
  package init(
    _ slot: MetaSlot, of catalog: Catalog, reader: PageReader
  ) throws(EngineError) {
    try self.init(slot, reader: reader)
    let trees = catalog.trees.ascending { Int($0.id) }
    for root in roots.all {
      let place = trees.partitioningIndex { $0.id >= root.id }
      guard place < trees.count, trees[place].id == root.id, trees[place].kind == root.kind else {
        throw .corrupt(Corruption(.roots, tree: root.id))
      }
    }
    for tree in catalog.trees where roots[tree.id] == nil {
      guard !slot.hasEveryRoot else { throw .corrupt(Corruption(.roots, tree: tree.id)) }
      roots.update(with: TreeRoot(empty: tree.id, kind: tree.kind))
      unwritten.append(tree.id)
    }
  }

  /// Whether a transaction wrote all roots to an extent.
  func isWritten(by transaction: UInt64) -> Bool { !extent.isNull && extent.birth == transaction }

  /// Whether no tree has an object or an entry.
  var areEmpty: Bool { roots.all.allSatisfy { $0.count == 0 } }

  /// The records that belong in the slot.
  var inlineRoots: [TreeRoot] {
    var records: [TreeRoot] = []
    records.reserveCapacity(inline.count)
    for id in inline { if let root = roots[id] { records.append(root) } }
    return records
  }

  /// Returns whether the tree's record was not inline yet.
  @discardableResult
  private mutating func addInline(_ id: UInt32) -> Bool {
    let place = inline.partitioningIndex { $0 >= id }
    guard place == inline.count || inline[place] != id else { return false }
    inline.insert(id, at: place)
    return true
  }

  /// Applies a transaction's changed roots; writes a new roots extent when the slot has no more room.
  mutating func update(
    _ changed: [TreeRoot], removing removed: [UInt32], writer: PageWriter
  ) throws(EngineError) {
    for root in changed {
      roots.update(with: root)
      addInline(root.id)
    }
    for id in unwritten where roots[id] != nil { addInline(id) }
    unwritten = []
    for id in removed {
      roots.remove(id)
      let place = inline.partitioningIndex { $0 >= id }
      if place < inline.count, inline[place] == id { inline.remove(at: place) }
    }
    let mustRewrite = inline.count > MetaSlot.inlineRootsMax || (!removed.isEmpty && !extent.isNull)
    guard mustRewrite else { return }
    let all = roots.all
    let units = (Self.header + all.count * TreeRoot.size + Unit.bytes - 1) / Unit.bytes
    guard units <= Unit.extentUnitsMax else {
      let most = (Unit.extentUnitsMax * Unit.bytes - Self.header) / TreeRoot.size
      throw .limit(EngineLimit(.trees, most))
    }
    writer.free(extent)
    extent = try writer.write(kind: .roots, units: units) { view in
      view.store(UInt32(all.count), at: 0)
      for (index, root) in all.enumerated() {
        root.store(in: view, at: Self.header + index * TreeRoot.size)
      }
    }
    inline = []
  }
}
