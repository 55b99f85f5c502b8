/// An aggregate of values that come one by one.
struct AggregateAccumulator {
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
    switch value {
    case .null: break
    case .integer(let number): add(number)
    case .double(let number): add(number)
    case .float(let number):
      doubleSum += Double(number)
      offer(value)
    case .bytes, .uuid: offer(value)
    }
  }

  /// Takes an integer into account.
  @inline(__always)
  mutating func add(_ number: Int64) {
    switch function {
    case .count, .sum, .average:
      count += 1
      storedSum += Int128(number)
    case .minimum, .maximum: offer(.integer(number))
    }
  }

  /// Takes a number into account.
  @inline(__always)
  mutating func add(_ number: Double) {
    switch function {
    case .count, .sum, .average:
      count += 1
      doubleSum += number
    case .minimum, .maximum: offer(.double(number))
    }
  }

  private mutating func offer(_ value: Value) {
    count += 1
    guard !value.isNaN else { return }
    switch function {
    case .minimum: if extreme == .null || value.precedes(extreme) { extreme = value }
    case .maximum: if extreme == .null || extreme.precedes(value) { extreme = value }
    case .count, .sum, .average: break
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
