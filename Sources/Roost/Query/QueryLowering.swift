internal import RoostEngine

/// Translates a query's expressions over an object to the engine's form.
///
/// A condition on related objects, or on elements, can also use the objects outside it.
struct QueryLowering {
  let binding: StoreBinding
  /// The object's model; for an intermediate object, which no expression uses, the model of the outer object.
  private(set) var home: ModelBinding
  /// The number that roots of the object have; nil for an intermediate object.
  private var number: Int? = 0
  /// The next object outside; nil for the query's own object.
  private var outer: OutsideObject?
  /// The number of links or relations from the outer object to this object.
  private var stepCount = 0
  /// Whether the condition is on elements of a collection.
  private(set) var isAroundElements = false
  /// The positions of the elements' columns in the file, if they differ from the model's.
  private var elementPlaces: [Int?] = []
  /// Looks up the targets of links among constants to be stored; nil if constants are only compared.
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
  /// The lowering for the objects at the end of a path.
  func inside(_ path: RelationPath, _ home: ModelBinding) -> QueryLowering {
    var inner = self
    inner.home = home
    inner.number = path.number
    inner.outer = OutsideObject(self)
    inner.stepCount = path.links.count + 1
    return inner
  }

  /// The lowering for the outside of the elements of a collection that some links lead to.
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

  /// The lowering for the object at a distance outside.
  func outside(_ distance: Int) -> QueryLowering {
    guard distance > 0, let outer else { return self }
    var owner = outer.lowering.outside(distance - stepCount)
    owner.isAroundElements = isAroundElements
    owner.links = links
    return owner
  }

  /// Whether a path begins at this object, and not at one outside.
  func isOwn(_ path: FieldPath) -> Bool { known(path.root, path.origin) == 0 }

  /// The distance to the outer object that a path begins at.
  func distance(of path: FieldPath) throws(StoreError) -> Int {
    if let distance = known(path.root, path.origin) { return distance }
    _ = try binding.model(path.origin)
    // It belongs to a condition that does not contain this one.
    throw unknown("\(path.origin.name).\(path)")
  }

  /// The distance to the outer object that a path begins at.
  func distance(of path: RelationPath) throws(StoreError) -> Int {
    // The engine checks that the model is the one that the relation begins at.
    guard let distance = known(path.root, nil) else { throw unknown(path.name) }
    return distance
  }

  /// The distance to the outer object with a number.
  private func known(_ root: Int, _ model: ModelName?) -> Int? {
    if let distance = distance(to: root, model) { return distance }
    // `QueryRoot()` refers to any object of its model.
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

  /// The number of a field, usually of the object itself.
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

  /// The error for a property that is not a field of any object accessible here.
  func unknown(_ property: String) -> StoreError {
    .unknownField(model: home.name.name, property: property)
  }
}

extension FieldPath {
  /// The model of the object that the path begins at.
  fileprivate var origin: ModelName { (links.first ?? field).model }
}

extension StoreBinding {
  /// The engine's form of a value computed from objects of a model.
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

  /// The number of a field, usually of the query's model.
  func field(_ step: FieldStep, _ home: ModelBinding) throws(StoreError) -> FieldID {
    let binding = step.model.type == home.name.type ? home : try model(step.model)
    guard let position = step.position, position < binding.fields.count else {
      throw .unknownField(model: step.model.name, property: step.name)
    }
    return binding.fields[position]
  }
}
