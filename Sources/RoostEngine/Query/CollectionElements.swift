/// What a query asks about the elements of collections.
final class CollectionElements: Sendable {
  /// How their columns are stored.
  private let shapes: [PackedColumns.Shape]
  /// How what is read of the objects that have them is stored.
  private let types: [PhysicalType]
  /// Which elements count: over their columns, and then those of what is outside.
  private let condition: Condition
  /// The place of the column that is aggregated; nil where elements are counted.
  private let place: Int?
  private let function: AggregateFunction
  private let isUnsigned: Bool

  init(
    _ shapes: [PackedColumns.Shape], outside types: [PhysicalType], _ condition: Condition,
    _ function: AggregateFunction, place: Int?, isUnsigned: Bool
  ) {
    self.shapes = shapes
    self.types = types
    self.condition = condition
    self.function = function
    self.place = place
    self.isUnsigned = isUnsigned
  }

  /// What the elements in a collection's bytes give together; nil where the bytes are no such collection.
  ///
  /// The result within is nil of a sum of integers that does not fit.
  ///
  /// - Parameter outside: What is read of the object that has the collection.
  func aggregate(_ bytes: ByteView, _ outside: [Value]) -> Value?? {
    guard let elements = PackedColumns(bytes, as: shapes) else { return .none }
    var columns = elements.columns
    for (place, value) in outside.enumerated() {
      let column = ColumnBuffer(type: types[place])
      for _ in 0..<elements.count { column.append(value) }
      columns.append(column)
    }
    let type = place.map { shapes[$0].type } ?? .integer
    var gathered = GatheredValues(function, type, isUnsigned: isUnsigned)
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

extension ConditionCompiler {
  /// Over the columns of a collection's elements, as fields that are numbered from 1.
  private init(elementsOf field: FieldDefinition, outside: ConditionCompiler) {
    view = outside.view
    depth = outside.depth + 1
    self.outside = OutsideObjects(outside)
    table = TableDefinition(elementsOf: field)
  }

  /// Checks a question about the elements of a collection.
  func bind(
    _ id: FieldID, _ function: AggregateFunction, _ part: FieldID, _ predicate: Predicate
  ) throws(EngineError) -> BoundExpression {
    guard let field = table.field(id) else {
      throw .unknown(name: "field \(id) of \(table.name)")
    }
    guard field.type.isCollection else { throw wrongType(id) }
    let elements = ConditionCompiler(elementsOf: field, outside: self)
    let condition = try elements.condition(predicate)
    // Nothing is calculated of elements; what is outside of them comes behind their columns.
    var places: [FieldID] = []
    for expression in elements.computed.expressions {
      guard case .outside(let place) = expression.content else { throw unasked(of: field) }
      places.append(FieldID(field.parts.count + place) + 1)
    }
    guard !condition.asksForKey else { throw unasked(of: field) }
    let outside = elements.outside?.values ?? []
    guard part > 0 || function == .count else { throw wrongType(id) }
    let type = part > 0 ? try elements.type(of: part) : .integer
    let isUnsigned = elements.table.field(part)?.type == .uint
    guard let result = function.result(of: type) else { throw wrongType(id) }
    let bound = CollectionElements(
      field.parts.map(\.shape), outside: outside.map(\.type),
      condition.renumbered { id in
        id < ComputedFields.first ? id : places[Int(id - ComputedFields.first)]
      }, function, place: part > 0 ? Int(part) - 1 : nil, isUnsigned: isUnsigned)
    return BoundExpression(
      .elements(id, bound.aggregate, outside: outside), result,
      isUnsigned: isUnsigned && result == .integer && function != .count)
  }

  private func unasked(of field: FieldDefinition) -> EngineError {
    .unknown(name: "what is asked of the elements of \(field.name)")
  }
}

extension Condition {
  /// Whether it is about the object key, which elements have none of.
  fileprivate var asksForKey: Bool {
    switch self {
    case .constant: false
    case .field(let test):
      if case .compareColumns(_, 0) = test.kind { true } else { test.field == 0 }
    case .and(let parts), .or(let parts): parts.contains(where: \.asksForKey)
    case .not(let part): part.asksForKey
    }
  }
}

extension TableDefinition {
  /// What the columns of a collection's elements would be the fields of.
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
