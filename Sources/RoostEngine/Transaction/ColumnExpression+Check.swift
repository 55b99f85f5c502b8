extension ColumnExpression {
  /// Checks that the expression over the objects of a table yields the type that a field stores.
  ///
  /// - Throws: `.wrongType` where it does not, `.unknownField` where it names a field that the table does not have.
  func check(
    for field: FieldDefinition, of table: TableDefinition, in catalog: Catalog
  ) throws(EngineError) {
    var check = ExpressionCheck(catalog: catalog, field: field, tables: [table])
    try check.check(self)
  }
}

private struct ExpressionCheck {
  let catalog: Catalog
  /// The field that stores the results.
  var field: FieldDefinition
  /// The table of the objects, behind those from whose objects one comes to them.
  var tables: [TableDefinition]

  mutating func check(_ expression: ColumnExpression) throws(EngineError) {
    let table = tables[tables.count - 1]
    let type = field.type
    let suits: Bool
    switch expression {
    case .constant(let value): suits = value.type == type.physical || value == .null
    case .field(let id):
      guard let source = table.field(id) else {
        throw .unknownField(table: table.name, field: "\(id)")
      }
      suits = source.type == type && source.target == field.target && source.parts == field.parts
    case .arithmetic(_, let kind, let a, let b):
      suits = kind.suits(type)
      try check(a)
      try check(b)
    case .conversion(_, let kind, _): suits = kind.suits(type)
    case .concatenation(let a, let b):
      suits = type == .string || type == .data
      try check(a)
      try check(b)
    case .folded(_, let text):
      suits = type == .string
      try check(text)
    case .coalescing(let a, let b):
      suits = true
      try check(a)
      try check(b)
    case .target(let link, let value):
      suits = try check(value, of: table.field(link)?.target)
    case .related(_, .count, _, _), .elements(_, .count, _, _): suits = type == .int
    case .related(_, .average, _, _) where type != .decimal: suits = type == .double
    case .elements(let id, let function, let part, _):
      let parts = table.field(id)?.parts ?? []
      suits =
        part > 0 && part <= parts.count
        && function.stored(of: parts[Int(part) - 1].type) == type
    case .related(let relation, let function, let value, _):
      suits = try check(value, ofObjectsOf: relation, function)
    case .outside(let value):
      tables.removeLast()
      defer { tables.append(table) }
      guard !tables.isEmpty else { throw .malformedQuery(table: table.name, .outsideOfOutermost) }
      suits = true
      try check(value)
    }
    guard suits else { throw .wrongType(table: table.name, field: field.name) }
  }

  /// Checks an aggregate of related objects; false if they have no table, or the type does not suit.
  private mutating func check(
    _ value: ColumnExpression, ofObjectsOf relation: Relation, _ function: AggregateFunction
  ) throws(EngineError) -> Bool {
    let type = field.type
    let other =
      switch relation {
      case .links(let id): tables[tables.count - 1].field(id)?.target
      case .inverse(let id, _): id
      }
    let isThere: Bool
    do throws(EngineError) {
      isThere = try check(value, of: other)
    } catch {
      // A sum of floats is a double.
      guard function == .sum, type == .double else { throw error }
      field.type = .float
      defer { field.type = type }
      isThere = try check(value, of: other)
    }
    return isThere && (function != .sum || type.sum == type)
  }

  /// Checks an expression over the objects of another table; false if there is none.
  private mutating func check(
    _ expression: ColumnExpression, of id: UInt32?
  ) throws(EngineError) -> Bool {
    guard let id, let table = catalog.table(id) else { return false }
    tables.append(table)
    defer { tables.removeLast() }
    try check(expression)
    return true
  }
}

extension AggregateFunction {
  /// The type of the result for values of a type; nil where there is none.
  fileprivate func stored(of type: FieldType) -> FieldType? {
    switch self {
    case .count: .int
    case .sum: type.sum
    case .average: type == .decimal ? .decimal : .double
    case .minimum, .maximum: type
    }
  }
}

extension FieldType {
  /// The type of a sum of values; nil where they have none.
  fileprivate var sum: FieldType? {
    switch self {
    case .int, .uint, .double, .decimal: self
    case .float: .double
    default: nil
    }
  }
}

extension NumberKind {
  /// Whether a field's values are such numbers.
  fileprivate func suits(_ type: FieldType) -> Bool {
    switch self {
    case .integer: type == .int || type == .bool
    case .unsigned: type == .uint
    case .double: type == .double || type == .date
    case .float: type == .float
    case .decimal: type == .decimal
    }
  }
}
