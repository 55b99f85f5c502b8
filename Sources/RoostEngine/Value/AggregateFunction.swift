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
  /// The sum, as a double or a decimal number, divided by the count; null if there are no values.
  case average
}

extension AggregateFunction {
  /// The result for values of a physical type and form; nil if the function does not apply to them.
  func result(
    of type: PhysicalType, _ form: NumberForm
  ) -> (type: PhysicalType, form: NumberForm)? {
    switch (self, type) {
    case (.count, _): (.integer, .plain)
    case (.minimum, _), (.maximum, _): (type, form)
    case (_, .bytes): form == .decimal ? (.bytes, .decimal) : nil
    case (_, .uuid): nil
    case (.average, _): (.double, .plain)
    case (.sum, _): type == .integer ? (.integer, form) : (.double, .plain)
    }
  }
}
