/// Maps offsets in an object to the fields of its model's schema.
///
/// Plain memory, so that finding a property counts no references; the ``ModelBinding`` owns it.
@safe
struct PropertyPlaces {
  /// For each offset in an object, the position in the schema of the property there, or -1.
  private let positions: UnsafePointer<Int16>
  private let positionCount: Int
  /// The Swift types of the properties.
  private let types: UnsafePointer<ObjectIdentifier>

  /// The positions of the stored properties that take at least one byte.
  init(_ fields: [FieldDescription]) {
    let sized = fields.indices.filter { fields[$0].offset != nil && !fields[$0].isSizeless }
    positionCount = (sized.compactMap { fields[$0].offset }.max() ?? -1) + 1
    let positions = UnsafeMutablePointer<Int16>.allocate(capacity: max(positionCount, 1))
    unsafe positions.initialize(repeating: -1, count: max(positionCount, 1))
    for place in sized {
      // Below the count, which is higher than all offsets.
      if let offset = fields[place].offset { unsafe positions[offset] = Int16(place) }
    }
    let types = UnsafeMutablePointer<ObjectIdentifier>.allocate(capacity: max(fields.count, 1))
    for (place, field) in fields.enumerated() {
      unsafe (types + place).initialize(to: field.valueType)
    }
    unsafe self.positions = UnsafePointer(positions)
    unsafe self.types = UnsafePointer(types)
  }

  func deallocate() {
    unsafe positions.deallocate()
    unsafe types.deallocate()
  }

  /// The place in the schema of the stored property of a type at an offset in an object.
  @inline(__always)
  func position(atOffset offset: Int, of type: ObjectIdentifier) -> Int? {
    guard UInt(bitPattern: offset) < UInt(bitPattern: positionCount) else { return nil }
    let position = unsafe Int(positions[offset])
    // A part of a property may have the property's offset, but has another type.
    return unsafe position >= 0 && types[position] == type ? position : nil
  }
}
