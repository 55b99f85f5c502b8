internal import RoostEngine

extension Optional: Storable where Wrapped: Storable {
  public static var _fieldType: _FieldType { Wrapped._fieldType.optional }
  public static func _read(_ cell: _Cell) throws(StoreError) -> Wrapped? {
    cell.isNull ? nil : try Wrapped._read(cell)
  }
  public func _write(to sink: _CellSink) throws(StoreError) {
    if let value = self {
      try value._write(to: sink)
    } else {
      sink.appendNull()
    }
  }
  public var _constant: _Constant { self?._constant ?? _Constant(.null) }
  public static func _samples(_ count: Int) -> [Wrapped?] {
    let samples = Wrapped._samples(count)
    return samples.isEmpty ? [nil] : samples
  }
}

extension Optional: Sortable where Wrapped: Sortable {}
