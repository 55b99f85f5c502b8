/// An aggregate function.
package enum AggregateFunction: UInt8, Hashable, Sendable, CaseIterable {
  /// How many values there are; nulls do not count.
  case count
  /// The sum; 0 of no values.
  case sum
  /// The smallest value that is not NaN; null of no values.
  case minimum
  /// The largest value that is not NaN; null of no values.
  case maximum
  /// The sum, as a double, divided by the count; null of no values.
  case average
}

extension AggregateFunction {
  /// How the result is stored, of values that are stored so; nil where it can't be asked of them.
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
