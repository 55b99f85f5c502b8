#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How objects get their keys.
public struct KeyOption<ID: Storable>: Hashable, Sendable {
  let assignment: KeyAssignment
}

extension KeyOption where ID: AssignableKey {
  /// The store gives an object its key when it is inserted with the id `.assigned`.
  ///
  /// ```swift
  /// struct Note: Model {
  ///   let id: Int
  ///   var text: String
  ///   static let schema = Schema(Note.init, Key("id", \.id, .assigned), Field("text", \.text))
  /// }
  /// let note = try transaction.insert(Note(id: .assigned, text: "…"))   // note.id is 1
  /// ```
  ///
  /// An integer is higher than those of all objects that exist or have ever existed: the id of a deleted
  /// object is not reused, even after the store was reopened. Numbers taken by a rolled-back transaction are reused.
  /// A `UUID` is of version 7 (RFC 9562): milliseconds of the wall clock, and random bits. UUIDs made in one process
  /// ascend, also within a millisecond and when the clock is set back, so that objects inserted together are stored together.
  /// An object with any other id keeps it.
  public static var assigned: Self { Self(assignment: ID._assignment.kind) }
}

/// A type of keys that the store can assign: any integer, or `UUID`.
///
/// A type with such a raw value conforms by declaring its placeholder for a key:
/// `static let assigned = NoteID(rawValue: .assigned)`.
public protocol AssignableKey: Storable {
  /// The placeholder for a key until the object is inserted: 0, or the UUID of zeros.
  static var assigned: Self { get }
  /// How the store makes keys.
  static var _assignment: _KeyAssignment { get }
}

/// How the store makes keys of a type.
public struct _KeyAssignment: Hashable, Sendable {
  let kind: KeyAssignment
}

/// How the store gives objects their keys.
enum KeyAssignment: Hashable, Sendable {
  /// Numbers from 1 up to a maximum.
  case numbers(max: UInt64)
  /// UUIDs of version 7.
  case uuids
}

extension AssignableKey where Self: FixedWidthInteger {
  /// Numbers from 1.
  public static var _assignment: _KeyAssignment {
    _KeyAssignment(kind: .numbers(max: UInt64(max)))
  }
  /// 0.
  public static var assigned: Self { 0 }
}

extension AssignableKey where Self: RawRepresentable, RawValue: AssignableKey {
  /// As the raw value.
  public static var _assignment: _KeyAssignment { RawValue._assignment }
}

extension Int: AssignableKey {}
extension Int8: AssignableKey {}
extension Int16: AssignableKey {}
extension Int32: AssignableKey {}
extension Int64: AssignableKey {}
extension UInt: AssignableKey {}
extension UInt8: AssignableKey {}
extension UInt16: AssignableKey {}
extension UInt32: AssignableKey {}
extension UInt64: AssignableKey {}

extension UUID: AssignableKey {
  /// UUIDs of version 7.
  public static var _assignment: _KeyAssignment { _KeyAssignment(kind: .uuids) }
  /// The UUID of zeros.
  public static var assigned: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
}
