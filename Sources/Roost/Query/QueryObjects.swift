internal import RoostEngine

/// The objects that a condition can speak of: the one that it is about, and those outside.
struct QueryObjects {
  /// An object with the number that roots have; nil of what is between, of which nobody speaks.
  private typealias Object = (number: Int, home: ModelBinding)?

  private var innermost: Object
  /// Those outside of it, the next one last: most often none.
  private var around: [Object] = []
  /// Whether the condition is on elements of a collection of the innermost object.
  private(set) var isAroundElements = false
  /// The model of the innermost object of which somebody speaks.
  private(set) var home: ModelBinding

  init(_ home: ModelBinding) {
    self.home = home
    innermost = (0, home)
  }

  /// With the objects that a path leads to from the innermost one.
  func inside(_ path: RelationPath, _ home: ModelBinding) -> QueryObjects {
    var inner = behind(path.links)
    inner.add((path.number, home))
    inner.home = home
    return inner
  }

  /// In a condition on the elements of a collection that some links lead to.
  func aroundElements(behind links: [FieldStep]) -> QueryObjects {
    var inner = behind(links)
    inner.isAroundElements = true
    return inner
  }

  private func behind(_ links: [FieldStep]) -> QueryObjects {
    var inner = self
    for _ in links { inner.add(nil) }
    return inner
  }

  private mutating func add(_ object: Object) {
    around.append(innermost)
    innermost = object
  }

  /// Without some of the innermost, for what is said of the one outside of them.
  func outside(_ count: Int) -> QueryObjects {
    var outer = self
    for _ in 0..<count { outer.innermost = outer.around.removeLast() }
    if let object = outer.innermost { outer.home = object.home }
    return outer
  }

  /// How far outside of the innermost object is the one that is meant; nil where there is none.
  fileprivate func distance(where isMeant: (_ number: Int, ModelBinding) -> Bool) -> Int? {
    if let innermost, isMeant(innermost.number, innermost.home) { return 0 }
    for (distance, object) in around.reversed().enumerated() {
      if let object, isMeant(object.number, object.home) { return distance + 1 }
    }
    return nil
  }
}

extension StoreBinding {
  /// How far outside of the innermost object is the one from which a path leads.
  func distance(of path: FieldPath, _ objects: QueryObjects) throws(StoreError) -> Int {
    let model = (path.links.first ?? path.field).model
    return try distance(of: path.root, model, objects, path.description)
  }

  /// How far outside of the innermost object is the one with a number.
  ///
  /// - Parameter model: Its model; nil where the engine finds out.
  func distance(
    of root: Int, _ model: ModelName?, _ objects: QueryObjects, _ property: String
  ) throws(StoreError) -> Int {
    guard let model else {
      guard let distance = objects.distance(where: { number, _ in number == root }) else {
        throw .unknownField(model: objects.home.name.name, property: property)
      }
      return distance
    }
    func isIt(_ home: ModelBinding) -> Bool {
      home.name.type == model.type || (try? self.model(model))?.tableID == home.tableID
    }
    if let distance = objects.distance(where: { $0 == root && isIt($1) }) { return distance }
    // `QueryRoot()` is one of whichever objects are of its model.
    if root == 0, let distance = objects.distance(where: { isIt($1) }) { return distance }
    _ = try self.model(model)
    // It is of a question of which this is no part.
    throw .unknownField(model: objects.home.name.name, property: "\(model.name).\(property)")
  }

  /// Whether a path leads from the innermost object, and not from one outside.
  func isInside(_ path: FieldPath, _ objects: QueryObjects) -> Bool {
    (try? distance(of: path, objects)) == 0
  }
}

extension ColumnExpression {
  /// Itself, over the object so far outside.
  func read(from distance: Int) -> ColumnExpression {
    distance > 0 ? .outside(read(from: distance - 1)) : self
  }
}

extension RelationPath {
  /// The key of the objects that it leads to.
  func key(of model: ModelName) -> FieldPath {
    FieldPath(field: FieldStep(keyOf: model), root: number)
  }
}
