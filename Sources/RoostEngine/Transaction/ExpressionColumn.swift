/// An expression with a column for what it gives of some rows of a leaf.
final class ExpressionColumn {
  /// What it gave of the rows that were computed last; of a constant as many rows at least.
  let column: ColumnBuffer
  private let content: Content

  private enum Content {
    case constant(Value)
    case field(FieldID)
    case arithmetic(Arithmetic, NumberKind, ExpressionColumn, ExpressionColumn)
    case concatenation(ExpressionColumn, ExpressionColumn)
    case coalescing(ExpressionColumn, ExpressionColumn)
  }

  /// - Throws: `.wrongType` where the expression does not give what the field stores, `.unknown` where it names a
  ///   field that the table does not have.
  init(
    _ expression: ColumnExpression, for field: FieldDefinition, of table: TableDefinition
  ) throws(EngineError) {
    let type = field.type.physical
    column = ColumnBuffer(type: type)
    switch expression {
    case .constant(let value):
      guard value.type == type || value == .null else {
        throw .wrongType(table: table.name, field: field.name)
      }
      content = .constant(value)
    case .field(let id):
      guard let source = table.field(id) else {
        throw .unknown(name: "field \(id) of \(table.name)")
      }
      guard source.type == field.type, source.target == field.target, source.parts == field.parts
      else {
        throw .wrongType(table: table.name, field: field.name)
      }
      content = .field(id)
    case .arithmetic(let operation, let kind, let a, let b):
      guard kind.suits(field.type), operation != .divide || kind.isFloating else {
        throw .wrongType(table: table.name, field: field.name)
      }
      content = .arithmetic(
        operation, kind, try ExpressionColumn(a, for: field, of: table),
        try ExpressionColumn(b, for: field, of: table))
    case .concatenation(let a, let b):
      guard field.type == .string || field.type == .data else {
        throw .wrongType(table: table.name, field: field.name)
      }
      content = .concatenation(
        try ExpressionColumn(a, for: field, of: table),
        try ExpressionColumn(b, for: field, of: table))
    case .coalescing(let a, let b):
      content = .coalescing(
        try ExpressionColumn(a, for: field, of: table),
        try ExpressionColumn(b, for: field, of: table))
    }
  }

  /// Computes the expression for some rows of a leaf.
  ///
  /// - Returns: The place among the rows of the first whose result does not fit, if any.
  func compute(_ leaf: LeafReference, _ rows: LeafRows) throws(EngineError) -> Int? {
    if case .constant(let value) = content {
      while column.count < rows.count { column.append(value) }
      return nil
    }
    column.removeAll(keepingCapacity: true)
    switch content {
    case .constant: return nil
    case .field(let field):
      try column.append(field, of: leaf, rows)
      return nil
    case .arithmetic(let operation, let kind, let a, let b):
      if let place = try a.compute(leaf, rows) { return place }
      if let place = try b.compute(leaf, rows) { return place }
      return column.append(operation, kind, a.column, b.column, count: rows.count)
    case .concatenation(let a, let b):
      if let place = try a.compute(leaf, rows) { return place }
      if let place = try b.compute(leaf, rows) { return place }
      return column.append(concatenating: a.column, b.column, count: rows.count)
    case .coalescing(let a, let b):
      if let place = try a.compute(leaf, rows) { return place }
      if let place = try b.compute(leaf, rows) { return place }
      column.append(coalescing: a.column, b.column, count: rows.count)
      return nil
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

  fileprivate var isFloating: Bool { self == .double || self == .float }
}

extension ColumnBuffer {
  /// Appends a field's cells of some rows of a leaf; large values are read whole.
  func append(
    _ field: FieldID, of leaf: LeafReference, _ rows: LeafRows
  ) throws(EngineError) {
    let chunk = field == 0 ? leaf.keys : try leaf.column(field)
    defer { withExtendedLifetime(leaf) {} }
    if chunk.hasExternals {
      for row in rows { try RowPlace.leaf(leaf, row).append(field, to: self) }
    } else if let range = rows.contiguous {
      append(chunk, rows: range)
    } else if rows.count >= leaf.rowCount / Self.gatheredShare {
      append(chunk, gathering: rows.map { Int32($0) })
    } else {
      for row in rows { append(chunk, row: row) }
    }
  }

  /// A leaf's cells are decoded all at once where so many of them times are wanted.
  private static var gatheredShare: Int { 8 }
}
