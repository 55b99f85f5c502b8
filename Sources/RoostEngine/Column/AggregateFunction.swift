/// What is asked of many values together.
public enum AggregateFunction: UInt8, Hashable, Sendable, CaseIterable {
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
