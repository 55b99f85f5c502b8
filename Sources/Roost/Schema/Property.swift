internal import RoostEngine

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One stored property of a model or of an embedded struct: made by ``Key(_:_:)``, ``Field(_:_:_:)`` or ``Part(_:_:_:)``.
public struct Property<Root, Value: PropertyValue>: Sendable {
  let name: String
  let path: any KeyPath<Root, Value> & Sendable
  let isKey: Bool
  let options: [FieldOption<Value>]
  /// How the store gives objects their keys, where it does.
  var assignment: KeyAssignment?
}

/// The property that identifies an object, stored under `name`.
///
/// An `Int` is the cheapest key: lookups by it need no index.
public func Key<M: Model>(
  _ name: String, _ path: any KeyPath<M, M.ID> & Sendable, _ options: KeyOption<M.ID>...
) -> Property<M, M.ID> {
  var property = Property<M, M.ID>(name: name, path: path, isKey: true, options: [])
  property.assignment = options.last?.assignment
  return property
}

/// A property, stored under `name`.
///
/// The name belongs to the file: renaming the Swift property needs no migration while it stays.
public func Field<M: Model, Value: PropertyValue>(
  _ name: String, _ path: any KeyPath<M, Value> & Sendable, _ options: FieldOption<Value>...
) -> Property<M, Value> {
  Property(name: name, path: path, isKey: false, options: options)
}

/// A part of an embedded struct, stored under the names on the way to it: `address.city`.
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

  /// Objects that were stored before the model had this field get `value`.
  public static func `default`(_ value: Value) -> Self { Self(kind: .defaulted(value)) }

  /// The name under which an older release stored the field: a file that has it, and not the new one, gets the new one.
  ///
  /// For the simple rename, which takes no step. Of a field that was renamed twice both older names are said. A name that is
  /// used again for another field needs a ``MigrationStep``.
  public static func was(_ name: String) -> Self { Self(kind: .was(name)) }
}

extension FieldOption where Value == Date {
  /// In a store that is a cache, an object is as old as this date says, and not as long ago as it was written.
  ///
  /// For one field of a model: when its objects were fetched, or last used. See
  /// ``Configuration/cache(maxBytes:expiresAfter:keeping:)``. In other stores it means nothing.
  public static var cacheDate: Self { Self(kind: .cacheDate) }
}

extension FieldOption where Value: Storable {
  /// Queries that compare the field use an index. Each insert then costs a little more.
  public static var indexed: Self { Self(kind: .indexed) }

  /// No two objects have the same value. Nil may occur often, NaN once. The index is that of ``indexed``.
  public static var unique: Self { Self(kind: .unique) }
}
