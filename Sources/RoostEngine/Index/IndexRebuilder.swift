/// Writes the new version of an index while traversing the old one from left to right.
///
/// A node or leaf without changes is kept; the entries of all others are added to
/// `content`, from which leaves are cut. Each level's new children wait in a list until a kept
/// node or leaf follows, and are then divided into nodes for the level above. So neighbours that
/// change together are packed together, each changed leaf is written once, and a large run is one
/// pass over the whole tree. A result that would be too small is merged with its kept neighbour.
///
/// Invariant: the waiting children in `levels[n + 1]` lie before those in `levels[n]`, and those before
/// `content`.
struct IndexRebuilder: ~Copyable {
  let tree: UInt32
  let writer: PageWriter
  /// The entries waiting to be packed into leaves.
  var content = IndexLeafContent()
  /// Whether the last entries are new and lie after all earlier entries.
  ///
  /// Then the last leaf and nodes are filled instead of halved, and small ones are not merged.
  var endsWithAdditions = false
  /// Whether small leaves get room for future entries, instead of being filled.
  var leavesRoom = false
  /// By level, the children waiting for a parent; a list for each level reached.
  private var levels = [IndexChildList()]
  /// The lower bound of the first waiting entry.
  private var low = OwnedIndexEntry()
  /// The leaf that all waiting entries are of, but for the changes; nil where there are several, or none.
  private var source: Frame?
  /// The last entry that was cut, if `content` continued after it.
  private var lastEntry = OwnedIndexEntry()
  private var drainBytes = Self.drainBytesMin
  /// The change of the number of values.
  private var valuesFreed: UInt64 = 0
  private var valuesWritten: UInt64 = 0

  private static let drainBytesMin = 128 << 10

  init(tree: UInt32, writer: PageWriter) {
    self.tree = tree
    self.writer = writer
  }

  /// Keeps consecutive children of the node at the end of an edge, unless the waiting part before them is too small.
  mutating func keep(
    _ children: Range<Int>, of node: IndexInner, _ edge: IndexEdge
  ) throws(EngineError) {
    guard let first = children.first else { return }
    endsWithAdditions = false
    if try settle(below: edge.level - 1) {
      reach(edge.level - 1)
      levels[edge.level - 1].append(children, of: node, edge)
    } else {
      try dissolve(edge.child(first, of: node))
      try keep(first + 1..<children.upperBound, of: node, edge)
    }
  }

  /// Begins adding the entries of the leaf at the end of this edge.
  mutating func begin(_ edge: IndexEdge, _ leaf: Frame) {
    guard content.isEmpty else { return source = nil }
    source = leaf
    low.set(edge.low)
    lastEntry.clear()
  }

  /// Frees a node that is replaced.
  func free(_ edge: IndexEdge) { writer.free(edge.pointer) }

  /// Frees a leaf that is replaced.
  mutating func free(_ edge: IndexEdge, _ leaf: IndexLeaf) {
    valuesFreed += UInt64(leaf.valueCount)
    writer.free(edge.pointer)
  }

  /// Adds a new leaf; `content` must be empty.
  ///
  /// - Parameter separator: The lower bound of its entries.
  mutating func append(_ leaf: Frame, _ layout: IndexLeafLayout, _ separator: IndexSeparator?) {
    levels[0].append(separator, leaf.pointer, count: UInt64(layout.entryCount))
    valuesWritten += UInt64(layout.valueCount)
  }

  /// Cuts full leaves off when many entries are waiting.
  @inline(__always)
  mutating func drain() throws(EngineError) {
    if content.looseSize > drainBytes { try cutFullLeaves() }
  }

  /// Finishes the new version.
  @inline(never)
  mutating func finish(replacing root: TreeRoot) throws(EngineError) -> TreeRoot {
    if !content.isEmpty {
      if !endsWithAdditions, isContentSmall { try pullLeaf() }
      try flush(full: endsWithAdditions)
    }
    var result = TreeRoot(empty: root.id, kind: .index)
    var level = -1
    while level + 1 < levels.count {
      level += 1
      guard !levels[level].isEmpty else { continue }
      let isTop = levels.dropFirst(level + 1).allSatisfy(\.isEmpty)
      if isTop, levels[level].count == 1 {
        result = try withoutSingleChildren(level: level)
        break
      }
      if !isTop, !endsWithAdditions, levels[level].isSmall { try pullNode(level) }
      try pack(level, full: endsWithAdditions)
    }
    let (values, overflow) = root.counter.addingReportingOverflow(valuesWritten)
    guard !overflow, values >= valuesFreed else {
      throw .corrupt(Corruption(.objectCount, unit: root.pointer.unit, tree: tree))
    }
    result.counter = values - valuesFreed
    return result
  }
}

extension IndexRebuilder {
  /// Creates the lists up to a level.
  private mutating func reach(_ level: Int) {
    while levels.count <= level { levels.append(IndexChildList()) }
  }

  /// Whether the waiting entries would make a leaf small enough to merge with a neighbour.
  private var isContentSmall: Bool {
    content.size < IndexLeafLayout.bytesMin(content.leafBytesMax)
  }

  /// The maximum size in bytes of the leaves cut from the waiting entries.
  private var cutBytes: Int {
    let most = content.leafBytesMax
    return leavesRoom && most == Unit.bytes ? most / 16 * 15 : most
  }

  /// Packs everything that waits below a level into children of that level.
  ///
  /// - Returns: False if it is too little: then the neighbour must be merged.
  mutating func settle(below level: Int) throws(EngineError) -> Bool {
    if !content.isEmpty {
      if isContentSmall { return false }
      try flush(full: false)
    }
    for lower in 0..<min(level, levels.count) where !levels[lower].isEmpty {
      guard !levels[lower].isSmall else { return false }
      try pack(lower, full: false)
    }
    return true
  }

  /// Replaces a node or leaf by its children or entries, and frees it.
  private mutating func dissolve(_ edge: IndexEdge) throws(EngineError) {
    guard edge.level > 0 else {
      let held = try edge.leaf(tree: tree, writer.reader)
      defer { held.release() }
      begin(edge, held.frame)
      try content.append(held.leaf, 0..<held.leaf.valueCount, unit: edge.pointer.unit)
      free(edge, held.leaf)
      return
    }
    let held = try edge.inner(tree: tree, writer.reader)
    defer { held.release() }
    free(edge)
    try keep(0..<held.node.childCount, of: held.node, edge)
  }

  /// Cuts leaves until little more than two remain.
  @inline(never)
  private mutating func cutFullLeaves() throws(EngineError) {
    var isAnyCut = false
    let bytes = cutBytes
    while content.looseSize > 3 * bytes {
      let plan = content.plan(fitting: bytes)
      guard !content.isAll(plan) else { break }
      try cut(plan)
      isAnyCut = true
    }
    content.compact()
    drainBytes = isAnyCut ? Self.drainBytesMin : drainBytes * 2
  }

  /// Cuts all waiting entries into leaves.
  private mutating func flush(full isFull: Bool) throws(EngineError) {
    let bytes = cutBytes
    while !content.isEmpty {
      var plan = content.plan(fitting: bytes)
      if !isFull, !content.isAll(plan), let half = planOfHalf(fitting: bytes) { plan = half }
      try cut(plan)
    }
    lastEntry.clear()
  }

  /// The first of two leaves of similar size, if the waiting entries fit two.
  private func planOfHalf(fitting bytesMax: Int) -> IndexLeafPlan? {
    let half = content.size / 2
    // A whole number of units has no padding.
    for bytes in [half / Unit.bytes * Unit.bytes, half] where bytes > 0 && bytes <= bytesMax {
      let plan = content.plan(fitting: bytes)
      if content.isAll(content.plan(fitting: bytesMax, after: plan)) { return plan }
    }
    return nil
  }

  /// Writes a leaf of entries from the front and removes them.
  private mutating func cut(_ plan: IndexLeafPlan) throws(EngineError) {
    let frame = try writer.writeFrame(
      kind: .indexLeaf, units: plan.layout.units, like: source
    ) { target in
      content.store(plan, tree: tree, in: target)
    }
    _ = frame.attach(try IndexLeaf(validating: frame, isInOrder: true))
    let firstValue = content.bytes(plan.slice.values.lowerBound)
    let firstKey = content.keys[plan.slice.keys.lowerBound]
    let separator =
      lastEntry.isSet ? lastEntry.separator(before: firstValue, firstKey) : low.separator
    append(frame, plan.layout, separator)
    lastEntry.set(
      IndexSeparator(
        bytes: SplitBytes(content.bytes(plan.slice.values.upperBound - 1)),
        key: content.keys[plan.slice.keys.upperBound - 1]))
    content.drop(plan.slice)
  }

  /// Divides a level's children into nodes of the level above.
  private mutating func pack(_ level: Int, full isFull: Bool) throws(EngineError) {
    guard level < TreeRoot.levelMax else {
      throw .limit(EngineLimit(.treeLevels, TreeRoot.levelMax))
    }
    reach(level + 1)
    let (writer, tree) = (writer, tree)
    let children = levels[level]
    let parents = levels[level + 1]
    try children.forEachNode(full: isFull) { (range) throws(EngineError) in
      let (size, prefixLength) = children.size(range)
      let count = try children.total(range)
      let units = (size + Unit.bytes - 1) / Unit.bytes
      let frame = try writer.writeFrame(kind: .indexInner, units: units) { target in
        children.store(
          range, prefixLength: prefixLength, level: level + 1, tree: tree, in: target)
      }
      _ = frame.attach(
        try IndexInner(validating: frame, writer.reader.indexBudget, isInOrder: true))
      parents.append(children.separator(range.lowerBound), frame.pointer, count: count)
    }
    children.removeAll()
  }
}

extension IndexRebuilder {
  /// Prepends the last leaf, written or kept, to the waiting entries.
  private mutating func pullLeaf() throws(EngineError) {
    guard try fill(0) else { return }
    let leaves = levels[0]
    let edge = leaves.lastEdge(level: 0, high: lastEntry.isSet ? nil : low.separator)
    let held = try edge.leaf(tree: tree, writer.reader)
    defer { held.release() }
    var joined = IndexLeafContent()
    try joined.append(held.leaf, 0..<held.leaf.valueCount, unit: edge.pointer.unit)
    try joined.append(content, unit: edge.pointer.unit)
    content = joined
    source = nil
    low.set(edge.low)
    lastEntry.clear()
    free(edge, held.leaf)
    leaves.removeLast()
  }

  /// Prepends the children of the last node, written or kept, to a level's.
  private func pullNode(_ level: Int) throws(EngineError) {
    guard level + 1 < levels.count, try fill(level + 1) else { return }
    let rest = levels[level]
    let edge = levels[level + 1].lastEdge(level: level + 1, high: rest.separator(0))
    let held = try edge.inner(tree: tree, writer.reader)
    defer { held.release() }
    let joined = IndexChildList()
    joined.append(0..<held.node.childCount, of: held.node, edge)
    joined.append(rest)
    rest.removeAll()
    rest.append(joined)
    free(edge)
    levels[level + 1].removeLast()
  }

  /// Fills an empty level with the children of the last node above it; false if there is none.
  private func fill(_ level: Int) throws(EngineError) -> Bool {
    guard levels[level].isEmpty else { return true }
    guard level + 1 < levels.count, try fill(level + 1) else { return false }
    let edge = levels[level + 1].lastEdge(level: level + 1, high: nil)
    let held = try edge.inner(tree: tree, writer.reader)
    defer { held.release() }
    levels[level].append(0..<held.node.childCount, of: held.node, edge)
    free(edge)
    levels[level + 1].removeLast()
    return true
  }

  /// The root, when a level has one child: single-child nodes at the top are removed.
  private func withoutSingleChildren(level: Int) throws(EngineError) -> TreeRoot {
    var root = TreeRoot(
      id: tree, kind: .index, level: level, count: levels[level].entryCount(0), counter: 0,
      pointer: levels[level].pointer(0))
    while root.level > 0, let edge = IndexEdge(root: root) {
      let held = try edge.inner(tree: tree, writer.reader)
      defer { held.release() }
      guard held.node.childCount == 1 else { break }
      root.level -= 1
      root.pointer = held.node.pointer(0)
      free(edge)
    }
    return root
  }
}
