extension ColumnExpression {
  /// Checks that the expression gives what a field stores.
  ///
  /// - Throws: `.wrongType` where it does not, `.unknown` where it names a field that the table does not have.
  func check(for field: FieldDefinition, of table: TableDefinition) throws(EngineError) {
    let type = field.type.physical
    let suits: Bool
    switch self {
    case .constant(let value): suits = value.type == type || value == .null
    case .field(let id):
      guard let source = table.field(id) else {
        throw .unknown(name: "field \(id) of \(table.name)")
      }
      suits =
        source.type == field.type && source.target == field.target && source.parts == field.parts
    case .arithmetic(let operation, let kind, let a, let b):
      suits = kind.suits(field.type) && (operation != .divide || kind.isFloating)
      try a.check(for: field, of: table)
      try b.check(for: field, of: table)
    case .concatenation(let a, let b):
      suits = field.type == .string || field.type == .data
      try a.check(for: field, of: table)
      try b.check(for: field, of: table)
    case .coalescing(let a, let b):
      suits = true
      try a.check(for: field, of: table)
      try b.check(for: field, of: table)
    case .conversion, .target, .related: suits = false
    }
    guard suits else { throw .wrongType(table: table.name, field: field.name) }
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
    }
  }

  fileprivate var isFloating: Bool { self == .double || self == .float }
}
