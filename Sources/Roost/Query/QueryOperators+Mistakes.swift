// Operators between numbers of different types, and between an enum and a raw value, which only say how to convert.
//
// The compiler tries unavailable operators only where no other fits: conditions without mistakes take as long to check.

// MARK: +

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func + <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryValue<A>
{ noProgramCalls() }

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func + <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryValue<A> {
  noProgramCalls()
}

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func + <A: _Multipliable, B: _Multipliable>(a: A, b: QueryValue<B>) -> QueryValue<B> {
  noProgramCalls()
}

// MARK: -

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func - <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryValue<A>
{ noProgramCalls() }

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func - <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryValue<A> {
  noProgramCalls()
}

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func - <A: _Multipliable, B: _Multipliable>(a: A, b: QueryValue<B>) -> QueryValue<B> {
  noProgramCalls()
}

// MARK: *

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func * <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryValue<A>
{ noProgramCalls() }

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func * <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryValue<A> {
  noProgramCalls()
}

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func * <A: _Multipliable, B: _Multipliable>(a: A, b: QueryValue<B>) -> QueryValue<B> {
  noProgramCalls()
}

// MARK: /

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func / <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryValue<A>
{ noProgramCalls() }

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func / <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryValue<A> {
  noProgramCalls()
}

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func / <A: _Multipliable, B: _Multipliable>(a: A, b: QueryValue<B>) -> QueryValue<B> {
  noProgramCalls()
}

// MARK: %

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func % <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryValue<A>
{ noProgramCalls() }

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func % <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryValue<A> {
  noProgramCalls()
}

// MARK: ==

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func == <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryCondition
{ noProgramCalls() }

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func == <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryCondition {
  noProgramCalls()
}

/// A raw value, where a case is meant.
@available(*, unavailable, message: "compare with a case of the enum, such as '.first'")
public func == <A: Storable & RawRepresentable>(
  a: QueryValue<A>, b: A.RawValue
) -> QueryCondition { noProgramCalls() }

/// A raw value, where a case is meant.
@available(*, unavailable, message: "compare with a case of the enum, such as '.first'")
public func == <A: Storable & RawRepresentable>(
  a: QueryValue<A?>, b: A.RawValue
) -> QueryCondition { noProgramCalls() }

// MARK: !=

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func != <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryCondition
{ noProgramCalls() }

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func != <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryCondition {
  noProgramCalls()
}

// MARK: <

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func < <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryCondition
{ noProgramCalls() }

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func < <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryCondition {
  noProgramCalls()
}

// MARK: <=

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func <= <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryCondition
{ noProgramCalls() }

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func <= <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryCondition {
  noProgramCalls()
}

// MARK: >

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func > <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryCondition
{ noProgramCalls() }

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func > <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryCondition {
  noProgramCalls()
}

// MARK: >=

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func >= <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: QueryValue<B>)
  -> QueryCondition
{ noProgramCalls() }

/// Numbers of different types do not mix.
@available(
  *, unavailable, message: "numbers of different types do not mix: use asDouble, asInt or asDecimal"
)
public func >= <A: _Multipliable, B: _Multipliable>(a: QueryValue<A>, b: B) -> QueryCondition {
  noProgramCalls()
}
