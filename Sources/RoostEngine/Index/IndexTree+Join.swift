extension IndexTree {
  /// The keys of all entries whose value is one of the given integers, in the order of these.
  ///
  /// Looks each integer up, or, if there are many, scans the entries between the first integer and the last
  /// once.
  /// - Parameter values: Ascending, each once.
  func keys(equalToAny values: [Int64]) throws(EngineError) -> [Int64] {
    var keys: [Int64] = []
    guard let first = values.first, let last = values.last else { return keys }
    var lower = IndexKey()
    lower.set(first)
    guard UInt64(values.count) * Self.joinedShare >= root.count else {
      for value in values {
        lower.set(value)
        try lower.withView { view throws(EngineError) in
          try self.keys(equal: view, into: &keys)
        }
      }
      return keys
    }
    var upper = IndexKey()
    upper.set(last)
    var next = 0
    try scan(IndexRange(from: .inclusive(lower.bytes), to: .inclusive(upper.bytes))) {
      (bytes, run) throws(EngineError) in
      guard let value = bytes.indexedInteger else { return true }
      while next < values.count, values[next] < value { next += 1 }
      if next < values.count, values[next] == value { run.append(to: &keys) }
      return true
    }
    return keys
  }

  /// Scans if this many times the number of values reaches the number of entries.
  private static var joinedShare: UInt64 { 16 }
}

extension ByteView {
  /// The integer whose index key the bytes are; nil if they are no integer's key.
  fileprivate var indexedInteger: Int64? {
    guard count == 9 else { return nil }
    return Int64(bitPattern: uint64(at: 1).byteSwapped ^ 1 << 63)
  }
}
