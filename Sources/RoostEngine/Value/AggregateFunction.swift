/// An aggregate function.
package enum AggregateFunction: UInt8, Hashable, Sendable, CaseIterable {
  /// The number of values that are not null.
  case count
  /// The sum; 0 if there are no values.
  case sum
  /// The smallest value that is not NaN; null if there are none.
  case minimum
  /// The largest value that is not NaN; null if there are none.
  case maximum
  /// The sum, as a double, divided by the count; null if there are no values.
  case average
}

extension AggregateFunction {
  /// The physical type of the result for values of `type`; nil if the function does not apply to them.
  func result(of type: PhysicalType) -> PhysicalType? {
    switch (self, type) {
    case (.count, _): .integer
    case (.minimum, _), (.maximum, _): type
    case (_, .bytes), (_, .uuid): nil
    case (.average, _): .double
    case (.sum, _): type == .integer ? .integer : .double
    }
  }
}
