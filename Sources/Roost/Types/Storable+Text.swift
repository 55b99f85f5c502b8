internal import RoostEngine

/// Stored as UTF-8, without normalization: two strings that Swift finds equal may be stored differently
/// (é in one scalar or in two), and are then two values to a query, an index and a key.
extension String: Sortable {
  /// The type that the file knows the field by.
  public static var _fieldType: _FieldType { _FieldType(.string) }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> String {
    try cell.withBytes { view in
      unsafe view.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) { sink.append(self) }
  /// Appends the values that lie at `first`, one each `stride` bytes, to a column.
  @unsafe public static func _writeAll(
    from first: UnsafeRawPointer, stride: Int, count: Int, to sink: _CellSink
  ) throws(StoreError) {
    unsafe sink.column.append(stringsAt: first, stride: stride, count: count)
  }
  /// The value as a query compares it.
  public var _constant: _Constant { _Constant(.bytes(Array(utf8))) }
  /// Values to try a schema with.
  public static func _samples(_ count: Int) -> [String] { (1...count).map { "\($0)" } }
}
