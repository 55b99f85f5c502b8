/// The first few objects whose value in an indexed field lies on one side of a value, in the order of the
/// field: a page of a list, answered by a leaf or two of the index.
///
/// As with ``EqualityLookup``, no condition is compiled and no plan made.
///
/// Used while the view is held.
@safe
struct RangeLookup {
  private let index: Unmanaged<IndexTree>
  private let comparison: Comparison
  private let value: Value

  /// The position between null and the first value.
  private static let firstValue: [UInt8] = [1]
  /// What lies behind the infinite number, and before NaN, of both lengths.
  private static let lastNumber: [UInt8] = [1, 0xFF, 0xFF]

  /// The lookup in a field's index; nil where it has none, or not of the value's type, and for a comparison
  /// that is of no side.
  init?(
    _ field: FieldID, of table: UInt32, _ comparison: Comparison, _ value: Value, in view: ReadView
  ) {
    guard comparison != .equal, comparison != .notEqual, let type = value.type, !value.isNaN,
      value.isAloneInIndexKey, let index = unsafe view.index(of: field, in: table, type)
    else { return nil }
    unsafe self.index = index
    self.comparison = comparison
    self.value = value
  }

  /// The keys of the first objects; nil where the tree does not hold the leaves of the index.
  func keys(first count: Int) throws(EngineError) -> [Int64]? {
    try value.withIndexKey { (key) throws(EngineError) in
      unsafe try index.withReference { (index) throws(EngineError) in
        switch comparison {
        case .equal, .notEqual: nil
        case .less: try first(count, of: index, to: IndexPosition(before: key))
        case .lessOrEqual: try first(count, of: index, to: IndexPosition(after: key))
        case .greater: try first(count, of: index, from: IndexPosition(after: key))
        case .greaterOrEqual: try first(count, of: index, from: IndexPosition(before: key))
        }
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
