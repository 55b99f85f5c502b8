/// An aggregate of values that come one by one.
struct GatheredValues {
  private let function: AggregateFunction
  private let type: PhysicalType
  private let isUnsigned: Bool
  private(set) var count = 0
  /// The sum of what is stored.
  private var storedSum: Int128 = 0
  private var doubleSum = 0.0
  private var extreme = Value.null

  init(_ function: AggregateFunction, _ type: PhysicalType, isUnsigned: Bool) {
    self.function = function
    self.type = type
    self.isUnsigned = isUnsigned
  }

  /// Takes a value into account; null counts for nothing.
  mutating func add(_ value: Value) {
    guard value != .null else { return }
    count += 1
    switch function {
    case .count: break
    case .sum, .average:
      switch value {
      case .integer(let number): storedSum += Int128(number)
      case .double(let number): doubleSum += number
      case .float(let number): doubleSum += Double(number)
      default: break
      }
    case .minimum: if !value.isNaN, extreme == .null || value.precedes(extreme) { extreme = value }
    case .maximum: if !value.isNaN, extreme == .null || extreme.precedes(value) { extreme = value }
    }
  }

  /// The aggregate; nil for a sum of integers that does not fit.
  var result: Value? {
    // Each unsigned integer is stored as 2⁶³ less than it is.
    let sum = isUnsigned ? storedSum + Int128(count) << 63 : storedSum
    switch function {
    case .count: return .integer(Int64(count))
    case .minimum, .maximum: return extreme
    case .average:
      guard count > 0 else { return .null }
      return .double((type == .integer ? Double(sum) : doubleSum) / Double(count))
    case .sum:
      guard type == .integer else { return .double(doubleSum) }
      guard isUnsigned else { return Int64(exactly: sum).map { .integer($0) } }
      return UInt64(exactly: sum).map { .integer(Int64(bitPattern: $0 ^ (1 << 63))) }
    }
  }
}

extension Value {
  /// Whether the value sorts before another of its type; neither is null or NaN.
  func precedes(_ other: Value) -> Bool {
    switch (self, other) {
    case (.integer(let first), .integer(let second)): first < second
    case (.double(let first), .double(let second)): first < second
    case (.float(let first), .float(let second)): first < second
    case (.bytes(let first), .bytes(let second)): first.lexicographicallyPrecedes(second)
    case (.uuid(let high, let low), .uuid(let otherHigh, let otherLow)):
      high != otherHigh ? high < otherHigh : low < otherLow
    default: false
    }
  }
}
