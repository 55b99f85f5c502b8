#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An object of an entity in a Core Data or SwiftData store, whose values are read when they are asked for.
///
/// It can be read until the mapping that it was given to returns. Properties have the names that they have in the app's model, which
/// files since about 2018 contain. In older files, a name is that of a column without its Z, whatever the case of letters:
/// `firstName` reads `ZFIRSTNAME`.
public struct CoreDataRow {
  let reader: CoreDataReader
  let own: CoreDataEntity
  let row: SQLiteRow

  /// The name of the object's entity.
  public var entity: String { own.name }

  /// The number that Core Data has given to the object (`Z_PK`), which is a part of its `NSManagedObjectID`.
  ///
  /// Objects of one entity, its parents and its subentities have different ones.
  ///
  /// - Throws: If the type cannot hold it.
  public func id<Key: SQLiteDecodable>(as type: Key.Type = Key.self) throws(SQLiteError) -> Key {
    try decoded(try number, "Z_PK", .other("Integer 64"))
  }

  /// An attribute's value as the Swift type that the place asks for: `let name: String? = try row["firstName"]`.
  ///
  /// A `Date` is read from a date, a `Decimal` from a decimal, a `UUID` from a UUID, a `String` from a URI, and `Data` from binary
  /// data and from a transformable, of which it is what the transformer made. Binary data that allows external storage is read by
  /// ``externalData(_:skippingMissing:)``. A decimal is stored as a binary fraction, and read as the shortest number that gives this
  /// fraction. Other types are read as in ``SQLiteRow/subscript(_:)``.
  ///
  /// The name of a column reads that column: `ZLATITUDE` an element of a composite attribute, and `ZNAME1` where several
  /// entities with the same parent have attributes `name`, and it is not certain which column is whose.
  ///
  /// - Throws: If the entity has no such attribute, or the type cannot hold the value, NULL included. The error names the object.
  public subscript<Value: SQLiteDecodable>(attribute: String) -> Value {
    get throws(SQLiteError) {
      let (stored, column) = try found(attribute)
      if column.mayBeExternal, stored != .null, Value.self == Data.self || Value.self == Data?.self
      {
        throw mayBeExternal(attribute, stored)
      }
      return try decoded(stored, attribute, column.type)
    }
  }

  /// An attribute's value as the Swift type that the place asks for; nil for NULL, and for a value that the type cannot hold.
  ///
  /// The report's `omissions` count the values for which it is nil without their being NULL.
  ///
  /// - Throws: If the entity has no such attribute.
  public subscript<Value: SQLiteDecodable>(ifReadable attribute: String) -> Value? {
    get throws(SQLiteError) {
      let (stored, column) = try found(attribute)
      if let value = Self.read(Value.self, stored, column.type) { return value }
      if stored != .null { reader.tables.countOmission(own.name, attribute) }
      return nil
    }
  }

  /// An attribute's value as the file has it; of a to-one relationship the other object's number.
  ///
  /// - Throws: If the entity has no such attribute or to-one relationship.
  public func value(_ attribute: String) throws(SQLiteError) -> SQLiteValue {
    try found(attribute).stored
  }
}

extension CoreDataRow {
  /// The value of a column, by its place.
  func value(at place: Int) throws(SQLiteError) -> SQLiteValue {
    try row.cursor.value(at: place, of: row.position)
  }

  /// The object's number.
  var number: SQLiteValue {
    get throws(SQLiteError) { try row.ownKey().value }
  }

  func found(
    _ attribute: String
  ) throws(SQLiteError) -> (stored: SQLiteValue, column: CoreDataColumns.Column) {
    let column = try reader.column(of: attribute, in: own)
    return (try value(at: column.place), column)
  }

  /// The value as a type; nil if it cannot hold it.
  static func read<Value: SQLiteDecodable>(
    _ type: Value.Type, _ stored: SQLiteValue, _ attribute: CoreDataType
  ) -> Value? {
    switch (attribute, stored) {
    case (.date, _) where Value.self == Date.self || Value.self == Date?.self:
      if let date = SQLiteDateForm.since2001.read(stored)?.date { return date as? Value }
    case (.decimal, .real(let real))
    where Value.self == Decimal.self || Value.self == Decimal?.self:
      return real.isFinite ? Decimal(string: "\(real)") as? Value : nil
    default: break
    }
    if case .exact(let value) = Value.decode(sqlite: stored) { return value }
    return nil
  }

  func decoded<Value: SQLiteDecodable>(
    _ stored: SQLiteValue, _ name: String, _ type: CoreDataType
  ) throws(SQLiteError) -> Value {
    if let value = Self.read(Value.self, stored, type) { return value }
    throw .mismatch(
      table: own.name, column: name, row: row.keyInWords, declared: type.words,
      found: stored.words, asked: SQLiteRow.words(Value.self),
      line: SQLiteRow.line(name, stored, Value.self))
  }
}
