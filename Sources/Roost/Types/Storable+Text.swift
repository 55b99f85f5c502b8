internal import RoostEngine

/// Stored as UTF-8, without normalization: two strings that are equal in Swift may be stored differently
/// (é as one scalar or as two), and are then different values in a query, an index and a key.
extension String: Sortable {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.string) }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> String {
    // Most texts lie in the leaf; without a closure, debug builds take fewer steps.
    if let bytes = try cell.bytes { return bytes.string }
    return try cell.withBytes { $0.string }
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) { sink.append(self) }
  /// Appends values to a column.
  public static func _writeAll(
    _ values: _ValueRun<Self>, to sink: _CellSink
  ) throws(StoreError) {
    // The run's values are strings.
    unsafe values.withUnsafeValues { first, stride in
      unsafe sink.column.append(stringsAt: first, stride: stride, count: values.count)
    }
  }
  /// The value that a query compares.
  public var _constant: _Constant { _Constant(.bytes(Array(utf8))) }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [String] { (1...count).map { "\($0)" } }
  /// Sample values that a calculation is likely to change.
  public static var _unusualSamples: [String] { ["", " Bright\u{E9}, aZ \n", "two words, <b>"] }
}
