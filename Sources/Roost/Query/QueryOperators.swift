internal import RoostEngine

// `&&`, `||` and `!` have one overload each, on one concrete type, and a comparison always has a field on
// its left and a value on its right. That is what keeps a condition of eight terms within a third of a
// second of type checking: never add a second overload of `&&` or `||`.

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
  QueryCondition(filter: .not(condition.filter))
}

/// Whether the field has this value; nil equals nil, and NaN nothing.
public func == <Value: Storable>(field: QueryValue<Value>, value: Value) -> QueryCondition {
  QueryCondition(filter: field.equals(value))
}

/// Whether the field has another value than this one.
public func != <Value: Storable>(field: QueryValue<Value>, value: Value) -> QueryCondition {
  QueryCondition(filter: .not(field.equals(value)))
}

/// Whether the field is below the value.
public func < <Value: Sortable>(field: QueryValue<Value>, value: Value) -> QueryCondition {
  field.compare(.less, value)
}

/// Whether the field is at most the value.
public func <= <Value: Sortable>(field: QueryValue<Value>, value: Value) -> QueryCondition {
  field.compare(.lessOrEqual, value)
}

/// Whether the field is above the value.
public func > <Value: Sortable>(field: QueryValue<Value>, value: Value) -> QueryCondition {
  field.compare(.greater, value)
}

/// Whether the field is at least the value.
public func >= <Value: Sortable>(field: QueryValue<Value>, value: Value) -> QueryCondition {
  field.compare(.greaterOrEqual, value)
}

/// Whether the field is below the value; nil is not.
public func < <Value: Sortable>(field: QueryValue<Value?>, value: Value) -> QueryCondition {
  field.compare(.less, value)
}

/// Whether the field is at most the value; nil is not.
public func <= <Value: Sortable>(field: QueryValue<Value?>, value: Value) -> QueryCondition {
  field.compare(.lessOrEqual, value)
}

/// Whether the field is above the value; nil is not.
public func > <Value: Sortable>(field: QueryValue<Value?>, value: Value) -> QueryCondition {
  field.compare(.greater, value)
}

/// Whether the field is at least the value; nil is not.
public func >= <Value: Sortable>(field: QueryValue<Value?>, value: Value) -> QueryCondition {
  field.compare(.greaterOrEqual, value)
}

extension QueryValue {
  fileprivate func compare(_ comparison: Comparison, _ value: some Storable) -> QueryCondition {
    QueryCondition(filter: .compare(path, comparison, value._constant.value))
  }

  /// The value as the path compares it: a link is compared by its target's key.
  func equals(_ value: Value) -> Filter {
    let constant = value._constant.value
    if case .null = constant { return .isNull(path) }
    return .compare(comparablePath, .equal, constant)
  }

  /// The path to what a value of this type is compared with: for a link, the key of its target.
  ///
  /// A link to a target with integer keys is stored as that key, and so is compared itself.
  var comparablePath: FieldPath {
    let type = Value._fieldType
    guard type.isLookedUp, let target = type.target else { return path }
    return path.following(to: FieldStep(keyOf: target))
  }
}
