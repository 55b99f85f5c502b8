/// An object in a query's condition: the `$0` of `Person.where { $0.age >= 18 }`.
///
/// Its properties are the model's, as ``QueryValue``s to compare.
@dynamicMemberLookup
public struct QueryRoot<M: Model>: Sendable {
  init() {}

  /// A field of the object.
  @inlinable
  public subscript<Value: PropertyValue>(
    dynamicMember path: KeyPath<M, Value>
  ) -> QueryValue<Value> {
    // Of a literal key path to a stored property the compiler makes a number, and no key path.
    if let offset = MemoryLayout<M>.offset(of: path),
      let field = FieldStep(M.self, atOffset: offset, of: ObjectIdentifier(Value.self))
    {
      return QueryValue(field)
    }
    return QueryValue(FieldStep(M.self, path))
  }
}

/// A field in a query's condition.
///
/// Compare it with a value (`==`, `<`, `.in`), with nil, or by its text; behind a link are the fields of
/// its target, `$0.owner.name == "Ann"`, and behind an embedded struct its parts. Where a link on the way is nil, the condition is what Swift's
/// optional chaining makes of it: `owner?.name == "Ann"` is false, `owner?.name != "Ann"` is true.
@dynamicMemberLookup
public struct QueryValue<Value: PropertyValue>: Sendable {
  @usableFromInline let path: FieldPath

  init(path: FieldPath) { self.path = path }

  @usableFromInline
  init(_ field: FieldStep) { path = FieldPath(field: field) }

  /// A field of the object that a link leads to.
  public subscript<Target: Model, Next: PropertyValue>(
    dynamicMember next: KeyPath<Target, Next>
  ) -> QueryValue<Next> where Value == Link<Target> {
    QueryValue<Next>(path: path.following(to: FieldStep(Target.self, next)))
  }

  /// A field of the object that a link leads to.
  public subscript<Target: Model, Next: PropertyValue>(
    dynamicMember next: KeyPath<Target, Next>
  ) -> QueryValue<Next> where Value == Link<Target>? {
    QueryValue<Next>(path: path.following(to: FieldStep(Target.self, next)))
  }

  /// A part of an embedded struct.
  public subscript<Next: PropertyValue>(
    dynamicMember next: KeyPath<Value, Next>
  ) -> QueryValue<Next> where Value: Embedded {
    QueryValue<Next>(path: path.part(at: Value.fields.position(of: next), named: "\(next)"))
  }

  /// A part of an embedded struct; where that is nil, it compares like nil.
  public subscript<Struct: Embedded, Next: PropertyValue>(
    dynamicMember next: KeyPath<Struct, Next>
  ) -> QueryValue<Next> where Value == Struct? {
    // The column before says whether there is a struct.
    let position = Struct.fields.position(of: next).map { $0 + 1 }
    return QueryValue<Next>(path: path.part(at: position, named: "\(next)"))
  }
}

/// What an object must fulfil: made by comparing fields, joined by `&&`, `||` and `!`.
public struct QueryCondition: Hashable, Sendable {
  let filter: Filter
}
