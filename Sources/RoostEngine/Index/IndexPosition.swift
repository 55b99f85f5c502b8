/// A position between two entries of an index: just before or just after a pair of value and key.
struct IndexPosition {
  let value: ByteView
  let key: Int64
  /// Whether the position is after the pair rather than before it.
  let isAfter: Bool

  @inline(__always)
  init(before value: ByteView, _ key: Int64) {
    self.value = value
    self.key = key
    isAfter = false
  }

  /// Before all keys of a value.
  @inline(__always)
  init(before value: ByteView) { self.init(before: value, Int64.min) }

  /// After all keys of a value.
  @inline(__always)
  init(after value: ByteView) {
    self.value = value
    key = Int64.max
    isAfter = true
  }
}

/// One end of a range of values.
package enum IndexBound: Equatable, Sendable {
  /// The range extends to the first or last entry.
  case unbounded
  /// Entries with this value belong to the range.
  case inclusive([UInt8])
  /// Entries with this value do not belong to the range.
  case exclusive([UInt8])
}

/// A range of values, as the bytes of index keys.
package struct IndexRange: Equatable, Sendable {
  /// The lower end of the range.
  package var lower: IndexBound
  /// The upper end of the range.
  package var upper: IndexBound

  /// The entries whose values lie between two bounds.
  package init(from lower: IndexBound = .unbounded, to upper: IndexBound = .unbounded) {
    self.lower = lower
    self.upper = upper
  }

  /// The entries whose values begin with these bytes.
  package init(prefix: [UInt8]) {
    lower = .inclusive(prefix)
    // The least bytes above all bytes with this prefix: increments the last byte that can be incremented.
    if let last = prefix.lastIndex(where: { $0 < .max }) {
      upper = .exclusive(prefix[..<last] + [prefix[last] + 1])
    } else {
      upper = .unbounded
    }
  }
}

extension IndexRange {
  /// The value of a range of a single value.
  var onlyValue: [UInt8]? {
    guard case .inclusive(let first) = lower, case .inclusive(let last) = upper, first == last
    else { return nil }
    return first
  }
}

extension IndexBound {
  /// Calls `body` with the position of a range's lower end; nil before the first entry.
  func withLowerPosition<R>(
    _ body: (IndexPosition?) throws(EngineError) -> R
  ) throws(EngineError) -> R {
    switch self {
    case .unbounded: try body(nil)
    case .inclusive(let bytes):
      try bytes.withByteView { view throws(EngineError) in try body(IndexPosition(before: view)) }
    case .exclusive(let bytes):
      try bytes.withByteView { view throws(EngineError) in try body(IndexPosition(after: view)) }
    }
  }

  /// Calls `body` with the position of a range's upper end; nil after the last entry.
  func withUpperPosition<R>(
    _ body: (IndexPosition?) throws(EngineError) -> R
  ) throws(EngineError) -> R {
    switch self {
    case .unbounded: try body(nil)
    case .inclusive(let bytes):
      try bytes.withByteView { view throws(EngineError) in try body(IndexPosition(after: view)) }
    case .exclusive(let bytes):
      try bytes.withByteView { view throws(EngineError) in try body(IndexPosition(before: view)) }
    }
  }
}
