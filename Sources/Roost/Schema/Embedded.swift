/// A struct that is stored within its object: each of its parts is a column of its own.
///
/// ```swift
/// struct Address: Embedded {
///   var city: String
///   var zip: String?
///   static let fields = Fields(Address.init, Part("city", \.city, .indexed), Part("zip", \.zip))
/// }
/// ```
///
/// A part can be queried, sorted by and indexed like a field of the object itself
/// (`Person.where { $0.address.city == "Delft" }`), and changing a part writes no other. Parts may be embedded structs too.
/// A part's stored name is the path to it, joined with points: `address.city`. An optional struct has an additional
/// column that says whether it is present.
public protocol Embedded: PropertyValue {
  /// The stored content: the initializer and the parts. Declare it as `static let`.
  static var fields: Fields<Self> { get }
}

/// The content of an embedded struct: its initializer, and its parts in the order of the initializer's parameters.
///
/// The order is checked like that of a ``Schema``.
public struct Fields<Value: Embedded>: Sendable {
  let layout: RecordLayout<Value>

  /// Parts for the initializer `make`.
  @inlinable
  public init<each Part: PropertyValue>(
    _ make: @escaping @Sendable (repeat each Part) -> Value,
    _ part: repeat Property<Value, each Part>
  ) {
    // Compiled in the client, like a schema's initializer.
    self.init(
      decode: { (cells: inout _RowReader) throws(StoreError) -> Value in
        try make(repeat (each Part)._decode(&cells))
      }, make, repeat each part)
  }

  @usableFromInline
  init<each Part: PropertyValue>(
    decode: @escaping @Sendable (inout _RowReader) throws(StoreError) -> Value,
    _ make: @escaping @Sendable (repeat each Part) -> Value,
    _ part: repeat Property<Value, each Part>
  ) {
    layout = RecordLayout(decode, make, repeat each part)
  }

  /// The position of a part's first column among those of the struct.
  package func position<Part>(of path: KeyPath<Value, Part>) -> Int? {
    layout.positions(of: path)?.lowerBound
  }
}

extension Embedded {
  /// Adds the columns.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func _describe(_ columns: inout _Columns, default value: Self?) {
    guard columns.admits(Self.self) else { return }
    let layout = fields.layout
    columns.beginGroup(Self.self)
    for property in layout.properties { property.describe(&columns, value) }
    columns.endGroup()
    columns.checkOrder(of: layout)
  }

  /// Adds the columns of an optional.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func _describeOptional(_ columns: inout _Columns, default value: Self??) {
    guard columns.admits(Self.self) else { return }
    let layout = fields.layout
    columns.beginGroup(Self?.self)
    columns.addPresence(value == nil ? nil : value != .some(nil))
    columns.describingOptional { columns in
      for property in layout.properties { property.describe(&columns, value ?? nil) }
    }
    columns.endGroup()
    columns.checkOrder(of: layout)
  }

  /// The value in the next cells.
  public static func _decode(_ cells: inout _RowReader) throws(StoreError) -> Self {
    try fields.layout.decode(&cells)
  }

  /// The value of an optional in the next cells.
  public static func _decodeOptional(_ cells: inout _RowReader) throws(StoreError) -> Self? {
    let presence = cells.cell()
    // It is null where the struct around this one was nil, or had no such part.
    if try !presence.isNull, try Bool._read(presence) { return try _decode(&cells) }
    cells.skip(fields.layout.columnCount)
    return nil
  }

  /// Appends values to the next columns.
  public static func _encode(
    _ values: _ValueRun<Self>, to columns: inout _RowWriter
  ) throws(StoreError) {
    for property in fields.layout.properties {
      try property.encode(values, &columns)
    }
  }

  /// Appends optionals to the next columns.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func _encodeOptionals(
    _ values: _ValueRun<Self?>, to columns: inout _RowWriter
  ) throws(StoreError) {
    let layout = fields.layout
    var row = columns
    for index in 0..<values.count {
      row = columns
      let optional = values[index]
      row.next().append(optional == nil ? 0 : Int64(1))
      guard let value = optional else {
        for _ in 0..<layout.columnCount { row.next().appendNull() }
        continue
      }
      try layout.encode(value, to: &row)
    }
    columns.skip(1 + layout.columnCount)
  }

  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Self] { fields.layout.samples(count) }
  /// Values of parts that a calculation is likely to change.
  public static var _unusualSamples: [Self] { fields.layout.unusualSamples }
}
