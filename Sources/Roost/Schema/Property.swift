internal import RoostEngine

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One stored property of a model or of an embedded struct: made by ``Key(_:_:_:)``, ``Field(_:_:_:)`` or ``Part(_:_:_:)``.
public struct Property<Root, Value: PropertyValue>: Sendable {
  let name: String
  let path: any KeyPath<Root, Value> & Sendable
  let isKey: Bool
  let options: [FieldOption<Value>]
  /// How the store assigns keys; nil if it does not.
  var assignment: KeyAssignment?
}

/// The property that identifies an object, stored under `name`: each schema has exactly one.
///
/// Its type is an integer, a text, a `UUID`, an enum or another type that stores one of these, or a ``CompoundKey``. An `Int` is
/// the cheapest key: lookups by it need no index.
///
/// - Parameters:
///   - name: The name in the file.
///   - path: The property `id`. If yours has another name, give that, and declare a computed `id` that returns it.
///   - options: ``KeyOption/assigned``, if the store is to give objects their keys.
public func Key<M: Model>(
  _ name: String, _ path: any KeyPath<M, M.ID> & Sendable, _ options: KeyOption<M.ID>...
) -> Property<M, M.ID> {
  var property = Property<M, M.ID>(name: name, path: path, isKey: true, options: [])
  property.assignment = options.last?.assignment
  return property
}

/// A property, stored under `name`.
///
/// ```swift
/// Field("email", \.email, .unique), Field("owner", \.owner, .onTargetDelete(.cascade))
/// ```
///
/// - Parameters:
///   - name: The name in the file: the Swift property can be renamed without a migration as long as this name stays.
///   - path: The property. Its type is ``Storable`` or ``Embedded``, an optional or a collection of these, or a ``Link``,
///     ``Links`` or a ``Blob``.
///   - options: How it is stored: ``FieldOption/indexed``, ``FieldOption/unique``, ``FieldOption/default(_:)`` and
///     ``FieldOption/was(_:)`` for files of older releases; for links, what happens when their targets are deleted.
public func Field<M: Model, Value: PropertyValue>(
  _ name: String, _ path: any KeyPath<M, Value> & Sendable, _ options: FieldOption<Value>...
) -> Property<M, Value> {
  Property(name: name, path: path, isKey: false, options: options)
}

/// A part of an embedded struct, stored under the path to it: `address.city`.
public func Part<Root: Embedded, Value: PropertyValue>(
  _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ options: FieldOption<Value>...
) -> Property<Root, Value> {
  Property(name: name, path: path, isKey: false, options: options)
}

/// How a field is stored, beyond its type.
public struct FieldOption<Value: PropertyValue>: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case indexed, unique, nullifiedWithoutTarget, cacheDate
    case was(String)
    case onTargetDelete(ReferentialAction)
    case defaulted(Value)
  }

  let kind: Kind

  /// Objects stored before the model had this field get `value`.
  public static func `default`(_ value: Value) -> Self { Self(kind: .defaulted(value)) }

  /// The field's name in an older release: a field stored under it is renamed, unless the file has the new name.
  ///
  /// Use it for a simple rename, without a migration step. For a field renamed twice, give both older names. A name that is
  /// reused for another field needs a ``MigrationStep``, and so does a part of a struct that collections have: opening the file throws
  /// ``StoreError/migrationRequired(_:)`` then, and nothing is lost.
  public static func was(_ name: String) -> Self { Self(kind: .was(name)) }
}

extension FieldOption where Value == Date {
  /// In a cache, the age of an object is counted from this date instead of the time of its last write.
  ///
  /// For one field of a model: the time when its objects were fetched, or last used. See
  /// ``Configuration/cache(maxBytes:expiresAfter:keeping:)``. In other stores it has no effect.
  public static var cacheDate: Self { Self(kind: .cacheDate) }
}

extension FieldOption where Value: Storable {
  /// Queries that compare the field use an index. Each insert then costs a little more.
  ///
  /// The index of a collection is of whole values: conditions on its elements do not use it.
  public static var indexed: Self { Self(kind: .indexed) }

  /// No two objects have the same value. Nil may occur often, NaN once. The index is that of ``indexed``.
  public static var unique: Self { Self(kind: .unique) }
}
