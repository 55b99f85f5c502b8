/// Conditions on related objects that also read the outer object: correlated subqueries.
extension PredicateCompiler {
  /// Whether any expression compiled so far reads the outer objects.
  var readsOutside: Bool { !outside.expressions.isEmpty }

  /// An expression over the outer object.
  func bind(
    outside expression: ColumnExpression, as expected: PhysicalType
  ) throws(EngineError) -> BoundExpression {
    guard let outer else { throw .malformedQuery(table: table.name, .outsideOfOutermost) }
    let column: QueryColumn
    if let known = outside.known(expression) {
      column = known
    } else {
      let bound = try outer.bind(expression, as: expected)
      column = outside.add(expression, bound)
    }
    return BoundExpression(
      .outside(Int(column.field - ComputedFields.first)), column.type, column.form)
  }

  /// The related objects of this table's objects that meet a predicate, whose condition was compiled last.
  func related(
    _ source: BoundRelation.Source, _ inner: PredicateCompiler, _ predicate: Predicate,
    _ condition: CompiledPredicate
  ) throws(EngineError) -> BoundRelation {
    var related = BoundRelation(source: source, tree: try view.objects(inner.table.id))
    guard inner.readsOutside else {
      if case .constant(true) = condition { return related }
      related.chosen = KeySet(ascending: try inner.keys(predicate, condition))
      return related
    }
    var fields: [FieldID] = []
    let numbered = condition.renumbered(&fields)
    var columns: [BoundExpression] = []
    for field in fields {
      if let computed = inner.computed[field] {
        columns.append(computed)
      } else {
        columns.append(BoundExpression(.field(field), try inner.type(of: field)))
      }
    }
    related.correlation = Correlation(
      outside: inner.outside.expressions, columns: columns, isChosen: numbered.holds)
    return related
  }

  /// The condition that a related object meeting a predicate exists.
  func exists(
    _ source: BoundRelation.Source, _ inner: PredicateCompiler, _ predicate: Predicate,
    _ condition: CompiledPredicate
  ) throws(EngineError) -> CompiledPredicate {
    let objects = try related(source, inner, predicate, condition)
    let key = BoundExpression(.field(0), .integer)
    let count = computed.add(BoundExpression(.related(objects, .count, key), .integer))
    return .test(count.field, .integer, .compare(.greater, .integer(0)))
  }
}

extension CompiledPredicate {
  /// The same condition on columns numbered from 1: the given fields, then new fields in order of use.
  func renumbered(_ fields: inout [FieldID]) -> CompiledPredicate {
    switch self {
    case .constant: return self
    case .field(let test):
      let number = fields.number(of: test.field)
      guard case .compareColumns(let comparison, let other) = test.kind else {
        return .test(number, test.type, test.kind)
      }
      return .test(number, test.type, .compareColumns(comparison, fields.number(of: other)))
    case .and(let parts): return .and(Self.renumbered(parts, &fields))
    case .or(let parts): return .or(Self.renumbered(parts, &fields))
    case .not(let part): return .not(part.renumbered(&fields))
    }
  }

  private static func renumbered(_ parts: [CompiledPredicate], _ fields: inout [FieldID])
    -> [CompiledPredicate]
  {
    var conditions: [CompiledPredicate] = []
    for part in parts { conditions.append(part.renumbered(&fields)) }
    return conditions
  }
}

extension [FieldID] {
  /// The number of a field, from 1; appends a new field.
  fileprivate mutating func number(of field: FieldID) -> FieldID {
    let place = firstIndex(of: field) ?? count
    if place == count { append(field) }
    return FieldID(place) + 1
  }
}
