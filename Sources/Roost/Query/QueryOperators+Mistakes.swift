// Operators between what cannot be compared or calculated with, which only say what to write.
//
// The compiler tries unavailable operators only where no other fits: conditions without mistakes take as long to check.

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// MARK: +

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func + <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryValue<A>
{ noProgramCalls() }

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func + <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryValue<A> {
  noProgramCalls()
}

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func + <A: _Multipliable, B: _Multipliable>(a: A, b: QueryValue<B>) -> QueryValue<B> {
  noProgramCalls()
}

/// Dates have no arithmetic.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: "move the other side: '$0.due < Date() - 3600'; to update: '{ $0.due += 60 }'"
)
public func + (a: QueryValue<Date>, b: Double) -> QueryValue<Date> { noProgramCalls() }

/// Dates have no arithmetic.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: "move the other side: '$0.due < Date() - 3600'; to update: '{ $0.due += 60 }'"
)
public func + (a: QueryValue<Date?>, b: Double) -> QueryValue<Date?> { noProgramCalls() }

// MARK: -

/// Dates have no arithmetic.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: "move the other side: '$0.due < Date() - 3600'; to update: '{ $0.due += 60 }'"
)
public func - (a: QueryValue<Date>, b: Double) -> QueryValue<Date> { noProgramCalls() }

/// Dates have no arithmetic.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: "move the other side: '$0.due < Date() - 3600'; to update: '{ $0.due += 60 }'"
)
public func - (a: QueryValue<Date?>, b: Double) -> QueryValue<Date?> { noProgramCalls() }

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func - <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryValue<A>
{ noProgramCalls() }

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func - <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryValue<A> {
  noProgramCalls()
}

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func - <A: _Multipliable, B: _Multipliable>(a: A, b: QueryValue<B>) -> QueryValue<B> {
  noProgramCalls()
}

// MARK: *

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func * <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryValue<A>
{ noProgramCalls() }

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func * <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryValue<A> {
  noProgramCalls()
}

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func * <A: _Multipliable, B: _Multipliable>(a: A, b: QueryValue<B>) -> QueryValue<B> {
  noProgramCalls()
}

// MARK: /

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func / <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryValue<A>
{ noProgramCalls() }

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func / <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryValue<A> {
  noProgramCalls()
}

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func / <A: _Multipliable, B: _Multipliable>(a: A, b: QueryValue<B>) -> QueryValue<B> {
  noProgramCalls()
}

// MARK: %

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func % <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryValue<A>
{ noProgramCalls() }

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func % <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryValue<A> {
  noProgramCalls()
}

// MARK: ==

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func == <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryCondition
{ noProgramCalls() }

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func == <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryCondition {
  noProgramCalls()
}

// Of concrete types: with `A.RawValue` the compiler would blame these operators for a mistyped case.

/// A raw value, where a case is meant.
@_alwaysEmitIntoClient
@available(*, unavailable, message: "compare with a case of the enum, such as '.first'")
public func == <A: Storable & RawRepresentable>(a: QueryValue<A>, b: String) -> QueryCondition
where A.RawValue == String { noProgramCalls() }

/// A raw value, where a case is meant.
@_alwaysEmitIntoClient
@available(*, unavailable, message: "compare with a case of the enum, such as '.first'")
public func == <A: Storable & RawRepresentable>(a: QueryValue<A?>, b: String) -> QueryCondition
where A.RawValue == String { noProgramCalls() }

/// A raw value, where a case is meant.
@_alwaysEmitIntoClient
@available(*, unavailable, message: "compare with a case of the enum, such as '.first'")
public func == <A: Storable & RawRepresentable>(a: QueryValue<A>, b: Int) -> QueryCondition
where A.RawValue == Int { noProgramCalls() }

/// A raw value, where a case is meant.
@_alwaysEmitIntoClient
@available(*, unavailable, message: "compare with a case of the enum, such as '.first'")
public func == <A: Storable & RawRepresentable>(a: QueryValue<A?>, b: Int) -> QueryCondition
where A.RawValue == Int { noProgramCalls() }

/// A struct, of which a query has the parts.
@_alwaysEmitIntoClient
@available(*, unavailable, message: "compare the parts: '$0.address.city == city'")
public func == <A: Embedded>(a: QueryValue<A>, b: A) -> QueryCondition { noProgramCalls() }

/// An object, where a link to it is meant.
@_alwaysEmitIntoClient
@available(*, unavailable, message: "compare with a link: 'Link(object)'")
public func == <Target: Model>(a: QueryValue<Link<Target>>, b: Target) -> QueryCondition {
  noProgramCalls()
}

/// An object, where a link to it is meant.
@_alwaysEmitIntoClient
@available(*, unavailable, message: "compare with a link: 'Link(object)'")
public func == <Target: Model>(a: QueryValue<Link<Target>?>, b: Target) -> QueryCondition {
  noProgramCalls()
}

/// An id, where a link is meant.
@_alwaysEmitIntoClient
@available(*, unavailable, message: "compare with a link, 'Link(id: id)', or ask '$0.owner.id'")
public func == <Target: Model>(a: QueryValue<Link<Target>>, b: String) -> QueryCondition
where Target.ID == String { noProgramCalls() }

/// An id, where a link is meant.
@_alwaysEmitIntoClient
@available(*, unavailable, message: "compare with a link, 'Link(id: id)', or ask '$0.owner.id'")
public func == <Target: Model>(a: QueryValue<Link<Target>?>, b: String) -> QueryCondition
where Target.ID == String { noProgramCalls() }

/// An id, where a link is meant.
@_alwaysEmitIntoClient
@available(*, unavailable, message: "compare with a link, 'Link(id: id)', or ask '$0.owner.id'")
public func == <Target: Model>(a: QueryValue<Link<Target>>, b: Int) -> QueryCondition
where Target.ID == Int { noProgramCalls() }

/// An id, where a link is meant.
@_alwaysEmitIntoClient
@available(*, unavailable, message: "compare with a link, 'Link(id: id)', or ask '$0.owner.id'")
public func == <Target: Model>(a: QueryValue<Link<Target>?>, b: Int) -> QueryCondition
where Target.ID == Int { noProgramCalls() }

/// An id, where a link is meant.
@_alwaysEmitIntoClient
@available(*, unavailable, message: "compare with a link, 'Link(id: id)', or ask '$0.owner.id'")
public func == <Target: Model>(a: QueryValue<Link<Target>>, b: UUID) -> QueryCondition
where Target.ID == UUID { noProgramCalls() }

/// An id, where a link is meant.
@_alwaysEmitIntoClient
@available(*, unavailable, message: "compare with a link, 'Link(id: id)', or ask '$0.owner.id'")
public func == <Target: Model>(a: QueryValue<Link<Target>?>, b: UUID) -> QueryCondition
where Target.ID == UUID { noProgramCalls() }

/// What is not nil itself, where what contains it may be.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "it is not optional itself; behind an optional, write '.orNil == nil'"
)
public func == <Value: Storable>(
  a: QueryValue<Value>, nothing: _OptionalNilComparisonType
) -> QueryCondition { noProgramCalls() }

// MARK: !=

/// What is not nil itself, where what contains it may be.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "it is not optional itself; behind an optional, write '.orNil != nil'"
)
public func != <Value: Storable>(
  a: QueryValue<Value>, nothing: _OptionalNilComparisonType
) -> QueryCondition { noProgramCalls() }

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func != <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryCondition
{ noProgramCalls() }

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func != <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryCondition {
  noProgramCalls()
}

// MARK: <

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func < <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryCondition
{ noProgramCalls() }

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func < <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryCondition {
  noProgramCalls()
}

// MARK: <=

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func <= <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryCondition
{ noProgramCalls() }

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func <= <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryCondition {
  noProgramCalls()
}

// MARK: >

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func > <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryCondition
{ noProgramCalls() }

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func > <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryCondition {
  noProgramCalls()
}

// MARK: >=

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func >= <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryCondition
{ noProgramCalls() }

/// Numbers of different types do not mix.
@_alwaysEmitIntoClient
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func >= <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryCondition {
  noProgramCalls()
}

// MARK: in

extension QueryValue where Value: _LinkToOne {
  /// Objects, where links to them are meant.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "compare with links, 'in(objects.map { Link($0) })', or ask '$0.owner.id.in(ids)'"
  )
  @_disfavoredOverload
  public func `in`(_ objects: some Sequence<Value._LinkedModel>) -> QueryCondition {
    noProgramCalls()
  }

  /// Ids, where links are meant.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "ask for the target's id: '$0.owner.id.in(ids)'")
  @_disfavoredOverload
  public func `in`(_ ids: some Sequence<Value._LinkedModel.ID>) -> QueryCondition {
    noProgramCalls()
  }
}

// MARK: contains

extension Sequence where Element: Storable {
  /// As in Realm and Core Data.
  @_alwaysEmitIntoClient
  @available(*, unavailable, message: "begin with the property: '$0.id.in(ids)'")
  public func contains(_ value: QueryValue<Element>) -> QueryCondition { noProgramCalls() }
}
