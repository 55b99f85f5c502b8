// refused: the 'get' accessor cannot return a ~Escapable result
// The cell of a row, which a field's type keeps beyond its leaf.
import Roost

final class Keeper {
  var cell: _Cell?
}

struct Sly: Storable {
  static var _fieldType: _FieldType { Int._fieldType }
  static func _read(_ cell: _Cell) throws(StoreError) -> Sly {
    Keeper().cell = cell
    return Sly()
  }
  func _write(to sink: _CellSink) throws(StoreError) { try 0._write(to: sink) }
  var _constant: _Constant { 0._constant }
  static func _samples(_ count: Int) -> [Sly] { [] }
}
