/// Comparing the conditions of indexes with those of queries.
extension TableIndex {
  /// The condition, with inequalities in the form that those of queries are compiled to.
  func condition(of table: TableDefinition) -> [IndexCondition] {
    condition.map { part in
      guard case .compare(.notEqual, let value) = part.test,
        case .compare(let comparison, let value) = table.inequality(of: part.field, value)
      else { return part }
      return IndexCondition(part.field, .compare(comparison, value))
    }
  }
}

extension IndexCondition {
  /// The same condition in a query, for a field with values of a storage type.
  func fieldTest(_ type: PhysicalType) -> FieldTest {
    switch test {
    case .compare(let comparison, let value):
      FieldTest(field, type, .compare(comparison, value))
    case .isNull: FieldTest(field, type, .isNull)
    case .isNotNull: FieldTest(field, type, .isNotNull)
    }
  }

  /// Whether a condition of a query equals this one.
  func isSame(as other: FieldTest) -> Bool {
    guard other.field == field else { return false }
    switch (test, other.kind) {
    case (.isNull, .isNull), (.isNotNull, .isNotNull): return true
    case (.compare(let comparison, let value), .compare(let other, let constant)):
      return comparison == other && value.order(before: constant) == 0
    default: return false
    }
  }

  /// Whether every object that meets a condition of a query meets this one.
  func isImplied(by other: FieldTest) -> Bool {
    guard other.field == field else { return false }
    switch test {
    case .isNull:
      if case .isNull = other.kind { return true }
      return false
    case .isNotNull: return !other.holdsForNull
    case .compare(let comparison, let value):
      return other.kind.implies(comparison, value)
    }
  }
}

extension FieldTest.Kind {
  /// Whether every value that meets the condition also meets a comparison with a constant.
  fileprivate func implies(_ comparison: Comparison, _ constant: Value) -> Bool {
    switch self {
    case .compare(.equal, let value):
      return value.order(before: constant).map(comparison.holds(order:)) ?? false
    case .oneOf(let values):
      return values.allSatisfy { $0.order(before: constant).map(comparison.holds(order:)) ?? false }
    case .isNull: return comparison == .notEqual
    case .compare(let own, let value):
      guard let order = value.order(before: constant) else { return false }
      switch (own, comparison) {
      case (.notEqual, .notEqual): return order == 0
      case (.less, .less), (.less, .lessOrEqual), (.less, .notEqual),
        (.lessOrEqual, .lessOrEqual):
        return order <= 0
      case (.lessOrEqual, .less), (.lessOrEqual, .notEqual): return order < 0
      case (.greater, .greater), (.greater, .greaterOrEqual), (.greater, .notEqual),
        (.greaterOrEqual, .greaterOrEqual):
        return order >= 0
      case (.greaterOrEqual, .greater), (.greaterOrEqual, .notEqual): return order > 0
      default: return false
      }
    case .compareColumns, .isNotNull, .text, .pattern, .keys, .links, .hasNaN: return false
    }
  }
}

extension Value {
  /// Negative, zero or positive as the value sorts before, with or after another of its type; nil for null, NaN or
  /// another type.
  fileprivate func order(before other: Value) -> Int? {
    func order<T: Comparable>(_ first: T, _ second: T) -> Int {
      first == second ? 0 : first < second ? -1 : 1
    }
    switch (self, other) {
    case (.integer(let first), .integer(let second)): return order(first, second)
    case (.double(let first), .double(let second)):
      return first.isNaN || second.isNaN ? nil : order(first, second)
    case (.float(let first), .float(let second)):
      return first.isNaN || second.isNaN ? nil : order(first, second)
    case (.bytes(let first), .bytes(let second)): return first.compareBytes(second)
    case (.uuid(let first, let firstLow), .uuid(let second, let secondLow)):
      return first == second ? order(firstLow, secondLow) : order(first, second)
    default: return nil
    }
  }
}

extension FieldTest {
  /// Whether a cell in memory meets the condition.
  func holds(_ column: ColumnBuffer, row: Int) -> Bool {
    guard !column.isNull(row) else { return holdsForNull }
    switch column.type {
    case .integer: return holds(integer: column.integer(row))
    case .double: return holds(number: column.double(row))
    case .float: return holds(number: column.float(row))
    case .uuid:
      let halves = column.uuid(row)
      return holds(uuid: halves.high, halves.low)
    case .bytes: return holds(bytes: column.bytes(row))
    }
  }
}
