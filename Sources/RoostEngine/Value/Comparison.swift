/// A comparison of a column's value with a constant.
///
/// Nulls compare as in Swift: nil equals nil, nil is unequal to every value, and nil is neither below
/// nor above anything. NaN equals nothing, and −0 equals 0.
package enum Comparison: UInt8, Hashable, Sendable, CaseIterable {
  case equal
  case notEqual
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual

  /// Whether the comparison holds between two values of a type with a total order.
  @inlinable @inline(__always)
  package func holds<T: Comparable>(_ value: T, _ constant: T) -> Bool {
    switch self {
    case .equal: value == constant
    case .notEqual: value != constant
    case .less: value < constant
    case .lessOrEqual: value <= constant
    case .greater: value > constant
    case .greaterOrEqual: value >= constant
    }
  }

  /// Whether the comparison holds for a value that sorts below (−), with (0) or above (+) the constant.
  @inlinable @inline(__always)
  package func holds(order: Int) -> Bool { holds(order, 0) }
}

/// A match of a text's bytes with a pattern.
///
/// The empty pattern matches every text, and nothing matches null.
package enum TextMatch: UInt8, Hashable, Sendable, CaseIterable {
  case contains
  case prefix
  case suffix
}

extension Comparison {
  /// The operator of the comparison in Swift and in text queries.
  package var sign: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}
