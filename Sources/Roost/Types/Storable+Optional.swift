internal import RoostEngine

extension Optional: Storable where Wrapped: Storable {
  /// The wrapped type without its optional.
  public typealias _Unwrapped = Wrapped._Unwrapped
  /// The field's type in the file.
  public static var _fieldType: _FieldType { Wrapped._fieldType.optional }
  /// Replaces stored values that the wrapped type does not know.
  public static var _fallback: _Fallback? { Wrapped._fallback }
  /// The value in a cell.
  @inlinable
  public static func _read(_ cell: _Cell) throws(StoreError) -> Wrapped? {
    try cell.isNull ? nil : try Wrapped._read(cell)
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) {
    if let value = self {
      try value._write(to: sink)
    } else {
      sink.appendNull()
    }
  }
  /// The value that a query compares.
  public var _constant: _Constant { self?._constant ?? _Constant(.null) }
}

extension Optional: Sortable where Wrapped: Sortable {}
