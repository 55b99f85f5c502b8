internal import RoostEngine
internal import Synchronization

/// The content of a model or an embedded struct: its initializer, and its properties in the order of the parameters.
final class RecordLayout<Root>: Sendable {
  /// Makes a value from a row's cells.
  let decode: @Sendable (inout _RowReader) throws(StoreError) -> Root
  /// The properties.
  ///
  /// A list of closures: a loop over the initializer's parameter pack would look up the metadata of each
  /// property's type for each value, which costs thirty times as much.
  let properties: [PropertyLayout<Root>]
  /// The columns of all properties; no more are added.
  let columns: _Columns
  /// The number of columns of all properties together.
  let columnCount: Int
  /// The positions of the columns that other key paths than the schema's lead to.
  let foundPaths = Mutex<[FoundPath: Range<Int>]>([:])
  /// The result of passing sample values through the initializer; nil if a type has no samples.
  let trial: @Sendable (_ round: Int) -> SchemaTrial?
  /// Makes sample values for the trials of types that contain this type.
  let samples: @Sendable (_ count: Int) -> [Root]
  /// Makes values whose properties are drawn from sample values.
  let probes: @Sendable (ProbeKind) throws(NoSample) -> [Root]

  // What has this attribute is compiled once, and not for each of the library's own types too: programs run that code.
  @_semantics("optimize.sil.specialize.generic.never")
  init<each Value: PropertyValue>(
    _ decode: @escaping @Sendable (inout _RowReader) throws(StoreError) -> Root,
    _ make: @escaping @Sendable (repeat each Value) -> Root,
    _ property: repeat Property<Root, each Value>
  ) {
    self.decode = decode
    var properties: [PropertyLayout<Root>] = []
    for property in repeat each property { properties.append(PropertyLayout(property)) }
    self.properties = properties
    columns = _Columns.made(for: Root.self) { columns in columns.addParts(properties) }
    columnCount = columns.fields.count
    let count = properties.count
    trial = { round in
      var position = 0
      var sent: [SchemaTrial.Sample] = []
      func next<V: PropertyValue>(_ type: V.Type) throws(NoSample) -> V {
        let sample = try SchemaTrial.sample(
          of: type, position: position, among: count, round: round)
        position += 1
        sent.append(SchemaTrial.Sample(sample))
        return sample
      }
      do {
        let object = try make(repeat next((each Value).self))
        var received: [SchemaTrial.Sample] = []
        for property in repeat each property {
          received.append(SchemaTrial.Sample(object[keyPath: property.path]))
        }
        return SchemaTrial(sent: sent, received: received, object: object)
      } catch {
        return nil
      }
    }
    samples = { count in
      var made: [Root] = []
      for index in 0..<count {
        guard let value = try? make(repeat (each Value).sample(index, of: count)) else { return [] }
        made.append(value)
      }
      return made
    }
    probes = { (kind) throws(NoSample) in
      let values = (repeat try ProbeValues(of: each property, kind))
      var made: [Root] = []
      for number in 0..<kind.count {
        var position = 0
        func next<V>(_ values: ProbeValues<V>) -> V {
          position += 1
          return values.value(in: number, at: position)
        }
        made.append(make(repeat next(each values)))
      }
      return made
    }
  }

  /// Appends a value's properties to the next columns.
  func encode(_ value: Root, to columns: inout _RowWriter) throws(StoreError) {
    var writer = columns
    try _ValueRun.with(value) { (value) throws(StoreError) in
      for property in properties { try property.encode(value, &writer) }
    }
    columns = writer
  }
}

extension PropertyValue {
  /// One of some sample values, which begin again behind the last.
  fileprivate static func sample(_ index: Int, of count: Int) throws(NoSample) -> Self {
    let samples = _samples(count)
    guard !samples.isEmpty else { throw NoSample(property: nil) }
    return samples[index % samples.count]
  }
}

/// One property of a model or of an embedded struct, without its Swift type.
struct PropertyLayout<Root>: Sendable {
  let name: String
  /// Adds the property's columns; if a value is given, its properties are the columns' defaults.
  let describe: @Sendable (inout _Columns, Root?) -> Void
  /// Appends the property of each of some values.
  ///
  /// Takes a run, whose layout does not depend on the type: a closure that takes the value itself would be
  /// wrapped again, and its type's metadata looked up, for each property of each value.
  let encode:
    @Sendable (_ values: _ValueRun<Root>, _ columns: inout _RowWriter) throws(StoreError) -> Void

  init<Value>(_ property: Property<Root, Value>) {
    name = property.name
    describe = { columns, root in
      columns.enter(property, default: root?[keyPath: property.path])
    }
    let path = property.path
    if let offset = MemoryLayout<Root>.offset(of: path) {
      encode = { (values, columns) throws(StoreError) in
        // The property lies at this offset in each of the values.
        try Value._encode(unsafe values.property(at: offset, Value.self), to: &columns)
      }
    } else {
      encode = { (values, columns) throws(StoreError) in
        var row = columns
        for index in 0..<values.count {
          row = columns
          try _ValueRun.with(values[index][keyPath: path]) { (value) throws(StoreError) in
            try Value._encode(value, to: &row)
          }
        }
        columns = row
      }
    }
  }
}
