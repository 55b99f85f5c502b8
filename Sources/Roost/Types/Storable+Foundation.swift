package import RoostEngine

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Stored as seconds since the reference date, the representation of a `Date`: no bit is lost.
extension Date: Sortable {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.date) }
  /// The value in a cell.
  @inlinable
  public static func _read(_ cell: _Cell) throws(StoreError) -> Date {
    Date(timeIntervalSinceReferenceDate: try Double._read(cell))
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) {
    sink.append(timeIntervalSinceReferenceDate)
  }
  /// The value that a query compares.
  public var _constant: _Constant { _Constant(.double(timeIntervalSinceReferenceDate)) }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Date] {
    (1...count).map { Date(timeIntervalSinceReferenceDate: Double($0)) }
  }
  /// Sample values that a calculation is likely to change.
  public static var _unusualSamples: [Date] {
    [0, -86_400.75, 700_000_000.25].map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}

extension UUID: Sortable {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.uuid) }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> UUID {
    let halves = try cell.uuid
    return UUID(high: halves.high, low: halves.low)
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) {
    let halves = self.halves
    sink.append(uuid: halves.high, halves.low)
  }
  /// The value that a query compares.
  public var _constant: _Constant {
    let halves = self.halves
    return _Constant(.uuid(halves.high, halves.low))
  }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [UUID] {
    (1...count).map { UUID(high: 0, low: UInt64($0)) }
  }

  /// The UUID's bytes as two big-endian numbers.
  package var halves: (high: UInt64, low: UInt64) {
    // A UUID is its sixteen bytes and nothing else; through `uuid` they go one by one.
    let (high, low) = unsafe unsafeBitCast(self, to: (UInt64, UInt64).self)
    return (UInt64(bigEndian: high), UInt64(bigEndian: low))
  }

  package init(high: UInt64, low: UInt64) {
    // Each pattern of sixteen bytes is a UUID.
    self = unsafe unsafeBitCast((high.bigEndian, low.bigEndian), to: UUID.self)
  }
}

extension Data: Sortable {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.data) }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> Data {
    try cell.withBytes { $0.data }
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) {
    withByteView { sink.append(bytes: $0) }
  }
  /// The value that a query compares.
  public var _constant: _Constant { _Constant(.bytes(Array(self))) }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Data] {
    (1...count).map { Data("\($0)".utf8) }
  }
  /// Sample values that a calculation is likely to change.
  public static var _unusualSamples: [Data] { [Data(), Data([0xFF, 0, 0xFF, 1])] }
}

extension Data {
  /// Calls `body` with a view of the bytes, which is valid until `body` returns.
  package func withByteView<Result>(_ body: (ByteView) -> Result) -> Result {
    // The data is held, and not changed, until `body` returns.
    unsafe withUnsafeBytes { body(unsafe ByteView($0)) }
  }
}

extension ByteView {
  /// A copy of the bytes.
  package var data: Data { unsafe withUnsafeBytes { unsafe Data($0) } }
}
