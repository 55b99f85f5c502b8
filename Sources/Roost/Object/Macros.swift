#if Macros
/// Makes a struct a ``Model``: writes its schema from its stored properties.
///
/// ```swift
/// @Model struct Dog {
///   let id: Int
///   @Indexed var name: String
///   @OnTargetDelete(.cascade) var owner: Link<Person>?
/// }
/// ```
///
/// is equivalent to
///
/// ```swift
/// static let schema = Schema(
///   Dog.init, Key("id", \.id), Field("name", \.name, .indexed), Field("owner", \.owner, .onTargetDelete(.cascade)))
/// ```
///
/// The property `id` is the key. Static, lazy and computed properties, and constants with a value, are ignored. A
/// struct with its own initializer needs one that takes all stored properties as parameters of the same names.
///
/// Only with the trait `Macros`, which builds swift-syntax.
@attached(extension, conformances: Model, names: named(schema))
public macro Model() = #externalMacro(module: "RoostMacros", type: "ModelMacro")

/// Queries that compare the property use an index: ``FieldOption/indexed``.
@attached(peer)
public macro Indexed() = #externalMacro(module: "RoostMacros", type: "FieldMacro")

/// No two objects have the same value: ``FieldOption/unique``.
@attached(peer)
public macro Unique() = #externalMacro(module: "RoostMacros", type: "FieldMacro")

/// The store assigns this key: ``KeyOption/assigned``.
@attached(peer)
public macro Assigned() = #externalMacro(module: "RoostMacros", type: "FieldMacro")

/// The property's stored name, if it differs from its own name.
@attached(peer)
public macro Named(_ name: String) = #externalMacro(module: "RoostMacros", type: "FieldMacro")

/// Objects stored before the model had this property get `value`: ``FieldOption/default(_:)``.
@attached(peer)
public macro Default<Value>(_ value: Value) =
  #externalMacro(module: "RoostMacros", type: "FieldMacro")

/// The rule for the link when its target is deleted: ``FieldOption/onTargetDelete(_:)``.
@attached(peer)
public macro OnTargetDelete(_ rule: LinkDeleteRule) =
  #externalMacro(module: "RoostMacros", type: "FieldMacro")

/// The rule for the link when its target does not exist: ``FieldOption/onMissingTarget(_:)``.
@attached(peer)
public macro OnMissingTarget(_ rule: MissingTargetRule) =
  #externalMacro(module: "RoostMacros", type: "FieldMacro")

/// The delete rule of a link as an argument of ``OnTargetDelete(_:)``; see ``DeleteRule``.
public enum LinkDeleteRule: Hashable, Sendable {
  /// The target is not deleted.
  case deny
  /// The link becomes nil.
  case nullify
  /// The object that has the link is deleted, too.
  case cascade
}
#endif
