// By its key path a field can be named that a member of the query's own types shadows.

extension QueryRoot {
  /// A field of the object by its key path.
  @inlinable
  public subscript<Value: PropertyValue>(_ path: KeyPath<M, Value>) -> QueryValue<Value> {
    self[dynamicMember: path]
  }

  /// The condition that a field of the object is true, by its key path.
  @inlinable @_disfavoredOverload
  public subscript(_ path: KeyPath<M, Bool>) -> QueryCondition { self[dynamicMember: path] }
}

extension QueryValue {
  /// A field of the target of a link by its key path: `$0.owner[\.id]`.
  public subscript<Next: PropertyValue>(
    _ next: KeyPath<Value._LinkedModel, Next>
  ) -> QueryValue<Next> where Value: _LinkToOne {
    self[dynamicMember: next]
  }

  /// The condition that a field of the target of a link is true, by its key path; false if there is no target.
  @_disfavoredOverload
  public subscript(
    _ next: KeyPath<Value._LinkedModel, Bool>
  ) -> QueryCondition where Value: _LinkToOne {
    self[dynamicMember: next]
  }

  /// A part of an embedded struct by its key path: `$0.stock[\.count]`.
  public subscript<Next: PropertyValue>(
    _ next: KeyPath<Value, Next>
  ) -> QueryValue<Next> where Value: Embedded {
    self[dynamicMember: next]
  }

  /// The condition that a part of an embedded struct is true, by its key path.
  @_disfavoredOverload
  public subscript(_ next: KeyPath<Value, Bool>) -> QueryCondition where Value: Embedded {
    self[dynamicMember: next]
  }

  /// A part of an optional embedded struct by its key path; if the struct is nil, the part compares like nil.
  public subscript<Struct: Embedded, Next: PropertyValue>(
    _ next: KeyPath<Struct, Next>
  ) -> QueryValue<Next> where Value == Struct? {
    self[dynamicMember: next]
  }

  /// The condition that a part of an optional embedded struct is true, by its key path; false if the struct is nil.
  @_disfavoredOverload
  public subscript<Struct: Embedded>(
    _ next: KeyPath<Struct, Bool>
  ) -> QueryCondition where Value == Struct? {
    self[dynamicMember: next]
  }
}
