internal import RoostEngine
internal import RoostInterchange

extension NumberKind {
  /// The number kind of a type, with a range for integers; nil if the type is not a number.
  init?(_ type: FieldType, _ range: ClosedRange<Int64>?) {
    guard let kind = type.number else { return nil }
    guard let range else {
      self = kind
      return
    }
    switch kind {
    case .integer: self = .integer(range)
    case .unsigned where range.lowerBound == 0: self = .unsigned(max: UInt64(range.upperBound))
    case .unsigned, .double, .float, .decimal: return nil
    }
  }
}

extension FieldType {
  /// The value of a number in text form.
  func number(_ digits: String) -> Value? {
    let text = Array(digits.utf8)
    switch (self, digits) {
    case (.double, "nan"), (.date, "nan"): return .double(.nan)
    case (.double, "inf"), (.date, "inf"): return .double(.infinity)
    case (.double, "-inf"), (.date, "-inf"): return .double(-.infinity)
    case (.float, "nan"): return .float(.nan)
    case (.float, "inf"): return .float(.infinity)
    case (.float, "-inf"): return .float(-.infinity)
    case (.decimal, "nan"): return DecimalBytes.bytes("NaN").map { .bytes($0) }
    case (.link, _): return ValueText.value(text[...], .int, .secondsSince2001)
    case (.string, _), (.data, _), (.compound, _), (.blob, _): return nil
    default: return ValueText.value(text[...], self, .secondsSince2001)
    }
  }
}

extension AggregateFunction {
  init?(_ word: String) {
    guard let function = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = function
  }
}

extension QuerySyntax.Sign {
  var comparison: Comparison? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    default: nil
    }
  }

  var arithmetic: Arithmetic? {
    switch self {
    case .add: .add
    case .subtract: .subtract
    case .multiply: .multiply
    case .divide: .divide
    case .remainder: .remainder
    default: nil
    }
  }
}

extension QuerySyntax.Literal {
  /// The type of a constant that has no typed value beside it.
  var type: FieldType {
    switch self {
    case .null: .int
    case .bool: .bool
    case .number(let digits): digits.allSatisfy { $0.isNumber || $0 == "-" } ? .int : .double
    case .string: .string
    case .bytes: .data
    case .argument(let argument): argument.type ?? .int
    }
  }

  var isNull: Bool {
    switch self {
    case .null, .argument(.value(.null, _)): true
    default: false
    }
  }

  /// Whether it may be meant as the id of an object whose object key is another.
  var isKey: Bool {
    switch self {
    case .string, .bytes, .number: true
    case .argument: !isNull
    case .null, .bool: false
    }
  }

  var isText: Bool {
    switch self {
    case .string: true
    case .argument(let argument): argument.text != nil
    default: false
    }
  }

  var isBytes: Bool {
    switch self {
    case .bytes: true
    case .argument(let argument): argument.type == .data
    default: false
    }
  }

  /// The bytes of a text or of data.
  var matched: [UInt8]? {
    switch self {
    case .string(let bytes), .bytes(let bytes): bytes
    case .argument(let argument): argument.bytes
    default: nil
    }
  }
}
