/// Which objects of a table a query is about, over field numbers.
///
/// Logic has two values, and null is Swift's nil: null equals null, is unequal to every value, and is
/// neither below nor above anything. NaN equals nothing, −0 equals 0. Texts and data are compared as
/// unsigned bytes. Field 0 is the object key, an integer.
package enum Predicate: Equatable, Sendable {
  /// Every object, or none.
  case always(Bool)
  /// The field's value compared with a constant of its physical type, or with null.
  case compare(FieldID, Comparison, Value)
  /// The field has no value.
  case isNull(FieldID)
  /// The field's value equals one of these, null among them or not.
  case oneOf(FieldID, [Value])
  /// The field's bytes begin with, end with or contain these.
  case text(FieldID, TextMatch, [UInt8])
  /// Every part holds; no part at all holds always.
  case and([Predicate])
  /// Some part holds; no part at all holds never.
  case or([Predicate])
  /// The part does not hold.
  indirect case not(Predicate)
  /// The link is not null, and its target fulfils the predicate over the target's fields.
  indirect case link(FieldID, Predicate)
  /// Some object of a table whose link, or list of links, leads to the object fulfils the predicate over its own
  /// fields.
  indirect case inverse(table: UInt32, field: FieldID, Predicate)
  /// A comparison of two expressions.
  case comparison(ColumnExpression, Comparison, ColumnExpression)
  /// An expression equals one of these values, which may include null.
  case membership(ColumnExpression, [Value])
  /// The bytes that are computed of the object begin with, end with or contain these.
  case textMatch(ColumnExpression, TextMatch, [UInt8])
  /// The bytes of a field, or those that are computed of the object, match a pattern.
  case matches(ColumnExpression, TextPattern)
  /// The target of some link of a list fulfils the predicate over the target's fields.
  indirect case links(FieldID, Predicate)
}

/// An expression over an object's fields: for an update, or in a query.
///
/// Whatever has a null on either side is null, but for ``coalescing(_:_:)``. In a query, a result that does not fit its
/// type is null too, as is a division of integers by zero; in an update it is an error.
package indirect enum ColumnExpression: Equatable, Sendable {
  /// The same for all objects.
  case constant(Value)
  /// A field's value; 0 is the object key.
  case field(FieldID)
  /// An operation on two numbers of a kind.
  case arithmetic(Arithmetic, NumberKind, ColumnExpression, ColumnExpression)
  /// A number of the first kind as one of the second: rounded toward zero where that is one of integers.
  case conversion(NumberKind, NumberKind, ColumnExpression)
  /// The bytes of the one and then of the other.
  case concatenation(ColumnExpression, ColumnExpression)
  /// The first one, or the second where that is null.
  case coalescing(ColumnExpression, ColumnExpression)
  /// The bytes of a text in the form in which texts that count as the same are equal.
  case folded(TextFolding, ColumnExpression)
  /// An expression over the target of a link; null where the link is.
  case target(FieldID, ColumnExpression)
  /// An aggregate over the related objects that fulfil a predicate.
  case related(Relation, AggregateFunction, ColumnExpression, where: Predicate)
  /// An aggregate over the elements of a collection that fulfil a predicate.
  ///
  /// To the predicate, the columns of an element are fields, numbered from 1; it may compare them and match their texts.
  /// What is aggregated is one of them, or whole elements, by the number 0, which can be counted only. Null of a
  /// collection that is null.
  case elements(FieldID, AggregateFunction, of: FieldID, where: Predicate)
  /// An expression over the object from which one came to this one, by a link or a relation, or which has the element.
  ///
  /// What a link leads to is asked once for all objects that it leads to, and so are related objects, unless what is
  /// asked of them reads the object outside: then it is asked of each pair of both.
  case outside(ColumnExpression)
}

/// How an object leads to its related objects.
package enum Relation: Hashable, Sendable {
  /// The targets of a list of links, each as often as it is linked to.
  case links(FieldID)
  /// The objects of a table whose link, or list of links, leads to the object; each once.
  case inverse(table: UInt32, field: FieldID)
}
