/// A node of the file: a header, and an array of numbers, references or bytes.
///
/// Its payload was checked to be as long as the header says, so an element only needs its index checked.
struct Node: Sendable {
  /// Where the node lies in the file.
  let reference: UInt64
  let header: NodeHeader
  /// The elements as they are stored.
  let payload: [UInt8]

  /// The number of elements.
  var count: Int { header.count }

  /// An error about this node.
  func damage(_ damage: RealmFileError.Damage) -> RealmFileError {
    .damaged(at: reference, damage)
  }

  /// Throws if the node is not of this kind.
  func require(_ condition: Bool, _ damage: RealmFileError.Damage) throws(RealmFileError) {
    guard condition else { throw .damaged(at: reference, damage) }
  }

  /// An element of an array of integers; those of 8 bits and more are signed.
  func signed(_ index: Int) throws(RealmFileError) -> Int64 {
    try check(index)
    switch header.width {
    case 0: return 0
    case 8: return Int64(load(index, as: Int8.self))
    case 16: return Int64(load(index, as: Int16.self))
    case 32: return Int64(load(index, as: Int32.self))
    case 64: return load(index, as: Int64.self)
    default: return Int64(packed(index))
    }
  }

  /// An element of an array of integers whose kind of array is unsigned.
  func unsigned(_ index: Int) throws(RealmFileError) -> UInt64 {
    try check(index)
    switch header.width {
    case 0: return 0
    case 8: return UInt64(load(index, as: UInt8.self))
    case 16: return UInt64(load(index, as: UInt16.self))
    case 32: return UInt64(load(index, as: UInt32.self))
    case 64: return load(index, as: UInt64.self)
    default: return UInt64(packed(index))
    }
  }

  /// An element of an array of references.
  func slot(_ index: Int) throws(RealmFileError) -> Slot {
    let value = UInt64(bitPattern: try signed(index))
    if value == 0 { return .empty }
    return value & 1 == 0 ? .reference(value) : .number(value >> 1)
  }

  /// An element of an array of references; empty if the array ends before it.
  func slotIfPresent(_ index: Int) throws(RealmFileError) -> Slot {
    index < count ? try slot(index) : .empty
  }

  /// A reference that has to be there.
  func child(_ index: Int) throws(RealmFileError) -> UInt64 {
    guard case .reference(let reference) = try slot(index) else { throw damage(.nodeKind) }
    return reference
  }

  /// A number that has to be there.
  func number(_ index: Int) throws(RealmFileError) -> UInt64 {
    switch try slot(index) {
    case .number(let value): return value
    case .empty: return 0
    case .reference: throw damage(.nodeKind)
    }
  }

  private func check(_ index: Int) throws(RealmFileError) {
    guard index >= 0, index < count else { throw damage(.index) }
    guard header.layout == .bits else { throw damage(.nodeKind) }
  }

  private func load<T: FixedWidthInteger & BitwiseCopyable>(_ index: Int, as type: T.Type) -> T {
    payload.load(at: index * MemoryLayout<T>.size, as: type)
  }

  /// An element of 1, 2 or 4 bits.
  private func packed(_ index: Int) -> UInt8 {
    let bit = index * header.width
    return payload[bit / 8] >> UInt8(bit % 8) & (1 << UInt8(header.width) - 1)
  }
}

/// An element of an array of references.
enum Slot: Equatable {
  case empty
  case reference(UInt64)
  case number(UInt64)
}
