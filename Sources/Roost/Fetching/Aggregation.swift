internal import RoostEngine

extension ReadContext {
  /// Aggregates a field over a query with the engine's column kernels, without visiting objects one by one.
  private func aggregate<M>(
    _ function: AggregateFunction, _ path: AnyKeyPath, of query: Query<M>
  ) throws(StoreError) -> Value {
    let model = try model(M.self)
    guard let position = M.schema.position(of: path) else {
      throw .unknownField(
        model: model.name.name, property: M.schema.nameOfUnknown(path))
    }
    let lowered = try binding.lower(query.content, model)
    let view = try view()
    let values = try working(on: file) { () throws(EngineError) in
      try view.aggregate([Aggregate(function, of: model.fields[position])], over: lowered)
    }
    return values[0]
  }

  func sum<M, Number: Summable>(
    _ path: AnyKeyPath, of query: Query<M>
  ) throws(StoreError) -> Number {
    let value = try aggregate(.sum, path, of: query)
    guard let sum = Number._sum(_Constant(value)) else {
      let model = try model(M.self)
      let field = M.schema.position(of: path).map { model.fieldNames[$0] }
      throw .overflow(model: model.name.name, field: field ?? "\(path)")
    }
    return sum
  }

  func average<M, Mean: Summable>(
    _ path: AnyKeyPath, of query: Query<M>
  ) throws(StoreError) -> Mean? {
    Mean._sum(_Constant(try aggregate(.average, path, of: query)))
  }

  /// The lowest or the highest value of a field.
  func extreme<M, Member: Storable>(
    _ function: AggregateFunction, _ path: KeyPath<M, Member>, of query: Query<M>
  ) throws(StoreError) -> Member? {
    let value = try aggregate(function, path, of: query)
    guard value != .null, let position = M.schema.position(of: path) else { return nil }
    let columns = ModelColumns(try model(M.self), position: position, value: value)
    defer { withExtendedLifetime(columns) {} }
    return try Member._read(columns.cell(position, row: 0, in: self))
  }
}
