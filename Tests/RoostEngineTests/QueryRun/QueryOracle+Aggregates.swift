import RoostEngine

/// What many values give together, evaluated as simply as can be.
extension QueryOracle {
  /// What values give that are not null; nil for a sum of integers that does not fit.
  func aggregate(
    _ function: AggregateFunction, _ values: [Value], of type: PhysicalType, isUnsigned: Bool
  ) -> Value? {
    // A NaN is no extreme.
    let ordered = values.filter { !isNaN($0) }
      .sorted { compare($0, $1) < 0 }
    switch function {
    case .count: return .integer(Int64(values.count))
    case .minimum: return ordered.first ?? .null
    case .maximum:
      // Of −0 and 0, which are equal, the first is taken.
      return ordered.last.flatMap { last in ordered.first { compare($0, last) == 0 } } ?? .null
    case .average:
      guard !values.isEmpty else { return .null }
      let sum =
        type == .integer ? Double(integerSum(values, isUnsigned)) : floatingPointSum(values)
      return .double(sum / Double(values.count))
    case .sum:
      guard type == .integer else { return .double(floatingPointSum(values)) }
      let sum = integerSum(values, isUnsigned)
      guard isUnsigned else { return Int64(exactly: sum).map { .integer($0) } }
      return UInt64(exactly: sum).map { QueryFixture.unsigned($0) }
    }
  }

  func isNaN(_ value: Value) -> Bool {
    switch value {
    case .double(let number): number.isNaN
    case .float(let number): number.isNaN
    default: false
    }
  }

  private func integerSum(_ values: [Value], _ isUnsigned: Bool) -> Int128 {
    values.reduce(0) { sum, value in
      guard case .integer(let number) = value else { return sum }
      return sum + (isUnsigned ? unsigned(number) : Int128(number))
    }
  }

  private func floatingPointSum(_ values: [Value]) -> Double {
    values.reduce(0) { sum, value in
      switch value {
      case .double(let number): sum + number
      case .float(let number): sum + Double(number)
      default: sum
      }
    }
  }

  /// How what an expression gives is stored.
  func type(of expression: ColumnExpression, _ table: UInt32) -> PhysicalType {
    switch expression {
    case .constant(let value): return value.type ?? .integer
    case .field(0): return .integer
    case .field(let field):
      return tables[table]?.types[field]?.physical ?? .integer
    case .arithmetic(_, let kind, _, _), .conversion(_, let kind, _):
      return kind == .double ? .double : kind == .float ? .float : .integer
    case .concatenation, .folded: return .bytes
    case .coalescing(_, let b): return type(of: b, table)
    case .target(let link, let value):
      return inside(table, 0).type(of: value, tables[table]?.targets[link] ?? 0)
    case .outside(let value): return outside { outer, table, _ in outer.type(of: value, table) }
    case .elements(_, .average, _, _): return .double
    case .elements(_, .count, _, _): return .integer
    case .elements(let field, _, let part, _):
      return QueryFixture.elementColumns(field)[Int(part) - 1].type.physical
    case .related(_, .count, _, _): return .integer
    case .related(_, .average, _, _): return .double
    case .related(let relation, let function, let value, _):
      let type = inside(table, 0).type(of: value, other(relation, table))
      return function == .sum && type != .integer ? .double : type
    }
  }

  /// Whether an expression gives unsigned integers.
  func isUnsigned(_ expression: ColumnExpression, _ table: UInt32) -> Bool {
    switch expression {
    case .constant, .concatenation, .folded: return false
    case .field(let field): return tables[table]?.types[field] == .uint
    case .arithmetic(_, let kind, _, _), .conversion(_, let kind, _):
      if case .unsigned = kind { return true }
      return false
    case .coalescing(let a, let b): return isUnsigned(a, table) || isUnsigned(b, table)
    case .target(let link, let value):
      return inside(table, 0).isUnsigned(value, tables[table]?.targets[link] ?? 0)
    case .outside(let value):
      return outside { outer, table, _ in outer.isUnsigned(value, table) }
    case .elements(_, .count, _, _), .elements(_, .average, _, _): return false
    case .elements(let field, _, let part, _):
      return QueryFixture.elementColumns(field)[Int(part) - 1].type == .uint
    case .related(_, .count, _, _), .related(_, .average, _, _): return false
    case .related(let relation, _, let value, _):
      return inside(table, 0).isUnsigned(value, other(relation, table))
    }
  }

  /// What a stored value means that an expression gives; nil of what is calculated.
  func storedType(_ expression: ColumnExpression, _ table: UInt32) -> FieldType? {
    switch expression {
    case .field(let field): tables[table]?.types[field]
    case .coalescing(let a, let b): storedType(a, table) ?? storedType(b, table)
    case .target(let link, let value):
      inside(table, 0).storedType(value, tables[table]?.targets[link] ?? 0)
    case .outside(let value): outside { outer, table, _ in outer.storedType(value, table) }
    case .related(let relation, _, let value, _):
      inside(table, 0).storedType(value, other(relation, table))
    default: nil
    }
  }

  /// Whether a stored value equals nothing: a decimal that is no number, or a code whose ratio is none.
  func equalsNothing(_ value: Value, _ type: FieldType?) -> Bool {
    guard case .bytes(let bytes) = value else { return false }
    switch type {
    case .decimal: return bytes == DecimalBytes.bytes("NaN")
    case .compound:
      let columns = unsafe bytes.withUnsafeBytes {
        unsafe CompoundBytes.columns(ByteView($0), as: QueryFixture.codeParts.map(\.shape))
      }
      return columns?.last?.double(0).isNaN ?? false
    default: return false
    }
  }

  /// The table of the objects that one has to do with.
  func other(_ relation: Relation, _ table: UInt32) -> UInt32 {
    switch relation {
    case .links(let field): tables[table]?.targets[field] ?? 0
    case .inverse(let source, _): source
    }
  }
}

extension ColumnExpression {
  /// Whether it is the same for all objects.
  var isConstant: Bool { if case .constant = self { true } else { false } }
}
