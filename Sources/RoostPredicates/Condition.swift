import Roost
import RoostEngine

/// A condition on objects, and its size.
struct Condition {
  let filter: Filter
  /// The maximum number of comparisons in it.
  let size: Int

  init(_ filter: Filter) { self.init(filter, size: 1) }

  private init(_ filter: Filter, size: Int) {
    self.filter = filter
    self.size = size
  }

  /// True for all objects.
  static let always = Condition(.always(true))
  /// True for no object.
  static let never = Condition(.always(false))

  static func always(_ holds: Bool) -> Condition { holds ? always : never }

  static func && (a: Condition, b: Condition) -> Condition {
    switch (a.filter, b.filter) {
    case (.always(true), _): return b
    case (_, .always(true)): return a
    case (.always(false), _), (_, .always(false)): return never
    // Drop the nil check where the other condition rejects nil anyway: an index can then answer.
    case (.not(.isNull(let term)), _) where b.filter.rejectsNil(of: term): return b
    case (_, .not(.isNull(let term))) where a.filter.rejectsNil(of: term): return a
    default: return Condition(.both(a.filter, b.filter), size: sum(a, b))
    }
  }

  static func || (a: Condition, b: Condition) -> Condition {
    switch (a.filter, b.filter) {
    case (.always(false), _): b
    case (_, .always(false)): a
    case (.always(true), _), (_, .always(true)): always
    default: Condition(.either(a.filter, b.filter), size: sum(a, b))
    }
  }

  static prefix func ! (a: Condition) -> Condition {
    switch a.filter {
    case .always(let holds): always(!holds)
    case .not(let opposite): Condition(opposite, size: a.size)
    default: Condition(.not(a.filter), size: a.size)
    }
  }

  /// Throws if the condition is too long for a query.
  func checkSize(_ node: Any.Type) throws(StoreError) {
    guard size <= 4_096 else { throw .tooManyCases(node) }
  }

  private static func sum(_ a: Condition, _ b: Condition) -> Int {
    let (sum, overflow) = a.size.addingReportingOverflow(b.size)
    return overflow ? .max : sum
  }
}

extension Filter {
  /// Whether the condition is known to be false where a term is nil.
  fileprivate func rejectsNil(of term: ExpressionTerm) -> Bool {
    switch self {
    case .compare(term, let comparison, let value): comparison != .notEqual && value != .null
    case .text(term, _, _), .oneOf(term, _): true
    case .not(.isNull(term)): true
    case .and(let parts): parts.contains { $0.rejectsNil(of: term) }
    case .or(let parts): !parts.isEmpty && parts.allSatisfy { $0.rejectsNil(of: term) }
    default: false
    }
  }
}
