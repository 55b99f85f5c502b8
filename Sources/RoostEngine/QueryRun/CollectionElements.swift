/// Conditions and aggregates over the elements of collections.
final class CollectionElements: Sendable {
  /// The storage of the elements' columns.
  private let shapes: [PackedColumns.Shape]
  /// The condition on elements: over their columns, followed by the outer columns.
  private let condition: CompiledPredicate
  /// The index of the aggregated column; nil if elements are counted.
  private let place: Int?
  private let function: AggregateFunction
  private let form: NumberForm

  init(
    _ shapes: [PackedColumns.Shape], _ condition: CompiledPredicate, _ function: AggregateFunction,
    place: Int?, _ form: NumberForm
  ) {
    self.shapes = shapes
    self.condition = condition
    self.function = function
    self.place = place
    self.form = form
  }

  /// The aggregate over the elements in a collection's bytes; nil if the bytes are not a valid collection.
  ///
  /// The inner result is nil if it does not fit.
  /// - Parameters:
  ///   - outside: The values that the expression reads of the objects that hold the collections.
  ///   - row: The row of this collection's object in `outside`.
  func aggregate(_ bytes: ByteView, _ outside: [ColumnBuffer], _ row: Int) -> Value?? {
    guard let elements = PackedColumns(bytes, as: shapes) else { return .none }
    var columns = elements.columns
    for column in outside {
      let row = Int32(truncatingIfNeeded: row)
      columns.append(column.gathering([Int32](repeating: row, count: elements.count)))
    }
    let type = place.map { shapes[$0].type } ?? .integer
    var gathered = AggregateAccumulator(function, type, form)
    for row in 0..<elements.count where condition.holds(columns, row: row) {
      if let place {
        gathered.add(elements.columns[place].value(row))
      } else {
        gathered.add(Value.integer(0))
      }
    }
    return .some(gathered.result)
  }
}

extension CompiledPredicate {
  /// Whether a row of some columns, numbered from 1, meets the condition; no column is computed.
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

extension PredicateCompiler {
  /// Checks an aggregate over the elements of a collection.
  func bind(
    _ id: FieldID, _ function: AggregateFunction, _ part: FieldID, _ predicate: Predicate
  ) throws(EngineError) -> BoundExpression {
    guard let field = table.field(id) else {
      throw .unknownField(table: table.name, field: "\(id)")
    }
    guard field.type.isCollection else { throw wrongType(id) }
    // The columns are fields numbered from 1; the outer columns follow them.
    let elements = PredicateCompiler(
      view, TableDefinition(elementsOf: field), depth: depth + 1, outer: self)
    var fields = elements.table.fields.map(\.id)
    let condition = try elements.condition(predicate).renumbered(&fields)
    var outside: [BoundExpression] = []
    for field in fields.dropFirst(field.parts.count) {
      // Elements have no key, and expressions over them cannot be computed.
      guard case .outside(let place) = elements.computed[field]?.content else {
        throw .malformedQuery(table: elements.table.name, .calculatedElement)
      }
      outside.append(elements.outside.expressions[place])
    }
    guard part > 0 || function == .count else { throw wrongType(id) }
    let type = part > 0 ? try elements.type(of: part) : .integer
    let form = NumberForm(elements.table.field(part)?.type)
    guard let result = function.result(of: type, form) else { throw wrongType(id) }
    let bound = CollectionElements(
      field.parts.map(\.shape), condition, function, place: part > 0 ? Int(part) - 1 : nil, form)
    return BoundExpression(
      .elements(id, bound.aggregate, outside: outside), result.type, result.form)
  }
}

extension TableDefinition {
  /// A table whose fields are the columns of a collection's elements.
  fileprivate init(elementsOf field: FieldDefinition) {
    self.init(
      id: 0, name: "the elements of \(field.name)", tree: 0,
      nextField: FieldID(field.parts.count) + 1,
      fields: field.parts.enumerated().map { place, part in
        var definition = FieldDefinition(
          name: part.name, type: part.type, isOptional: part.isOptional, parts: part.parts)
        definition.id = FieldID(place) + 1
        return definition
      })
  }
}
