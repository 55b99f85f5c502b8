extension IndexTree {
  /// How many keys a value has; no key is unpacked.
  package func count(equal value: ByteView) throws(EngineError) -> UInt64 {
    guard let edge = IndexEdge(root: root) else { return 0 }
    return try count(edge, value)
  }

  /// How many entries have a value in a range; two descents, however many there are.
  package func count(in range: IndexRange) throws(EngineError) -> UInt64 {
    if let value = range.onlyValue {
      return try value.withByteView { (view) throws(EngineError) in try count(equal: view) }
    }
    let below = try range.lower.withLowerPosition { (position) throws(EngineError) in
      try position.map { (position) throws(EngineError) in try rank(position) } ?? 0
    }
    let through = try range.upper.withUpperPosition { (position) throws(EngineError) in
      try position.map { (position) throws(EngineError) in try rank(position) } ?? root.count
    }
    return through > below ? through - below : 0
  }

  /// How many entries lie before a position.
  func rank(_ position: IndexPosition) throws(EngineError) -> UInt64 {
    guard let edge = IndexEdge(root: root) else { return 0 }
    return try rank(edge, position)
  }

  private func count(_ edge: IndexEdge, _ value: ByteView) throws(EngineError) -> UInt64 {
    guard edge.level > 0 else {
      let held = try edge.leaf(tree: root.id, reader)
      defer { held.release() }
      let (index, isFound) = held.leaf.find(value)
      return isFound ? UInt64(held.leaf.keys(index).count) : 0
    }
    let held = try edge.inner(tree: root.id, reader)
    defer { held.release() }
    let node = held.node
    let first = node.child(for: IndexPosition(before: value))
    let atFirst = try count(edge.child(first, of: node), value)
    guard node.continues(value, after: first) else { return atFirst }
    // Between the first child that has the value and the last, there is nothing else.
    let last = node.child(for: IndexPosition(after: value), from: first)
    let between = node.countBefore(last) - node.countBefore(first + 1)
    return try atFirst + between + count(edge.child(last, of: node), value)
  }

  private func rank(_ edge: IndexEdge, _ position: IndexPosition) throws(EngineError) -> UInt64 {
    guard edge.level > 0 else {
      let held = try edge.leaf(tree: root.id, reader)
      defer { held.release() }
      return UInt64(held.leaf.rank(position))
    }
    let held = try edge.inner(tree: root.id, reader)
    defer { held.release() }
    let child = held.node.child(for: position)
    return try held.node.countBefore(child) + rank(edge.child(child, of: held.node), position)
  }
}
