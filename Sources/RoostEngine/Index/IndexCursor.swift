/// Iterates over the entries of a range of values, one run of keys at a time, in either direction.
///
/// Allocates nothing per entry. It retains the frames of its path, so the version must stay pinned
/// while it is used. Do not share it between threads.
package final class IndexCursor {
  private let tree: IndexTree
  private let range: IndexRange
  private let isDescending: Bool
  /// The inner nodes from the root down, each with its current child.
  private var path: [Step] = []
  private var leaf: PinnedIndexLeaf?
  /// The values of the leaf that lie in the range and are still to come.
  private var waiting = 0..<0
  private var current = 0
  /// Whether the leaf has values beyond the far end of the range.
  private var isLastLeaf = false
  private var hasBegun = false
  /// The value's bytes in one piece: the leaf's prefix, then the suffix.
  private var assembled = PlainBuffer<UInt8>(minimumCapacity: IndexKey.byteCountMax)

  private struct Step {
    let edge: IndexEdge
    let held: PinnedIndexInner
    var child: Int
  }

  /// The parent of the edge to descend next.
  private var step: IndexStep? {
    path.last.map { IndexStep(node: $0.held.node, child: $0.child) }
  }

  init(_ tree: IndexTree, over range: IndexRange, descending: Bool) {
    self.tree = tree
    self.range = range
    isDescending = descending
  }

  /// Moves to the next run of keys of one value; false at the end of the range.
  ///
  /// A value with more keys than a leaf contains comes in several runs. When descending, its last keys
  /// come first; the keys within a run ascend.
  package func next() throws(EngineError) -> Bool {
    if !hasBegun {
      hasBegun = true
      guard let edge = IndexEdge(root: tree.root) else { return false }
      try descend(edge, seeking: true)
    }
    while waiting.isEmpty {
      guard !isLastLeaf, try moveToNextLeaf() else { return false }
    }
    guard let held = leaf else { return false }
    if isDescending {
      current = waiting.upperBound - 1
      waiting = waiting.lowerBound..<current
    } else {
      current = waiting.lowerBound
      waiting = current + 1..<waiting.upperBound
    }
    assembled.removeLast(assembled.count - held.leaf.prefix.count)
    assembled.append(held.leaf.suffix(current))
    return true
  }

  /// The bytes of the value; valid until the cursor moves.
  package var value: ByteView { assembled.view(0, assembled.count) }

  /// The keys of the value in this leaf; valid until the cursor moves.
  package var keys: IndexKeyRun {
    guard let leaf else { preconditionFailure("The cursor is not at an entry.") }
    return leaf.leaf.keys(current)
  }

  /// Descends to the first leaf in the cursor's direction: of the range when seeking, else of the subtree.
  private func descend(_ edge: IndexEdge, seeking: Bool) throws(EngineError) {
    var edge = edge
    while edge.level > 0 {
      let held = try tree.inner(edge, in: step)
      let child = try seeking ? seek(held.node) : isDescending ? held.node.childCount - 1 : 0
      path.append(Step(edge: edge, held: held, child: child))
      edge = edge.child(child, of: held.node)
    }
    let held = try tree.leaf(edge, in: step)
    leaf = held
    let lower = try lowerValue(held.leaf)
    let upper = try upperValue(held.leaf)
    waiting = lower..<max(lower, upper)
    isLastLeaf = isDescending ? lower > 0 : upper < held.leaf.valueCount
    assembled.removeAll()
    assembled.append(held.leaf.prefix)
  }

  /// Moves to the neighbouring leaf; false at the end of the tree.
  private func moveToNextLeaf() throws(EngineError) -> Bool {
    let step = isDescending ? -1 : 1
    while let last = path.last {
      let child = last.child + step
      if child >= 0, child < last.held.node.childCount {
        path[path.count - 1].child = child
        try descend(last.edge.child(child, of: last.held.node), seeking: false)
        return true
      }
      path.removeLast()
    }
    return false
  }

  /// The first value of the leaf that is not below the range.
  private func lowerValue(_ leaf: IndexLeaf) throws(EngineError) -> Int {
    try range.lower.withLowerPosition { (position) in
      position.map(leaf.firstValue(after:)) ?? 0
    }
  }

  /// The first value of the leaf that is above the range.
  private func upperValue(_ leaf: IndexLeaf) throws(EngineError) -> Int {
    try range.upper.withUpperPosition { (position) in
      position.map(leaf.firstValue(after:)) ?? leaf.valueCount
    }
  }

  private func seek(_ node: IndexInner) throws(EngineError) -> Int {
    isDescending
      ? try range.upper.withUpperPosition { (position) in
        position.map { node.child(for: $0) } ?? node.childCount - 1
      }
      : try range.lower.withLowerPosition { (position) in
        position.map { node.child(for: $0) } ?? 0
      }
  }
}

extension IndexLeaf {
  /// The first value after a position before or after all keys of a value.
  func firstValue(after position: IndexPosition) -> Int {
    let (index, isFound) = find(position.value)
    return isFound && position.isAfter ? index + 1 : index
  }
}

extension IndexTree {
  /// A cursor over the values of a range.
  package func cursor(
    over range: IndexRange = IndexRange(), descending: Bool = false
  ) -> IndexCursor {
    IndexCursor(self, over: range, descending: descending)
  }

  /// Passes every run of keys with a value in the range to `body`, until it returns false.
  ///
  /// The bytes and the keys are valid inside `body` only.
  package func scan(
    _ range: IndexRange = IndexRange(), descending: Bool = false,
    _ body: (ByteView, IndexKeyRun) throws(EngineError) -> Bool
  ) throws(EngineError) {
    let cursor = cursor(over: range, descending: descending)
    while try cursor.next() {
      guard try body(cursor.value, cursor.keys) else { return }
    }
  }
}
