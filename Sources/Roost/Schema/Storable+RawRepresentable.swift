extension Storable where Self: RawRepresentable, RawValue: Storable {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { RawValue._fieldType }
  /// Whether the raw value is an integer.
  @inlinable public static var _isInteger: Bool { RawValue._isInteger }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> Self {
    let raw = try RawValue._read(cell)
    if let value = Self(rawValue: raw) { return value }
    // An element of a collection, or a key, could not keep its stored value.
    if cell.isOfField, let fallback = _fallback?.value as? Self { return fallback }
    throw cell.undecodable("\(raw)")
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) { try rawValue._write(to: sink) }
  /// The value that a query compares.
  public var _constant: _Constant { rawValue._constant }

  /// All cases if the type can list them, otherwise the values of the raw type's samples, otherwise two cases by
  /// their representation in memory.
  public static func _samples(_ count: Int) -> [Self] {
    let listed = _listedCases(count)
    if !listed.isEmpty { return listed }
    let made = RawValue._samples(count).compactMap { Self(rawValue: $0) }
    return made.count > 1 ? made : firstCases()
  }
  /// Those of the raw type.
  public static var _unusualSamples: [Self] {
    RawValue._unusualSamples.compactMap { Self(rawValue: $0) }
  }
}

extension RawRepresentable {
  /// The first two cases of an enum without payloads whose cases cannot be listed.
  ///
  /// The cases of an enum with two to 256 cases are stored in a byte as numbers from 0, so the bytes 0 and 1 are
  /// cases; a case that its raw value does not give back is left out. A single case takes no bytes, and its optional one.
  static func firstCases() -> [Self] {
    if MemoryLayout<Self>.size == 0, MemoryLayout<Self?>.size == 1 {
      let value = unsafe unsafeBitCast((), to: Self.self)
      return Self(rawValue: value.rawValue) == nil ? [] : [value]
    }
    guard MemoryLayout<Self>.size == 1, _isPOD(Self.self) else { return [] }
    return [UInt8(0), 1].compactMap { byte in
      let value = unsafe unsafeBitCast(byte, to: Self.self)
      guard let same = Self(rawValue: value.rawValue) else { return nil }
      return unsafe unsafeBitCast(same, to: UInt8.self) == byte ? value : nil
    }
  }
}

/// An enum that may get more cases in later releases, and reads unknown values as ``fallback``.
///
/// ```swift
/// enum Mood: String, StorableWithFallback {
///   case calm, wild, other
///   static let fallback = Mood.other
/// }
/// ```
///
/// Stored values are kept: an object written with the fallback in a property whose stored value the enum does not know
/// keeps that value. To store the fallback itself, set the property alone: `update(…, set: \.mood, to: .other)`. Queries
/// compare stored values, so `$0.mood == .other` finds the objects that were set to the fallback. A text that objects are read
/// from, JSON or CSV, may have unknown values, too: the fallback is stored for them.
///
/// In collections, and as an object's key, a value without a case is an error: ``StoreError/undecodable(model:field:value:)``.
public protocol StorableWithFallback: Storable, RawRepresentable where RawValue: Storable {
  /// Replaces all values that the enum has no case for; one of its cases.
  static var fallback: Self { get }
}

extension StorableWithFallback {
  /// The fallback.
  public static var _fallback: _Fallback? {
    _Fallback(value: fallback, constant: fallback._constant)
  }
}

/// Replaces the stored values that a type does not know; part of the hooks of ``Storable``.
public struct _Fallback: Sendable {
  let value: any Storable
  let constant: _Constant
}

extension Storable {
  /// The cases of a type that can list them, otherwise empty.
  static func _listedCases(_ count: Int) -> [Self] {
    guard let listed = Self.self as? any CaseIterable.Type, let cases = listed.cases as? [Self]
    else { return [] }
    return Array(cases.prefix(count))
  }
}

extension CaseIterable {
  fileprivate static var cases: Any { Array(allCases) }
}
