/// A predicate ready for evaluation: checked against the catalog, folded, links resolved to sets of keys.
///
/// Invariant: `and` and `or` have two or more parts, none of their own kind and none constant.
enum CompiledPredicate: Sendable {
  case constant(Bool)
  case field(FieldTest)
  case and([CompiledPredicate])
  case or([CompiledPredicate])
  indirect case not(CompiledPredicate)
}

/// A condition on one column.
///
/// A class, so that evaluating it for a thousand leaves copies no constant.
final class FieldTest: Sendable {
  /// The test of the field's value. Constants are never null and never NaN.
  enum Kind: Sendable {
    case compare(Comparison, Value)
    /// Compared with the value of another field of the same type.
    case compareColumns(Comparison, FieldID)
    case isNull
    case isNotNull
    /// Equal to one of these distinct values.
    case oneOf([Value])
    /// The pattern is not empty.
    case text(TextMatch, [UInt8])
    /// Matched by a pattern with wildcards or folding.
    case pattern(TextMatcher)
    /// One of these object keys: a link whose target meets a predicate.
    case keys(KeySet)
    /// A list of links, one of which leads to the object with this key.
    case links(to: Int64)
    /// NaN, or a collection or compound value that contains NaN; the values are bytes.
    case hasNaN(ElementColumn)
  }

  /// The field; 0 is the object key.
  let field: FieldID
  /// The storage type of the field's values.
  let type: PhysicalType
  /// The test of the value.
  let kind: Kind
  /// The same test if it compares integers or doubles, except for `notEqual`; otherwise nil.
  let number: NumberTest?

  init(_ field: FieldID, _ type: PhysicalType, _ kind: Kind) {
    self.field = field
    self.type = type
    self.kind = kind
    switch (type, kind) {
    case (_, .compare(.notEqual, _)): number = nil
    case (.integer, .compare(let comparison, .integer(let constant))):
      number = NumberTest(comparison, .integer(constant))
    case (.double, .compare(let comparison, .double(let constant))):
      number = NumberTest(comparison, .double(constant))
    default: number = nil
    }
  }

  /// The values that the field may equal; nil for other conditions.
  fileprivate var equalValues: [Value]? {
    switch kind {
    case .compare(.equal, let value): [value]
    case .oneOf(let values): values
    default: nil
    }
  }

  /// Whether the test reads only one column, which is stored.
  var isOfStoredColumn: Bool {
    if case .compareColumns = kind { return false }
    return field < ComputedFields.first
  }

  /// Whether the test is about one link of a list.
  var isOfOneLink: Bool { if case .links = kind { true } else { false } }

  /// The approximate time per row in nanoseconds, which orders conjuncts.
  var cost: Double {
    isOfStoredColumn ? columnCost : columnCost + Self.computingCost
  }

  /// The approximate time per row of a computed column.
  private static let computingCost: Double = 40

  private var columnCost: Double {
    let perType: Double =
      switch type {
      case .integer: field == 0 ? 0.3 : 0.5
      case .double, .float: 1
      case .uuid: 2
      case .bytes: 5
      }
    switch kind {
    case .compare(let comparison, _): return comparison == .equal ? perType : perType * 1.5
    case .compareColumns: return perType * 4
    case .isNull, .isNotNull: return 0.1
    case .oneOf(let values): return perType * Double(min(values.count, 16) + 1)
    case .text(let match, _): return match == .contains ? perType * 4 : perType * 1.2
    case .pattern: return perType * 10
    case .keys: return 2
    case .links, .hasNaN: return 50
    }
  }
}

extension CompiledPredicate {
  static func test(_ field: FieldID, _ type: PhysicalType, _ kind: FieldTest.Kind)
    -> CompiledPredicate
  {
    .field(FieldTest(field, type, kind))
  }

  /// The approximate time per row in nanoseconds.
  var cost: Double {
    switch self {
    case .constant: 0
    case .field(let test): test.cost
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.cost }
    case .not(let part): part.cost
    }
  }

  /// The parts that must all hold.
  var conjuncts: [CompiledPredicate] {
    switch self {
    case .and(let parts): parts
    case .constant(true): []
    default: [self]
    }
  }

  /// All of the parts must hold; the cheapest are tested first.
  static func all(_ parts: [CompiledPredicate]) -> CompiledPredicate {
    var flat: [CompiledPredicate] = []
    for part in parts {
      switch part {
      case .constant(true): break
      case .constant(false): return .constant(false)
      case .and(let inner): flat += inner
      default: flat.append(part)
      }
    }
    return joined(flat, empty: true, CompiledPredicate.and)
  }

  /// One of the parts must hold; the cheapest are tested first.
  static func any(_ parts: [CompiledPredicate]) -> CompiledPredicate {
    var flat: [CompiledPredicate] = []
    for part in parts {
      switch part {
      case .constant(false): break
      case .constant(true): return .constant(true)
      case .or(let inner): flat += inner
      default: flat.append(part)
      }
    }
    return joined(mergingEqualities(flat), empty: false, CompiledPredicate.or)
  }

  /// The parts with all equalities of a field merged, so that an index can answer them by its values.
  private static func mergingEqualities(_ parts: [CompiledPredicate]) -> [CompiledPredicate] {
    var merged: [CompiledPredicate] = []
    var places: [FieldID: Int] = [:]
    for part in parts {
      guard case .field(let test) = part, let added = test.equalValues else {
        merged.append(part)
        continue
      }
      if let place = places[test.field], case .field(let known) = merged[place] {
        var values = known.equalValues ?? []
        var seen = Set(values)
        for value in added where seen.insert(value).inserted { values.append(value) }
        merged[place] =
          values.count == 1 ? part : .test(test.field, test.type, .oneOf(values))
      } else {
        places[test.field] = merged.count
        merged.append(part)
      }
    }
    return merged
  }

  private static func joined(
    _ parts: [CompiledPredicate], empty: Bool, _ join: ([CompiledPredicate]) -> CompiledPredicate
  ) -> CompiledPredicate {
    guard let first = parts.first else { return .constant(empty) }
    guard parts.count > 1 else { return first }
    return join(parts.ascending(by: \.cost.sortNumber))
  }

  /// The condition on a table's objects that holds exactly when this one does not.
  func negated(of table: TableDefinition) -> CompiledPredicate {
    switch self {
    case .constant(let holds): return .constant(!holds)
    case .not(let part): return part
    case .and(let parts): return .any(parts.map { $0.negated(of: table) })
    case .or(let parts): return .all(parts.map { $0.negated(of: table) })
    case .field(let test):
      switch test.kind {
      case .compare(.equal, let value):
        return .test(test.field, test.type, table.inequality(of: test.field, value))
      case .compare(.notEqual, let value):
        return .test(test.field, test.type, .compare(.equal, value))
      case .isNull: return .test(test.field, test.type, .isNotNull)
      case .isNotNull: return .test(test.field, test.type, .isNull)
      // Neither `<` nor `>=` holds for null and NaN, so they are not opposites.
      default: return .not(self)
      }
    }
  }
}

extension TableDefinition {
  /// The test that a field does not equal a value.
  ///
  /// A bool that is never null has one other value, which it then equals: an index finds that.
  func inequality(of id: FieldID, _ value: Value) -> FieldTest.Kind {
    guard let field = field(id), field.type == .bool, !field.isOptional,
      case .integer(let flag) = value, 0...1 ~= flag
    else { return .compare(.notEqual, value) }
    return .compare(.equal, .integer(1 - flag))
  }
}
