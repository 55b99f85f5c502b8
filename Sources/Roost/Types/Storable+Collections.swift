internal import RoostEngine

/// Stored whole, in the object's row if it is short; a query compares it as a whole.
///
/// The elements may have any type that a field may have, except links; for lists of links use ``Links``.
extension Array: PropertyValue, Storable where Element: PropertyValue {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.list, of: .of(Element.self)) }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> [Element] {
    var elements: [Element] = []
    try CollectionShape.of(Element.self).forEach(cell) { count in
      elements.reserveCapacity(count)
    } _: { (cells) throws(StoreError) in
      elements.append(try Element._decode(&cells))
    }
    return elements
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) {
    sink.append(bytes: CollectionShape.of(Element.self).bytes(try packed()))
  }
  /// The value that a query compares.
  public var _constant: _Constant {
    let shape = CollectionShape.of(Element.self)
    guard let sink = try? packed(), !shape.hasNaN(sink) else { return .equalToNothing }
    return _Constant(.bytes(shape.bytes(sink)))
  }
  /// Sample values for testing a schema: lists with increasing numbers of elements.
  public static func _samples(_ count: Int) -> [[Element]] {
    guard let element = Element._samples(1).first else { return [] }
    return (0..<count).map { Array(repeating: element, count: $0) }
  }
  /// Lists of different elements, not in order.
  public static var _unusualSamples: [[Element]] {
    let elements = Element._samples(3)
    return [elements.reversed() + elements, Element._unusualSamples.reversed()]
  }

  /// The elements' columns.
  func packed() throws(StoreError) -> RowSink {
    let sink = CollectionShape.of(Element.self).sink()
    var columns = _RowWriter(sink)
    try withValueRun { (elements) throws(StoreError) in
      try Element._encode(elements, to: &columns)
    }
    return sink
  }
}

/// Stored whole, like an array.
extension Set: PropertyValue, Storable where Element: PropertyValue {
  /// The field's type in the file.
  public static var _fieldType: _FieldType { _FieldType(.set, of: .of(Element.self)) }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> Set<Element> {
    var elements: Set<Element> = []
    try CollectionShape.of(Element.self).forEach(cell) { count in
      elements.reserveCapacity(count)
    } _: { (cells) throws(StoreError) in
      elements.insert(try Element._decode(&cells))
    }
    return elements
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) {
    let shape = CollectionShape.of(Element.self)
    sink.append(bytes: shape.bytes(try Array(self).packed(), orderedBy: shape.shapes.count))
  }
  /// The value that a query compares.
  public var _constant: _Constant {
    let shape = CollectionShape.of(Element.self)
    guard let sink = try? Array(self).packed(), !shape.hasNaN(sink) else { return .equalToNothing }
    return _Constant(.bytes(shape.bytes(sink, orderedBy: shape.shapes.count)))
  }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [Set<Element>] {
    let elements = Element._samples(count)
    return (0..<Swift.min(count, elements.count + 1)).map { Set(elements.prefix($0)) }
  }
  /// A set of the elements that a calculation is likely to change.
  public static var _unusualSamples: [Set<Element>] { [Set(Element._unusualSamples)] }
}

/// Stored whole, like an array.
extension Dictionary: PropertyValue, Storable where Key: Storable, Value: PropertyValue {
  /// The field's type in the file.
  public static var _fieldType: _FieldType {
    _FieldType(.dictionary, of: .of(Key.self, Value.self))
  }
  /// The value in a cell.
  public static func _read(_ cell: _Cell) throws(StoreError) -> [Key: Value] {
    var values: [Key: Value] = [:]
    try CollectionShape.of(Key.self, Value.self).forEach(cell) { count in
      values.reserveCapacity(count)
    } _: { (cells) throws(StoreError) in
      let key = try Key._decode(&cells)
      values[key] = try Value._decode(&cells)
    }
    return values
  }
  /// Appends the value to a column.
  public func _write(to sink: _CellSink) throws(StoreError) {
    let shape = CollectionShape.of(Key.self, Value.self)
    sink.append(bytes: shape.bytes(try packed(), orderedBy: 1))
  }
  /// The value that a query compares.
  public var _constant: _Constant {
    let shape = CollectionShape.of(Key.self, Value.self)
    guard let sink = try? packed(), !shape.hasNaN(sink) else { return .equalToNothing }
    return _Constant(.bytes(shape.bytes(sink, orderedBy: 1)))
  }
  /// Sample values for testing a schema.
  public static func _samples(_ count: Int) -> [[Key: Value]] {
    let keys = Key._samples(count)
    guard let value = Value._samples(1).first else { return [] }
    return (0..<Swift.min(count, keys.count + 1)).map { size in
      Dictionary(uniqueKeysWithValues: keys.prefix(size).map { ($0, value) })
    }
  }
  /// A dictionary of the keys and values that a calculation is likely to change.
  public static var _unusualSamples: [[Key: Value]] {
    let keys = Key._unusualSamples + Key._samples(2)
    let values = Value._unusualSamples + Value._samples(2)
    return [Dictionary(zip(keys, values)) { first, _ in first }]
  }

  /// The columns of the keys and of the values.
  private func packed() throws(StoreError) -> RowSink {
    let keys = try Array<Key>(self.keys).packed()
    let values = try Array<Value>(self.values).packed()
    return RowSink(columns: keys.columns + values.columns, links: keys.links)
  }
}
