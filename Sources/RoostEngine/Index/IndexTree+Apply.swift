extension IndexTree {
  /// The root of the tree with these changes; the tree itself stays as it is.
  ///
  /// Every changed leaf is written once. An empty tree is built packed full.
  ///
  /// - Throws: `.corrupt` with the reason `indexEntry` when a pair is added that is there, or removed that is not.
  package func apply(
    _ run: borrowing IndexRun, writer: PageWriter
  ) throws(EngineError) -> TreeRoot {
    guard run.count > 0 else { return root }
    var rebuilder = IndexRebuilder(tree: root.id, writer: writer)
    if let edge = IndexEdge(root: root) {
      try rebuilder.apply(run, run.start, run.end, to: edge)
    } else {
      try rebuilder.build(run)
    }
    return try rebuilder.finish(replacing: root)
  }

  /// The root of the tree with these changes.
  package func apply(
    _ changes: borrowing IndexChanges, writer: PageWriter
  ) throws(EngineError) -> TreeRoot {
    if changes.count <= Self.patchesMax, let root = try patch(changes, writer: writer) {
      return root
    }
    let run = try IndexRun(changes, tree: root.id)
    return try apply(run, writer: writer)
  }

  /// The most changes made one by one: an old and a new value of one object.
  private static var patchesMax: Int { 2 }

  /// The root of the tree with a few changes made one by one; nil if the first cannot be made this way.
  private func patch(
    _ changes: borrowing IndexChanges, writer: PageWriter
  ) throws(EngineError) -> TreeRoot? {
    var tree = self
    for place in 0..<changes.count {
      let change = changes.changes[place]
      let value = changes.bytes(change.value)
      if let root = try tree.patch(
        value, change.key, isRemoval: change.isRemoval, writer: writer)
      {
        tree = IndexTree(root: root, reader: reader)
        continue
      }
      guard place > 0 else { return nil }
      var rest = IndexChanges()
      if change.isRemoval { rest.remove(value, change.key) } else { rest.add(value, change.key) }
      let run = try IndexRun(rest, tree: root.id)
      return try tree.apply(run, writer: writer)
    }
    return tree.root
  }
}

extension IndexRebuilder {
  /// Builds a tree from additions alone.
  fileprivate mutating func build(_ run: borrowing IndexRun) throws(EngineError) {
    endsWithAdditions = true
    leavesRoom = true
    for group in 0..<run.groupCount {
      try add(run, group, run.keyStart(group)..<run.keyStart(group + 1), unit: nil)
      try drain()
    }
  }

  /// Applies the changes from `start` up to `end` to the subtree at an edge.
  fileprivate mutating func apply(
    _ run: borrowing IndexRun, _ start: IndexRunPosition, _ end: IndexRunPosition,
    to edge: IndexEdge
  ) throws(EngineError) {
    guard edge.level > 0 else {
      let held = try edge.leaf(tree: tree, writer.reader)
      defer { held.release() }
      if try patch(run, start, end, edge, held.leaf) { return }
      begin(edge, held.frame)
      try merge(run, start, end, into: held.leaf, unit: edge.pointer.unit)
      free(edge, held.leaf)
      try drain()
      return
    }
    let held = try edge.inner(tree: tree, writer.reader)
    defer { held.release() }
    let node = held.node
    free(edge)
    var position = start
    var child = 0
    while child < node.childCount {
      var touched = node.childCount
      if position.key < end.key {
        touched = node.child(
          for: IndexPosition(before: run.value(position.group), run.key(position.key)),
          from: child)
      }
      try keep(child..<touched, of: node, edge)
      guard touched < node.childCount else { break }
      var next = end
      if touched + 1 < node.childCount {
        next = run.position(of: node.separator(touched), from: position)
        if next.key > end.key { next = end }
      }
      try apply(run, position, next, to: edge.child(touched, of: node))
      position = next
      child = touched + 1
    }
  }

  /// Replaces a leaf by a patched copy, if it has few changes.
  ///
  /// - Returns: False if the leaf has to be rewritten from its entries; then nothing is done.
  private mutating func patch(
    _ run: borrowing IndexRun, _ start: IndexRunPosition, _ end: IndexRunPosition,
    _ edge: IndexEdge, _ leaf: IndexLeaf
  ) throws(EngineError) -> Bool {
    guard (end.key - start.key) * Self.entriesPerChange <= leaf.entryCount else { return false }
    var patch = IndexLeafPatch(leaf)
    var position = start
    while position.key < end.key {
      let keys = position.key..<min(run.keyStart(position.group + 1), end.key)
      let canChange = patch.change(run.value(position.group), keys.count) { index in
        (run.key(keys.lowerBound + index), run.isRemoval(keys.lowerBound + index))
      }
      guard canChange else { return false }
      position = IndexRunPosition(group: position.group + 1, key: keys.upperBound)
    }
    guard let layout = patch.layout(isAlone: false), try settle(below: 0) else { return false }
    append(try patch.write(layout, with: writer), layout, edge.low)
    free(edge, leaf)
    endsWithAdditions = patch.endsWithAddition
    return true
  }

  /// A leaf is patched only if it has at least this many entries per change.
  private static var entriesPerChange: Int { 4 }

  /// Adds the entries of a leaf with the changes made.
  private mutating func merge(
    _ run: borrowing IndexRun, _ start: IndexRunPosition, _ end: IndexRunPosition,
    into leaf: IndexLeaf, unit: UInt64
  ) throws(EngineError) {
    var position = start
    var value = 0
    endsWithAdditions = false
    while position.key < end.key {
      let keys = position.key..<min(run.keyStart(position.group + 1), end.key)
      let (index, isFound) = leaf.find(run.value(position.group), from: value)
      try content.append(leaf, value..<index, unit: unit)
      if isFound {
        try content.open(leaf.value(index), unit: unit)
        endsWithAdditions = try merge(run, keys, into: leaf.keys(index), unit: unit)
        value = index + 1
      } else {
        try add(run, position.group, keys, unit: unit)
        endsWithAdditions = true
        value = index
      }
      position = IndexRunPosition(group: position.group + 1, key: keys.upperBound)
    }
    guard value < leaf.valueCount else { return }
    endsWithAdditions = false
    try content.append(leaf, value..<leaf.valueCount, unit: unit)
  }

  /// Adds a value that the leaf does not have.
  private mutating func add(
    _ run: borrowing IndexRun, _ group: Int, _ keys: Range<Int>, unit: UInt64?
  ) throws(EngineError) {
    if !run.isAdditionOnly {
      for index in keys where run.isRemoval(index) { throw mismatch(run.key(index), unit) }
    }
    try content.open(SplitBytes(run.value(group)), unit: unit ?? 0)
    run.append(keys, to: &content)
  }

  /// Adds the keys of a value with the changes made.
  ///
  /// - Returns: Whether the last key is new.
  private mutating func merge(
    _ run: borrowing IndexRun, _ changes: Range<Int>, into keys: IndexKeyRun, unit: UInt64
  ) throws(EngineError) -> Bool {
    var place = 0
    for change in changes {
      let key = run.key(change)
      while place < keys.count, keys.key(place) < key {
        content.append(keys.key(place))
        place += 1
      }
      let isThere = place < keys.count && keys.key(place) == key
      guard isThere == run.isRemoval(change) else { throw mismatch(key, unit) }
      if isThere { place += 1 } else { content.append(key) }
    }
    let isAtEnd = place == keys.count && !run.isRemoval(changes.upperBound - 1)
    while place < keys.count {
      content.append(keys.key(place))
      place += 1
    }
    content.closeValue()
    return isAtEnd
  }

  private func mismatch(_ key: Int64, _ unit: UInt64?) -> EngineError {
    .corrupt(Corruption(.indexEntry, unit: unit, tree: tree, keys: key...key))
  }
}
