internal import RoostEngine

/// An object in a query: the `$0` of `Person.where { $0.age >= 18 }` and of `update(people, set: \.age, to: { $0.age + 1 })`.
///
/// Its properties are the model's, as ``QueryValue``s for comparisons and calculations.
@dynamicMemberLookup
public struct QueryRoot<M: Model>: Sendable {
  /// The number of the object: 0 for the query's own object, and higher for nested conditions on
  /// related objects.
  @usableFromInline let number: Int

  /// The object of a query; in a condition on related objects of another model, one of these.
  public init() { number = 0 }

  init(number: Int) { self.number = number }

  /// A field of the object.
  @inlinable
  public subscript<Value: PropertyValue>(
    dynamicMember path: KeyPath<M, Value>
  ) -> QueryValue<Value> {
    QueryValue(field(path), number)
  }

  /// The condition that a field of the object is true.
  @inlinable @_disfavoredOverload
  public subscript(dynamicMember path: KeyPath<M, Bool>) -> QueryCondition {
    .isTrue(field(path), number)
  }

  @inlinable @inline(__always)
  func field<Value>(_ path: KeyPath<M, Value>) -> FieldStep {
    // For a literal key path to a stored property, the compiler makes an offset instead of a key path.
    if let offset = MemoryLayout<M>.offset(of: path),
      let field = FieldStep(M.self, atOffset: offset, of: ObjectIdentifier(Value.self))
    {
      return field
    }
    return FieldStep(M.self, path)
  }

  /// The terms of some values of an object.
  package static func terms<each Value: PropertyValue>(
    of values: (QueryRoot) -> (repeat QueryValue<each Value>)
  ) -> [ExpressionTerm] {
    var terms: [ExpressionTerm] = []
    for value in repeat each values(QueryRoot()) { terms.append(value.term) }
    return terms
  }
}

/// A field of an object in a query, or a value computed from its fields.
///
/// Compare it with a value (`==`, `<`, `.in`), with nil, with another field, or by its text; compute with `+`, `-`,
/// `*`, `/` and `%`, in the field's own type, join texts with `+`, and replace nil with `??`. In
/// a query, a result that does not fit its type is nil, and so is a division of an integer by 0; an update throws.
///
/// A link gives access to its target's fields, `$0.owner.name == "Ann"`, and an embedded struct to its parts. If
/// a link on the path is nil, the condition is evaluated like Swift's optional chaining: `owner?.name == "Ann"` is
/// false, `owner?.name != "Ann"` is true.
@dynamicMemberLookup
public struct QueryValue<Value: PropertyValue>: Sendable {
  @usableFromInline let handle: QueryTerm

  init(_ term: ExpressionTerm) { handle = QueryTerm(term) }

  init(path: FieldPath) { self.init(.path(path)) }

  @usableFromInline
  init(_ field: FieldStep, _ root: Int) { self.init(.path(FieldPath(field: field, root: root))) }

  /// The expression of the value.
  var term: ExpressionTerm { handle.term }

  /// A field of the target of a link, or of an optional link.
  public subscript<Next: PropertyValue>(
    dynamicMember next: KeyPath<Value._LinkedModel, Next>
  ) -> QueryValue<Next> where Value: _LinkToOne {
    QueryValue<Next>(term.following(to: FieldStep(Value._LinkedModel.self, next)))
  }

  /// The condition that a field of the target of a link is true; false if there is no target.
  @_disfavoredOverload
  public subscript(
    dynamicMember next: KeyPath<Value._LinkedModel, Bool>
  ) -> QueryCondition where Value: _LinkToOne {
    .isTrue(term.following(to: FieldStep(Value._LinkedModel.self, next)))
  }

  /// A part of an embedded struct.
  public subscript<Next: PropertyValue>(
    dynamicMember next: KeyPath<Value, Next>
  ) -> QueryValue<Next> where Value: Embedded {
    QueryValue<Next>(term.part(at: Value.fields.position(of: next), named: "\(next)"))
  }

  /// The condition that a part of an embedded struct is true.
  @_disfavoredOverload
  public subscript(
    dynamicMember next: KeyPath<Value, Bool>
  ) -> QueryCondition where Value: Embedded {
    .isTrue(term.part(at: Value.fields.position(of: next), named: "\(next)"))
  }

  /// A part of an optional embedded struct; if the struct is nil, the part compares like nil.
  public subscript<Struct: Embedded, Next: PropertyValue>(
    dynamicMember next: KeyPath<Struct, Next>
  ) -> QueryValue<Next> where Value == Struct? {
    QueryValue<Next>(part(of: Struct.self, at: next))
  }

  /// The condition that a part of an optional embedded struct is true; false if the struct is nil.
  @_disfavoredOverload
  public subscript<Struct: Embedded>(
    dynamicMember next: KeyPath<Struct, Bool>
  ) -> QueryCondition where Value == Struct? {
    .isTrue(part(of: Struct.self, at: next))
  }

  private func part<Struct: Embedded, Next>(
    of type: Struct.Type, at path: KeyPath<Struct, Next>
  ) -> ExpressionTerm where Value == Struct? {
    // The column before says whether the struct is present.
    term.part(at: Struct.fields.position(of: path).map { $0 + 1 }, named: "\(path)")
  }
}

/// A condition on an object: made by comparing fields, joined by `&&`, `||` and `!`.
public struct QueryCondition: Hashable, Sendable {
  let filter: Filter

  init(filter: Filter) { self.filter = filter }

  @usableFromInline
  static func isTrue(_ field: FieldStep, _ root: Int) -> QueryCondition {
    isTrue(.path(FieldPath(field: field, root: root)))
  }

  /// The same condition as `== true`.
  static func isTrue(_ term: ExpressionTerm) -> QueryCondition {
    QueryCondition(filter: .compare(term, .equal, .integer(1)))
  }
}

/// A link, or an optional one.
public protocol _LinkToOne: PropertyValue {
  /// The target's model.
  associatedtype _LinkedModel: Model
}

extension Link: _LinkToOne {
  /// The target's model.
  public typealias _LinkedModel = Target
}

extension Optional: _LinkToOne where Wrapped: _LinkToOne {
  /// The target's model.
  public typealias _LinkedModel = Wrapped._LinkedModel
}
