import Roost
import RoostEngine

/// The translation of a part of a predicate: alternative operands, each with its condition.
///
/// Exactly one of the conditions holds for each object, so that `?:`, `??`, `if let` and `?.` have the same meaning as in
/// Swift in any context. Nearly always there is a single operand, and it always applies.
struct Translation {
  /// An operand, and the condition under which it applies.
  struct Case {
    let when: Condition
    let operand: Operand
  }

  private(set) var cases: [Case] = []

  /// A translation without cases.
  init() {}

  /// The same operand for all objects.
  init(_ operand: Operand) { cases = [Case(when: .always, operand: operand)] }

  /// A condition as a value.
  init(_ condition: Condition) {
    add(.value(true), when: condition)
    add(.value(false), when: !condition)
  }

  /// A known value.
  static func value<Value>(_ value: Value) -> Translation { Translation(.value(value)) }

  /// The operand that applies to all objects, if there is one.
  var only: Operand? { cases.count == 1 ? cases.first?.operand : nil }

  /// Adds an operand, unless its condition is always false.
  mutating func add(_ operand: Operand, when condition: Condition) {
    if condition.filter != .always(false) { cases.append(Case(when: condition, operand: operand)) }
  }

  /// Adds the operands of another translation, each where `condition` holds too.
  mutating func add(casesOf other: Translation, when condition: Condition) {
    for one in other.cases { add(one.operand, when: condition && one.when) }
  }

  /// Translates each operand, and combines the results.
  ///
  /// - Throws: ``/Roost/StoreError/predicateUnsupported(node:reason:)`` also for more cases than a query should have.
  func map(
    _ node: Any.Type, _ transform: (Operand) throws(StoreError) -> Translation
  ) throws(StoreError) -> Translation {
    var result = Translation()
    for one in cases { result.add(casesOf: try transform(one.operand), when: one.when) }
    try result.checkSize(node)
    return result
  }

  /// Translates each pair of operands, and combines the results.
  func map(
    _ other: Translation, _ node: Any.Type,
    _ transform: (Operand, Operand) throws(StoreError) -> Translation
  ) throws(StoreError) -> Translation {
    try map(node) { (first) throws(StoreError) in
      try other.map(node) { (second) throws(StoreError) in try transform(first, second) }
    }
  }

  /// The condition that `holds` is true of the operand that applies.
  ///
  /// - Throws: ``/Roost/StoreError/predicateUnsupported(node:reason:)`` also for a longer condition than a query should have.
  func condition(
    _ node: Any.Type, _ holds: (Operand) throws(StoreError) -> Condition
  ) throws(StoreError) -> Condition {
    var result = Condition.never
    for one in cases { result = result || (one.when && (try holds(one.operand))) }
    try result.checkSize(node)
    return result
  }

  /// The condition that `holds` is true of the two operands that apply.
  func condition(
    _ other: Translation, _ node: Any.Type,
    _ holds: (Operand, Operand) throws(StoreError) -> Condition
  ) throws(StoreError) -> Condition {
    try condition(node) { (first) throws(StoreError) in
      try other.condition(node) { (second) throws(StoreError) in try holds(first, second) }
    }
  }

  private func checkSize(_ node: Any.Type) throws(StoreError) {
    guard cases.count <= 64 else { throw .tooManyCases(node) }
    for one in cases { try one.when.checkSize(node) }
  }
}

/// The meaning of a part of a predicate in a query.
enum Operand {
  /// The object itself.
  case object(any Model.Type)
  /// A value that is the same for all objects.
  case constant(any ConstantValue)
  /// A field, or an expression over fields.
  case term(Term)
  /// The elements of a collection that fulfil a condition.
  case elements(ElementSelection)
  /// A range whose bounds may be fields.
  case range(Bounds)

  /// A known value.
  static func value<Value>(_ value: Value) -> Operand { .constant(Constant(value)) }

  /// A missing value: the result of a calculation without a result.
  static func missing<Value: Storable>(_ type: Value.Type) -> Operand {
    .term(Term(.constant(ExpressionConstant(value: Value?.none))))
  }
}

/// A field, or an expression over fields.
struct Term {
  enum Shape {
    /// One column.
    case column
    /// An embedded struct, by its first column.
    case structure
    /// An optional embedded struct, by the column that says whether it is there.
    case optionalStructure
  }

  let expression: ExpressionTerm
  let shape: Shape
  /// The terms that make this term nil when they are nil: itself and its operands.
  let nilWith: [ExpressionTerm]

  init(
    _ expression: ExpressionTerm, _ shape: Shape = .column, nilWith others: [ExpressionTerm] = []
  ) {
    self.expression = expression
    self.shape = shape
    nilWith = [expression] + others
  }

  /// A stored value of a type.
  init(_ expression: ExpressionTerm, of type: Any.Type, nilWith others: [ExpressionTerm] = []) {
    let wrapped = (type as? any OptionalValue.Type)?.wrapped
    let shape: Shape =
      if type is any Embedded.Type {
        .structure
      } else if wrapped is any Embedded.Type {
        .optionalStructure
      } else {
        .column
      }
    self.init(expression, shape, nilWith: others)
  }

  /// Whether there is no value.
  var isNil: Condition {
    switch shape {
    case .column: Condition(.isNull(expression))
    case .structure: .never
    case .optionalStructure: !Condition(.compare(expression, .equal, .integer(1)))
    }
  }
}

/// The elements of a collection that fulfil a condition.
struct ElementSelection {
  /// The collection.
  let collection: Term
  /// The place of an element's first column.
  let place: Int
  let condition: Condition

  init(_ collection: Term, at place: Int, where condition: Condition = .always) {
    self.collection = collection
    self.place = place
    self.condition = condition
  }

  /// An aggregate over a column of the elements.
  func gathered(_ function: AggregateFunction, at place: Int? = nil) -> Term {
    let step = function == .count ? nil : ElementColumnStep(place: place ?? self.place)
    return Term(
      .elements(collection.expression, function, step, condition.filter),
      nilWith: collection.nilWith)
  }

  /// Whether there is an element.
  var isNotEmpty: Condition {
    Condition(.compare(gathered(.count).expression, .greater, .integer(0)))
  }

  /// The elements that also fulfil another condition.
  func adding(_ other: Condition) -> ElementSelection {
    ElementSelection(collection, at: place, where: condition && other)
  }
}

/// The bounds of a range; nil for a missing bound.
struct Bounds {
  var lower: Translation?
  var upper: Translation?
  var includesUpper = true
}

/// A value that does not depend on the object, with its type erased.
protocol ConstantValue {
  /// The value as a field's constant; nil if no field can have its type.
  var storable: (any Storable)? { get }
  /// Whether the value is nil.
  var isNil: Bool { get }
  /// The value, if it is a range.
  var range: (any ConstantRange)? { get }
}

/// A value that does not depend on the object.
///
/// A box, because a nil in an `Any` loses its type.
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

/// A range that does not depend on the object.
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
