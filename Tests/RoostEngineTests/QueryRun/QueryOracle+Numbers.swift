import RoostEngine

/// What numbers give together, evaluated as simply as can be.
extension QueryOracle {
  func result(
    _ operation: Arithmetic, _ kind: NumberKind, _ a: Value, _ b: Value
  ) -> Value {
    func result<Number: BinaryFloatingPoint>(_ a: Number, _ b: Number) -> Number {
      switch operation {
      case .add: a + b
      case .subtract: a - b
      case .multiply: a * b
      case .divide: a / b
      case .remainder: a.truncatingRemainder(dividingBy: b)
      }
    }
    switch (kind, a, b) {
    case (.integer(let range), .integer(let a), .integer(let b)):
      let (a, b) = (Int128(a), Int128(b))
      let number: Int128
      switch operation {
      case .add: number = a + b
      case .subtract: number = a - b
      case .multiply: number = a * b
      case .divide:
        guard b != 0 else { return .null }
        number = a / b
      case .remainder:
        guard b != 0, !(a == Int128(Int64.min) && b == -1) else { return .null }
        number = a % b
      }
      return Int64(exactly: number).flatMap { range.contains($0) ? .integer($0) : nil } ?? .null
    case (.unsigned(let max), .integer(let a), .integer(let b)):
      let (a, b) = (unsigned(a), unsigned(b))
      let number: Int128?
      switch operation {
      case .add: number = a + b
      case .subtract: number = a - b
      case .multiply:
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        number = overflow ? nil : product
      case .divide: number = b == 0 ? nil : a / b
      case .remainder: number = b == 0 ? nil : a % b
      }
      return stored(number, max: max)
    case (.double, .double(let a), .double(let b)): return .double(result(a, b))
    case (.float, .float(let a), .float(let b)): return .float(result(a, b))
    case (.decimal, .bytes(let a), .bytes(let b)):
      guard let a = NaiveDecimal(stored: a), let b = NaiveDecimal(stored: b) else { return .null }
      return NaiveDecimal.result(operation, a, b)?.stored.map { .bytes($0) } ?? .null
    default: return .null
    }
  }

  /// The number that an unsigned integer is stored as, and the other way around.
  func unsigned(_ number: Int64) -> Int128 { Int128(number) + 1 << 63 }

  private func stored(_ number: Int128?, max: UInt64 = .max) -> Value {
    guard let number, (0...Int128(max)).contains(number) else { return .null }
    return .integer(Int64(number - 1 << 63))
  }

  func converted(_ value: Value, from source: NumberKind, to kind: NumberKind) -> Value {
    if case .bytes(let bytes) = value { return converted(NaiveDecimal(stored: bytes), to: kind) }
    guard case .unsigned = source, case .integer(let number) = value else {
      return converted(value, to: kind)
    }
    let origin = unsigned(number)
    return switch kind {
    case .integer(let range):
      Int64(exactly: origin).flatMap { range.contains($0) ? .integer($0) : nil } ?? .null
    case .unsigned(let max): stored(origin, max: max)
    case .double: .double(Double(origin))
    case .float: .float(Float(origin))
    case .decimal: stored(NaiveDecimal(origin))
    }
  }

  private func stored(_ number: NaiveDecimal) -> Value {
    number.stored.map { .bytes($0) } ?? .null
  }

  private func converted(_ number: NaiveDecimal?, to kind: NumberKind) -> Value {
    guard let number else { return .null }
    let text = number.isNaN ? "nan" : number.text
    switch kind {
    case .double: return Double(text).map { .double($0) } ?? .null
    case .float: return Float(text).map { .float($0) } ?? .null
    case .decimal: return stored(number)
    case .integer, .unsigned:
      guard let integer = number.integer else { return .null }
      guard case .integer(let range) = kind else {
        guard case .unsigned(let max) = kind else { return .null }
        return stored(integer, max: max)
      }
      return Int64(exactly: integer).flatMap { range.contains($0) ? .integer($0) : nil } ?? .null
    }
  }

  private func converted(_ value: Value, to kind: NumberKind) -> Value {
    switch (value, kind) {
    case (.integer(let number), .unsigned(let max)): return stored(Int128(number), max: max)
    case (.double(let number), .unsigned(let max)):
      return stored(Int128(exactly: number.rounded(.towardZero)), max: max)
    case (.float(let number), .unsigned(let max)):
      return stored(Int128(exactly: number.rounded(.towardZero)), max: max)
    case (.integer(let number), .decimal): return stored(NaiveDecimal(Int128(number)))
    case (.double(let number), .decimal):
      return NaiveDecimal(shortest: "\(number)").map { stored($0) } ?? .null
    case (.float(let number), .decimal):
      return NaiveDecimal(shortest: "\(number)").map { stored($0) } ?? .null
    case (.integer(let number), .double): return .double(Double(number))
    case (.integer(let number), .float): return .float(Float(number))
    case (.integer(let number), .integer(let range)):
      return range.contains(number) ? .integer(number) : .null
    case (.double(let number), .double): return .double(number)
    case (.double(let number), .float): return .float(Float(number))
    case (.float(let number), .double): return .double(Double(number))
    case (.float(let number), .float): return .float(number)
    case (.double(let number), .integer(let range)):
      return Int64(exactly: number.rounded(.towardZero))
        .flatMap { range.contains($0) ? .integer($0) : nil } ?? .null
    case (.float(let number), .integer): return converted(.double(Double(number)), to: kind)
    default: return .null
    }
  }
}
