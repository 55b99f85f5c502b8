import RoostEngine

/// What expressions give, evaluated as simply as can be.
extension QueryOracle {
  func value(_ expression: ColumnExpression, _ table: UInt32, _ row: Int) -> Value {
    switch expression {
    case .constant(let value): return value
    case .field(let field): return value(table, row, field)
    case .arithmetic(let operation, let kind, let a, let b):
      return result(operation, kind, value(a, table, row), value(b, table, row))
    case .conversion(_, let kind, let number): return converted(value(number, table, row), to: kind)
    case .concatenation(let a, let b):
      guard case .bytes(let first) = value(a, table, row),
        case .bytes(let second) = value(b, table, row)
      else { return .null }
      return .bytes(first + second)
    case .folded(let folding, let text):
      guard case .bytes(let bytes) = value(text, table, row) else { return .null }
      return .bytes(folding.folded(bytes))
    case .coalescing(let a, let b):
      let first = value(a, table, row)
      return first == .null ? value(b, table, row) : first
    case .target(let link, let expression):
      guard case .integer(let key) = value(table, row, link),
        let target = tables[table]?.targets[link], let place = tables[target]?.places[key]
      else { return .null }
      return value(expression, target, place)
    case .elements(let field, let function, let part, let predicate):
      guard let elements = elements(field, table, row) else { return .null }
      let values = elements.filter { holds(predicate, $0) }
        .map { part == 0 ? .integer(0) : $0[Int(part) - 1] }.filter { $0 != .null }
      return aggregate(function, values, zero: .integer(0))
    case .related(let relation, let function, let expression, let predicate):
      let other =
        switch relation {
        case .links(let field): tables[table]?.targets[field] ?? 0
        case .inverse(let source, _): source
        }
      let values = related(relation, table, row).filter { holds(predicate, other, $0) }
        .map { value(expression, other, $0) }.filter { $0 != .null }
      let isInteger = type(of: expression, other) == .integer
      return aggregate(function, values, zero: isInteger ? .integer(0) : .double(0))
    }
  }

  /// The marks of an item; nil where it has no list of them.
  private func elements(_ field: FieldID, _ table: UInt32, _ row: Int) -> [[Value]]? {
    guard case .bytes(let bytes) = value(table, row, field) else { return nil }
    let packed = unsafe bytes.withUnsafeBytes {
      PackedColumns(unsafe ByteView($0), as: QueryFixture.markColumns.map(\.shape))
    }
    return packed.map { packed in
      (0..<packed.count).map { row in packed.columns.map { $0.value(row) } }
    }
  }

  /// Whether an element fulfils a condition.
  private func holds(_ predicate: Predicate, _ element: [Value]) -> Bool {
    func value(_ field: FieldID) -> Value { element[Int(field) - 1] }
    switch predicate {
    case .always(let holds): return holds
    case .compare(let field, let comparison, let constant):
      return holds(comparison, value(field), constant)
    case .isNull(let field): return value(field) == .null
    case .oneOf(let field, let constants):
      return constants.contains { holds(.equal, value(field), $0) }
    case .text(let field, let match, let text): return holds(match, text, value(field))
    case .matches(.field(let field), let pattern):
      return NaiveMatching.holds(pattern, value(field))
    case .and(let parts): return parts.allSatisfy { holds($0, element) }
    case .or(let parts): return parts.contains { holds($0, element) }
    case .not(let part): return !holds(part, element)
    default: preconditionFailure("No element is asked for this.")
    }
  }

  /// The rows of the objects that one has to do with.
  func related(_ relation: Relation, _ table: UInt32, _ row: Int) -> [Int] {
    switch relation {
    case .links(let field):
      guard case .bytes(let bytes) = value(table, row, field),
        let target = tables[table]?.targets[field]
      else { return [] }
      return LinkList.targets(bytes).compactMap { tables[target]?.places[$0] }
    case .inverse:
      guard let key = tables[table]?.keys[row] else { return [] }
      return sources[relation]?[key] ?? []
    }
  }

  /// How what an expression gives is stored.
  private func type(of expression: ColumnExpression, _ table: UInt32) -> PhysicalType {
    switch expression {
    case .constant(let value): return value.type ?? .integer
    case .field(0): return .integer
    case .field(let field):
      return tables[table]?.rows.lazy.compactMap { $0[Int(field) - 1].type }.first ?? .integer
    case .arithmetic(_, let kind, _, _), .conversion(_, let kind, _):
      return kind == .double ? .double : kind == .float ? .float : .integer
    case .concatenation, .folded: return .bytes
    case .coalescing(_, let b): return type(of: b, table)
    case .target(let link, let value): return type(of: value, tables[table]?.targets[link] ?? 0)
    case .elements(_, .average, _, _): return .double
    case .elements(_, .count, _, _), .elements(_, .sum, _, _): return .integer
    case .elements(_, _, let part, _): return part == 2 ? .bytes : .integer
    case .related(_, .count, _, _): return .integer
    case .related(_, .average, _, _): return .double
    case .related(let relation, let function, let value, _):
      let other =
        switch relation {
        case .links(let field): tables[table]?.targets[field] ?? 0
        case .inverse(let source, _): source
        }
      let type = type(of: value, other)
      return function == .sum && type != .integer ? .double : type
    }
  }

  private func aggregate(
    _ function: AggregateFunction, _ values: [Value], zero: Value
  ) -> Value {
    let ordered = values.filter { $0 == $0 }.sorted { compare($0, $1) < 0 }
    switch function {
    case .count: return .integer(Int64(values.count))
    case .minimum: return ordered.first ?? .null
    case .maximum:
      // Of −0 and 0, which are equal, the first is taken.
      return ordered.last.flatMap { last in ordered.first { compare($0, last) == 0 } } ?? .null
    case .average:
      return values.isEmpty ? .null : .double(sum(values) / Double(values.count))
    case .sum:
      guard case .integer = zero else { return .double(sum(values)) }
      var sum: Int128 = 0
      for case .integer(let number) in values { sum += Int128(number) }
      return Int64(exactly: sum).map { .integer($0) } ?? .null
    }
  }

  private func sum(_ values: [Value]) -> Double {
    var integers: Int128 = 0
    var sum = 0.0
    for value in values {
      switch value {
      case .integer(let number): integers += Int128(number)
      case .double(let number): sum += number
      case .float(let number): sum += Double(number)
      default: break
      }
    }
    return sum + Double(integers)
  }

  private func result(
    _ operation: Arithmetic, _ kind: NumberKind, _ a: Value, _ b: Value
  ) -> Value {
    func result<Number: BinaryFloatingPoint>(_ a: Number, _ b: Number) -> Number {
      switch operation {
      case .add: a + b
      case .subtract: a - b
      case .multiply: a * b
      case .divide: a / b
      case .remainder: a.truncatingRemainder(dividingBy: b)
      }
    }
    switch (kind, a, b) {
    case (.integer(let range), .integer(let a), .integer(let b)):
      let (a, b) = (Int128(a), Int128(b))
      let number: Int128
      switch operation {
      case .add: number = a + b
      case .subtract: number = a - b
      case .multiply: number = a * b
      case .divide:
        guard b != 0 else { return .null }
        number = a / b
      case .remainder:
        guard b != 0, !(a == Int128(Int64.min) && b == -1) else { return .null }
        number = a % b
      }
      return Int64(exactly: number).flatMap { range.contains($0) ? .integer($0) : nil } ?? .null
    case (.double, .double(let a), .double(let b)): return .double(result(a, b))
    case (.float, .float(let a), .float(let b)): return .float(result(a, b))
    default: return .null
    }
  }

  private func converted(_ value: Value, to kind: NumberKind) -> Value {
    switch (value, kind) {
    case (.integer(let number), .double): return .double(Double(number))
    case (.integer(let number), .float): return .float(Float(number))
    case (.integer(let number), .integer(let range)):
      return range.contains(number) ? .integer(number) : .null
    case (.double(let number), .double): return .double(number)
    case (.double(let number), .float): return .float(Float(number))
    case (.float(let number), .double): return .double(Double(number))
    case (.float(let number), .float): return .float(number)
    case (.double(let number), .integer(let range)):
      return Int64(exactly: number.rounded(.towardZero))
        .flatMap { range.contains($0) ? .integer($0) : nil } ?? .null
    case (.float(let number), .integer): return converted(.double(Double(number)), to: kind)
    default: return .null
    }
  }
}
