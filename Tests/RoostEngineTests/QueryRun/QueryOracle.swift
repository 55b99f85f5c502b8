import RoostEngine

/// Rows in plain arrays, and what queries over them must find: evaluated as simply as can be.
struct QueryOracle: Sendable {
  /// A table's rows, by object key ascending; values by field number.
  struct Table: Sendable {
    var keys: [Int64] = []
    var rows: [[Value]] = []
    /// The row of each key.
    var places: [Int64: Int] = [:]
    /// What the values of each field mean.
    var types: [FieldID: FieldType] = [:]
    /// The table that each link leads to.
    var targets: [FieldID: UInt32] = [:]
  }

  var tables: [UInt32: Table] = [:]
  /// The rows of the objects that link to each key, by the table and the field of the link.
  var sources: [Relation: [Int64: [Int]]] = [:]
  /// The objects from which one came to the one that is looked at, the last one last.
  private var around: [(table: UInt32, row: Int)] = []

  /// For what an object has to do with.
  func inside(_ table: UInt32, _ row: Int) -> QueryOracle {
    var inner = self
    inner.around.append((table, row))
    return inner
  }

  /// What an answer is for the object from which one came.
  func outside<Answer>(_ answer: (QueryOracle, UInt32, Int) -> Answer) -> Answer {
    var outer = self
    let (table, row) = outer.around.removeLast()
    return answer(outer, table, row)
  }

  /// Notes who links to whom by a field.
  mutating func noteSources(of field: FieldID, in table: UInt32) {
    var rows: [Int64: [Int]] = [:]
    for row in tables[table]?.keys.indices ?? 0..<0 {
      switch value(table, row, field) {
      case .integer(let target): rows[target, default: []].append(row)
      case .bytes(let list):
        for target in Set(LinkList.targets(list)) { rows[target, default: []].append(row) }
      default: break
      }
    }
    sources[.inverse(table: table, field: field)] = rows
  }

  /// The keys that a query finds, in order.
  func keys(_ query: ObjectQuery) -> [Int64] {
    guard let table = tables[query.table] else { return [] }
    let found = table.keys.indices.filter { holds(query.predicate, query.table, $0) }
      .map { row in (row: row, values: query.order.map { sorted($0, query.table, row) }) }
      .sorted { first, second in
        for (place, key) in query.order.enumerated() {
          let order = compare(first.values[place], second.values[place])
          if order != 0 { return key.isDescending ? order > 0 : order < 0 }
        }
        return first.row < second.row
      }
    let skipped = found.dropFirst(max(query.offset, 0))
    return skipped.prefix(query.limit.map { max($0, 0) } ?? .max).map { table.keys[$0.row] }
  }

  /// What a row is sorted by.
  private func sorted(_ key: SortKey, _ table: UInt32, _ row: Int) -> Value {
    let value = value(key.value, table, row)
    return key.collation == nil ? value : NaiveCollation.place(value)
  }

  func value(_ table: UInt32, _ row: Int, _ field: FieldID) -> Value {
    guard let table = tables[table] else { return .null }
    return field == 0 ? .integer(table.keys[row]) : table.rows[row][Int(field) - 1]
  }

  func holds(_ predicate: Predicate, _ table: UInt32, _ row: Int) -> Bool {
    switch predicate {
    case .always(let holds): return holds
    case .compare(let field, let comparison, let constant):
      return holds(comparison, value(table, row, field), constant)
    case .isNull(let field): return value(table, row, field) == .null
    case .oneOf(let field, let constants):
      let value = value(table, row, field)
      return constants.contains { holds(.equal, value, $0) }
    case .text(let field, let match, let pattern):
      return holds(match, pattern, value(table, row, field))
    case .comparison(let first, let comparison, let second):
      let (a, b) = (value(first, table, row), value(second, table, row))
      // A constant that equals nothing is none of the engine's: it is compared by its bytes.
      if comparison == .equal || comparison == .notEqual, a == b, !first.isConstant,
        !second.isConstant, equalsNothing(a, storedType(first, table) ?? storedType(second, table))
      {
        return comparison == .notEqual
      }
      return holds(comparison, a, b)
    case .membership(let expression, let constants):
      let value = value(expression, table, row)
      return constants.contains { holds(.equal, value, $0) }
    case .textMatch(let expression, let match, let pattern):
      return holds(match, pattern, value(expression, table, row))
    case .matches(let expression, let pattern):
      return NaiveMatching.holds(pattern, value(expression, table, row))
    case .and(let parts): return parts.allSatisfy { holds($0, table, row) }
    case .or(let parts): return parts.contains { holds($0, table, row) }
    case .not(let part): return !holds(part, table, row)
    case .link(let field, let part):
      guard case .integer(let key) = value(table, row, field),
        let target = tables[table]?.targets[field],
        let place = tables[target]?.places[key]
      else { return false }
      return inside(table, row).holds(part, target, place)
    case .links(let field, let part):
      guard case .bytes(let bytes) = value(table, row, field),
        let target = tables[table]?.targets[field]
      else { return false }
      return LinkList.targets(bytes).contains { key in
        tables[target]?.places[key].map { inside(table, row).holds(part, target, $0) } ?? false
      }
    case .inverse(let source, let field, let part):
      return related(.inverse(table: source, field: field), table, row)
        .contains { inside(table, row).holds(part, source, $0) }
    }
  }

  func holds(_ match: TextMatch, _ pattern: [UInt8], _ value: Value) -> Bool {
    guard case .bytes(let bytes) = value else { return false }
    switch match {
    case .prefix: return bytes.starts(with: pattern)
    case .suffix: return bytes.reversed().starts(with: pattern.reversed())
    case .contains:
      return pattern.isEmpty || bytes.indices.contains { bytes[$0...].starts(with: pattern) }
    }
  }

  func holds(_ comparison: Comparison, _ value: Value, _ constant: Value) -> Bool {
    switch (comparison, value, constant) {
    case (.equal, .null, .null): return true
    case (.notEqual, .null, .null): return false
    case (_, .null, _), (_, _, .null): return comparison == .notEqual
    case (_, .double(let number), .double(let other)): return comparison.holds(number, other)
    case (_, .float(let number), .float(let other)): return comparison.holds(number, other)
    default: return comparison.holds(order: compare(value, constant))
    }
  }

  /// Null, then values, then NaN.
  func compare(_ first: Value, _ second: Value) -> Int {
    func order<T: Comparable>(_ first: T, _ second: T) -> Int {
      first < second ? -1 : first > second ? 1 : 0
    }
    func order<T: FloatingPoint>(numbers first: T, _ second: T) -> Int {
      first.isNaN || second.isNaN
        ? (first.isNaN ? 1 : 0) - (second.isNaN ? 1 : 0) : order(first, second)
    }
    switch (first, second) {
    case (.null, .null): return 0
    case (.null, _): return -1
    case (_, .null): return 1
    case (.integer(let first), .integer(let second)): return order(first, second)
    case (.double(let first), .double(let second)): return order(numbers: first, second)
    case (.float(let first), .float(let second)): return order(numbers: first, second)
    case (.bytes(let first), .bytes(let second)):
      return first.lexicographicallyPrecedes(second) ? -1 : first == second ? 0 : 1
    case (.uuid(let high, let low), .uuid(let otherHigh, let otherLow)):
      return high != otherHigh ? order(high, otherHigh) : order(low, otherLow)
    default: return 0
    }
  }
}
