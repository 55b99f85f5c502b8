/// The bounds that comparisons on one field set, as index key bytes.
struct IndexBounds {
  /// The conjuncts that the range answers, by index.
  private(set) var used: [Int] = []
  /// Values only: null comes before all of them, and NaN has the largest key of its type.
  private var lower = IndexBound.inclusive([1])
  private var upper = IndexBound.unbounded
  private var prefix: IndexRange?

  /// The bounds that some conjuncts set for a field.
  init(of field: FieldID, _ conjuncts: [CompiledPredicate]) {
    for (place, conjunct) in conjuncts.enumerated() {
      guard case .field(let test) = conjunct, test.field == field, narrow(test) else { continue }
      used.append(place)
    }
  }

  /// Whether every entry in the range meets the used conjuncts; otherwise they are candidates.
  var isExact: Bool { !range.mayBeTruncated }

  /// Applies a condition; false if it gives no bound.
  private mutating func narrow(_ test: FieldTest) -> Bool {
    switch test.kind {
    case .compare(let comparison, let value):
      switch comparison {
      case .less: lowerUpper(.exclusive(value.indexKey))
      case .lessOrEqual: lowerUpper(.inclusive(value.indexKey))
      case .greater: raiseLower(.exclusive(value.indexKey), test.type)
      case .greaterOrEqual: raiseLower(.inclusive(value.indexKey), test.type)
      case .equal, .notEqual: return false
      }
      return true
    case .text(.prefix, let pattern):
      guard prefix == nil else { return false }
      prefix = IndexRange(prefix: [1] + pattern.prefix(IndexKey.byteCountMax - 1))
      return true
    case .isNotNull: return true
    default: return false
    }
  }

  /// An exclusive bound of the maximum key length would miss entries that were truncated to the bound itself.
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

  private mutating func lowerUpper(_ bound: IndexBound) {
    let bound = widened(bound)
    guard upper != .unbounded else { return upper = bound }
    if upper.bytes.lexicographicallyPrecedes(bound.bytes) { return }
    if bound.bytes != upper.bytes || bound.isExclusive { upper = bound }
  }

  private mutating func excludeNaN(_ type: PhysicalType) {
    switch type {
    case .double: lowerUpper(.exclusive(Value.double(.nan).indexKey))
    case .float: lowerUpper(.exclusive(Value.float(.nan).indexKey))
    default: break
    }
  }

  /// The range between the bounds; all entries if there are none.
  var range: IndexRange {
    guard !used.isEmpty else { return IndexRange() }
    if let prefix {
      // Either alone contains every match; intersecting them is worth it only when both bounds are given.
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
  /// The bytes of the bound; empty if unbounded.
  fileprivate var bytes: [UInt8] {
    switch self {
    case .unbounded: []
    case .inclusive(let bytes), .exclusive(let bytes): bytes
    }
  }

  fileprivate var isExclusive: Bool { if case .exclusive = self { true } else { false } }
}

extension IndexRange {
  /// Whether a bound has the maximum key length: entries with the same beginning may have longer values.
  fileprivate var mayBeTruncated: Bool {
    lower.bytes.count >= IndexKey.byteCountMax || upper.bytes.count >= IndexKey.byteCountMax
  }
}
