internal import RoostEngine

/// A key of several values, which together identify an object.
///
/// ```swift
/// struct Seat: Model {
///   struct ID: CompoundKey {
///     let row: Int
///     let number: Int
///     static let parts = KeyParts(ID.init, KeyPart("row", \.row), KeyPart("number", \.number))
///   }
///   let id: ID
///   var guest: String?
///   static let schema = Schema(Seat.init, Key("id", \.id), Field("guest", \.guest))
/// }
/// try snapshot.fetch(Seat.where { $0.id.begins(with: 7) }.order(by: \.id))   // all of row 7
/// ```
///
/// It is ordered by its parts, the first part first, and has an index like every key that is not an integer, which finds all
/// objects whose keys begin with the same parts. Links to these objects work like any others. All parts together take at
/// most 1023 bytes: an integer 8, a text its own and 2. A field may have this type, too.
public protocol CompoundKey: Sortable {
  /// The stored content: the initializer and the parts, the most significant part first. Declare it as `static let`.
  static var parts: KeyParts<Self> { get }
}

/// A part of a compound key: an integer, a text, a date, a UUID or another value, except floating-point numbers,
/// collections, links and JSON.
public func KeyPart<Root: CompoundKey, Value: Storable>(
  _ name: String, _ path: any KeyPath<Root, Value> & Sendable
) -> Property<Root, Value> {
  Property(name: name, path: path, isKey: false, options: [])
}

/// The content of a compound key: its initializer, and its parts in the order of the parameters.
public struct KeyParts<Value: CompoundKey>: Sendable {
  let layout: RecordLayout<Value>
  let shape: CompoundShape

  /// Parts for the initializer `make`.
  @inlinable
  public init<each Part: Storable>(
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
  init<each Part: Storable>(
    decode: @escaping @Sendable (inout _RowReader) throws(StoreError) -> Value,
    _ make: @escaping @Sendable (repeat each Part) -> Value,
    _ part: repeat Property<Value, each Part>
  ) {
    layout = RecordLayout(decode, make, repeat each part)
    shape = CompoundShape(layout.columns, orderError: layout.fieldOrderError)
  }
}

/// How the parts of a compound key are stored.
struct CompoundShape: Sendable {
  let parts: [ElementColumn]
  let shapes: [PackedColumns.Shape]
  let refusal: String?

  init(_ columns: _Columns, orderError: StoreError?) {
    parts = columns.fields.map {
      ElementColumn(name: $0.name, type: $0.type.kind, isOptional: $0.type.isOptional)
    }
    shapes = parts.map(\.shape)
    let isRefused = { (type: FieldType) in
      !type.canBeCompounded || type == .double || type == .float
    }
    let refused = parts.first { isRefused($0.type) }
    refusal =
      columns.refusal
      ?? refused.map {
        "has a part \"\($0.name)\" of type \($0.type.name), which no key may have"
          + ($0.type.isLink ? ": keep the target's id in the key, and the link in a field" : "")
      }
      ?? orderError.map { "has its parts in another order than its initializer: \($0)" }
  }

  /// New columns for the parts of a value.
  func sink() -> RowSink {
    RowSink(columns: shapes.map { ColumnBuffer(type: $0.type) }, links: NoLinks.shared)
  }
}

extension CompoundKey {
  /// The field's type in the file.
  public static var _fieldType: _FieldType {
    let shape = parts.shape
    return _FieldType(compounding: shape.parts, refusal: shape.refusal)
  }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> Self {
    let parts = parts
    let columns = try cell.withBytes { (bytes) throws(StoreError) in
      guard let columns = CompoundBytes.columns(bytes, as: parts.shape.shapes) else {
        throw cell.undecodable("\(bytes.count) bytes that are not its parts")
      }
      return columns
    }
    do throws(StoreError) {
      return try WordCursor.with(columns) { (words) throws(StoreError) -> Self in
        var cells = _RowReader(words, row: 0, like: cell)
        return try parts.layout.decode(&cells)
      }
    } catch {
      // The field that the part belongs to is not known here.
      guard case .undecodable(_, _, let value) = error else { throw error }
      throw cell.undecodable(value)
    }
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) {
    sink.append(bytes: CompoundBytes.bytes(try columns(), as: Self.parts.shape.shapes))
  }
  /// The value that a query compares.
  public var _constant: _Constant {
    let shape = Self.parts.shape
    guard let columns = try? columns(), !shape.parts.haveNaN(columns) else {
      return .equalToNothing
    }
    return _Constant(.bytes(CompoundBytes.bytes(columns, as: shape.shapes)))
  }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Self] { parts.layout.samples(count) }
  /// Keys of parts that a calculation is likely to change.
  public static var _unusualSamples: [Self] { parts.layout.unusualSamples }

  /// The parts, each in a column.
  private func columns() throws(StoreError) -> [ColumnBuffer] {
    let sink = Self.parts.shape.sink()
    var columns = _RowWriter(sink)
    try Self.parts.layout.encode(self, to: &columns)
    return sink.columns
  }
}
