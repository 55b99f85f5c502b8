/// What a property of a model may hold: a ``Storable`` value, which is one column, an ``Embedded`` struct, which is as
/// many as it has parts, or an optional of either.
///
/// The requirements are the store's own; conform to one of those two instead.
public protocol PropertyValue: Hashable, Sendable {
  /// Adds what is stored; `value` is what objects have that were stored before.
  static func _describe(_ columns: inout _Columns, default value: Self?)
  /// Adds what is stored for an optional.
  static func _describeOptional(_ columns: inout _Columns, default value: Self??)
  /// The value in the next cells.
  static func _decode(_ cells: inout _RowReader) throws(StoreError) -> Self
  /// The value of an optional in the next cells.
  static func _decodeOptional(_ cells: inout _RowReader) throws(StoreError) -> Self?
  /// Appends the values that lie at `first`, one each `stride` bytes, to the next columns.
  @unsafe static func _encode(
    from first: UnsafeRawPointer, stride: Int, count: Int, to columns: inout _RowWriter
  ) throws(StoreError)
  /// Appends the optionals that lie at `first`, one each `stride` bytes, to the next columns.
  @unsafe static func _encodeOptionals(
    from first: UnsafeRawPointer, stride: Int, count: Int, to columns: inout _RowWriter
  ) throws(StoreError)
  /// The values to try a schema with, as many as `count` or fewer where the type has fewer.
  static func _samples(_ count: Int) -> [Self]
}

extension Storable {
  /// Adds what is stored.
  public static func _describe(_ columns: inout _Columns, default value: Self?) {
    columns.add(Self.self, default: value)
  }
  /// Adds what is stored for an optional.
  public static func _describeOptional(_ columns: inout _Columns, default value: Self??) {
    columns.add(Self?.self, default: value)
  }
  /// The value in the next cells.
  @inlinable @inline(__always)
  public static func _decode(_ cells: inout _RowReader) throws(StoreError) -> Self {
    try _read(cells.cell())
  }
  /// The value of an optional in the next cells.
  @inlinable @inline(__always)
  public static func _decodeOptional(_ cells: inout _RowReader) throws(StoreError) -> Self? {
    try Self?._read(cells.cell())
  }
  /// Appends values to the next columns.
  @unsafe public static func _encode(
    from first: UnsafeRawPointer, stride: Int, count: Int, to columns: inout _RowWriter
  ) throws(StoreError) {
    try unsafe _writeAll(from: first, stride: stride, count: count, to: columns.next())
  }
  /// Appends optionals to the next columns.
  @unsafe public static func _encodeOptionals(
    from first: UnsafeRawPointer, stride: Int, count: Int, to columns: inout _RowWriter
  ) throws(StoreError) {
    try unsafe Self?._writeAll(from: first, stride: stride, count: count, to: columns.next())
  }
}

extension Optional: PropertyValue where Wrapped: PropertyValue {
  /// Adds what is stored.
  public static func _describe(_ columns: inout _Columns, default value: Wrapped??) {
    Wrapped._describeOptional(&columns, default: value)
  }
  /// Adds what is stored for an optional.
  public static func _describeOptional(_ columns: inout _Columns, default value: Wrapped???) {
    columns.refuse("is an optional of an optional; a field has one nil")
    _describe(&columns, default: value ?? nil)
  }
  /// The value in the next cells.
  @inlinable @inline(__always)
  public static func _decode(_ cells: inout _RowReader) throws(StoreError) -> Wrapped? {
    try Wrapped._decodeOptional(&cells)
  }
  /// The value of an optional in the next cells.
  public static func _decodeOptional(_ cells: inout _RowReader) throws(StoreError) -> Wrapped?? {
    .some(try _decode(&cells))
  }
  /// Appends values to the next columns.
  @unsafe public static func _encode(
    from first: UnsafeRawPointer, stride: Int, count: Int, to columns: inout _RowWriter
  ) throws(StoreError) {
    try unsafe Wrapped._encodeOptionals(from: first, stride: stride, count: count, to: &columns)
  }
  /// Appends optionals to the next columns.
  @unsafe public static func _encodeOptionals(
    from first: UnsafeRawPointer, stride: Int, count: Int, to columns: inout _RowWriter
  ) throws(StoreError) {
    preconditionFailure("No store opens with an optional of an optional.")
  }
  /// Values to try a schema with.
  public static func _samples(_ count: Int) -> [Wrapped?] {
    let samples = Wrapped._samples(count)
    return samples.isEmpty ? [nil] : samples
  }
}
