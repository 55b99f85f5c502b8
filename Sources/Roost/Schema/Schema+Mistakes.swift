// Unavailable declarations: for a likely mistake, the compiler says what to write instead. Editors do not offer them.
//
// A mistake has a message of its own only where its declaration fits exactly: where none does, the compiler explains why one
// of them does not, and chooses which one by their order.

extension Schema {
  /// A schema whose properties have other types than the initializer's parameters.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: """
      the fields are not in the order of the initializer's parameters, or have other types; or one of them has a type that \
      cannot be stored: see the other errors
      """
  )
  public init<each Parameter, each Value: PropertyValue>(
    _ make: @escaping @Sendable (repeat each Parameter) -> M,
    _ property: repeat Property<M, each Value>,
    // Requires as many parameters as properties.
    order: (repeat (each Parameter, each Value))? = nil
  ) {
    noProgramCalls()
  }

  /// A schema that lists one property too few.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "a Key or Field is missing: list one for each parameter of the initializer, in its order"
  )
  public init<each Parameter, Missing, each Value: PropertyValue>(
    _ make: @escaping @Sendable (repeat each Parameter, Missing) -> M,
    _ property: repeat Property<M, each Value>,
    // Requires one parameter more than properties.
    missing: (repeat (each Parameter, each Value))? = nil
  ) {
    noProgramCalls()
  }

  /// A schema that lists one property too many, such as one that the initializer sets itself.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: """
      the initializer has fewer parameters than there are properties here: it has none for a 'let' with a value, \
      'let id = UUID()', which must be a 'var', nor for what it sets itself
      """
  )
  public init<each Parameter, Extra: PropertyValue, each Value: PropertyValue>(
    _ make: @escaping @Sendable (repeat each Parameter) -> M,
    _ extra: Property<M, Extra>, _ property: repeat Property<M, each Value>,
    // Requires one property more than parameters.
    tooMany: (repeat (each Parameter, each Value))? = nil
  ) {
    noProgramCalls()
  }
}

extension Fields {
  /// A list of parts that have other types than the initializer's parameters.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: """
      the parts are not in the order of the initializer's parameters, or have other types; or one of them has a type that \
      cannot be stored: see the other errors
      """
  )
  public init<each Parameter, each Part: PropertyValue>(
    _ make: @escaping @Sendable (repeat each Parameter) -> Value,
    _ part: repeat Property<Value, each Part>,
    order: (repeat (each Parameter, each Part))? = nil
  ) {
    noProgramCalls()
  }

  /// A list of one part too few.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "a Part is missing: list one for each parameter of the initializer, in its order"
  )
  public init<each Parameter, Missing, each Part: PropertyValue>(
    _ make: @escaping @Sendable (repeat each Parameter, Missing) -> Value,
    _ part: repeat Property<Value, each Part>,
    missing: (repeat (each Parameter, each Part))? = nil
  ) {
    noProgramCalls()
  }
}

// No model has a Bool as its key: beside a key the compiler would find this one, too, and take it for what is compared with a
// text.
extension Model where ID == Bool {
  /// A model without a property `id`.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "a model's key is its property 'id': rename yours, or add 'var id: String { … }' that returns it"
  )
  public var id: Bool { noProgramCalls() }
}

/// A key without a name.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: "give the key the name that it is stored under: 'Key(\"id\", \\.id)'"
)
public func Key<M: Model>(
  _ path: any KeyPath<M, M.ID> & Sendable, _ options: KeyOption<M.ID>...
) -> Property<M, M.ID> {
  noProgramCalls()
}

/// A key that is not the property `id`.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message:
    "the key is the property 'id': rename yours, or add 'var id: String { … }' that returns it; of several, make a 'CompoundKey'"
)
@_disfavoredOverload
public func Key<M: Model, Other: PropertyValue>(
  _ name: String, _ path: any KeyPath<M, Other> & Sendable, _ options: KeyOption<M.ID>...
) -> Property<M, Other> {
  noProgramCalls()
}

/// A key of two properties.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: "a key of several properties is one property 'id' of a type that is a 'CompoundKey'"
)
public func Key<M: Model, First, Second>(
  _ name: String, _ path: any KeyPath<M, First> & Sendable, _ second: String,
  _ secondPath: any KeyPath<M, Second> & Sendable
) -> Property<M, M.ID> {
  noProgramCalls()
}

/// A field without a name.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: "give the field the name that it is stored under: 'Field(\"name\", \\.name)'"
)
public func Field<M: Model, Value: PropertyValue>(
  _ path: any KeyPath<M, Value> & Sendable
) -> Property<M, Value> {
  noProgramCalls()
}

/// A field of a type that cannot be stored.
///
/// The type of the result is any that can be, so that only the schema's initializer for fields of other types fits.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: """
    the type of the property must be 'Storable' (an enum: 'enum Mood: String, Storable'), 'Opaque' (anything 'Codable', \
    also an enum with payloads), 'Converted' (what another type can stand for), 'Embedded' (a struct), or a 'Link' to \
    another model, or 'Links' to several of its objects
    """
)
@_disfavoredOverload
public func Field<M: Model, Other>(
  _ name: String, _ path: any KeyPath<M, Other> & Sendable, _ options: FieldOption<Bool>...
) -> Property<M, Bool> {
  noProgramCalls()
}

/// A part of a struct, called as those of models are.
@_alwaysEmitIntoClient
@available(*, unavailable, renamed: "Part(_:_:_:)")
public func Field<Root: Embedded, Value: PropertyValue>(
  _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: FieldOption<Value>...
) -> Property<Root, Value> {
  noProgramCalls()
}

/// A part of a type that cannot be stored.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: """
    the type of the part must be 'Storable' (an enum: 'enum Mood: String, Storable'), 'Opaque' (anything 'Codable', \
    also an enum with payloads), 'Converted' (what another type can stand for), 'Embedded' (a struct), or a 'Link' to \
    a model, or 'Links' to several of its objects
    """
)
@_disfavoredOverload
public func Part<Root: Embedded, Other>(
  _ name: String, _ path: any KeyPath<Root, Other> & Sendable, _ options: FieldOption<Bool>...
) -> Property<Root, Bool> {
  noProgramCalls()
}

extension FieldOption where Value: Embedded {
  /// An index of a whole struct.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "a struct has no index: give '.indexed' to a 'Part' of it"
  )
  public static var indexed: Self { noProgramCalls() }

  /// The uniqueness of a whole struct.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "a struct is not unique: give '.unique' to a 'Part' of it, or declare a unique 'Index' of several"
  )
  public static var unique: Self { noProgramCalls() }
}

/// Ends an unavailable declaration.
@usableFromInline
package func noProgramCalls() -> Never {
  // Traps: the compiler refuses calls of unavailable declarations.
  fatalError("An unavailable declaration was called.")
}
