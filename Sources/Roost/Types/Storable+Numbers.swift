internal import RoostEngine

// `@_effects(releasenone)` states that reading a number frees no object: so a program's own code counts no
// reference of a row that it does not keep beyond its iteration.

extension Bool: Sortable {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.bool) }
  /// The value in a cell.
  @inlinable
  public static func _read(_ cell: _Cell) throws(StoreError) -> Bool {
    if let number = cell.decoded(as: Int64.self) { return number != 0 }
    return try _read(found: cell)
  }

  @_effects(releasenone)
  @usableFromInline
  static func _read(found cell: _Cell) throws(StoreError) -> Bool {
    try cell.integer != 0
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) {
    sink.append(self ? 1 : Int64(0))
  }
  /// The value that a query compares.
  public var _constant: _Constant { _Constant(.integer(self ? 1 : 0)) }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Bool] { [false, true] }
}

extension Double: Summable {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.double) }
  /// The value in a cell.
  @inlinable
  public static func _read(_ cell: _Cell) throws(StoreError) -> Double {
    if let number = cell.decoded(as: Double.self) { return number }
    return try _read(found: cell)
  }

  @_effects(releasenone)
  @usableFromInline
  static func _read(found cell: _Cell) throws(StoreError) -> Double {
    try cell.double
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) { sink.append(self) }
  /// The value that a query compares.
  public var _constant: _Constant { _Constant(.double(self)) }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Double] { (1...count).map(Double.init) }
  /// Sample values that a calculation is likely to change.
  public static var _unusualSamples: [Double] { [0, 0.25, -1.5, 1000.75] }
  /// The number of this type in a sum.
  public static func _sum(_ sum: _Constant) -> Double? {
    if case .double(let value) = sum.value { value } else { nil }
  }
}

extension Float: Summable {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.float) }
  /// The value in a cell.
  @inlinable
  public static func _read(_ cell: _Cell) throws(StoreError) -> Float {
    if let number = cell.decoded(as: Float.self) { return number }
    return try _read(found: cell)
  }

  @_effects(releasenone)
  @usableFromInline
  static func _read(found cell: _Cell) throws(StoreError) -> Float {
    try cell.float
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) { sink.append(self) }
  /// The value that a query compares.
  public var _constant: _Constant { _Constant(.float(self)) }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Float] { (1...count).map { Float($0) } }
  /// Sample values that a calculation is likely to change.
  public static var _unusualSamples: [Float] { [0, 0.25, -1.5, 1000.75] }
  /// The number of this type in a sum.
  public static func _sum(_ sum: _Constant) -> Float? {
    switch sum.value {
    case .double(let value): Float(value)
    case .float(let value): value
    default: nil
    }
  }
}
