internal import RoostEngine

/// What a model stores: how to make one, and its key and fields in the order of the initializer.
///
/// The compiler checks that the fields have the types of the initializer's parameters, in their order.
/// Two fields of the same type in the wrong order are found when a store is opened: it makes a few
/// objects of sample values and reads each field back, and throws ``StoreError/fieldOrder(model:field:receives:)``.
/// That finds every pair whose type has at least two sample values; it is left out for a model with a
/// field of a `RawRepresentable` struct that refuses the sample values.
public struct Schema<M: Model>: Sendable {
  /// Makes an object of a row's cells.
  @usableFromInline typealias Decoder = @Sendable (inout RowReader) throws(StoreError) -> M

  /// All of it behind one reference: a schema is asked for each time that a property is named.
  private let content: SchemaContent<M>

  /// The fields in declared order, the key among them.
  var fields: [FieldDescription] { content.fields }
  /// For each field, what appends its values to a column.
  var writers: [FieldWriter] { content.writers }
  /// Makes an object of sample values and reads it back; nil where there is no sample value.
  var trial: @Sendable (_ round: Int) -> SchemaTrial? { content.trial }

  /// A schema for the initializer `make`.
  ///
  /// `Person.init` is enough where a struct has one initializer; name its labels
  /// (`Person.init(id:name:)`) where it has several.
  @inlinable
  public init<each Value: Storable>(
    _ make: @escaping @Sendable (repeat each Value) -> M,
    _ property: repeat Property<M, each Value>
  ) {
    // Compiled in the client, where the fields' types are known: compiled here, the loop over the pack
    // would look up the metadata of each of them for each object.
    self.init(
      decode: { (reader: inout RowReader) throws(StoreError) -> M in
        try make(repeat (each Value)._read(reader.cell()))
      }, make, repeat each property)
  }

  @usableFromInline
  init<each Value: Storable>(
    decode: @escaping Decoder, _ make: @escaping @Sendable (repeat each Value) -> M,
    _ property: repeat Property<M, each Value>
  ) {
    var fields: [FieldDescription] = []
    var writers: [FieldWriter] = []
    for field in repeat each property {
      fields.append(FieldDescription(field))
      writers.append(Self.writer(field))
    }
    let fieldCount = fields.count
    let trial: @Sendable (_ round: Int) -> SchemaTrial? = { round in
      var position = 0
      var sent: [SchemaTrial.Sample] = []
      func next<V: Storable>(_ type: V.Type) throws(NoSample) -> V {
        let sample = try Self.sample(of: type, position: position, among: fieldCount, round: round)
        position += 1
        sent.append(SchemaTrial.Sample(sample))
        return sample
      }
      do {
        let object = try make(repeat next((each Value).self))
        var received: [SchemaTrial.Sample] = []
        for field in repeat each property {
          received.append(SchemaTrial.Sample(object[keyPath: field.path]))
        }
        return SchemaTrial(sent: sent, received: received)
      } catch {
        return nil
      }
    }
    content = SchemaContent(fields, decode, writers, trial)
  }

  /// Reads a stored property in place, at its offset; any other by its key path.
  private static func writer<V>(_ property: Property<M, V>) -> FieldWriter {
    let path = property.path
    let stride = MemoryLayout<M>.stride
    guard let offset = MemoryLayout<M>.offset(of: path) else {
      return unsafe FieldWriter { (first, count, sink) throws(StoreError) in
        for index in 0..<count {
          // The caller has objects of this model there.
          let object = unsafe (first + index &* stride).assumingMemoryBound(to: M.self)
          try unsafe object.pointee[keyPath: path]._write(to: sink)
        }
      }
    }
    return unsafe FieldWriter { (first, count, sink) throws(StoreError) in
      // The property lies at this offset in each of the objects.
      try unsafe V._writeAll(from: first + offset, stride: stride, count: count, to: sink)
    }
  }

  /// The object in a row. The columns are held while it is read.
  @inline(__always)
  func object(
    _ columns: UnownedColumns, row: Int, in lookup: ObjectLookup
  ) throws(StoreError) -> M {
    try columns.with { (columns) throws(StoreError) in
      try columns.findAll(in: lookup)
    }
    var cells = unsafe RowReader(columns, row: row, in: Unmanaged.passUnretained(lookup))
    return try content.decode(&cells)
  }

  /// Appends an object's values to the columns.
  func encode(_ object: M, to sink: RowSink) throws(StoreError) {
    // The standard library's closure is not generic over its error.
    let result = unsafe withUnsafePointer(to: object) { pointer in
      Result { () throws(StoreError) in
        try encode(unsafe ObjectSlice(first: pointer, count: 1), to: sink)
      }
    }
    try result.get()
  }

  /// Appends the objects' values to the columns.
  func encode(_ objects: ObjectSlice<M>, to sink: RowSink) throws(StoreError) {
    let writers = content.writers
    for position in writers.indices {
      try unsafe writers[position].write(
        UnsafeRawPointer(objects.first), objects.count, sink.cell(position))
    }
  }

  /// The position of a field by its key path.
  func position(of path: AnyKeyPath) -> Int? {
    content.position(of: path)
  }

  /// The position of a stored property: found by its place in an object, where key paths are compared part
  /// by part.
  func position<Value>(ofStored path: KeyPath<M, Value>) -> Int? {
    MemoryLayout<M>.offset(of: path).flatMap {
      position(atOffset: $0, of: ObjectIdentifier(Value.self))
    }
  }

  /// The position of the stored property of a type at an offset in an object.
  func position(atOffset offset: Int, of type: ObjectIdentifier) -> Int? {
    unsafe content.places.position(atOffset: offset, of: type)
  }
}

/// What a ``Schema`` holds.
@safe
final class SchemaContent<M: Model>: Sendable {
  let fields: [FieldDescription]
  /// Makes an object of a row's cells.
  let decode: Schema<M>.Decoder
  /// For each field, what appends its values to a column.
  ///
  /// A loop over closures: a loop over the initializer's parameter pack would look up the metadata of each
  /// field's types for each object, which costs thirty times as much.
  let writers: [FieldWriter]
  let trial: @Sendable (_ round: Int) -> SchemaTrial?
  /// Where the stored properties lie. Memory that is not changed until the end.
  nonisolated(unsafe) let places: PropertyPlaces

  init(
    _ fields: [FieldDescription], _ decode: @escaping Schema<M>.Decoder, _ writers: [FieldWriter],
    _ trial: @escaping @Sendable (_ round: Int) -> SchemaTrial?
  ) {
    self.fields = fields
    self.decode = decode
    self.writers = writers
    self.trial = trial
    unsafe places = PropertyPlaces(fields)
  }

  deinit { unsafe places.deallocate() }

  /// The position of a field by its key path.
  func position(of path: AnyKeyPath) -> Int? {
    // A key path that the program writes out is mostly the one object that the schema has.
    for position in fields.indices where fields[position].path === path { return position }
    return fields.firstIndex { $0.path == path }
  }
}

/// Appends the values that one field has in some objects to a column.
///
/// It takes the objects' address and knows their type itself: a closure that is generic over it would be
/// wrapped anew, and its type's metadata looked up, for each field of each object.
@safe
struct FieldWriter: Sendable {
  let write:
    @Sendable (_ first: UnsafeRawPointer, _ count: Int, _ sink: _CellSink) throws(StoreError) ->
      Void
}

/// Some objects that lie one after the other in memory that somebody else keeps alive.
@safe
struct ObjectSlice<M> {
  let first: UnsafePointer<M>
  let count: Int
}
