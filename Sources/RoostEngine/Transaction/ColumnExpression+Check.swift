extension ColumnExpression {
  /// Checks that the expression over the objects of a table gives what a field stores.
  ///
  /// - Parameter outside: The tables from whose objects one comes to these, the last one last.
  /// - Throws: `.wrongType` where it does not, `.unknown` where it names a field that the table does not have.
  func check(
    for field: FieldDefinition, of table: TableDefinition, in catalog: Catalog,
    inside outside: [UInt32] = []
  ) throws(EngineError) {
    let type = field.type
    func check(
      _ expression: ColumnExpression, over other: TableDefinition? = nil
    ) throws(EngineError) {
      try expression.check(
        for: field, of: other ?? table, in: catalog,
        inside: other == nil ? outside : outside + [table.id])
    }
    let suits: Bool
    switch self {
    case .constant(let value): suits = value.type == type.physical || value == .null
    case .field(let id):
      guard let source = table.field(id) else {
        throw .unknown(name: "field \(id) of \(table.name)")
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
      let target = table.field(link).flatMap { catalog.table($0.target) }
      suits = target != nil
      if let target { try check(value, over: target) }
    case .related(_, .count, _, _), .elements(_, .count, _, _): suits = type == .int
    case .related(_, .average, _, _), .elements(_, .average, _, _): suits = type == .double
    case .elements(let id, let function, let part, _):
      let parts = table.field(id)?.parts ?? []
      suits =
        part > 0 && part <= parts.count
        && (function == .sum ? parts[Int(part) - 1].type.sum : parts[Int(part) - 1].type) == type
    case .related(let relation, let function, let value, _):
      let other =
        switch relation {
        case .links(let id): table.field(id).flatMap { catalog.table($0.target) }
        case .inverse(let id, _): catalog.table(id)
        }
      suits = other != nil && (function != .sum || type.sum == type)
      if let other {
        do throws(EngineError) {
          try check(value, over: other)
        } catch {
          // The sum of the smaller ones is of the larger kind.
          guard function == .sum, type == .double else { throw error }
          var addend = field
          addend.type = .float
          try value.check(for: addend, of: other, in: catalog, inside: outside + [table.id])
        }
      }
    case .outside(let value):
      var outside = outside
      guard let last = outside.popLast().flatMap(catalog.table) else {
        throw .unknown(name: "what is outside of \(table.name)")
      }
      suits = true
      try value.check(for: field, of: last, in: catalog, inside: outside)
    }
    guard suits else { throw .wrongType(table: table.name, field: field.name) }
  }
}

extension FieldType {
  /// What the sum of values is; nil where they have none.
  fileprivate var sum: FieldType? {
    switch self {
    case .int, .uint, .double: self
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
    }
  }
}
