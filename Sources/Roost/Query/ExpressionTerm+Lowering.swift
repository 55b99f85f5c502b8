internal import RoostEngine

/// Translates computed values to the engine's expressions.
extension QueryLowering {
  /// The engine's form of a value.
  func lower(_ term: ExpressionTerm) throws(StoreError) -> ColumnExpression {
    switch term {
    case .path(let path):
      let distance = try distance(of: path)
      let owner = outside(distance)
      return try owner.behind(path.links, .field(try owner.field(path.field))).read(from: distance)
    case .constant(let constant):
      guard let links else { return .constant(constant.value._constant.value) }
      return .constant(try stored(constant.value, links))
    case .arithmetic(let operation, let numbers, let a, let b):
      return .arithmetic(operation, numbers, try lower(a), try lower(b))
    case .conversion(let source, let target, let number):
      return .conversion(source, target, try lower(number))
    case .concatenation(let a, let b): return .concatenation(try lower(a), try lower(b))
    case .coalescing(let a, let b): return .coalescing(try lower(a), try lower(b))
    case .folded(let folding, let text): return .folded(folding, try lower(text))
    case .elements(let collection, let function, let part, let filter):
      // A nested condition on elements does not know which object they belong to.
      guard let path = collection.path, !isAroundElements else { throw unknown(collection.name) }
      let distance = try distance(of: path)
      let owner = outside(distance)
      let elements = try owner.aroundElements(of: path)
      let condition = try elements.lower(ofElements: filter)
      var column: FieldID = 0
      if let part { column = try elements.field(part) }
      return try owner.behind(
        path.links, .elements(try owner.field(path.field), function, of: column, where: condition)
      ).read(from: distance)
    // A single object has no groups, and no elements.
    case .grouped, .element: throw unknown(term.name)
    case .tooDeep: throw .tooDeep(home)
    case .related(let path, let target, let function, let value, let filter):
      // Every object has a key, in any stored form.
      return try related(path, target, function, function == .count ? nil : value, filter)
    }
  }

  /// An aggregate over related objects; without a value, over their keys.
  func related(
    _ path: RelationPath, _ target: ModelName, _ function: AggregateFunction,
    _ value: ExpressionTerm?, _ filter: Filter
  ) throws(StoreError) -> ColumnExpression {
    let distance = try distance(of: path)
    let owner = outside(distance)
    var inner = owner.inside(path, try binding.model(target))
    var gathered = ColumnExpression.field(0)
    if let value { gathered = try inner.lower(value) }
    // Compared values are not stored.
    inner.links = nil
    return try owner.behind(
      path.links,
      .related(try owner.relation(path.end), function, gathered, where: try inner.lower(filter))
    ).read(from: distance)
  }

  /// A constant in its column's form.
  private func stored<Constant: Storable>(
    _ constant: Constant, _ links: any LinkResolver
  ) throws(StoreError) -> Value {
    let sink = RowSink(
      columns: [ColumnBuffer(type: Constant._fieldType.kind.physical)], links: links)
    try constant._write(to: sink.cell(0))
    return sink.columns[0].value(0)
  }

  private func behind(
    _ links: [FieldStep], _ innermost: ColumnExpression
  ) throws(StoreError) -> ColumnExpression {
    var expression = innermost
    for link in links.reversed() { expression = .target(try field(link), expression) }
    return expression
  }
}

extension ColumnExpression {
  /// Moves the expression to the object at a distance outside.
  fileprivate func read(from distance: Int) -> ColumnExpression {
    var expression = self
    for _ in 0..<distance { expression = .outside(expression) }
    return expression
  }
}
