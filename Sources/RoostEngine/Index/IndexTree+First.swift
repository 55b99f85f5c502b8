extension IndexTree {
  /// The keys of the first entries between two positions, in entry order; a nil `upper` means the end.
  ///
  /// Reads nothing, and does no reference counting.
  /// - Returns: nil if the leaves are not cached, or a value has the maximum key length.
  func firstKeys(
    _ count: Int, from lower: IndexPosition, to upper: IndexPosition?
  ) -> [Int64]? {
    guard var leaves = CachedIndexLeaves(self, at: lower) else { return nil }
    var keys: [Int64] = []
    keys.reserveCapacity(min(count, 64))
    var first: IndexPosition? = lower
    while true {
      let added = leaves.leaf.withObject {
        $0.append(count - keys.count, from: first, to: upper, into: &keys)
      }
      guard let isAtEnd = added else { return nil }
      if isAtEnd { return keys }
      switch leaves.next() {
      case .leaf: first = nil
      case .end: return keys
      case .unknown: return nil
      }
    }
  }
}

extension IndexLeaf {
  /// Adds the keys of the leaf's first entries between two positions.
  ///
  /// - Returns: Whether no other leaf's entries are needed; nil if a value has the maximum key length.
  fileprivate func append(
    _ count: Int, from lower: IndexPosition?, to upper: IndexPosition?, into keys: inout [Int64]
  ) -> Bool? {
    let first = lower.map(firstValue(after:)) ?? 0
    let end = upper.map(firstValue(after:)) ?? valueCount
    guard first < end else { return end < valueCount }
    let start = keyStart(first)
    let run = self.keys(start..<min(start + min(count, entryCount), keyStart(end)))
    guard hasWholeValues(from: first, keys: start + run.count) else { return nil }
    run.append(to: &keys)
    return run.count == count || end < valueCount
  }

  /// Whether all values of the keys up to `keyCount`, from `first` on, are below the maximum key length.
  private func hasWholeValues(from first: Int, keys keyCount: Int) -> Bool {
    let suffixMax = IndexKey.byteCountMax - prefix.count - 1
    var value = first
    while value < valueCount, keyStart(value) < keyCount {
      guard suffixSpan(value).count <= suffixMax else { return false }
      value += hasOffsets ? 1 : valueCount
    }
    return true
  }
}

/// Steps from leaf to leaf of an index, as far as the tree caches the path. Retain the tree while using it.
private struct CachedIndexLeaves {
  /// The step after a leaf.
  enum Step {
    case leaf
    /// The leaf was the tree's last.
    case end
    /// The path is not cached, or leads through a node further up.
    case unknown
  }

  /// The current leaf.
  private(set) var leaf: UnownedReference<IndexLeaf>
  private var path = Path()

  /// The path to the next leaf.
  private struct Path {
    /// The deepest node on the path with a child on the right.
    var node: UnownedReference<IndexInner>?
    /// That child.
    var child = 0
    /// Whether a node above that one also has a child on the right.
    var hasMoreAbove = false

    /// Records a node and the chosen child.
    @inline(__always)
    mutating func pass(_ inner: IndexInner, _ chosen: Int) {
      guard chosen + 1 < inner.childCount else { return }
      hasMoreAbove = hasMoreAbove || node != nil
      node = UnownedReference(inner)
      child = chosen + 1
    }
  }

  /// The leaf with the first entry at or after a position, unless that is the first entry of the next leaf; nil
  /// if the path to it is not cached.
  init?(_ tree: IndexTree, at position: IndexPosition) {
    var path = Path()
    let found = Self.descend(from: tree.heldRoot, &path) { $0.child(for: position) }
    guard let found else { return nil }
    leaf = found
    self.path = path
  }

  /// Moves to the next leaf.
  mutating func next() -> Step {
    guard let node = path.node else { return .end }
    let content = node.withObject { inner in
      path.child < inner.childCount ? inner.held(path.child) : nil
    }
    guard let content else { return path.hasMoreAbove ? .unknown : .end }
    path.child += 1
    var below = Path()
    guard let found = Self.descend(from: content, &below, { _ in 0 }) else { return .unknown }
    leaf = found
    if below.node != nil {
      below.hasMoreAbove = true
      path = below
    }
    return .leaf
  }

  private static func descend(
    from content: IndexSlot.Content, _ path: inout Path, _ choose: (IndexInner) -> Int
  ) -> UnownedReference<IndexLeaf>? {
    var content = content
    while let node = content.node {
      node.withObject { inner in
        let child = choose(inner)
        path.pass(inner, child)
        content = inner.held(child)
      }
    }
    return content.leaf
  }
}
