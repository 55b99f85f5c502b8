internal import RoostEngine

/// From what a query says of an object to the engine's form of it.
///
/// Within a question about related objects, or about elements, there are objects outside, of which it can speak, too.
struct QueryLowering {
  let binding: StoreBinding
  /// The object's model; of what is between two objects, of which nobody speaks, that of the outer one.
  private(set) var home: ModelBinding
  /// The number that roots of the object have; nil of what is between.
  private var number: Int? = 0
  /// The next object outside; nil where the query begins.
  private var outer: OutsideObject?
  /// How many links or relations lead from that to the object.
  private var stepCount = 0
  /// Whether the condition is on elements of a collection.
  private(set) var isAroundElements = false
  /// Where the columns of the elements lie in the file, where that is elsewhere than the model declares.
  private var elementPlaces: [Int?] = []
  /// What looks up the targets of links among constants that are stored; nil where constants are compared.
  var links: (any LinkResolver)?

  init(_ binding: StoreBinding, _ home: ModelBinding, links: (any LinkResolver)? = nil) {
    self.binding = binding
    self.home = home
    self.links = links
  }
}

private final class OutsideObject {
  let lowering: QueryLowering

  init(_ lowering: QueryLowering) { self.lowering = lowering }
}

extension QueryLowering {
  /// Of the objects that a path leads to.
  func inside(_ path: RelationPath, _ home: ModelBinding) -> QueryLowering {
    var inner = self
    inner.home = home
    inner.number = path.number
    inner.outer = OutsideObject(self)
    inner.stepCount = path.links.count + 1
    return inner
  }

  /// Of what is outside of the elements of a collection that some links lead to.
  func aroundElements(of path: FieldPath) throws(StoreError) -> QueryLowering {
    let links = path.links
    var inner = self
    inner.isAroundElements = true
    if let position = path.field.position {
      inner.elementPlaces = try binding.model(path.field.model).elementPlaces(position)
    }
    guard !links.isEmpty else { return inner }
    inner.number = nil
    inner.outer = OutsideObject(self)
    inner.stepCount = links.count
    return inner
  }

  /// Of the object so many links or relations outside.
  func outside(_ distance: Int) -> QueryLowering {
    guard distance > 0, let outer else { return self }
    var owner = outer.lowering.outside(distance - stepCount)
    owner.isAroundElements = isAroundElements
    owner.links = links
    return owner
  }

  /// Whether a path leads from this object, and not from one outside.
  func isOwn(_ path: FieldPath) -> Bool { known(path.root, path.origin) == 0 }

  /// How far outside is the object from which a path leads.
  func distance(of path: FieldPath) throws(StoreError) -> Int {
    if let distance = known(path.root, path.origin) { return distance }
    _ = try binding.model(path.origin)
    // It is of a question of which this is no part.
    throw unknown("\(path.origin.name).\(path)")
  }

  /// How far outside is the object from which a path leads.
  func distance(of path: RelationPath) throws(StoreError) -> Int {
    // The engine finds out whether the model is that which the relation begins at.
    guard let distance = known(path.root, nil) else { throw unknown(path.name) }
    return distance
  }

  /// How far outside is the object with a number.
  private func known(_ root: Int, _ model: ModelName?) -> Int? {
    if let distance = distance(to: root, model) { return distance }
    // `QueryRoot()` is one of whichever objects are of its model.
    return root == 0 && model != nil ? distance(to: nil, model) : nil
  }

  private func distance(to root: Int?, _ model: ModelName?) -> Int? {
    if let number, root == nil || root == number, isOf(model) { return 0 }
    guard let distance = outer?.lowering.distance(to: root, model) else { return nil }
    return distance + stepCount
  }

  private func isOf(_ model: ModelName?) -> Bool {
    guard let model, model.type != home.name.type else { return true }
    return (try? binding.model(model))?.tableID == home.tableID
  }

  /// The number of a field, most often one of the object's own.
  func field(_ step: FieldStep) throws(StoreError) -> FieldID { try binding.field(step, home) }

  /// The number of a column of elements.
  func field(_ step: ElementColumnStep) throws(StoreError) -> FieldID {
    var place = step.place
    if let declared = place, elementPlaces.indices.contains(declared) {
      place = elementPlaces[declared]
    }
    guard let place, let field = FieldID(exactly: place + 1) else { throw unknown(step.name) }
    return field
  }

  func relation(_ end: RelationPath.End) throws(StoreError) -> Relation {
    switch end {
    case .links(let step): return .links(try field(step))
    case .inverse(let step):
      return .inverse(table: try binding.model(step.model).tableID, field: try field(step))
    }
  }

  /// What is asked for is no field of an object of which one can speak here.
  func unknown(_ property: String) -> StoreError {
    .unknownField(model: home.name.name, property: property)
  }
}

extension FieldPath {
  /// The model of the object from which it leads.
  fileprivate var origin: ModelName { (links.first ?? field).model }
}

extension StoreBinding {
  /// The engine's form of a value that is calculated of objects of a model.
  ///
  /// - Parameter links: What looks up the targets of links where constants are to be stored.
  func lower(
    _ term: ExpressionTerm, _ home: ModelBinding, links: (any LinkResolver)? = nil
  ) throws(StoreError) -> ColumnExpression {
    try QueryLowering(self, home, links: links).lower(term)
  }

  /// The engine's form of a query.
  func lower(_ query: QueryContent, _ home: ModelBinding) throws(StoreError) -> ObjectQuery {
    var lowered =
      if let origin = query.origin { try origin.query(of: home.name.name, in: catalog) } else {
        ObjectQuery(table: home.tableID)
      }
    let lowering = QueryLowering(self, home)
    let condition = try lowering.lower(query.filter)
    switch lowered.predicate {
    case .always(true): lowered.predicate = condition
    case let first:
      lowered.predicate = condition == .always(true) ? first : .and([first, condition])
    }
    for key in query.order {
      lowered.order.append(
        SortKey(
          try lowering.lower(key.value), descending: key.isDescending, collation: key.collation))
    }
    lowered.limit = query.countMax
    lowered.offset = query.offset
    return lowered
  }

  /// The number of a field, most often one of the model that the query is about.
  func field(_ step: FieldStep, _ home: ModelBinding) throws(StoreError) -> FieldID {
    let binding = step.model.type == home.name.type ? home : try model(step.model)
    guard let position = step.position, position < binding.fields.count else {
      throw .unknownField(model: step.model.name, property: step.name)
    }
    return binding.fields[position]
  }
}
