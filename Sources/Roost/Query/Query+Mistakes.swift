// Unavailable declarations: the compiler says what to write instead of what other libraries call it. Editors do not offer
// them.

extension Model {
  /// As in GRDB.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "where(_:)")
  public static func filter(_ condition: (QueryRoot<Self>) -> QueryCondition) -> Query<Self> {
    noProgramCalls()
  }

  /// Without a query.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "order a query: 'Person.all.order(by: \\.name)'")
  public static func order<Value: Sortable>(
    by path: KeyPath<Self, Value>, descending isDescending: Bool = false
  ) -> Query<Self> { noProgramCalls() }

  /// By a property and a value.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write a condition: 'where { $0.name == name }'")
  public static func `where`<Value>(
    _ path: KeyPath<Self, Value>, equals value: Value
  ) -> Query<Self> { noProgramCalls() }
}

extension Query {
  /// As in GRDB and Realm.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "where(_:)")
  public func filter(_ condition: (QueryRoot<M>) -> QueryCondition) -> Self { noProgramCalls() }

  /// As in Realm.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "order(by:)")
  public func sorted<each Value: Sortable>(by path: repeat KeyPath<M, each Value>) -> Self {
    noProgramCalls()
  }

  /// As in Core Data's words.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "order(by:)")
  public func sort<Value: Sortable>(_ path: KeyPath<M, Value>) -> Self { noProgramCalls() }

  /// As in Swift.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "order(descending:by:)")
  public func sorted<Value: Sortable>(
    descending: Bool = false, by value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> Self { noProgramCalls() }

  /// As in many libraries.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write 'order(by: …, descending: true)'")
  public func order<Value: Sortable>(
    by path: KeyPath<M, Value>, _ direction: _OrderDirection
  ) -> Self { noProgramCalls() }

  /// By what has no order.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "only a 'Sortable' type has an order: an enum that says 'Sortable' instead of 'Storable' has that of its raw values"
  )
  @_disfavoredOverload
  public func order<each Value: Storable>(
    by path: repeat KeyPath<M, each Value>, descending isDescending: Bool = false
  ) -> Self { noProgramCalls() }

  /// By what has no order.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "only a 'Sortable' type has an order: an enum that says 'Sortable' instead of 'Storable' has that of its raw values"
  )
  @_disfavoredOverload
  public func order<Value: Storable>(
    descending isDescending: Bool = false, by value: (QueryRoot<M>) -> QueryValue<Value>
  ) -> Self { noProgramCalls() }

  /// As in SQL.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "write 'grouped(by: …)', and ask for its groups: 'try snapshot.groups(grouped) { $0.count }'"
  )
  public func group<Key: Storable>(by key: (QueryRoot<M>) -> QueryValue<Key>) -> Self {
    noProgramCalls()
  }

  /// As in GRDB's and Core Data's words.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "say it with the limit: 'limit(10, offset: 2)'")
  public func offset(_ count: Int) -> Self { noProgramCalls() }

  /// As in many libraries.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write 'limit(20, offset: 20 * number)'")
  public func page(_ number: Int, size: Int) -> Self { noProgramCalls() }

  /// As in Realm, whose results count themselves.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "a query has no results yet: 'try store.read { try $0.count(query) }'"
  )
  public var count: Int { noProgramCalls() }

  /// As in Realm.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "a query has no results yet: 'try store.read { try $0.first(query) }'"
  )
  public var first: M? { noProgramCalls() }
}

extension Query {
  /// By a link.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "a link has no order: order by what its target has, 'order { $0.owner.name }'"
  )
  public func order<Target: Model>(
    by path: KeyPath<M, Link<Target>>, descending isDescending: Bool = false
  ) -> Self { noProgramCalls() }

  /// By an optional link.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "a link has no order: order by what its target has, 'order { $0.owner.name }'"
  )
  public func order<Target: Model>(
    by path: KeyPath<M, Link<Target>?>, descending isDescending: Bool = false
  ) -> Self { noProgramCalls() }

  /// By a link.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "a link has no order: order by what its target has, 'order { $0.owner.name }'"
  )
  public func order<Target: Model>(
    descending isDescending: Bool = false, by value: (QueryRoot<M>) -> QueryValue<Link<Target>>
  ) -> Self { noProgramCalls() }

  /// By an optional link.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "a link has no order: order by what its target has, 'order { $0.owner.name }'"
  )
  public func order<Target: Model>(
    descending isDescending: Bool = false, by value: (QueryRoot<M>) -> QueryValue<Link<Target>?>
  ) -> Self { noProgramCalls() }
}

extension QueryValue where Value: CompoundKey {
  /// A part of a key.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "a key is stored whole: ask for its first parts, '$0.id.begins(with: …)', or store the part in a field too"
  )
  public subscript<Part: Storable>(dynamicMember path: KeyPath<Value, Part>) -> QueryValue<Part> {
    noProgramCalls()
  }
}

extension QueryValue where Value: Opaque {
  /// A part of what is stored whole.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "an 'Opaque' value is stored whole: ask for the case of one that is 'CaseNamed', '$0.payment.kind == .card', make a struct 'Embedded', or store the part in a field too"
  )
  public subscript<Part: Storable>(dynamicMember path: KeyPath<Value, Part>) -> QueryValue<Part> {
    noProgramCalls()
  }

  /// A part of what is stored whole.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "an 'Opaque' value is stored whole: ask for the case of one that is 'CaseNamed', '$0.payment.kind == .card', make a struct 'Embedded', or store the part in a field too"
  )
  @_disfavoredOverload
  public subscript(dynamicMember path: KeyPath<Value, Bool>) -> QueryCondition {
    noProgramCalls()
  }
}

extension QueryValue where Value: _ElementCollection {
  /// An element by its place.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "a query asks for any or all of the elements: '$0.steps.contains { $0.minutes > 60 }'"
  )
  @_disfavoredOverload
  public subscript(place: Int) -> QueryValue<Value._Element> { noProgramCalls() }
}

extension QueryValue where Value: Storable {
  /// As in other libraries.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write 'in(low...high)'")
  public func between<Bound>(_ low: Bound, _ high: Bound) -> QueryCondition { noProgramCalls() }
}

/// What other libraries call an order's direction.
public enum _OrderDirection { case ascending, descending, forward, reverse }

extension QueryValue where Value: TextStorable {
  /// As in Swift.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "a query does not count characters: store their number in a field of its own"
  )
  @_disfavoredOverload
  public var count: QueryValue<Int> { noProgramCalls() }

  /// As in Swift.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "compare with '.equals(text, options: .caseInsensitive)', or order by '.folded(.caseInsensitive)'"
  )
  public func lowercased() -> Self { noProgramCalls() }

  /// As in Swift.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "compare with '.equals(text, options: .caseInsensitive)', or order by '.folded(.caseInsensitive)'"
  )
  public func uppercased() -> Self { noProgramCalls() }

  /// As in Swift.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "hasPrefix(_:)")
  public func starts(with prefix: String) -> QueryCondition { noProgramCalls() }

  /// As in other languages, and as `BEGINSWITH`.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "hasPrefix(_:)")
  public func startsWith(_ prefix: String) -> QueryCondition { noProgramCalls() }

  /// As in other languages, and as `ENDSWITH`.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "hasSuffix(_:)")
  public func endsWith(_ suffix: String) -> QueryCondition { noProgramCalls() }

  /// Options without their label.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "contains(_:options:)")
  public func contains(_ text: String, _ options: TextOptions) -> QueryCondition {
    noProgramCalls()
  }

  /// As in predicate strings: a regular expression.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "a query knows no regular expressions: 'like(_:)' has '*' for any text and '?' for one character"
  )
  public func matches<Pattern>(_ pattern: Pattern) -> QueryCondition { noProgramCalls() }

  /// As in Foundation.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "write 'contains(text, options: [.caseInsensitive, .diacriticInsensitive])'"
  )
  public func localizedStandardContains(_ text: String) -> QueryCondition { noProgramCalls() }

  /// As in Foundation.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write 'contains(text, options: .caseInsensitive)'")
  public func localizedCaseInsensitiveContains(_ text: String) -> QueryCondition {
    noProgramCalls()
  }
}
