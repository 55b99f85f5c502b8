internal import RoostEngine

// `&&`, `||` and `!` have one overload each, on one concrete type, and a comparison always has a field on
// its left, and a value or another field on its right. This keeps the type checking of a condition of eight terms below a
// third of a second: never add a second overload of `&&` or `||`.

/// Whether both conditions hold.
public func && (a: QueryCondition, b: QueryCondition) -> QueryCondition {
  QueryCondition(filter: .both(a.filter, b.filter))
}

/// Whether at least one of the conditions holds.
public func || (a: QueryCondition, b: QueryCondition) -> QueryCondition {
  QueryCondition(filter: .either(a.filter, b.filter))
}

/// Whether the condition does not hold.
public prefix func ! (condition: QueryCondition) -> QueryCondition {
  QueryCondition(filter: .not(condition.filter.asPart))
}

/// Whether the field has this value; nil equals nil, and NaN nothing.
@inlinable
public func == <Value: Storable>(field: QueryValue<Value>, value: Value) -> QueryCondition {
  .equal(field.handle, value._constant, Value.self)
}

/// Whether the field has a different value.
@inlinable
public func != <Value: Storable>(field: QueryValue<Value>, value: Value) -> QueryCondition {
  !QueryCondition.equal(field.handle, value._constant, Value.self)
}

/// Whether the field is below the value.
@inlinable
public func < <Value: Sortable>(field: QueryValue<Value>, value: Value) -> QueryCondition {
  .less(field.handle, value._constant)
}

/// Whether the field is at most the value.
@inlinable
public func <= <Value: Sortable>(field: QueryValue<Value>, value: Value) -> QueryCondition {
  .lessOrEqual(field.handle, value._constant)
}

/// Whether the field is above the value.
@inlinable
public func > <Value: Sortable>(field: QueryValue<Value>, value: Value) -> QueryCondition {
  .greater(field.handle, value._constant)
}

/// Whether the field is at least the value.
@inlinable
public func >= <Value: Sortable>(field: QueryValue<Value>, value: Value) -> QueryCondition {
  .greaterOrEqual(field.handle, value._constant)
}

/// Whether the field is below the value; false for nil.
@inlinable
public func < <Value: Sortable>(field: QueryValue<Value?>, value: Value) -> QueryCondition {
  .less(field.handle, value._constant)
}

/// Whether the field is at most the value; false for nil.
@inlinable
public func <= <Value: Sortable>(field: QueryValue<Value?>, value: Value) -> QueryCondition {
  .lessOrEqual(field.handle, value._constant)
}

/// Whether the field is above the value; false for nil.
@inlinable
public func > <Value: Sortable>(field: QueryValue<Value?>, value: Value) -> QueryCondition {
  .greater(field.handle, value._constant)
}

/// Whether the field is at least the value; false for nil.
@inlinable
public func >= <Value: Sortable>(field: QueryValue<Value?>, value: Value) -> QueryCondition {
  .greaterOrEqual(field.handle, value._constant)
}

/// Whether the embedded struct is nil; true if a struct around it is nil.
public func == <Struct: Embedded>(
  field: QueryValue<Struct?>, nothing: _OptionalNilComparisonType
) -> QueryCondition {
  !(field != nothing)
}

/// Whether the embedded struct is not nil.
public func != <Struct: Embedded>(
  field: QueryValue<Struct?>, nothing: _OptionalNilComparisonType
) -> QueryCondition {
  // The first column says whether the struct is present.
  QueryCondition(filter: .compare(field.term, .equal, .integer(1)))
}

// MARK: Two fields

/// Whether both have the same value; nil equals nil, and NaN nothing.
public func == <First: Storable, Second: Storable>(
  a: QueryValue<First>, b: QueryValue<Second>
) -> QueryCondition where First._Unwrapped == Second._Unwrapped {
  QueryCondition(filter: .comparison(a.term, .equal, b.term))
}

/// Whether the two have different values.
public func != <First: Storable, Second: Storable>(
  a: QueryValue<First>, b: QueryValue<Second>
) -> QueryCondition where First._Unwrapped == Second._Unwrapped {
  QueryCondition(filter: .comparison(a.term, .notEqual, b.term))
}

/// Whether the first is below the second; false if either is nil.
public func < <First: Sortable, Second: Sortable>(
  a: QueryValue<First>, b: QueryValue<Second>
) -> QueryCondition where First._Unwrapped == Second._Unwrapped {
  QueryCondition(filter: .comparison(a.term, .less, b.term))
}

/// Whether the first is at most the second; false if either is nil.
public func <= <First: Sortable, Second: Sortable>(
  a: QueryValue<First>, b: QueryValue<Second>
) -> QueryCondition where First._Unwrapped == Second._Unwrapped {
  QueryCondition(filter: .comparison(a.term, .lessOrEqual, b.term))
}

/// Whether the first is above the second; false if either is nil.
public func > <First: Sortable, Second: Sortable>(
  a: QueryValue<First>, b: QueryValue<Second>
) -> QueryCondition where First._Unwrapped == Second._Unwrapped {
  QueryCondition(filter: .comparison(a.term, .greater, b.term))
}

/// Whether the first is at least the second; false if either is nil.
public func >= <First: Sortable, Second: Sortable>(
  a: QueryValue<First>, b: QueryValue<Second>
) -> QueryCondition where First._Unwrapped == Second._Unwrapped {
  QueryCondition(filter: .comparison(a.term, .greaterOrEqual, b.term))
}

// Not generic, so that a program need not compile the operators for its own types, nor look up their metadata.
extension QueryCondition {
  @usableFromInline
  static func equal(
    _ handle: QueryTerm, _ constant: _Constant, _ type: any Storable.Type
  ) -> Self {
    let term = handle.term
    return switch constant.value {
    case .null where constant.equalsNothing: Self(filter: .always(false))
    case .null: Self(filter: .isNull(term))
    // No model has a key that is stored as an integer and must be looked up.
    case .integer: Self(filter: .compare(term, .equal, constant.value))
    default: Self(filter: .compare(term.comparable(as: type), .equal, constant.value))
    }
  }

  static func compare(
    _ term: ExpressionTerm, _ comparison: Comparison, _ constant: _Constant
  ) -> Self {
    Self(
      filter: constant.equalsNothing
        ? .always(false) : .compare(term, comparison, constant.value))
  }

  @usableFromInline
  static func less(_ handle: QueryTerm, _ constant: _Constant) -> Self {
    compare(handle.term, .less, constant)
  }

  @usableFromInline
  static func lessOrEqual(_ handle: QueryTerm, _ constant: _Constant) -> Self {
    compare(handle.term, .lessOrEqual, constant)
  }

  @usableFromInline
  static func greater(_ handle: QueryTerm, _ constant: _Constant) -> Self {
    compare(handle.term, .greater, constant)
  }

  @usableFromInline
  static func greaterOrEqual(_ handle: QueryTerm, _ constant: _Constant) -> Self {
    compare(handle.term, .greaterOrEqual, constant)
  }
}

extension FieldPath {
  /// The path to the value that a value of this type is compared with: for a link, the key of its target.
  ///
  /// A link to a target with integer keys is stored as the key, and so is compared itself.
  func comparable(as type: any Storable.Type) -> FieldPath {
    let type = type._fieldType
    guard type.isLookedUp, let target = type.target else { return self }
    return following(to: FieldStep(keyOf: target))
  }
}
