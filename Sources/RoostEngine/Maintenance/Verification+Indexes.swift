/// The indexes, and their agreement with their tables.
extension Verification {
  /// Checks an index, whose table's objects ask for the expected entries.
  func check(
    _ rule: IndexRule, of objects: ObjectTree, expected: IndexDigest
  ) throws(EngineError) {
    let index = try view.index(tree: rule.tree)
    let check = IndexCheck(index, rule, seed: seed)
    if let edge = IndexEdge(root: index.root) { try visit(edge, check) }
    guard isSound(index.root.id) else { return }
    guard check.valueCount == index.root.counter else {
      return report(
        Corruption(.objectCount, unit: index.root.pointer.unit, tree: index.root.id))
    }
    guard isSound(objects.root.id), check.digest != expected else { return }
    try findMissingEntries(of: objects, rule, in: index)
    try findStrayEntries(of: objects, rule, in: index)
  }

  private func visit(_ edge: IndexEdge, _ check: IndexCheck) throws(EngineError) {
    let tree = check.index.root.id
    guard claim(edge.pointer, in: tree) else { return }
    guard edge.level > 0 else {
      let held = try attempt(in: tree) { () throws(EngineError) in
        try edge.leaf(tree: tree, view.reader)
      }
      guard let held else { return }
      if let key = check.add(held.leaf) {
        report(Corruption(.indexEntry, unit: edge.pointer.unit, tree: tree, keys: key...key))
      }
      return held.release()
    }
    let held = try attempt(in: tree) { () throws(EngineError) in
      try edge.inner(tree: tree, view.reader)
    }
    guard let held else { return }
    for child in 0..<held.node.childCount {
      try visit(edge.child(child, of: held.node), check)
    }
    held.release()
  }

  // MARK: Where index and table differ

  private func findMissingEntries(
    of objects: ObjectTree, _ rule: IndexRule, in index: IndexTree
  ) throws(EngineError) {
    var key = IndexKey()
    var leaves = try objects.leaves()
    while let leaf = try leaves.next() {
      for row in 0..<leaf.rowCount {
        let object = leaf.key(row)
        var isThere = true
        try rule.forEachKey(leaf, row: row, &key) { (key) throws(EngineError) in
          guard isThere else { return }
          isThere = try key.withView { (value) throws(EngineError) in
            try index.contains(value, object)
          }
        }
        if !isThere {
          report(Corruption(.indexEntry, tree: index.root.id, keys: object...object))
        }
      }
    }
  }

  /// Goes through the objects and the entries twice, whatever they hold: an object with a long list of links has an entry for
  /// each, and must not be looked at for each.
  private func findStrayEntries(
    of objects: ObjectTree, _ rule: IndexRule, in index: IndexTree
  ) throws(EngineError) {
    var search = OrphanEntrySearch(seed: seed)
    for isSecond in [false, true] {
      try forEachAskedEntry(of: objects, rule) {
        if isSecond { search.note(asked: $0, $1) } else { search.count(asked: $0, $1) }
      }
      try index.scan { (value, run) throws(EngineError) in
        let hash = XXH3.hash(value)
        for object in run {
          if !isSecond {
            search.count(found: hash, object)
          } else if search.isStray(hash, object) {
            self.report(Corruption(.indexEntry, tree: index.root.id, keys: object...object))
          }
        }
        return true
      }
      if !isSecond, search.narrow() { report(Corruption(.indexEntry, tree: index.root.id)) }
    }
  }

  /// Calls `body` with the hash of the value of each entry that the objects ask for, and the object.
  private func forEachAskedEntry(
    of objects: ObjectTree, _ rule: IndexRule, _ body: (UInt64, Int64) -> Void
  ) throws(EngineError) {
    var key = IndexKey()
    var leaves = try objects.leaves()
    while let leaf = try leaves.next() {
      for row in 0..<leaf.rowCount {
        let object = leaf.key(row)
        try rule.forEachKey(leaf, row: row, &key) { key in
          body(key.withView { XXH3.hash($0) }, object)
        }
      }
    }
  }

  // MARK: Links

  /// Checks that the links of a table lead to objects.
  func checkLinks(of table: TableDefinition) throws(EngineError) {
    for field in table.fields where field.type.isLink && isSound(field.indexTree) {
      guard let target = view.catalog.table(field.target), isSound(target.tree) else { continue }
      let targets = try view.objects(target.id)
      try view.index(field).scan { (value, run) throws(EngineError) in
        // Null has no bytes; of links of a list to one target the first one is enough.
        guard value.count == 9 else { return true }
        // The bytes of an integer in an index: highest first, the sign bit flipped.
        let bits = value.uint64(at: 1).byteSwapped ^ (1 << 63)
        if try !targets.contains(Int64(bitPattern: bits)), let first = run.first {
          self.report(
            Corruption(.link, tree: table.tree, keys: first...(run.last ?? first)))
        }
        return true
      }
    }
  }
}

/// The state that verification gathers while it scans an index's leaves.
final class IndexCheck {
  let index: IndexTree
  private(set) var valueCount: UInt64 = 0
  private(set) var digest: IndexDigest
  private let rule: IndexRule
  private var value = PlainBuffer<UInt8>(minimumCapacity: IndexKey.byteCountMax)
  private var previous = PlainBuffer<UInt8>(minimumCapacity: IndexKey.byteCountMax)

  init(_ index: IndexTree, _ rule: IndexRule, seed: UInt64) {
    self.index = index
    self.rule = rule
    digest = IndexDigest(seed: seed)
  }

  /// Adds the entries of a leaf.
  ///
  /// - Returns: An object whose value another one has where that must not be.
  func add(_ leaf: IndexLeaf) -> Int64? {
    var twice: Int64?
    valueCount += UInt64(leaf.valueCount)
    for place in 0..<leaf.valueCount {
      value.removeAll()
      value.append(leaf.prefix)
      value.append(leaf.suffix(place))
      let bytes = value.view(0, value.count)
      let keys = leaf.keys(place)
      if rule.isUnique {
        // A value that continues in the next leaf is the first one there.
        let goesOn = place == 0 && previous.view(0, previous.count).bytesEqual(bytes)
        if goesOn || keys.count > 1, !rule.hasNull(bytes) { twice = keys.key(keys.count - 1) }
      }
      let hash = XXH3.hash(bytes)
      keys.forEachKey { digest.add(hash, $0) }
    }
    swap(&value, &previous)
    return twice
  }
}
