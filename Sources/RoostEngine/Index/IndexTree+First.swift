extension IndexTree {
  /// The keys of the first entries between two positions, in the order of entries; nil means the end.
  ///
  /// Reads nothing, and counts no references.
  /// - Returns: nil where the leaves are not held, or a value is as long as keys get.
  func firstKeys(
    _ count: Int, from lower: IndexPosition, to upper: IndexPosition?
  ) -> [Int64]? {
    guard var leaves = CachedIndexLeaves(self, at: lower) else { return nil }
    var keys: [Int64] = []
    keys.reserveCapacity(min(count, 64))
    var first: IndexPosition? = lower
    while true {
      let added = unsafe leaves.leaf._withUnsafeGuaranteedRef {
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
  /// - Returns: Whether no entry of another leaf is wanted; nil where a value is as long as keys get.
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

  /// Whether all values from one on up to that of the last of so many keys are shorter than keys get.
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

/// Goes from leaf to leaf of an index, as far as the tree holds the path. Used while the tree is held.
@safe
private struct CachedIndexLeaves {
  /// The step after a leaf.
  enum Step {
    case leaf
    /// The leaf was the tree's last.
    case end
    /// The path is not held, or leads over a node further up.
    case unknown
  }

  /// The leaf that is looked at.
  private(set) var leaf: Unmanaged<IndexLeaf>
  private var path = Path()

  /// Where the next leaf is.
  @safe
  private struct Path {
    /// The deepest node that was passed with a child on the right.
    var node: Unmanaged<IndexInner>?
    /// That child.
    var child = 0
    var level = 0
    /// Whether a node above that one has a child on the right, too.
    var hasMoreAbove = false

    /// Takes a node into account, of which a child was chosen.
    @inline(__always)
    mutating func pass(_ inner: IndexInner, _ chosen: Int, level: Int) {
      guard chosen + 1 < inner.childCount else { return }
      hasMoreAbove = unsafe hasMoreAbove || node != nil
      unsafe node = Unmanaged.passUnretained(inner)
      child = chosen + 1
      self.level = level
    }
  }

  /// The leaf that holds the first entry at or after a position, unless it is the first of the next leaf; nil
  /// where the path to it is not held.
  init?(_ tree: IndexTree, at position: IndexPosition) {
    var path = Path()
    let found = unsafe Self.descend(from: tree.heldRoot, level: tree.root.level, &path) {
      $0.child(for: position)
    }
    guard let found = unsafe found else { return nil }
    unsafe leaf = found
    self.path = path
  }

  /// Goes on to the next leaf.
  mutating func next() -> Step {
    guard let node = unsafe path.node else { return .end }
    let (slot, isPassed) = unsafe node._withUnsafeGuaranteedRef { inner in
      guard path.child < inner.childCount else { return (UInt(0), true) }
      return (inner.held(path.child), false)
    }
    guard !isPassed else { return path.hasMoreAbove ? .unknown : .end }
    let level = path.level - 1
    path.child += 1
    var below = Path()
    guard let found = unsafe Self.descend(from: slot, level: level, &below, { _ in 0 }) else {
      return .unknown
    }
    unsafe leaf = found
    if unsafe below.node != nil {
      below.hasMoreAbove = true
      path = below
    }
    return .leaf
  }

  private static func descend(
    from slot: UInt, level: Int, _ path: inout Path, _ choose: (IndexInner) -> Int
  ) -> Unmanaged<IndexLeaf>? {
    var slot = slot
    var level = level
    while level > 0, let address = unsafe UnsafeRawPointer(bitPattern: slot) {
      unsafe Unmanaged<IndexInner>.fromOpaque(address)._withUnsafeGuaranteedRef { inner in
        let child = choose(inner)
        path.pass(inner, child, level: level)
        slot = inner.held(child)
      }
      level -= 1
    }
    return unsafe UnsafeRawPointer(bitPattern: slot).map { unsafe Unmanaged.fromOpaque($0) }
  }
}
