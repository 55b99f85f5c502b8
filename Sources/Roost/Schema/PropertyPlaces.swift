/// Maps offsets in an object to the fields of its model's schema.
///
/// Plain memory, so that finding a property counts no references; the ``ModelBinding`` owns it.
struct PropertyPlaces: BitwiseCopyable, Sendable {
  /// For each offset in an object, the position in the schema of the property there, or -1.
  private let positions: UnownedArray<Int16>
  /// The Swift types of the properties.
  private let types: UnownedArray<ObjectIdentifier>

  /// The positions of the stored properties that take at least one byte.
  init(_ fields: [FieldDescription]) {
    let sized = fields.indices.filter { fields[$0].offset != nil && !fields[$0].isSizeless }
    let count = (sized.compactMap { fields[$0].offset }.max() ?? -1) + 1
    var positions = [Int16](repeating: -1, count: count)
    for place in sized {
      if let offset = fields[place].offset { positions[offset] = Int16(place) }
    }
    self.positions = UnownedArray(positions)
    types = UnownedArray(fields.map(\.valueType))
  }

  /// Whether the field at a position of the schema is declared with a stored property.
  func hasOffset(of position: Int) -> Bool {
    (0..<positions.count).contains { Int(positions[$0]) == position }
  }

  func deallocate() {
    positions.deallocate()
    types.deallocate()
  }

  /// The place in the schema of the stored property of a type at an offset in an object.
  @inline(__always)
  func position(atOffset offset: Int, of type: ObjectIdentifier) -> Int? {
    guard UInt(bitPattern: offset) < UInt(bitPattern: positions.count) else { return nil }
    let position = Int(positions[offset])
    // A part of a property may have the property's offset, but has another type.
    return position >= 0 && types[position] == type ? position : nil
  }
}
