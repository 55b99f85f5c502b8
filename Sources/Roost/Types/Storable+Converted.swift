internal import RoostEngine

/// A type of your own that is stored as a value of another type.
///
/// ```swift
/// struct Color: Converted {
///   var red, green, blue: UInt8
///   init?(stored: String) { … }
///   var stored: String { … }
/// }
/// ```
///
/// Equal values must have equal stored values. A type with a `rawValue` only needs to conform to ``Storable``.
public protocol Converted: Storable {
  /// The type that is stored.
  associatedtype Stored: Storable
  /// The value that is stored.
  var stored: Stored { get }
  /// The value with this stored value; if nil, the reader throws ``StoreError/undecodable(model:field:value:)``.
  init?(stored: Stored)
}

extension Converted {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { Stored._fieldType }
  /// Whether the stored value is an integer.
  @inlinable public static var _isInteger: Bool { Stored._isInteger }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> Self {
    let stored = try Stored._read(cell)
    guard let value = Self(stored: stored) else { throw cell.undecodable("\(stored)") }
    return value
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) { try stored._write(to: sink) }
  /// The value that a query compares.
  public var _constant: _Constant { stored._constant }
  /// All cases if the type can list them, otherwise the values of the stored type's samples.
  public static func _samples(_ count: Int) -> [Self] {
    let listed = _listedCases(count)
    return listed.isEmpty ? Stored._samples(count).compactMap(Self.init(stored:)) : listed
  }
  /// Those of the stored type.
  public static var _unusualSamples: [Self] {
    Stored._unusualSamples.compactMap(Self.init(stored:))
  }
}
