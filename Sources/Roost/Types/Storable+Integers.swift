internal import RoostEngine

/// An integer that is stored as a signed 64-bit integer: any of Swift's integers except `UInt` and `UInt64`.
///
/// All of them have the same field type, so a field may change between them; a stored value that the new type cannot hold
/// throws ``StoreError/undecodable(model:field:value:)``. The library's own; do not conform to it.
public protocol _StoredInteger: Summable, _Multipliable, FixedWidthInteger
where _Sum == Int, _Mean == Double {}

extension _StoredInteger {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.int) }
  /// It is stored as a signed integer.
  @inlinable public static var _isInteger: Bool { true }
  /// The value in a cell.
  @inlinable
  public static func _read(_ cell: _Cell) throws(StoreError) -> Self {
    let stored =
      if let number = cell.decoded(as: Int64.self) { number } else { try cell.foundInteger }
    guard let value = Self(exactly: stored) else { throw cell.undecodable(stored) }
    return value
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) {
    sink.append(Int64(truncatingIfNeeded: self))
  }
  /// The value that a query compares.
  public var _constant: _Constant { _Constant(.integer(Int64(truncatingIfNeeded: self))) }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Self] {
    (1...count).compactMap(Self.init(exactly:))
  }
  /// Sample values that a calculation is likely to change.
  public static var _unusualSamples: [Self] { [0, -1, 77, -100, 100] }
  /// The number of this type in a sum.
  public static func _sum(_ sum: _Constant) -> Self? {
    if case .integer(let value) = sum.value { Self(exactly: value) } else { nil }
  }
}

extension Int: _StoredInteger {}
extension Int8: _StoredInteger {}
extension Int16: _StoredInteger {}
extension Int32: _StoredInteger {}
extension Int64: _StoredInteger {}
extension UInt8: _StoredInteger {}
extension UInt16: _StoredInteger {}
extension UInt32: _StoredInteger {}

/// An unsigned integer of 64 bits: stored with its highest bit flipped, so that the file's signed integers have its order.
///
/// The library's own; do not conform to it.
public protocol _StoredUnsigned: Summable, _Multipliable, FixedWidthInteger
where _Sum == UInt, _Mean == Double {}

extension _StoredUnsigned {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.uint) }
  /// It is stored as a signed integer.
  @inlinable public static var _isInteger: Bool { true }
  /// The value in a cell.
  @inlinable
  public static func _read(_ cell: _Cell) throws(StoreError) -> Self {
    let stored =
      if let number = cell.decoded(as: Int64.self) { number } else { try cell.foundInteger }
    guard let value = Self(exactly: UInt64(bitPattern: stored) ^ 1 << 63) else {
      throw cell.undecodable(stored)
    }
    return value
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) { sink.append(stored) }
  /// The value that a query compares.
  public var _constant: _Constant { _Constant(.integer(stored)) }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Self] {
    (1...count).compactMap(Self.init(exactly:))
  }
  /// Sample values that a calculation is likely to change.
  public static var _unusualSamples: [Self] { [0, 77, 100] }
  /// The number of this type in a sum.
  public static func _sum(_ sum: _Constant) -> Self? {
    guard case .integer(let value) = sum.value else { return nil }
    return Self(exactly: UInt64(bitPattern: value) ^ FieldType.signBit)
  }

  private var stored: Int64 {
    Int64(bitPattern: UInt64(truncatingIfNeeded: self) ^ FieldType.signBit)
  }
}

extension UInt: _StoredUnsigned {}
extension UInt64: _StoredUnsigned {}
