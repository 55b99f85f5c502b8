/// A struct that a store keeps.
///
/// ```swift
/// struct Person: Model {
///   let id: UUID
///   var name: String
///   var age: Int
///   static let schema = Schema(Person.init,
///     Key("id", \.id), Field("name", \.name, .indexed), Field("age", \.age))
/// }
/// ```
///
/// A model is a plain value: it has no connection to a store, and changing it changes nothing stored
/// until it is given to `update` or `upsert`. It is stored under the name of its type.
public protocol Model: Identifiable, Hashable, Sendable where ID: Storable {
  /// What is stored: the initializer, the key and the fields. Declare it as `static let`.
  static var schema: Schema<Self> { get }
  /// The indexes that are of several properties, or of some objects only. Declare it as `static let`; there are none
  /// unless told.
  static var indexes: [Index<Self>] { get }
}

extension Model {
  /// No indexes but those of single properties.
  public static var indexes: [Index<Self>] { [] }
}
