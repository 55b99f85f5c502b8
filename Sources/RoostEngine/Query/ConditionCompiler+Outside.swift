/// The objects outside of those that a condition or an expression is about, and what is read of them.
final class OutsideObjects {
  fileprivate let compiler: ConditionCompiler
  fileprivate let columns = ComputedColumns()

  init(_ compiler: ConditionCompiler) { self.compiler = compiler }

  /// What is read of them, as it is computed of them.
  var values: [BoundExpression] { columns.expressions }

  /// What the values of an expression over them are made of that are stored values; nil of others.
  func part(of expression: ColumnExpression) -> ElementColumn? { compiler.part(of: expression) }
}

extension ConditionCompiler {
  /// Whether anything that was looked at so far reads the objects outside.
  var readsOutside: Bool { outside.map { !$0.values.isEmpty } ?? false }

  /// An expression over the object outside.
  func bind(
    outside expression: ColumnExpression, as expected: PhysicalType
  ) throws(EngineError) -> BoundExpression {
    guard let outside else { throw .unknown(name: "what is outside of \(table.name)") }
    let known = outside.columns.known(expression)
    let column =
      if let known { known } else {
        outside.columns.add(expression, try outside.compiler.bind(expression, as: expected))
      }
    return BoundExpression(
      .outside(Int(column.field - ComputedFields.first)), column.type,
      isUnsigned: column.isUnsigned)
  }

  /// The objects that those of this table have to do with, chosen by a condition that reads these.
  func correlated(
    _ source: RelatedObjects.Source, _ inner: ConditionCompiler, _ condition: Condition
  ) throws(EngineError) -> CorrelatedObjects {
    var fields: [FieldID] = []
    let numbered = condition.renumbered { field in
      let place = fields.firstIndex(of: field) ?? fields.count
      if place == fields.count { fields.append(field) }
      return FieldID(place) + 1
    }
    let computed = ComputedFields(inner.computed.expressions)
    var columns: [BoundExpression] = []
    for field in fields {
      if let expression = computed[field] {
        columns.append(expression)
      } else {
        columns.append(BoundExpression(.field(field), try inner.type(of: field)))
      }
    }
    let related = RelatedObjects(
      source: source, tree: try view.objects(inner.table.id), chosen: nil)
    return CorrelatedObjects(
      related, outside: inner.outside?.values ?? [], columns: columns,
      isChosen: numbered.holds)
  }

  /// The condition that one of some objects is chosen.
  func exists(_ objects: CorrelatedObjects) throws(EngineError) -> Condition {
    let key = BoundExpression(.field(0), .integer)
    let count = computed.add(BoundExpression(.correlated(objects, .count, key), .integer))
    return .test(count.field, .integer, .compare(.greater, .integer(0)))
  }
}

extension Condition {
  /// The same about fields with other numbers.
  func renumbered(_ number: (FieldID) -> FieldID) -> Condition {
    switch self {
    case .constant: return self
    case .field(let test):
      if case .compareColumns(let comparison, let other) = test.kind {
        return .test(number(test.field), test.type, .compareColumns(comparison, number(other)))
      }
      return .test(number(test.field), test.type, test.kind)
    case .and(let parts): return .and(parts.map { $0.renumbered(number) })
    case .or(let parts): return .or(parts.map { $0.renumbered(number) })
    case .not(let part): return .not(part.renumbered(number))
    }
  }

  /// Whether a row of some columns, which are numbered from 1, fulfils the condition; none is computed.
  func holds(_ columns: [ColumnBuffer], row: Int) -> Bool {
    switch self {
    case .constant(let holds): holds
    case .field(let test): test.holds(columns, row: row)
    case .and(let parts): parts.allSatisfy { $0.holds(columns, row: row) }
    case .or(let parts): parts.contains { $0.holds(columns, row: row) }
    case .not(let part): !part.holds(columns, row: row)
    }
  }
}

extension FieldTest {
  fileprivate func holds(_ columns: [ColumnBuffer], row: Int) -> Bool {
    let column = columns[Int(field) - 1]
    if case .compareColumns(let comparison, let other) = kind {
      return comparison.holds(column.value(row), columns[Int(other) - 1].value(row))
    }
    guard column.type == .bytes, !column.isNull(row) else { return holds(column.value(row)) }
    return holds(bytes: column.bytes(row))
  }
}
