internal import RoostEngine
internal import Synchronization

/// The stored content of a model: its initializer, and its key and fields in the order of the parameters.
///
/// ```swift
/// static let schema = Schema(Person.init, Key("id", \.id), Field("name", \.name, .indexed), Field("age", \.age))
/// ```
///
/// The compiler checks that the fields have the types of the initializer's parameters, in their order.
/// Two fields of the same type in the wrong order are found when a store is opened: it makes a few
/// objects from sample values, reads each field back, and throws ``StoreError/fieldOrder(model:field:receives:)``.
/// This finds every pair whose type has at least two sample values; it is skipped for a model with a
/// field of a `RawRepresentable` struct that rejects the sample values. So is found, and thrown as
/// ``StoreError/schemaInvalid(model:reason:)``, a key that is another property than the `id`.
public struct Schema<M: Model>: Sendable {
  /// A single reference to the content: a schema is read each time that a property is named.
  private let content: SchemaContent<M>

  /// The columns in declared order, the key among them.
  var fields: [FieldDescription] { content.layout.columns.fields }
  /// The reason why the schema cannot be stored.
  var refusal: String? { content.layout.columns.refusal }
  /// The mistake in the order of the fields, or of an embedded struct's parts; nil for none.
  var orderError: StoreError? { content.orderError }

  /// A schema for the initializer `make`.
  ///
  /// `Person.init` is enough where a struct has one initializer; name its labels
  /// (`Person.init(id:name:)`) where it has several.
  @inlinable
  public init<each Value: PropertyValue>(
    _ make: @escaping @Sendable (repeat each Value) -> M,
    _ property: repeat Property<M, each Value>
  ) {
    // Compiled in the client, where the fields' types are known: compiled here, the loop over the pack
    // would look up the metadata of each of them for each object.
    self.init(
      decode: { (cells: inout _RowReader) throws(StoreError) -> M in
        try make(repeat (each Value)._decode(&cells))
      }, make, repeat each property)
  }

  @usableFromInline
  init<each Value: PropertyValue>(
    decode: @escaping @Sendable (inout _RowReader) throws(StoreError) -> M,
    _ make: @escaping @Sendable (repeat each Value) -> M,
    _ property: repeat Property<M, each Value>
  ) {
    content = SchemaContent(RecordLayout(decode, make, repeat each property))
  }

  /// The object in a row. The caller retains the columns while it is read.
  @_transparent
  func object(
    _ columns: UnownedColumns, row: Int, in lookup: ObjectLookup
  ) throws(StoreError) -> M {
    try columns.findAll(in: lookup)
    return try object(found: columns, row: row, in: lookup)
  }

  /// The same, of columns that have all been found.
  @_transparent
  func object(
    found columns: UnownedColumns, row: Int, in lookup: ObjectLookup
  ) throws(StoreError) -> M {
    var cells = _RowReader(columns, row: row, in: UnownedLookup(lookup))
    return try content.layout.decode(&cells)
  }

  /// Appends an object's values to the columns.
  func encode(_ object: M, to sink: RowSink) throws(StoreError) {
    var columns = _RowWriter(sink)
    try content.layout.encode(object, to: &columns)
  }

  /// Appends the objects' values to the columns.
  func encode(_ objects: _ValueRun<M>, to sink: RowSink) throws(StoreError) {
    var columns = _RowWriter(sink)
    for property in content.layout.properties { try property.encode(objects, &columns) }
  }

  // MARK: Places

  /// The position of a property's column, by its key path; for an embedded struct, of its first column.
  func position(of path: AnyKeyPath) -> Int? { content.layout.positions(of: path)?.lowerBound }

  /// The positions of all columns of a property, by an erased key path.
  func positions(ofErased path: AnyKeyPath) -> Range<Int>? { content.layout.positions(of: path) }

  /// The name, for errors, of a property that is no field.
  func nameOfUnknown(_ path: AnyKeyPath) -> String { content.layout.nameOfUnknown(path) }

  /// The position of a stored property, found by its offset in an object: comparing key paths would compare
  /// part by part.
  func position<Value>(ofStored path: KeyPath<M, Value>) -> Int? {
    MemoryLayout<M>.offset(of: path).flatMap {
      position(atOffset: $0, of: ObjectIdentifier(Value.self))
    }
  }

  /// The position of the stored property of a type at an offset in an object; for an embedded struct, of its first
  /// column.
  func position(atOffset offset: Int, of type: ObjectIdentifier) -> Int? {
    if let place = content.places.position(atOffset: offset, of: type) { return place }
    return content.layout.columns.groups.first { $0.offset == offset && $0.valueType == type }?
      .first
  }

  /// The positions of all columns of a property, by its key path.
  func positions<Value: PropertyValue>(of path: KeyPath<M, Value>) -> Range<Int>? {
    guard let first = position(ofStored: path) else { return positions(ofErased: path) }
    let type = ObjectIdentifier(Value.self)
    let group = content.layout.columns.groups.first { $0.first == first && $0.valueType == type }
    return group?.columns ?? first..<first + 1
  }
}

/// The content of a ``Schema``.
final class SchemaContent<M: Model>: Sendable {
  let layout: RecordLayout<M>
  /// The offsets of the stored properties. The memory is immutable.
  let places: PropertyPlaces
  /// The result of the trial of the order; nil before it was made.
  private let trial = Mutex<StoreError??>(nil)

  /// The mistake in the order of the fields, found once by a trial.
  var orderError: StoreError? {
    if let known = trial.withLock(\.self) { return known }
    // Outside the lock: it calls the model's initializer.
    let error = layout.columns.orderError ?? layout.modelError
    trial.withLock { $0 = .some(error) }
    return error
  }

  init(_ layout: RecordLayout<M>) {
    self.layout = layout
    places = PropertyPlaces(layout.columns.fields)
  }

  deinit { places.deallocate() }
}
