internal import RoostEngine

extension QueryValue where Value: Storable {
  /// Whether the field has one of the values.
  public func `in`(_ values: some Sequence<Value>) -> QueryCondition {
    var constants: [RoostEngine.Value] = []
    var matchesNil = false
    for value in values {
      let constant = value._constant
      if constant.equalsNothing { continue }
      if constant.value == .null { matchesNil = true } else { constants.append(constant.value) }
    }
    let filter = Filter.oneOf(term.comparable(as: Value.self), constants)
    return QueryCondition(filter: matchesNil ? .either(.isNull(term), filter) : filter)
  }

  /// Whether the field lies in the range, both ends included.
  public func `in`(_ range: ClosedRange<Value>) -> QueryCondition where Value: Sortable {
    within(range)
  }

  /// Whether the field lies in the range, its upper end excluded.
  public func `in`(_ range: Range<Value>) -> QueryCondition where Value: Sortable {
    within(range)
  }

  /// Whether the field lies in the range, both ends included; false for nil.
  public func `in`<Wrapped: Sortable>(_ range: ClosedRange<Wrapped>) -> QueryCondition
  where Value == Wrapped? {
    within(range)
  }

  /// Whether the field lies in the range, its upper end excluded; false for nil.
  public func `in`<Wrapped: Sortable>(_ range: Range<Wrapped>) -> QueryCondition
  where Value == Wrapped? {
    within(range)
  }

  private func within<Bound: Storable>(_ range: ClosedRange<Bound>) -> QueryCondition {
    within(range.lowerBound, .lessOrEqual, range.upperBound)
  }

  private func within<Bound: Storable>(_ range: Range<Bound>) -> QueryCondition {
    within(range.lowerBound, .less, range.upperBound)
  }

  private func within(
    _ lower: some Storable, _ comparison: Comparison, _ upper: some Storable
  ) -> QueryCondition {
    QueryCondition.compare(term, .greaterOrEqual, lower._constant)
      && QueryCondition.compare(term, comparison, upper._constant)
  }
}
