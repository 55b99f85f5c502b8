/// An object in a query: the `$0` of `Person.where { $0.age >= 18 }` and of `update(people, set: \.age, to: { $0.age + 1 })`.
///
/// Its properties are the model's, as ``QueryValue``s to compare and to calculate with.
@dynamicMemberLookup
public struct QueryRoot<M: Model>: Sendable {
  /// Which of the objects that a condition can speak of: 0 for that which a query is about, and more the deeper that
  /// questions about related objects lie within each other.
  @usableFromInline let number: Int

  /// The object that a query is about; in a question about related objects of another model, one of these.
  public init() { number = 0 }

  init(number: Int) { self.number = number }

  /// A field of the object.
  @inlinable
  public subscript<Value: PropertyValue>(
    dynamicMember path: KeyPath<M, Value>
  ) -> QueryValue<Value> {
    // Of a literal key path to a stored property the compiler makes a number, and no key path.
    if let offset = MemoryLayout<M>.offset(of: path),
      let field = FieldStep(M.self, atOffset: offset, of: ObjectIdentifier(Value.self))
    {
      return QueryValue(field, number)
    }
    return QueryValue(FieldStep(M.self, path), number)
  }

  /// What some values of an object are made of.
  package static func terms<each Value: PropertyValue>(
    of values: (QueryRoot) -> (repeat QueryValue<each Value>)
  ) -> [ExpressionTerm] {
    var terms: [ExpressionTerm] = []
    for value in repeat each values(QueryRoot()) { terms.append(value.term) }
    return terms
  }
}

/// A field of an object in a query, or what is calculated of its fields.
///
/// Compare it with a value (`==`, `<`, `.in`), with nil, with another field, or by its text; calculate with `+`, `-`,
/// `*`, `/` and `%`, which is done in the field's own type, join texts with `+`, and give a value for nil with `??`. In
/// a query, a result that does not fit its type is nil, and so is a division of an integer by 0; an update throws.
///
/// Behind a link are the fields of its target, `$0.owner.name == "Ann"`, and behind an embedded struct its parts. Where
/// a link on the way is nil, the condition is what Swift's optional chaining makes of it: `owner?.name == "Ann"` is
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

  /// A field of the object that a link leads to.
  public subscript<Target: Model, Next: PropertyValue>(
    dynamicMember next: KeyPath<Target, Next>
  ) -> QueryValue<Next> where Value == Link<Target> {
    QueryValue<Next>(term.following(to: FieldStep(Target.self, next)))
  }

  /// A field of the object that a link leads to.
  public subscript<Target: Model, Next: PropertyValue>(
    dynamicMember next: KeyPath<Target, Next>
  ) -> QueryValue<Next> where Value == Link<Target>? {
    QueryValue<Next>(term.following(to: FieldStep(Target.self, next)))
  }

  /// A part of an embedded struct.
  public subscript<Next: PropertyValue>(
    dynamicMember next: KeyPath<Value, Next>
  ) -> QueryValue<Next> where Value: Embedded {
    QueryValue<Next>(term.part(at: Value.fields.position(of: next), named: "\(next)"))
  }

  /// A part of an embedded struct; where that is nil, it compares like nil.
  public subscript<Struct: Embedded, Next: PropertyValue>(
    dynamicMember next: KeyPath<Struct, Next>
  ) -> QueryValue<Next> where Value == Struct? {
    // The column before says whether there is a struct.
    let position = Struct.fields.position(of: next).map { $0 + 1 }
    return QueryValue<Next>(term.part(at: position, named: "\(next)"))
  }
}

/// A condition on an object: made by comparing fields, joined by `&&`, `||` and `!`.
public struct QueryCondition: Hashable, Sendable {
  let filter: Filter
}
