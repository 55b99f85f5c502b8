/// A condition on the objects of a table, in terms of field numbers.
///
/// Logic has two values, and null is Swift's nil: null equals null, is unequal to every value, and is
/// neither below nor above anything. NaN equals nothing, −0 equals 0. Texts and data are compared as
/// unsigned bytes. Field 0 is the object key, an integer.
package enum Predicate: Equatable, Sendable {
  /// Every object, or none.
  case always(Bool)
  /// Compares the field's value with a constant of its physical type, or with null.
  case compare(FieldID, Comparison, Value)
  /// The field has no value.
  case isNull(FieldID)
  /// The field's value equals one of these values, which may include null.
  case oneOf(FieldID, [Value])
  /// The field's bytes begin with, end with or contain these.
  case text(FieldID, TextMatch, [UInt8])
  /// Every part holds; always true without parts.
  case and([Predicate])
  /// Some part holds; never true without parts.
  case or([Predicate])
  /// The part does not hold.
  indirect case not(Predicate)
  /// The link is not null, and its target meets the predicate over the target's fields.
  indirect case link(FieldID, Predicate)
  /// Some object of a table whose link, or list of links, leads to the object meets the predicate over its own
  /// fields.
  indirect case inverse(table: UInt32, field: FieldID, Predicate)
  /// A comparison of two expressions.
  case comparison(ColumnExpression, Comparison, ColumnExpression)
  /// An expression equals one of these values, which may include null.
  case membership(ColumnExpression, [Value])
  /// The bytes of the expression begin with, end with or contain these.
  case textMatch(ColumnExpression, TextMatch, [UInt8])
  /// The bytes of the expression match a pattern.
  case matches(ColumnExpression, TextPattern)
  /// The target of some link of a list meets the predicate over the target's fields.
  indirect case links(FieldID, Predicate)
}

/// An expression over an object's fields: in an update or a query.
///
/// An operation with a null operand is null, except ``coalescing(_:_:)``. In a query, a result that does not fit its
/// type is null too, as is a division of integers or decimal numbers by zero; in an update they are errors.
package indirect enum ColumnExpression: Equatable, Sendable {
  /// The same value for all objects.
  case constant(Value)
  /// A field's value; 0 is the object key.
  case field(FieldID)
  /// An operation on two numbers of a kind.
  case arithmetic(Arithmetic, NumberKind, ColumnExpression, ColumnExpression)
  /// Converts a number of the first kind to the second: rounded toward zero if that is an integer kind.
  case conversion(NumberKind, NumberKind, ColumnExpression)
  /// The bytes of the first followed by those of the second.
  case concatenation(ColumnExpression, ColumnExpression)
  /// The first value, or the second if the first is null.
  case coalescing(ColumnExpression, ColumnExpression)
  /// The folded bytes of a text: equivalent texts have equal folded bytes.
  case folded(TextFolding, ColumnExpression)
  /// An expression over the target of a link; null if the link is null.
  case target(FieldID, ColumnExpression)
  /// An aggregate over the related objects that meet a predicate.
  case related(Relation, AggregateFunction, ColumnExpression, where: Predicate)
  /// An aggregate over the elements of a collection that meet a predicate.
  ///
  /// In the predicate, the columns of an element are fields, numbered from 1; it may compare them and match their texts.
  /// The aggregate reads one of them, or counts whole elements, which have the number 0. Null for a
  /// null collection.
  case elements(FieldID, AggregateFunction, of: FieldID, where: Predicate)
  /// An expression over the outer object: the one that leads here by a link or relation, or that has the element.
  ///
  /// Targets and related objects are evaluated once for all objects that lead to them, unless the expression reads
  /// the outer object: then it is evaluated for each pair.
  case outside(ColumnExpression)
}

/// A path from an object to its related objects.
package enum Relation: Hashable, Sendable {
  /// The targets of a list of links, each as often as it is linked.
  case links(FieldID)
  /// The objects of a table whose link, or list of links, leads to the object; each once.
  case inverse(table: UInt32, field: FieldID)
}
