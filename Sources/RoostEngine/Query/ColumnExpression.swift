/// What is computed of an object: for an update, or where a query asks for more than a field.
///
/// Whatever has a null on either side is null, but for ``coalescing(_:_:)``. In a query, a result that does not fit its
/// type is null too, as is a division of integers by zero; in an update it is an error.
package indirect enum ColumnExpression: Equatable, Sendable {
  /// The same for all objects.
  case constant(Value)
  /// A field's value; 0 is the object key.
  case field(FieldID)
  /// What an operation makes of two numbers of a kind.
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
  /// What the objects give together that one has to do with, those of them that fulfil a predicate.
  case related(Relation, AggregateFunction, ColumnExpression, where: Predicate)
  /// What the elements of a collection give together, those of them that fulfil a predicate.
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
