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
  /// What is computed of the object, compared with something else that is.
  case comparison(ColumnExpression, Comparison, ColumnExpression)
  /// What is computed of the object equals one of these, null among them or not.
  case membership(ColumnExpression, [Value])
  /// The bytes that are computed of the object begin with, end with or contain these.
  case textMatch(ColumnExpression, TextMatch, [UInt8])
  /// The bytes of a field, or those that are computed of the object, match a pattern.
  case matches(ColumnExpression, TextPattern)
  /// The target of some link of a list fulfils the predicate over the target's fields.
  indirect case links(FieldID, Predicate)
}
