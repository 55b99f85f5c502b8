/// The part of an index that holds every object of which a conjunct is true.
struct IndexAccess {
  let field: FieldID
  let tree: IndexTree
  private let entries: Entries
  /// How many entries there are in the ranges.
  let count: UInt64
  /// Whether every entry's object fulfils the conjuncts that were used; else they are candidates.
  let isExact: Bool
  /// The conjuncts that the ranges stand for, by their places.
  let used: [Int]

  /// Which entries are meant.
  private enum Entries {
    /// Those of these values, as bytes of index keys.
    case values([[UInt8]])
    case range(IndexRange)
  }

  /// No more values than this are looked up one by one, or than a sixteenth of the entries.
  private static let valuesMax = 256

  /// The access that the conjuncts on an indexed field allow; nil where they allow none.
  init?(
    _ field: FieldDefinition, _ tree: IndexTree, conjuncts: [Condition]
  ) throws(EngineError) {
    var bounds = IndexBounds()
    var used: [Int] = []
    var values: [[UInt8]]?
    let valuesMax = max(Self.valuesMax, Int(clamping: tree.count / 16))
    for (place, conjunct) in conjuncts.enumerated() {
      guard case .field(let test) = conjunct, test.field == field.id else { continue }
      if values == nil, let listed = Self.values(test, atMost: valuesMax) {
        values = listed
        used = [place]
      } else if values == nil, bounds.narrow(test) {
        used.append(place)
      }
    }
    guard !used.isEmpty else { return nil }
    self.field = field.id
    self.tree = tree
    self.used = used
    if let values {
      entries = .values(values)
      isExact = values.allSatisfy { $0.count < IndexKey.byteCountMax }
      var sum: UInt64 = 0
      for value in values {
        let count = try value.withByteView { view throws(EngineError) in
          try tree.count(equal: view)
        }
        let (next, overflow) = sum.addingReportingOverflow(count)
        sum = overflow ? .max : next
      }
      count = sum
    } else {
      let range = bounds.range
      entries = .range(range)
      isExact = !range.mayBeTruncated
      count = try tree.count(in: range)
    }
  }

  /// The single values that a condition asks for, as bytes of index keys; nil where it asks for something
  /// else, or for too many.
  private static func values(_ test: FieldTest, atMost valuesMax: Int) -> [[UInt8]]? {
    switch test.kind {
    case .compare(.equal, let value): return [value.indexKey]
    case .isNull: return [Value.null.indexKey]
    case .oneOf(let values) where values.count <= valuesMax:
      // Long values can share a key, which must not be counted twice.
      var seen: Set<[UInt8]> = []
      return values.map(\.indexKey).filter { seen.insert($0).inserted }
    case .keys(let keys) where keys.count <= valuesMax:
      return keys.keys.map { Value.integer($0).indexKey }
    default: return nil
    }
  }

  /// The object keys of all entries, ascending.
  func keys() throws(EngineError) -> [Int64] {
    var keys: [Int64] = []
    keys.reserveCapacity(Int(clamping: min(count, 1 << 20)))
    switch entries {
    case .values(let values):
      for value in values {
        try value.withByteView { view throws(EngineError) in
          try tree.keys(equal: view, into: &keys)
        }
      }
      if values.count > 1 { keys.sort() }
    case .range(let range):
      var isAscending = true
      try tree.scan(range) { (_, run) throws(EngineError) in
        if let last = keys.last, run.count > 0, run[0] <= last { isAscending = false }
        run.append(to: &keys)
        return true
      }
      if !isAscending { keys.sort() }
    }
    return keys
  }
}

/// The bounds that comparisons on one field leave, as bytes of index keys.
private struct IndexBounds {
  /// Values only: null comes before them all, and NaN has the largest key of its type.
  private var lower = IndexBound.inclusive([1])
  private var upper = IndexBound.unbounded
  private var prefix: IndexRange?

  /// Takes a condition into account; false where it gives no bound.
  mutating func narrow(_ test: FieldTest) -> Bool {
    switch test.kind {
    case .compare(let comparison, let value):
      switch comparison {
      case .less: lowerUpper(.exclusive(value.indexKey), test.type)
      case .lessOrEqual: lowerUpper(.inclusive(value.indexKey), test.type)
      case .greater: raiseLower(.exclusive(value.indexKey), test.type)
      case .greaterOrEqual: raiseLower(.inclusive(value.indexKey), test.type)
      case .equal, .notEqual: return false
      }
      return true
    case .text(.prefix, let pattern):
      guard prefix == nil else { return false }
      prefix = IndexRange(prefix: [1] + pattern.prefix(IndexKey.byteCountMax - 1))
      return true
    default: return false
    }
  }

  /// A bound of more bytes than a key has would leave out entries that were cut to the bound itself.
  private func widened(_ bound: IndexBound) -> IndexBound {
    if case .exclusive(let bytes) = bound, bytes.count >= IndexKey.byteCountMax {
      return .inclusive(bytes)
    }
    return bound
  }

  private mutating func raiseLower(_ bound: IndexBound, _ type: PhysicalType) {
    let bound = widened(bound)
    if bound.bytes.lexicographicallyPrecedes(lower.bytes) { return }
    if bound.bytes != lower.bytes || bound.isExclusive { lower = bound }
    excludeNaN(type)
  }

  private mutating func lowerUpper(_ bound: IndexBound, _ type: PhysicalType) {
    let bound = widened(bound)
    guard upper != .unbounded else { return upper = bound }
    if upper.bytes.lexicographicallyPrecedes(bound.bytes) { return }
    if bound.bytes != upper.bytes || bound.isExclusive { upper = bound }
  }

  private mutating func excludeNaN(_ type: PhysicalType) {
    switch type {
    case .double: lowerUpper(.exclusive(Value.double(.nan).indexKey), .uuid)
    case .float: lowerUpper(.exclusive(Value.float(.nan).indexKey), .uuid)
    default: break
    }
  }

  /// The range between the bounds.
  var range: IndexRange {
    if let prefix {
      // Either alone holds every match; joining them is worth it only when both bounds are given.
      if upper == .unbounded, lower == .inclusive([1]) { return prefix }
      return IndexRange(
        from: lower.bytes.lexicographicallyPrecedes(prefix.lower.bytes) ? prefix.lower : lower,
        to: upper == .unbounded || prefix.upper.bytes.lexicographicallyPrecedes(upper.bytes)
          ? prefix.upper : upper)
    }
    return IndexRange(from: lower, to: upper)
  }
}

extension IndexBound {
  /// The bytes of the bound; none where there is no bound.
  fileprivate var bytes: [UInt8] {
    switch self {
    case .unbounded: []
    case .inclusive(let bytes), .exclusive(let bytes): bytes
    }
  }

  fileprivate var isExclusive: Bool { if case .exclusive = self { true } else { false } }
}

extension IndexRange {
  /// Whether a bound is as long as a key can be: entries that begin alike may stand for longer values.
  fileprivate var mayBeTruncated: Bool {
    lower.bytes.count >= IndexKey.byteCountMax || upper.bytes.count >= IndexKey.byteCountMax
  }
}

extension Value {
  /// The bytes by which an index orders the value.
  var indexKey: [UInt8] {
    var key = IndexKey()
    key.set(self)
    return key.bytes
  }
}
