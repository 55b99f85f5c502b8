/// One value that an indexed field is to have: the query that apps ask most, answered by the index alone.
///
/// No condition is compiled and no plan made: in an index the way to a value is never the longer one, but
/// where so many objects have it that looking at all leaves is the cheaper.
///
/// Used while the view is held.
@safe
struct EqualityLookup {
  private let index: Unmanaged<IndexTree>
  private let value: Value
  let field: FieldID

  /// So many keys are taken from an index at once; a query that finds more is planned.
  private static let keysMax = 8192

  /// The lookup that a query is; nil where it is something else, or not as the catalog says.
  init?(_ query: ObjectQuery, in view: ReadView) {
    switch query.predicate {
    case .compare(let field, .equal, let value),
      .links(let field, .compare(0, .equal, let value)):
      self.init(field, of: query.table, equal: value, in: view)
    default: return nil
    }
  }

  /// The lookup of a value in a field's index; nil where it has none, or not of the value's type.
  init?(_ field: FieldID, of table: UInt32, equal value: Value, in view: ReadView) {
    guard let type = value.type, !value.isNaN, value.isAloneInIndexKey,
      let index = unsafe view.index(of: field, in: table, type)
    else { return nil }
    unsafe self.index = index
    self.value = value
    self.field = field
  }

  /// How many objects have the value.
  func count() throws(EngineError) -> Int {
    try value.withIndexKey { (key) throws(EngineError) in
      let count = unsafe try index.withReference { (index) throws(EngineError) in
        try index.count(equal: key)
      }
      return Int(clamping: count)
    }
  }

  /// The keys of the objects that have the value, ascending; nil where there are many.
  func keys() throws(EngineError) -> [Int64]? {
    var keys: [Int64] = []
    let isWhole = try value.withIndexKey { (key) throws(EngineError) in
      unsafe try index.withReference { (index) throws(EngineError) in
        try index.visit(equal: key) { (run) throws(EngineError) in
          guard keys.count + run.count <= Self.keysMax else { return false }
          run.append(to: &keys)
          return true
        }
      }
    }
    return isWhole ? keys : nil
  }
}
