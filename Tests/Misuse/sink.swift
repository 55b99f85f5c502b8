// refused: type '_CellSink' does not conform to protocol 'Escapable'
// The end of a column, which a field's type keeps beyond its transaction.
import Roost

struct Sly: Storable {
  static var _fieldType: _FieldType { Int._fieldType }
  static func _read(_ cell: _Cell) throws(StoreError) -> Sly { Sly() }
  func _write(to sink: _CellSink) throws(StoreError) { keep([sink]) }
  var _constant: _Constant { 0._constant }
  static func _samples(_ count: Int) -> [Sly] { [] }
}

func keep(_ sinks: [_CellSink]) {}
