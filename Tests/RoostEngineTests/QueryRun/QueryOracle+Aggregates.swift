import RoostEngine

/// What many values give together, evaluated as simply as can be.
extension QueryOracle {
  /// What values give that are not null; nil for an aggregate of integers or decimal numbers that does not fit.
  ///
  /// - Parameter meaning: Unsigned integers, decimal numbers, or neither.
  func aggregate(
    _ function: AggregateFunction, _ values: [Value], of type: PhysicalType,
    _ meaning: FieldType?
  ) -> Value? {
    let isUnsigned = meaning == .uint
    // A NaN is no extreme.
    let ordered = values.filter { !isNaN($0) && !equalsNothing($0, meaning) }
      .sorted { compare($0, $1) < 0 }
    switch function {
    case .count: return .integer(Int64(values.count))
    case .minimum: return ordered.first ?? .null
    case .maximum:
      // Of −0 and 0, which are equal, the first is taken.
      return ordered.last.flatMap { last in ordered.first { compare($0, last) == 0 } } ?? .null
    case .average:
      guard !values.isEmpty else { return .null }
      if meaning == .decimal {
        return NaiveDecimal.average(decimals(values))?.stored.map { .bytes($0) }
      }
      let sum =
        type == .integer ? Double(integerSum(values, isUnsigned)) : floatingPointSum(values)
      return .double(sum / Double(values.count))
    case .sum where meaning == .decimal:
      return NaiveDecimal.sum(decimals(values)).stored.map { .bytes($0) }
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

  private func decimals(_ values: [Value]) -> [NaiveDecimal] {
    values.compactMap { value in
      if case .bytes(let bytes) = value { NaiveDecimal(stored: bytes) } else { nil }
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
      switch kind {
      case .integer, .unsigned: return .integer
      case .double: return .double
      case .float: return .float
      case .decimal: return .bytes
      }
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
    case .related(let relation, let function, let value, _):
      let type = inside(table, 0).type(of: value, other(relation, table))
      switch function {
      case .sum: return type == .integer || type == .bytes ? type : .double
      case .average: return type == .bytes ? type : .double
      default: return type
      }
    }
  }

  /// Whether an expression gives unsigned integers or decimal numbers; nil where it gives neither.
  func meaning(_ expression: ColumnExpression, _ table: UInt32) -> FieldType? {
    func known(_ type: FieldType?) -> FieldType? { type == .uint || type == .decimal ? type : nil }
    switch expression {
    case .constant, .concatenation, .folded: return nil
    case .field(let field): return known(tables[table]?.types[field])
    case .arithmetic(_, let kind, _, _), .conversion(_, let kind, _):
      if case .unsigned = kind { return .uint }
      return kind == .decimal ? .decimal : nil
    case .coalescing(let a, let b): return meaning(a, table) ?? meaning(b, table)
    case .target(let link, let value):
      return inside(table, 0).meaning(value, tables[table]?.targets[link] ?? 0)
    case .outside(let value):
      return outside { outer, table, _ in outer.meaning(value, table) }
    case .elements(_, .count, _, _), .elements(_, .average, _, _): return nil
    case .elements(let field, _, let part, _):
      return known(QueryFixture.elementColumns(field)[Int(part) - 1].type)
    case .related(_, .count, _, _): return nil
    case .related(let relation, let function, let value, _):
      let meaning = inside(table, 0).meaning(value, other(relation, table))
      return function == .average && meaning == .uint ? nil : meaning
    }
  }

  /// What a stored value means that an expression gives, or a decimal number; nil of what else is calculated.
  func storedType(_ expression: ColumnExpression, _ table: UInt32) -> FieldType? {
    switch expression {
    case .arithmetic(_, .decimal, _, _), .conversion(_, .decimal, _): .decimal
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
