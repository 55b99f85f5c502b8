import Synchronization

/// A parent's pointer to a node or leaf, with the parent's description of it.
///
/// Every descent checks the child against its edge, so that a damaged or hostile file can lead
/// neither into a cycle nor into another tree. The bounds lie in the frames of nodes above, so
/// these must be retained while the edge is used.
struct IndexEdge {
  /// The address of the child.
  let pointer: ExtentPointer
  /// The child's level; a leaf has level 0.
  let level: Int
  /// The number of entries below.
  let count: UInt64
  /// The lower bound of all entries below, inclusive; nil if unbounded.
  let low: IndexSeparator?
  /// The upper bound of all entries below, exclusive; nil if unbounded.
  let high: IndexSeparator?
  /// The parent's serial number and the child's index if the parent has both of the child's bounds, else 0.
  ///
  /// Neither a validated parent nor a validated child changes. So the child records the edge that
  /// it was last checked against, to avoid checking it twice in a row.
  private let mark: UInt64

  init(
    pointer: ExtentPointer, level: Int, count: UInt64, low: IndexSeparator?, high: IndexSeparator?,
    mark: UInt64 = 0
  ) {
    self.mark = mark
    self.pointer = pointer
    self.level = level
    self.count = count
    self.low = low
    self.high = high
  }

  /// The edge that leads into a tree; nil when the tree is empty.
  init?(root: TreeRoot) {
    guard !root.pointer.isNull else { return nil }
    self.init(
      pointer: root.pointer, level: root.level, count: root.count, low: nil, high: nil)
  }

  /// The edge to a child of the node at this edge's end.
  @inline(never)
  func child(_ child: Int, of node: IndexInner) -> IndexEdge {
    let hasLow = child > 0
    let hasHigh = child + 1 < node.childCount
    return IndexEdge(
      pointer: node.pointer(child), level: level - 1, count: node.count(child),
      low: hasLow ? node.separator(child - 1) : low,
      high: hasHigh ? node.separator(child) : high,
      mark: hasLow && hasHigh ? node.serial << 16 | UInt64(child) : 0)
  }

  /// The frame at the end of the edge with its node, checked against the edge.
  @inline(never)
  func inner(tree: UInt32, _ reader: PageReader) throws(EngineError) -> PinnedIndexInner {
    guard pointer.kind == .indexInner else { throw corruption(.pointerKind, tree) }
    let frame: Frame
    let node: IndexInner
    do {
      frame = try reader.frame(pointer)
      if let known = frame.attachment(as: IndexInner.self) {
        node = known
      } else {
        node = frame.attach(try IndexInner(validating: frame, reader.indexBudget))
      }
    } catch {
      throw error.located(in: tree)
    }
    if mark == 0 || node.checkedEdge.load(ordering: .relaxed) != mark { try check(node, tree) }
    return PinnedIndexInner(frame: frame, node: node)
  }

  /// The frame at the end of the edge with its leaf, checked against the edge.
  @inline(never)
  func leaf(tree: UInt32, _ reader: PageReader) throws(EngineError) -> PinnedIndexLeaf {
    guard pointer.kind == .indexLeaf else { throw corruption(.pointerKind, tree) }
    let frame: Frame
    let leaf: IndexLeaf
    do {
      frame = try reader.frame(pointer)
      if let known = frame.attachment(as: IndexLeaf.self) {
        leaf = known
      } else {
        leaf = frame.attach(try IndexLeaf(validating: frame))
      }
    } catch {
      throw error.located(in: tree)
    }
    if mark == 0 || leaf.checkedEdge.load(ordering: .relaxed) != mark { try check(leaf, tree) }
    return PinnedIndexLeaf(frame: frame, leaf: leaf)
  }

  @inline(never)
  private func check(_ node: IndexInner, _ tree: UInt32) throws(EngineError) {
    guard node.level == level else { throw corruption(.nodeLevel, tree) }
    guard node.tree == tree else { throw corruption(.nodeTree, tree) }
    guard node.entryCount == count else { throw corruption(.objectCount, tree) }
    guard node.lies(from: low, to: high) else { throw corruption(.keyRange, tree) }
    node.checkedEdge.store(mark, ordering: .relaxed)
  }

  @inline(never)
  private func check(_ leaf: IndexLeaf, _ tree: UInt32) throws(EngineError) {
    guard leaf.tree == tree else { throw corruption(.nodeTree, tree) }
    guard UInt64(leaf.entryCount) == count else { throw corruption(.objectCount, tree) }
    guard leaf.lies(from: low, to: high) else { throw corruption(.keyRange, tree) }
    leaf.checkedEdge.store(mark, ordering: .relaxed)
  }

  private func corruption(_ reason: Corruption.Reason, _ tree: UInt32) -> EngineError {
    .corrupt(Corruption(reason, unit: pointer.unit, tree: tree))
  }
}

/// An inner node with the frame that contains its bytes.
struct PinnedIndexInner {
  let frame: Frame
  let node: IndexInner

  /// Retains the bytes until here.
  @inline(__always) func release() { withExtendedLifetime(frame) {} }
}

/// A leaf with the frame that contains its bytes.
struct PinnedIndexLeaf {
  let frame: Frame
  let leaf: IndexLeaf

  /// Retains the bytes until here.
  @inline(__always) func release() { withExtendedLifetime(frame) {} }
}
