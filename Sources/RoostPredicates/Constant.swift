import Roost

/// A value that is known before any object is, behind its type.
protocol ConstantValue {
  /// The value as a field's constant; nil where no field can have its type.
  var storable: (any Storable)? { get }
  /// Whether it is a nil.
  var isNil: Bool { get }
  /// The value, where it is a range.
  var range: (any ConstantRange)? { get }
}

/// A value that is known before any object is.
///
/// In a box, because a nil in an `Any` loses its type.
struct Constant<Value>: ConstantValue {
  let value: Value

  init(_ value: Value) { self.value = value }

  var storable: (any Storable)? {
    func opened<S: Storable>(_ type: S.Type) -> (any Storable)? { (self as? Constant<S>)?.value }
    guard let type = Value.self as? any Storable.Type else { return nil }
    return opened(type)
  }

  var range: (any ConstantRange)? { value as? any ConstantRange }

  var isNil: Bool {
    func opened<S: OptionalValue>(_ type: S.Type) -> Bool {
      (self as? Constant<S>)?.value.isNil ?? false
    }
    guard let type = Value.self as? any OptionalValue.Type else { return false }
    return opened(type)
  }
}

/// An optional of any type.
protocol OptionalValue {
  /// The type without nil.
  static var wrapped: Any.Type { get }
  /// Whether it is nil.
  var isNil: Bool { get }
}

extension Optional: OptionalValue {
  static var wrapped: Any.Type { Wrapped.self }
  var isNil: Bool { self == nil }
}

/// A range that is known before any object is.
protocol ConstantRange {
  var bounds: Bounds { get }
}

extension ClosedRange: ConstantRange {
  var bounds: Bounds { Bounds(lower: .value(lowerBound), upper: .value(upperBound)) }
}

extension Range: ConstantRange {
  var bounds: Bounds {
    Bounds(lower: .value(lowerBound), upper: .value(upperBound), includesUpper: false)
  }
}

extension PartialRangeFrom: ConstantRange {
  var bounds: Bounds { Bounds(lower: .value(lowerBound)) }
}

extension PartialRangeThrough: ConstantRange {
  var bounds: Bounds { Bounds(upper: .value(upperBound)) }
}

extension PartialRangeUpTo: ConstantRange {
  var bounds: Bounds { Bounds(upper: .value(upperBound), includesUpper: false) }
}
