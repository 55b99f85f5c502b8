internal import RoostEngine

extension ReadContext {
  /// Values computed from each result of a query, in its order.
  func values<M, each Value: Storable>(
    of query: Query<M>, _ terms: [ExpressionTerm], as types: repeat (each Value).Type
  ) throws(StoreError) -> [(repeat each Value)] {
    let model = try model(M.self)
    var expressions: [ColumnExpression] = []
    for term in terms { expressions.append(try binding.lower(term, model)) }
    let lowered = try binding.lower(query.content, model)
    let view = try view()
    let table = try working(on: file) { () throws(EngineError) in
      try view.values(expressions, of: lowered)
    }
    var rows = ValueRows(table, model, self, terms)
    rows.conversions = try conversions(of: terms)
    var values: [(repeat each Value)] = []
    values.reserveCapacity(table.count)
    for row in 0..<table.count {
      if row & 1023 == 0, Task.isCancelled { throw .cancelled }
      var column = 0
      values.append((repeat try rows.next(row, &column, as: (each Value).self)))
    }
    return values
  }

  /// The groups of a query, with one or several values of each.
  func groups<M, each Key: Storable, each Value: Storable>(
    _ query: GroupedQuery<M, repeat each Key>, _ terms: [ExpressionTerm],
    as types: repeat (each Value).Type
  ) throws(StoreError) -> [(key: (repeat each Key), values: (repeat each Value))] {
    let (rows, columns) = try groups(query.content, of: try model(M.self), terms)
    var groups: [(key: (repeat each Key), values: (repeat each Value))] = []
    groups.reserveCapacity(rows.count)
    for row in 0..<rows.count {
      if row & 1023 == 0, Task.isCancelled { throw .cancelled }
      var column = 0
      var place = 0
      groups.append(
        (
          (repeat try rows.next(row, &column, as: (each Key).self)),
          (repeat try rows.next(row, &place, of: columns, as: (each Value).self))
        ))
    }
    return groups
  }

  private func groups(
    _ query: GroupContent, of model: ModelBinding, _ terms: [ExpressionTerm]
  ) throws(StoreError) -> (ValueRows, columns: [Int]) {
    var lowering = GroupLowering(self, binding, model, query)
    let (lowered, columns) = try lowering.lower(terms)
    let view = try view()
    let table = try working(on: file) { () throws(EngineError) in try view.groups(lowered) }
    var rows = ValueRows(table, model, self, query.keys)
    rows.conversions = try conversions(of: query.keys)
    return (rows, columns)
  }

  /// Converts fields from their form in the file to the models' form; nil if both are the same.
  private func conversions(
    of terms: [ExpressionTerm]
  ) throws(StoreError) -> [ElementConversion?] {
    try terms.map { (term) throws(StoreError) in
      guard let step = term.path?.field, let position = step.position else { return nil }
      let model = try binding.model(step.model)
      return model.conversion(position, in: self.table(of: model))
    }
  }
}

/// Values of a table, decoded.
private struct ValueRows {
  private let table: ValueTable
  private let holder: ModelColumns
  private let lookup: ObjectLookup
  /// The expressions of the first columns, for errors.
  private let terms: [ExpressionTerm]
  /// For columns with collections whose elements have other parts in the file than the program declares.
  var conversions: [ElementConversion?] = []

  var count: Int { table.count }

  init(
    _ table: ValueTable, _ model: ModelBinding, _ lookup: ObjectLookup, _ terms: [ExpressionTerm]
  ) {
    self.table = table
    self.terms = terms
    holder = ModelColumns(model, columns: [], owner: lookup)
    self.lookup = lookup
  }

  func value<Value: Storable>(
    _ row: Int, _ column: Int, as type: Value.Type
  ) throws(StoreError) -> Value {
    defer { withExtendedLifetime((table.columns, holder)) {} }
    let buffer = table.columns[column]
    if buffer.isNull(row), !Value._fieldType.isOptional {
      let name = column < terms.count ? terms[column].path?.description : nil
      throw .undecodable(
        model: holder.model.name.name, field: name ?? "a computed value", value: "nil")
    }
    guard column < conversions.count, let conversion = conversions[column], !buffer.isNull(row)
    else {
      do { return try Value._read(holder.cell(of: buffer, row: row, in: lookup)) } catch {
        guard case .undecodable(let model, _, let value) = error else { throw error }
        if let fallback = Value._fallback?.value as? Value { return fallback }
        // The column is of no model: it has the values of a field, also of a linked object's, or computed ones.
        let field = column < terms.count ? terms[column].path?.field : nil
        throw .undecodable(
          model: field?.model.name ?? model, field: field?.name ?? "a computed value", value: value)
      }
    }
    let converted = ColumnBuffer(type: .bytes)
    converted.append(buffer, row: row)
    let declared = conversion.converted(converted)
    defer { withExtendedLifetime(declared) {} }
    return try Value._read(holder.cell(of: declared, row: 0, in: lookup))
  }

  func next<Value: Storable>(
    _ row: Int, _ column: inout Int, as type: Value.Type
  ) throws(StoreError) -> Value {
    defer { column += 1 }
    return try value(row, column, as: type)
  }

  func next<Value: Storable>(
    _ row: Int, _ place: inout Int, of columns: [Int], as type: Value.Type
  ) throws(StoreError) -> Value {
    defer { place += 1 }
    return try value(row, columns[place], as: type)
  }
}
