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
@safe
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
  private(set) var leaf: Unmanaged<IndexLeaf>
  private var path = Path()

  /// The path to the next leaf.
  @safe
  private struct Path {
    /// The deepest node on the path with a child on the right.
    var node: Unmanaged<IndexInner>?
    /// That child.
    var child = 0
    var level = 0
    /// Whether a node above that one also has a child on the right.
    var hasMoreAbove = false

    /// Records a node and the chosen child.
    @inline(__always)
    mutating func pass(_ inner: IndexInner, _ chosen: Int, level: Int) {
      guard chosen + 1 < inner.childCount else { return }
      hasMoreAbove = unsafe hasMoreAbove || node != nil
      unsafe node = Unmanaged.passUnretained(inner)
      child = chosen + 1
      self.level = level
    }
  }

  /// The leaf with the first entry at or after a position, unless that is the first entry of the next leaf; nil
  /// if the path to it is not cached.
  init?(_ tree: IndexTree, at position: IndexPosition) {
    var path = Path()
    let found = unsafe Self.descend(from: tree.heldRoot, level: tree.root.level, &path) {
      $0.child(for: position)
    }
    guard let found = unsafe found else { return nil }
    unsafe leaf = found
    self.path = path
  }

  /// Moves to the next leaf.
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
