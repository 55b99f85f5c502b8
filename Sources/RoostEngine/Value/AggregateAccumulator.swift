/// Computes an aggregate of values that are added one by one.
struct AggregateAccumulator {
  private let function: AggregateFunction
  private let type: PhysicalType
  private let form: NumberForm
  private(set) var count = 0
  /// The sum of the stored numbers.
  private var storedSum: Int128 = 0
  private var doubleSum = 0.0
  private var decimalSum = DecimalSum()
  private var extreme = Value.null

  init(_ function: AggregateFunction, _ type: PhysicalType, _ form: NumberForm) {
    self.function = function
    self.type = type
    self.form = form
  }

  /// Adds a value; null is ignored.
  mutating func add(_ value: Value) {
    switch value {
    case .null: break
    case .integer(let number): add(number)
    case .double(let number): add(number)
    case .float(let number):
      doubleSum += Double(number)
      offer(value)
    case .bytes(let bytes) where form == .decimal: add(decimal: bytes)
    case .bytes, .uuid: offer(value)
    }
  }

  /// Adds an integer.
  @inline(__always)
  mutating func add(_ number: Int64) {
    switch function {
    case .count, .sum, .average:
      count += 1
      storedSum += Int128(number)
    case .minimum, .maximum: offer(.integer(number))
    }
  }

  /// Adds a floating-point number.
  @inline(__always)
  mutating func add(_ number: Double) {
    switch function {
    case .count, .sum, .average:
      count += 1
      doubleSum += number
    case .minimum, .maximum: offer(.double(number))
    }
  }

  /// Adds a stored decimal number.
  @inline(never)
  private mutating func add(decimal bytes: [UInt8]) {
    switch function {
    case .count: count += 1
    case .sum, .average:
      count += 1
      bytes.withByteView { decimalSum.add($0) }
    case .minimum, .maximum:
      if !bytes.withByteView({ DecimalBytes.isNaN($0) }) { offer(.bytes(bytes)) }
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

  /// The aggregate; nil for one of integers or decimal numbers that does not fit.
  @inline(never)
  var result: Value? {
    // An unsigned integer is stored minus 2⁶³.
    let sum = form == .unsigned ? storedSum + Int128(count) << 63 : storedSum
    switch function {
    case .count: return .integer(Int64(count))
    case .minimum, .maximum: return extreme
    case .average:
      guard count > 0 else { return .null }
      guard form != .decimal else { return decimalSum.average.map { .bytes($0.bytes) } }
      return .double((type == .integer ? Double(sum) : doubleSum) / Double(count))
    case .sum:
      guard form != .decimal else { return decimalSum.sum.map { .bytes($0.bytes) } }
      guard type == .integer else { return .double(doubleSum) }
      guard form == .unsigned else { return Int64(exactly: sum).map { .integer($0) } }
      return UInt64(exactly: sum).map { .integer(Int64(bitPattern: $0 ^ (1 << 63))) }
    }
  }
}

extension Value {
  /// Whether the value sorts before another value of its type; neither may be null or NaN.
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
