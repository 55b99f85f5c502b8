import RoostEngine

/// What expressions give, evaluated as simply as can be.
extension QueryOracle {
  func value(_ expression: ColumnExpression, _ table: UInt32, _ row: Int) -> Value {
    switch expression {
    case .constant(let value): return value
    case .field(let field): return value(table, row, field)
    case .arithmetic(let operation, let kind, let a, let b):
      return result(operation, kind, value(a, table, row), value(b, table, row))
    case .conversion(let source, let kind, let number):
      return converted(value(number, table, row), from: source, to: kind)
    case .concatenation(let a, let b):
      guard case .bytes(let first) = value(a, table, row),
        case .bytes(let second) = value(b, table, row)
      else { return .null }
      return .bytes(first + second)
    case .folded(let folding, let text):
      guard case .bytes(let bytes) = value(text, table, row) else { return .null }
      return .bytes(NaiveFolding.folded(folding, bytes))
    case .coalescing(let a, let b):
      let first = value(a, table, row)
      return first == .null ? value(b, table, row) : first
    case .target(let link, let expression):
      guard case .integer(let key) = value(table, row, link),
        let target = tables[table]?.targets[link], let place = tables[target]?.places[key]
      else { return .null }
      return inside(table, row).value(expression, target, place)
    case .elements(let field, let function, let part, let predicate):
      guard let elements = elements(field, table, row) else { return .null }
      let around = inside(table, row)
      let values = elements.filter { around.holds(predicate, $0) }
        .map { part == 0 ? .integer(0) : $0[Int(part) - 1] }.filter { $0 != .null }
      let type = part == 0 ? .int : QueryFixture.elementColumns(field)[Int(part) - 1].type
      return aggregate(function, values, of: type.physical, type) ?? .null
    case .related(let relation, let function, let expression, let predicate):
      let other = other(relation, table)
      let around = inside(table, row)
      let values = related(relation, table, row).filter { around.holds(predicate, other, $0) }
        .map { around.value(expression, other, $0) }.filter { $0 != .null }
      return aggregate(
        function, values, of: around.type(of: expression, other),
        around.meaning(expression, other)) ?? .null
    case .outside(let expression):
      return outside { $0.value(expression, $1, $2) }
    }
  }

  /// The elements of a collection; nil where there is none.
  private func elements(_ field: FieldID, _ table: UInt32, _ row: Int) -> [[Value]]? {
    guard case .bytes(let bytes) = value(table, row, field) else { return nil }
    let packed = unsafe bytes.withUnsafeBytes {
      PackedColumns(unsafe ByteView($0), as: QueryFixture.elementColumns(field).map(\.shape))
    }
    return packed.map { packed in
      (0..<packed.count).map { row in packed.columns.map { $0.value(row) } }
    }
  }

  /// Whether an element, or a group, with these columns fulfils a condition.
  func holds(_ predicate: Predicate, _ element: [Value]) -> Bool {
    func value(_ field: FieldID) -> Value { element[Int(field) - 1] }
    switch predicate {
    case .always(let holds): return holds
    case .compare(let field, let comparison, let constant):
      return holds(comparison, value(field), constant)
    case .comparison(.field(let field), let comparison, .field(let other)):
      return holds(comparison, value(field), value(other))
    case .isNull(let field): return value(field) == .null
    case .oneOf(let field, let constants):
      return constants.contains { holds(.equal, value(field), $0) }
    case .text(let field, let match, let text): return holds(match, text, value(field))
    case .matches(.field(let field), let pattern):
      return NaiveMatching.holds(pattern, value(field))
    case .comparison(.field(let field), let comparison, .outside(let expression)):
      let other = outside { $0.value(expression, $1, $2) }
      return holds(comparison, value(field), other)
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
}
