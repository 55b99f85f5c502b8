internal import RoostEngine

/// A list, a set or a dictionary of values, or an optional one, whose elements a query can test.
public protocol _ElementCollection: PropertyValue {
  /// The elements of a list or a set, or the values of a dictionary.
  associatedtype _Element: PropertyValue
  /// The number of an element's columns before these.
  static var _elementPlace: Int { get }
}

extension Array: _ElementCollection where Element: PropertyValue {
  /// The elements of the list.
  public typealias _Element = Element
  /// There is no column before.
  public static var _elementPlace: Int { 0 }
}

extension Set: _ElementCollection where Element: PropertyValue {
  /// The elements of the set.
  public typealias _Element = Element
  /// There is no column before.
  public static var _elementPlace: Int { 0 }
}

extension Dictionary: _ElementCollection where Key: Storable, Value: PropertyValue {
  /// The values.
  public typealias _Element = Value
  /// A key takes one column.
  public static var _elementPlace: Int { 1 }
}

extension Optional: _ElementCollection where Wrapped: _ElementCollection {
  /// The elements of the collection, if it is not nil.
  public typealias _Element = Wrapped._Element
  /// The same as for the collection.
  public static var _elementPlace: Int { Wrapped._elementPlace }
}

/// A dictionary, or an optional one.
public protocol _KeyedCollection: _ElementCollection {
  /// Its keys.
  associatedtype _Key: Storable
}

extension Dictionary: _KeyedCollection where Key: Storable, Value: PropertyValue {
  /// The keys.
  public typealias _Key = Key
}

extension Optional: _KeyedCollection where Wrapped: _KeyedCollection {
  /// The keys of the dictionary, if it is not nil.
  public typealias _Key = Wrapped._Key
}

/// The elements of a collection in a query: of a list or a set, or the keys or the values of a dictionary.
///
/// ```swift
/// Recipe.where { $0.steps.contains { $0.minutes > 60 } }
/// Recipe.where { $0.ratings.elements.where { $0 >= 4 }.count >= 10 }
/// Recipe.where { $0.names["nl"] == "Erwtensoep" }
/// ```
///
/// A collection is stored whole, so a query reads each collection that it tests: some 0.5 µs, and more for many elements.
/// A condition compares elements, or parts of embedded ones, with values and with computed values of the object that has the
/// collection, and matches their texts; it does not compute with elements.
public struct Elements<Element: PropertyValue>: Sendable {
  private let handle: QueryTerm
  private let place: Int
  private let condition: QueryCondition

  init(
    _ collection: ExpressionTerm, at place: Int,
    _ condition: QueryCondition = QueryCondition(filter: .always(true))
  ) {
    handle = QueryTerm(collection)
    self.place = place
    self.condition = condition
  }

  private var element: QueryValue<Element> {
    QueryValue(.element(ElementColumnStep(place: place)))
  }

  /// The elements that fulfil the condition.
  public func `where`(_ condition: (QueryValue<Element>) -> QueryCondition) -> Elements {
    let added = condition(element)
    if case .always(true) = self.condition.filter {
      return Elements(handle.term, at: place, added)
    }
    return Elements(handle.term, at: place, self.condition && added)
  }

  /// Whether an element fulfils the condition.
  public func contains(
    where condition: (QueryValue<Element>) -> QueryCondition
  ) -> QueryCondition {
    .compare(self.where(condition).count.term, .greater, _Constant(.integer(0)))
  }

  /// Whether an element equals this one.
  public func contains(_ element: Element) -> QueryCondition where Element: Storable {
    contains { $0 == element }
  }

  /// Whether all elements fulfil the condition; true if there are none.
  public func allSatisfy(
    _ condition: (QueryValue<Element>) -> QueryCondition
  ) -> QueryCondition {
    !contains { !condition($0) }
  }

  /// Whether there are no elements.
  public var isEmpty: QueryCondition { .compare(count.term, .equal, _Constant(.integer(0))) }

  /// The number of elements; nil if the collection is nil.
  public var count: QueryValue<Int> { gathered(.count, nil) }

  /// The sum of a number of each element; 0 if there are none, nil if it does not fit: an `Int`, `UInt`, `Decimal`, or for
  /// floating-point numbers a `Double`.
  public func sum<Value: _Multipliable>(
    _ value: (QueryValue<Element>) -> QueryValue<Value>
  ) -> QueryValue<Value._Sum> {
    gathered(.sum, value(element).term)
  }

  /// The mean of a number of the elements that have one: a `Double`, or a `Decimal` of decimal numbers; nil if there are
  /// none.
  public func average<Value: _Multipliable>(
    _ value: (QueryValue<Element>) -> QueryValue<Value>
  ) -> QueryValue<Value._Mean> {
    gathered(.average, value(element).term)
  }

  /// The lowest value of all elements; nil if there are none.
  public func min<Value: Sortable>(
    _ value: (QueryValue<Element>) -> QueryValue<Value>
  ) -> QueryValue<Value> {
    gathered(.minimum, value(element).term)
  }

  /// The highest value of all elements; nil if there are none.
  public func max<Value: Sortable>(
    _ value: (QueryValue<Element>) -> QueryValue<Value>
  ) -> QueryValue<Value> {
    gathered(.maximum, value(element).term)
  }

  /// An aggregate over a column of the elements.
  fileprivate func gathered<Value>(
    _ function: AggregateFunction, _ value: ExpressionTerm?
  ) -> QueryValue<Value> {
    let step = value.map { value in
      // A computed value is not a column.
      if case .element(let step) = value { step } else { ElementColumnStep(name: "\(value)") }
    }
    return QueryValue<Value>(.elements(handle.term, function, step, condition.filter.asPart))
  }
}

/// Conditions on a collection's elements.
extension QueryValue where Value: _ElementCollection {
  /// The elements; for a dictionary, its values.
  public var elements: Elements<Value._Element> { Elements(term, at: Value._elementPlace) }

  /// Whether an element fulfils the condition; false for nil.
  public func contains(
    where condition: (QueryValue<Value._Element>) -> QueryCondition
  ) -> QueryCondition {
    elements.contains(where: condition)
  }

  /// Whether the collection contains this element; false for nil.
  public func contains(_ element: Value._Element) -> QueryCondition where Value._Element: Storable {
    elements.contains(element)
  }

  /// Whether all elements fulfil the condition; true if there are none.
  public func allSatisfy(
    _ condition: (QueryValue<Value._Element>) -> QueryCondition
  ) -> QueryCondition {
    elements.allSatisfy(condition)
  }

  /// Whether there is no element; nil is not empty.
  public var isEmpty: QueryCondition { elements.isEmpty }

  /// The number of elements; nil if the collection is nil.
  public var count: QueryValue<Int> { elements.count }

  /// The sum of a number of each element, as ``Elements/sum(_:)``.
  public func sum<Number: _Multipliable>(
    _ value: (QueryValue<Value._Element>) -> QueryValue<Number>
  ) -> QueryValue<Number._Sum> {
    elements.sum(value)
  }

  /// The mean of a number of the elements, as ``Elements/average(_:)``.
  public func average<Number: _Multipliable>(
    _ value: (QueryValue<Value._Element>) -> QueryValue<Number>
  ) -> QueryValue<Number._Mean> {
    elements.average(value)
  }

  /// The lowest value of all elements; nil if there are none.
  public func min<Lowest: Sortable>(
    _ value: (QueryValue<Value._Element>) -> QueryValue<Lowest>
  ) -> QueryValue<Lowest> {
    elements.min(value)
  }

  /// The highest value of all elements; nil if there are none.
  public func max<Highest: Sortable>(
    _ value: (QueryValue<Value._Element>) -> QueryValue<Highest>
  ) -> QueryValue<Highest> {
    elements.max(value)
  }
}

/// Conditions on a dictionary.
extension QueryValue where Value: _KeyedCollection {
  /// The keys.
  public var keys: Elements<Value._Key> { Elements(term, at: 0) }

  /// The value of a key; nil if the dictionary lacks the key or is nil, and for a NaN. If values may be nil,
  /// `keys.contains` tells a nil value from a missing key.
  public subscript(key: Value._Key) -> QueryValue<Value._Element?>
  where Value._Element: Storable {
    let found = keys.where { $0 == key }
    return found.gathered(
      .minimum, .element(ElementColumnStep(place: Value._elementPlace)))
  }
}

extension QueryLowering {
  /// The engine's form of a condition on elements of a collection, whose columns are the fields.
  ///
  /// Values other than columns are computed from the object that has the collection, or from an object outside it.
  func lower(ofElements filter: Filter) throws(StoreError) -> Predicate {
    switch filter {
    case .always(let holds): return .always(holds)
    case .compare(let term, let comparison, let constant):
      return .comparison(try lower(ofElements: term), comparison, .constant(constant))
    case .comparison(let first, let comparison, let second):
      return .comparison(
        try lower(ofElements: first), comparison, try lower(ofElements: second))
    case .isNull(let term):
      return .comparison(try lower(ofElements: term), .equal, .constant(.null))
    case .oneOf(let term, let values): return .membership(try lower(ofElements: term), values)
    case .text(let term, let match, let text):
      return .textMatch(try lower(ofElements: term), match, Array(text.utf8))
    case .matches(let term, let pattern): return .matches(try lower(ofElements: term), pattern)
    case .and(let parts): return .and(try lower(ofElements: parts))
    case .or(let parts): return .or(try lower(ofElements: parts))
    case .not(let part): return .not(try lower(ofElements: part))
    case .related(let path, _, _): throw unknown(path.name)
    case .beginning(let term, _): throw unknown(term.name)
    case .tooDeep: throw .tooDeep(home)
    }
  }

  private func lower(ofElements parts: [Filter]) throws(StoreError) -> [Predicate] {
    var predicates: [Predicate] = []
    for part in parts { predicates.append(try lower(ofElements: part)) }
    return predicates
  }

  private func lower(ofElements term: ExpressionTerm) throws(StoreError) -> ColumnExpression {
    if case .element(let step) = term { return .field(try field(step)) }
    return .outside(try lower(term))
  }
}
