internal import RoostEngine

/// Stored as UTF-8, without normalization: two strings that Swift finds equal may be stored differently
/// (é in one scalar or in two), and are then two values to a query, an index and a key.
extension String: Sortable {
  public static var _fieldType: _FieldType { _FieldType(.string) }
  public static func _read(_ cell: _Cell) throws(StoreError) -> String {
    try cell.withBytes { view in
      unsafe view.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }
  public func _write(to sink: _CellSink) throws(StoreError) { sink.append(self) }
  public var _constant: _Constant { _Constant(.bytes(Array(utf8))) }
  public static func _samples(_ count: Int) -> [String] { (1...count).map { "\($0)" } }
}
