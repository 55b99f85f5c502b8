/// A comparison of an indexed field, answered by the index alone: the most frequent queries of apps.
///
/// Compiles no condition and makes no plan. An index is the cheapest way to the objects with a value, unless they are so
/// many that scanning all leaves is cheaper. The first few objects on one side of a value, in field order,
/// are a page of a list: a leaf or two of the index.
///
/// Retain the view while using it.
struct FieldLookup {
  private let index: UnownedReference<IndexTree>
  private let value: Value
  private let comparison: Comparison
  let field: FieldID

  /// The most keys taken from an index at once; a query that finds more is planned.
  private static let keysMax = 8192
  /// A bound between null and the first value.
  private static let firstValue: [UInt8] = [1]
  /// A bound behind infinity and before NaN, for doubles and floats.
  private static let lastNumber: [UInt8] = [1, 0xFF, 0xFF]

  /// The lookup for a query by a single value; nil for other queries, or if it does not match the catalog.
  init?(_ query: ObjectQuery, in view: ReadView) {
    switch query.predicate {
    case .compare(let field, .equal, let value),
      .links(let field, .compare(0, .equal, let value)):
      self.init(field, of: query.table, .equal, value, in: view)
    default: return nil
    }
  }

  /// The lookup in a field's index; nil if there is no index, or the value has another type.
  init?(
    _ field: FieldID, of table: UInt32, _ comparison: Comparison, _ value: Value, in view: ReadView
  ) {
    guard let type = value.type, !value.isNaN, value.isAloneInIndexKey,
      let index = view.index(of: field, in: table, type)
    else { return nil }
    self.index = index
    self.value = value
    self.comparison = comparison
    self.field = field
  }

  private func search<R>(
    _ body: (IndexTree, ByteView) throws(EngineError) -> R
  ) throws(EngineError) -> R {
    try value.withIndexKey { (key) throws(EngineError) in
      try index.withObject { (index) throws(EngineError) in try body(index, key) }
    }
  }

  /// The number of objects with the value.
  func count() throws(EngineError) -> Int {
    try search { (index, key) throws(EngineError) in
      Int(clamping: try index.count(equal: key))
    }
  }

  /// The keys of the objects with the value, ascending; nil if there are many.
  func keys() throws(EngineError) -> [Int64]? {
    var keys: [Int64] = []
    let isWhole = try search { (index, key) throws(EngineError) in
      try index.visit(equal: key) { (run) throws(EngineError) in
        guard keys.count + run.count <= Self.keysMax else { return false }
        run.append(to: &keys)
        return true
      }
    }
    return isWhole ? keys : nil
  }

  /// The keys of the first objects on the comparison's side of the value, in field order; nil for equality and
  /// inequality, or if the tree does not cache the index leaves.
  func keys(first count: Int) throws(EngineError) -> [Int64]? {
    try search { (index, key) throws(EngineError) in
      switch comparison {
      case .equal, .notEqual: nil
      case .less: try first(count, of: index, to: IndexPosition(before: key))
      case .lessOrEqual: try first(count, of: index, to: IndexPosition(after: key))
      case .greater: try first(count, of: index, from: IndexPosition(after: key))
      case .greaterOrEqual: try first(count, of: index, from: IndexPosition(before: key))
      }
    }
  }

  private func first(
    _ count: Int, of index: IndexTree, to upper: IndexPosition
  ) throws(EngineError) -> [Int64]? {
    try Self.firstValue.withByteView { (lower) throws(EngineError) in
      index.firstKeys(count, from: IndexPosition(before: lower), to: upper)
    }
  }

  private func first(
    _ count: Int, of index: IndexTree, from lower: IndexPosition
  ) throws(EngineError) -> [Int64]? {
    switch value {
    case .double, .float: break
    default: return index.firstKeys(count, from: lower, to: nil)
    }
    return try Self.lastNumber.withByteView { (upper) throws(EngineError) in
      index.firstKeys(count, from: lower, to: IndexPosition(before: upper))
    }
  }
}
