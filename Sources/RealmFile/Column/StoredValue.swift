/// A value as the file has it.
package enum StoredValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Float)
  case double(Double)
  /// The bytes of a text, which should be UTF-8 and need not be.
  case string([UInt8])
  case data([UInt8])
  /// Time since 1970; both parts have one sign.
  case date(seconds: Int64, nanoseconds: Int32)
  /// The 128 bits of a decimal in binary coding.
  case decimal(high: UInt64, low: UInt64)
  /// The 12 bytes of an ObjectId.
  case objectID([UInt8])
  /// The 16 bytes of a UUID.
  case uuid([UInt8])
  /// The key of a table, and that of an object in it.
  case link(table: UInt32, key: Int64)
  case list([StoredValue])
  case set([StoredValue])
  case dictionary([Entry])

  /// An entry of a dictionary.
  package struct Entry: Equatable, Sendable {
    /// The key: a text, or an integer in files that no SDK made.
    package var key: StoredValue
    package var value: StoredValue
  }

  /// What an element of a collection costs in memory, without the bytes that it points to.
  ///
  /// A growing array has room for twice its elements, and the caller makes values of its own of them.
  static let elementBytes = 4 * MemoryLayout<StoredValue>.stride
}

/// The type of a column's values.
package enum StoredType: UInt16, Sendable {
  case int = 0
  case bool = 1
  case string = 2
  case data = 4
  case mixed = 6
  case date = 8
  case float = 9
  case double = 10
  case decimal = 11
  case link = 12
  /// Lists of links in formats below 24.
  case linkList = 13
  case backlink = 14
  case objectID = 15
  case typedLink = 16
  case uuid = 17
}

/// What a leaf has for one of its values.
enum LeafValue: Sendable {
  case value(StoredValue)
  /// A link in a list, whose target is gone.
  case gone
  /// A list in a Mixed, and where its elements are.
  case list(UInt64?)
  /// A dictionary in a Mixed, and where its entries are.
  case dictionary(UInt64?)
}

/// How a leaf has to be read, which its bytes do not say.
struct LeafType: Sendable {
  var type: StoredType
  var isNullable: Bool
  /// The table that links lead to.
  var target: UInt32?
  /// Where the distinct values of enumerated strings are.
  var enumeration: UInt64?
  /// Whether links are stored as the key plus one, with 0 for none, as in a column; in a list they are not.
  var linksArePlusOne = false

  /// The type of the values of a dictionary, and of all that a Mixed contains.
  static let mixed = LeafType(type: .mixed, isNullable: true)
  /// The type of a dictionary's keys.
  static let key = LeafType(type: .string, isNullable: true)
}
