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
  /// The stored content: the initializer, the key and the fields. Declare it as `static let`.
  static var schema: Schema<Self> { get }
  /// The indexes of several properties, or of only some objects. Declare it as `static let`; by default
  /// there are none.
  static var indexes: [Index<Self>] { get }
}

extension Model {
  /// No indexes except those of single properties.
  public static var indexes: [Index<Self>] { [] }
}
