package import RoostEngine

/// Translates groups over key paths to the engine's groups, whose columns have numbers.
package struct GroupLowering {
  /// Resolves links to targets; nil without a store.
  private let context: (any ReadContext)?
  private let binding: StoreBinding
  private let home: ModelBinding
  private let query: GroupContent
  /// The requested aggregates, in the order of their columns.
  private var aggregates: [ExpressionTerm] = []

  /// A lowering without a store.
  package init(
    unstored binding: StoreBinding, _ model: ModelName, _ query: GroupContent
  ) throws(StoreError) {
    self.init(nil, binding, try binding.model(model), query)
  }

  init(
    _ context: (any ReadContext)?, _ binding: StoreBinding, _ home: ModelBinding,
    _ query: GroupContent
  ) {
    self.context = context
    self.binding = binding
    self.home = home
    self.query = query
  }

  /// The engine's form of a grouped query, and the columns of the requested values.
  package mutating func lower(
    _ values: [ExpressionTerm]
  ) throws(StoreError) -> (GroupQuery, columns: [Int]) {
    var columns: [Int] = []
    for value in values { columns.append(Int(try column(value)) - 1) }
    let having = try lower(query.condition)
    var order: [SortKey] = []
    for key in query.order {
      order.append(
        SortKey(
          .field(try column(key.value)), descending: key.isDescending, collation: key.collation))
    }
    var keys: [ColumnExpression] = []
    for key in query.keys { keys.append(try binding.lower(key, home)) }
    var lowered: [Aggregate] = []
    for case .grouped(let function, let value) in aggregates {
      lowered.append(try aggregate(function, value))
    }
    let groups = GroupQuery(
      try binding.lower(query.objects, home), by: keys, lowered,
      having: having, order: order, limit: query.countMax, offset: query.offset)
    return (groups, columns)
  }

  private func aggregate(
    _ function: AggregateFunction, _ value: ExpressionTerm
  ) throws(StoreError) -> Aggregate {
    // Every object has a key, in any stored form.
    if function == .count, let path = value.path, path.links.isEmpty,
      path.field.position == home.keyPosition
    {
      return Aggregate(.count, of: .field(0))
    }
    return Aggregate(function, of: try binding.lower(value, home))
  }

  /// The number of a column, counted from 1.
  private mutating func column(_ term: ExpressionTerm) throws(StoreError) -> FieldID {
    if let place = query.keys.firstIndex(of: term) { return FieldID(place + 1) }
    // A value of another query's groups.
    guard case .grouped = term else {
      throw .unknownField(model: home.name.name, property: term.name)
    }
    let place = aggregates.firstIndex(of: term) ?? aggregates.count
    if place == aggregates.count { aggregates.append(term) }
    return FieldID(query.keys.count + place + 1)
  }

  private mutating func lower(_ filter: Filter) throws(StoreError) -> Predicate {
    switch filter {
    case .always(let holds): return .always(holds)
    case .compare(let term, let comparison, let value):
      // The id of a link's target by which the objects are grouped: the key is the stored link.
      guard !query.keys.contains(term), var link = term.path, let last = link.links.popLast() else {
        return .compare(try column(term), comparison, value)
      }
      guard let context else {
        throw .queryUnfit(text: "\(value)", reason: "A store says what \(last.name) leads to.")
      }
      let target = try binding.model(link.field.model)
      link.field = last
      let place = try column(.path(link))
      guard let key = try context.objectKey(of: target, id: value) else { return .always(false) }
      return .compare(place, comparison, .integer(key))
    case .comparison(let first, let comparison, let second):
      return .comparison(.field(try column(first)), comparison, .field(try column(second)))
    case .isNull(let term): return .isNull(try column(term))
    case .and(let parts): return .and(try lower(parts))
    case .or(let parts): return .or(try lower(parts))
    case .not(let part): return .not(try lower(part))
    case .tooDeep: throw .tooDeep(home)
    // Conditions on groups are comparisons only.
    case .oneOf(let term, _), .text(let term, _, _), .matches(let term, _),
      .beginning(let term, _):
      throw .unknownField(model: home.name.name, property: term.name)
    case .related(let path, _, _):
      throw .unknownField(model: home.name.name, property: path.name)
    }
  }

  private mutating func lower(_ parts: [Filter]) throws(StoreError) -> [Predicate] {
    var predicates: [Predicate] = []
    for part in parts { predicates.append(try lower(part)) }
    return predicates
  }
}
