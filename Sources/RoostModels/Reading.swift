/// How a property is read from an object of a foreign file.
enum Reading: Hashable {
  /// The primary key, or what takes its place.
  case id
  /// The number that Realm gives an object.
  case objectKey
  /// The number that SQLite gives a row.
  case rowID
  /// A value as it is.
  case value(String)
  /// The name of the entity.
  case entity
  /// Data that may be in a file of its own.
  case externalData(String)
  /// A date in a column, in the form of this name.
  case date(String, form: String)
  /// The target of a link.
  case link(String)
  /// The targets of a list of links.
  case links(String)
  /// The target of a link, by the number that Realm gives it.
  case linkByObjectKey(String)
  /// The targets of a list of links, by the numbers that Realm gives them.
  case linksByObjectKey(String)
  /// The numbers that Realm gives the targets of a dictionary of links.
  case linkDictionary(String)
  /// The targets that a table between two others leads to, in the order of a column, or of the rows.
  case linksThrough(table: String, from: String, to: String, orderedBy: String?)
  /// An embedded object, as the struct at this place.
  case embedded(String, Int)
  /// A list of embedded objects, as the struct at this place.
  case embeddedList(String, Int)
  /// A compound key, made of its parts: the key at this place.
  case parts(Int)
}
