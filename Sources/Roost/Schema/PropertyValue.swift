/// A type that a property of a model may have: a ``Storable`` value, which is one column, an ``Embedded`` struct, which has
/// a column for each part, or an optional of either.
///
/// The requirements are the store's own; conform to ``Storable`` or ``Embedded`` instead.
public protocol PropertyValue: Hashable, Sendable {
  /// Adds the columns; `value` is the default for objects stored before.
  static func _describe(_ columns: inout _Columns, default value: Self?)
  /// Adds the columns of an optional.
  static func _describeOptional(_ columns: inout _Columns, default value: Self??)
  /// The value in the next cells.
  static func _decode(_ cells: inout _RowReader) throws(StoreError) -> Self
  /// The value of an optional in the next cells.
  static func _decodeOptional(_ cells: inout _RowReader) throws(StoreError) -> Self?
  /// Appends values to the next columns.
  static func _encode(
    _ values: _ValueRun<Self>, to columns: inout _RowWriter
  ) throws(StoreError)
  /// Appends optionals to the next columns.
  static func _encodeOptionals(
    _ values: _ValueRun<Self?>, to columns: inout _RowWriter
  ) throws(StoreError)
  /// Sample values for testing a schema: `count` values, or fewer if the type has fewer.
  static func _samples(_ count: Int) -> [Self]
  /// Further sample values, which a calculation is likely to change: negative numbers, texts in capitals, nil.
  static var _unusualSamples: [Self] { get }
}

extension PropertyValue {
  /// Most types have no values that are more telling than others.
  public static var _unusualSamples: [Self] { [] }
}

extension Storable {
  /// Adds the columns.
  public static func _describe(_ columns: inout _Columns, default value: Self?) {
    columns.add(Self.self, default: value)
  }
  /// Adds the columns of an optional.
  public static func _describeOptional(_ columns: inout _Columns, default value: Self??) {
    columns.add(Self?.self, default: value)
  }
  /// The value in the next cells.
  @inlinable @_transparent
  public static func _decode(_ cells: inout _RowReader) throws(StoreError) -> Self {
    try _read(cells.cell())
  }
  /// The value of an optional in the next cells.
  @inlinable @_transparent
  public static func _decodeOptional(_ cells: inout _RowReader) throws(StoreError) -> Self? {
    try Self?._read(cells.cell())
  }
  /// Appends values to the next columns.
  public static func _encode(
    _ values: _ValueRun<Self>, to columns: inout _RowWriter
  ) throws(StoreError) {
    try _writeAll(values, to: columns.next())
  }
  /// Appends optionals to the next columns.
  public static func _encodeOptionals(
    _ values: _ValueRun<Self?>, to columns: inout _RowWriter
  ) throws(StoreError) {
    try Self?._writeAll(values, to: columns.next())
  }
}

extension Optional: PropertyValue where Wrapped: PropertyValue {
  /// Adds the columns.
  public static func _describe(_ columns: inout _Columns, default value: Wrapped??) {
    Wrapped._describeOptional(&columns, default: value)
  }
  /// Adds the columns of an optional.
  public static func _describeOptional(_ columns: inout _Columns, default value: Wrapped???) {
    columns.refuse("is an optional of an optional; a field has one nil")
    _describe(&columns, default: value ?? nil)
  }
  /// The value in the next cells.
  @inlinable @_transparent
  public static func _decode(_ cells: inout _RowReader) throws(StoreError) -> Wrapped? {
    try Wrapped._decodeOptional(&cells)
  }
  /// The value of an optional in the next cells.
  public static func _decodeOptional(_ cells: inout _RowReader) throws(StoreError) -> Wrapped?? {
    .some(try _decode(&cells))
  }
  /// Appends values to the next columns.
  public static func _encode(
    _ values: _ValueRun<Self>, to columns: inout _RowWriter
  ) throws(StoreError) {
    try Wrapped._encodeOptionals(values, to: &columns)
  }
  /// Appends optionals to the next columns.
  public static func _encodeOptionals(
    _ values: _ValueRun<Self?>, to columns: inout _RowWriter
  ) throws(StoreError) {
    preconditionFailure("No store opens with an optional of an optional.")
  }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Wrapped?] {
    let samples = Wrapped._samples(count)
    return samples.isEmpty ? [nil] : samples
  }
  /// Nil, and those of the wrapped type.
  public static var _unusualSamples: [Wrapped?] { [nil] + Wrapped._unusualSamples }
}
