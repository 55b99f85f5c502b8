internal import RoostEngine

extension Bool: Sortable {
  public static var _fieldType: _FieldType { _FieldType(.bool) }
  public static func _read(_ cell: _Cell) throws(StoreError) -> Bool { cell.integer != 0 }
  public func _write(to sink: _CellSink) throws(StoreError) {
    sink.append(self ? 1 : Int64(0))
  }
  public var _constant: _Constant { _Constant(.integer(self ? 1 : 0)) }
  public static func _samples(_ count: Int) -> [Bool] { [false, true] }
}

extension Int: Summable {
  public static var _fieldType: _FieldType { _FieldType(.int) }
  public static func _read(_ cell: _Cell) throws(StoreError) -> Int {
    let stored = cell.integer
    guard let value = Int(exactly: stored) else { throw cell.undecodable("\(stored)") }
    return value
  }
  public func _write(to sink: _CellSink) throws(StoreError) {
    sink.append(Int64(self))
  }
  public var _constant: _Constant { _Constant(.integer(Int64(self))) }
  public static func _samples(_ count: Int) -> [Int] { Array(1...count) }
  public static func _sum(_ sum: _Constant) -> Int? {
    if case .integer(let value) = sum.value { Int(exactly: value) } else { nil }
  }
}

extension Double: Summable {
  public static var _fieldType: _FieldType { _FieldType(.double) }
  public static func _read(_ cell: _Cell) throws(StoreError) -> Double { cell.double }
  public func _write(to sink: _CellSink) throws(StoreError) { sink.append(self) }
  public var _constant: _Constant { _Constant(.double(self)) }
  public static func _samples(_ count: Int) -> [Double] { (1...count).map(Double.init) }
  public static func _sum(_ sum: _Constant) -> Double? {
    if case .double(let value) = sum.value { value } else { nil }
  }
}

extension Float: Summable {
  public static var _fieldType: _FieldType { _FieldType(.float) }
  public static func _read(_ cell: _Cell) throws(StoreError) -> Float { cell.float }
  public func _write(to sink: _CellSink) throws(StoreError) { sink.append(self) }
  public var _constant: _Constant { _Constant(.float(self)) }
  public static func _samples(_ count: Int) -> [Float] { (1...count).map { Float($0) } }
  public static func _sum(_ sum: _Constant) -> Float? {
    switch sum.value {
    case .double(let value): Float(value)
    case .float(let value): value
    default: nil
    }
  }
}
