extension IndexTree {
  /// The number of keys of a value: one descent, or two if it continues in the next leaf. Unpacks no keys.
  package func count(equal value: ByteView) throws(EngineError) -> UInt64 {
    guard let place = try place(of: IndexPosition(before: value)) else { return 0 }
    let found = try place.withLeaf { (leaf) throws(EngineError) in
      let (index, isFound) = leaf.find(value)
      return (start: leaf.keyStart(index), count: isFound ? leaf.keyCount(index) : 0)
    }
    guard place.next != nil else { return UInt64(found.count) }
    let end = try rank(IndexPosition(after: value))
    let start = place.before &+ UInt64(found.start)
    return end > start ? end - start : 0
  }

  /// The number of entries with a value in a range; two descents, regardless of the result.
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

  /// The number of entries before a position.
  func rank(_ position: IndexPosition) throws(EngineError) -> UInt64 {
    guard let place = try place(of: position) else { return 0 }
    return try place.withLeaf { (leaf) throws(EngineError) in
      place.before &+ UInt64(leaf.rank(position))
    }
  }
}
