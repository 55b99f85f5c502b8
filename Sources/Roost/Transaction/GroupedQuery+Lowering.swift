internal import RoostEngine

/// From groups over key paths to the engine's, whose columns have numbers.
struct GroupLowering {
  private let context: any ReadContext
  private let home: ModelBinding
  private let key: ExpressionTerm
  /// The aggregates that are asked for, in the order of their columns.
  private var aggregates: [ExpressionTerm] = []

  private var binding: StoreBinding { context.binding }

  init(_ context: any ReadContext, _ home: ModelBinding, key: ExpressionTerm) {
    self.context = context
    self.home = home
    self.key = key
  }

  /// The engine's form of a question for groups, and the columns of the values that are wanted of each.
  mutating func lower<M, Key>(
    _ query: GroupedQuery<M, Key>, _ values: [ExpressionTerm]
  ) throws(StoreError) -> (GroupQuery, columns: [Int]) {
    let columns = values.map { Int(column($0)) - 1 }
    let having = try lower(query.condition)
    let order = query.order.map {
      SortKey(
        .field(column($0.value)), descending: $0.isDescending, collation: $0.collation)
    }
    var lowered: [Aggregate] = []
    for case .grouped(let function, let value) in aggregates {
      lowered.append(try aggregate(function, value))
    }
    let groups = GroupQuery(
      try binding.lower(query.objects, home), by: [try binding.lower(key, home)], lowered,
      having: having, order: order, limit: query.countMax, offset: query.offset)
    return (groups, columns)
  }

  private func aggregate(
    _ function: AggregateFunction, _ value: ExpressionTerm
  ) throws(StoreError) -> Aggregate {
    // The key of every object is there, whatever it is stored as.
    if function == .count, let path = value.path, path.links.isEmpty,
      path.field.position == home.keyPosition
    {
      return Aggregate(.count, of: .field(0))
    }
    return Aggregate(function, of: try binding.lower(value, home))
  }

  /// The number of a column, counted from 1.
  private mutating func column(_ term: ExpressionTerm) -> FieldID {
    if term == key { return 1 }
    let place = aggregates.firstIndex(of: term) ?? aggregates.count
    if place == aggregates.count { aggregates.append(term) }
    return FieldID(place + 2)
  }

  private mutating func lower(_ filter: Filter) throws(StoreError) -> Predicate {
    switch filter {
    case .always(let holds): return .always(holds)
    case .compare(let term, let comparison, let value):
      guard term != key, let id = term.path else {
        return .compare(column(term), comparison, value)
      }
      // The id of the target of a link, by which the objects are grouped: the key is the link, as it is stored.
      let target = try binding.model(id.field.model)
      guard let key = try context.objectKey(of: target, id: value) else { return .always(false) }
      return .compare(1, comparison, .integer(key))
    case .isNull(let term): return .isNull(column(term))
    case .and(let parts): return .and(try lower(parts))
    case .or(let parts): return .or(try lower(parts))
    case .not(let part): return .not(try lower(part))
    // Nothing but comparisons is made of a group's values.
    case .comparison(let term, _, _), .oneOf(let term, _), .text(let term, _, _),
      .matches(let term, _), .beginning(let term, _):
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
