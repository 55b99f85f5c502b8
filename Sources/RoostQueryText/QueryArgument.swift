internal import Roost
internal import RoostEngine
internal import RoostInterchange

/// A value that a condition takes from the program and not from its text.
indirect enum QueryArgument: Hashable, Sendable {
  case value(Value, FieldType)
  case list([QueryArgument])

  /// The form of a value; nil if nothing can be compared with it.
  init?(_ value: (any PropertyValue)?) {
    guard let value else {
      self = .value(.null, .int)
      return
    }
    if let value = value as? any Storable, !(value is any _ElementCollection) {
      guard let (value, type) = value.compared else { return nil }
      self = .value(value, type)
      return
    }
    guard let elements = (value as? any Collection)?.arguments else { return nil }
    self = .list(elements)
  }

  /// The text, if it is one.
  var text: String? {
    guard case .value(.bytes(let bytes), .string) = self else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The bytes of a text or of data.
  var bytes: [UInt8]? {
    guard case .value(.bytes(let bytes), let type) = self, type == .string || type == .data else {
      return nil
    }
    return bytes
  }

  /// The type of the value; nil for a list and for nil.
  var type: FieldType? {
    if case .value(let value, let type) = self, value != .null { type } else { nil }
  }

  /// The value as a constant of a type; nil if it is none.
  func constant(of type: FieldType) -> Value? {
    guard case .value(let value, let own) = self else { return nil }
    switch (own, type) {
    case _ where value == .null || own == type: return value
    // A link is compared with its target's key.
    case (.int, .link), (.uint, .link), (.link, .int), (.link, .uint): return value
    case _ where own.isNumber && type.isNumber: return digits.flatMap(type.number)
    default: return nil
    }
  }

  /// A number as text; nil if it is none.
  private var digits: String? {
    switch self {
    case .value(.integer(let number), .uint): "\(UInt64(bitPattern: number) ^ FieldType.signBit)"
    case .value(.integer(let number), _): "\(number)"
    case .value(.double(let number), _):
      Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .value(.float(let number), _):
      Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .value(.bytes(let bytes), .decimal): bytes.withByteView { DecimalBytes.text($0) }
    default: nil
    }
  }
}

extension FieldType {
  /// Whether its values are numbers that are compared with numbers of other such types.
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .uint, .double, .float, .decimal: true
    default: false
    }
  }
}

extension Storable {
  /// The value in the form of queries, and its type; nil if nothing equals it.
  fileprivate var compared: (Value, FieldType)? {
    let constant = _constant
    return constant.equalsNothing ? nil : (constant.value, Self._fieldType.comparedKind)
  }
}

extension Collection {
  /// The elements, if all of them can be compared.
  fileprivate var arguments: [QueryArgument]? {
    var arguments: [QueryArgument] = []
    for element in self {
      guard let value = element as? any Storable, let (value, type) = value.compared else {
        return nil
      }
      arguments.append(.value(value, type))
    }
    return arguments
  }
}
