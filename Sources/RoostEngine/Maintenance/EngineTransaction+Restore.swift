/// Restoring a named version.
extension EngineTransaction {
  /// Restores tables and objects to a version that had a name when this transaction began.
  ///
  /// Trees that differ are written anew, for an extent that was freed never becomes current again. Numbers that were given
  /// since are not given again: object keys, and those of tables, fields and trees. The versions that have names keep them.
  /// - Throws: `.version` where none has the name.
  /// - Complexity: O(n) in the objects of tables that differ.
  package func restoreVersion(named name: String) throws(EngineError) {
    let version = try EngineSnapshot(version: base).named(name)
    let before = try view()
    var counters: [UInt32: UInt64] = [:]
    for table in version.catalog.tables where before.catalog.table(table.id) != nil {
      counters[table.tree] = try before.objects(table.id).root.counter
    }
    let restored = version.catalog.restored(over: catalog)
    try replaceContent(with: version, as: restored, countersAtLeast: counters)
  }

  /// Makes tables and objects those of a version, of this file or another one.
  ///
  /// - Parameters:
  ///   - content: The version's tables, where they are to be others.
  ///   - countersAtLeast: By trees, the counters that are kept where they are higher.
  ///   - copies: Where trees lie already; without them each is written anew.
  func replaceContent(
    with version: EngineSnapshot, as content: Catalog? = nil,
    countersAtLeast counters: [UInt32: UInt64] = [:], copies: TreeCopies? = nil
  ) throws(EngineError) {
    let content = content ?? version.catalog
    writer.onlyDeletes = false
    let old = try view().catalog
    let roots = currentRoots()
    if content != old {
      try catalogDidChange()
      catalog = content
    }
    var kept: Set<UInt32> = []
    for tree in content.trees {
      kept.insert(tree.id)
      let wanted = try version.version.roots().root(of: tree.id)
      let known = old.has(tree) ? roots[tree.id] : nil
      var root: TreeRoot
      if let known, isSameTree(known, wanted, of: version) {
        root = known
      } else if let copies {
        root = try copies.copy(wanted, of: version, with: writer)
      } else {
        root = try version.repacked(wanted, with: writer)
      }
      if tree.kind == .objects { root.counter = max(wanted.counter, counters[tree.id] ?? 0) }
      if let known, known.pointer != root.pointer { try free(known, but: root) }
      changedRoots.update(with: root)
      removedTrees.removeAll { $0 == tree.id }
    }
    for tree in old.trees where !kept.contains(tree.id) {
      try free(try roots.root(of: tree.id), but: nil)
      changedRoots.remove(tree.id)
      removedTrees.append(tree.id)
    }
    tablesDidChange()
  }

  /// Whether a tree of this file equals the version's.
  private func isSameTree(_ known: TreeRoot, _ wanted: TreeRoot, of version: EngineSnapshot) -> Bool
  {
    known.pointer == wanted.pointer && known.kind == wanted.kind
      && version.fileIdentity == base.slot.identity.low
  }

  /// Frees a tree, except the extents that another tree shares.
  private func free(_ tree: TreeRoot, but other: TreeRoot?) throws(EngineError) {
    var shared: Set<ExtentPointer> = []
    if let other { try writer.reader.walk(other) { shared.insert($0) } }
    var extents: [ExtentPointer] = []
    try writer.reader.walk(tree) { extents.append($0) }
    for extent in extents where !shared.contains(extent) { writer.free(extent) }
  }
}

extension EngineSnapshot {
  /// Writes a tree of this version to a file, every leaf and node full.
  func repacked(_ root: TreeRoot, with writer: PageWriter) throws(EngineError) -> TreeRoot {
    switch root.kind {
    case .objects:
      guard let table = catalog.tables.first(where: { $0.tree == root.id }) else { return root }
      let objects = try view.objects(table.id)
      return try objects.repacked(with: writer, digest: ObjectsDigest(objects.shape))
    case .index:
      return try view.index(tree: root.id).repacked(with: writer)
    }
  }
}

extension Catalog {
  /// Whether it has a tree.
  fileprivate func has(_ tree: (id: UInt32, kind: TreeKind)) -> Bool {
    trees.contains { $0 == tree }
  }
}

extension PageReader {
  /// Visits every extent of a tree.
  fileprivate func walk(
    _ root: TreeRoot, _ body: @escaping (ExtentPointer) throws(EngineError) -> Void
  ) throws(EngineError) {
    switch root.kind {
    case .objects: try ObjectTree(root: root, shape: TableShape([]), reader: self).walk(visit: body)
    case .index: try IndexTree(root: root, reader: self).walk(ExtentVisitor(body))
    }
  }
}
