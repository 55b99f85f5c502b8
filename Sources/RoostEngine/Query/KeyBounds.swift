/// The object keys that the conjuncts on field 0 allow.
struct KeyBounds {
  /// The keys that may match; nil if none can.
  private(set) var range: ClosedRange<Int64>? = .min ... .max
  /// Explicitly listed keys.
  private(set) var listed: [Int64]?

  /// Applies a conjunct; false if it does not restrict the keys.
  mutating func narrow(_ condition: CompiledPredicate) -> Bool {
    guard case .field(let test) = condition, test.field == 0 else { return false }
    switch test.kind {
    case .compare(.notEqual, _), .compareColumns, .text, .pattern, .hasNaN: return false
    case .compare(let comparison, .integer(let key)):
      switch comparison {
      case .equal: clamp(key, key)
      case .less: key == .min ? (range = nil) : clamp(.min, key - 1)
      case .lessOrEqual: clamp(.min, key)
      case .greater: key == .max ? (range = nil) : clamp(key + 1, .max)
      case .greaterOrEqual, .notEqual: clamp(key, .max)
      }
      return true
    case .oneOf(let values):
      guard listed == nil else { return false }
      listed = values.compactMap { if case .integer(let key) = $0 { key } else { nil } }
        .ascending()
      return true
    case .isNotNull: return true
    case .isNull, .compare:
      range = nil
      return true
    case .keys, .links: return false
    }
  }

  private mutating func clamp(_ lower: Int64, _ upper: Int64) {
    guard let known = range else { return }
    let low = max(lower, known.lowerBound)
    let high = min(upper, known.upperBound)
    range = low <= high ? low...high : nil
  }

  /// The listed keys that lie in the range.
  var candidates: [Int64]? {
    guard let range else { return [] }
    if let listed { return listed.filter(range.contains) }
    return range.lowerBound == range.upperBound ? [range.lowerBound] : nil
  }
}
