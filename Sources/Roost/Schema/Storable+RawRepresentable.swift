extension Storable where Self: RawRepresentable, RawValue: Storable {
  /// The type that the file knows the field by.
  public static var _fieldType: _FieldType { RawValue._fieldType }
  /// Whether the raw value is.
  @inlinable public static var _isInteger: Bool { RawValue._isInteger }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> Self {
    let raw = try RawValue._read(cell)
    if let value = Self(rawValue: raw) { return value }
    // Of an element of a collection, or of a key, nothing would keep what is stored.
    if cell.isOfField, let fallback = _fallback?.value as? Self { return fallback }
    throw cell.undecodable("\(raw)")
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) { try rawValue._write(to: sink) }
  /// The value as a query compares it.
  public var _constant: _Constant { rawValue._constant }

  /// All cases where the type can list them, else what the raw type's samples make, else two cases by
  /// their place in memory.
  public static func _samples(_ count: Int) -> [Self] {
    let listed = _listedCases(count)
    if !listed.isEmpty { return listed }
    let made = RawValue._samples(count).compactMap { Self(rawValue: $0) }
    return made.count > 1 ? made : firstCases()
  }

  /// The first two cases of an enum without payloads, whose names nothing tells.
  ///
  /// Such an enum of two to 256 cases is one byte that numbers them from 0, so the bytes 0 and 1 are
  /// cases; and each must come back from its raw value, or it is left out.
  private static func firstCases() -> [Self] {
    guard MemoryLayout<Self>.size == 1, _isPOD(Self.self) else { return [] }
    return [UInt8(0), 1].compactMap { byte in
      let value = unsafe unsafeBitCast(byte, to: Self.self)
      return Self(rawValue: value.rawValue) == value ? value : nil
    }
  }
}

/// An enum that may get more cases in later releases, and reads as ``fallback`` what it has no case for.
///
/// ```swift
/// enum Mood: String, StorableWithFallback {
///   case calm, wild, other
///   static let fallback = Mood.other
/// }
/// ```
///
/// What is stored stays: an object that is written with the fallback in a property whose stored value the enum does not know
/// keeps that value. To give it the fallback itself, set the property alone: `update(…, set: \.mood, to: .other)`. Queries
/// compare what is stored, so `$0.mood == .other` finds those objects that were given it.
///
/// In elements of collections, and as an object's key, a value without a case remains an error: ``StoreError/undecodable(model:field:value:)``.
public protocol StorableWithFallback: Storable, RawRepresentable where RawValue: Storable {
  /// What stands for all values that the enum has no case for; one of its cases.
  static var fallback: Self { get }
}

extension StorableWithFallback {
  /// The fallback, and what tells the values that it stands for.
  public static var _fallback: _Fallback? {
    _Fallback(value: fallback, constant: fallback._constant) { cell throws(StoreError) in
      Self(rawValue: try RawValue._read(cell)) != nil
    }
  }
}

/// What stands for the stored values that a type does not know; part of the hooks of ``Storable``.
public struct _Fallback: Sendable {
  let value: any Storable
  let constant: _Constant
  /// Whether the type knows the value in a cell.
  let knows: @Sendable (_ cell: borrowing _Cell) throws(StoreError) -> Bool
}

extension Storable {
  /// The cases of a type that can list them, else none.
  static func _listedCases(_ count: Int) -> [Self] {
    guard let listed = Self.self as? any CaseIterable.Type, let cases = listed.cases as? [Self]
    else { return [] }
    return Array(cases.prefix(count))
  }
}

extension CaseIterable {
  fileprivate static var cases: Any { Array(allCases) }
}
