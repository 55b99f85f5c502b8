/// A leaf of integers, of which some may be null.
struct IntegerLeaf: Sendable {
  private let node: Node
  private let isNullable: Bool

  init(_ node: Node, isNullable: Bool) throws(RealmFileError) {
    try node.require(node.header.layout == .bits && !node.header.hasReferences, .nodeKind)
    // Element 0 is the number that stands for null in this leaf.
    try node.require(!isNullable || node.count > 0, .elementCount)
    self.node = node
    self.isNullable = isNullable
  }

  var count: Int { isNullable ? node.count - 1 : node.count }

  func value(at index: Int) throws(RealmFileError) -> Int64? {
    guard isNullable else { return try node.signed(index) }
    guard index >= 0, index < count else { throw node.damage(.index) }
    let value = try node.signed(index + 1)
    return value == (try node.signed(0)) ? nil : value
  }
}

/// A leaf of values of one number of bytes each: floating-point numbers, and decimals.
struct WordLeaf: Sendable {
  private let node: Node

  init(_ node: Node, widths: [Int]) throws(RealmFileError) {
    try node.require(!node.header.hasReferences && node.header.layout == .bytes, .nodeKind)
    try node.require(
      widths.contains(node.header.width) || (node.header.width == 0 && node.count == 0), .nodeKind)
    self.node = node
  }

  var count: Int { node.count }

  func float(at index: Int) throws(RealmFileError) -> StoredValue {
    let bits: UInt32 = try load(index)
    return bits == 0x7fc0_00aa ? .null : .float(Float(bitPattern: bits))
  }

  func double(at index: Int) throws(RealmFileError) -> StoredValue {
    let bits: UInt64 = try load(index)
    return bits == 0x7ff8_0000_0000_00aa ? .null : .double(Double(bitPattern: bits))
  }

  func decimal(at index: Int) throws(RealmFileError) -> StoredValue {
    guard index >= 0, index < count else { throw node.damage(.index) }
    switch node.header.width {
    case 0: return node.header.context ? .decimal(high: decimalBias << 49, low: 0) : .null
    case 4:
      let bits: UInt32 = try load(index)
      if bits == 0x7c00_00aa { return .null }
      // Combinations that start a second form, or stand for infinity, are not written in this width.
      guard bits >> 29 & 3 != 3 else { throw node.damage(.value) }
      return decimal(
        isNegative: bits >> 31 != 0, exponent: UInt64(bits >> 23 & 0xff) + decimalBias - 101,
        coefficient: UInt64(bits & 0x7f_ffff))
    case 8:
      let bits: UInt64 = try load(index)
      if bits == 0x7c00_0000_0000_00aa { return .null }
      guard bits >> 61 & 3 != 3 else { throw node.damage(.value) }
      return decimal(
        isNegative: bits >> 63 != 0, exponent: (bits >> 53 & 0x3ff) + decimalBias - 398,
        coefficient: bits & 0x1f_ffff_ffff_ffff)
    default:
      let low: UInt64 = try load(index, part: 0)
      let high: UInt64 = try load(index, part: 8)
      if high == 0x7c00_0000_0000_0000, low == 0xaa { return .null }
      return .decimal(high: high, low: low)
    }
  }

  /// The 128 bits of a decimal that is stored in fewer.
  private func decimal(isNegative: Bool, exponent: UInt64, coefficient: UInt64) -> StoredValue {
    .decimal(high: (isNegative ? 1 << 63 : 0) | exponent << 49, low: coefficient)
  }

  private func load<T: FixedWidthInteger & BitwiseCopyable>(
    _ index: Int, part: Int = 0
  ) throws(RealmFileError) -> T {
    guard index >= 0, index < count else { throw node.damage(.index) }
    return node.payload.load(at: index * node.header.width + part, as: T.self)
  }
}

/// What is added to the exponent of a decimal of 128 bits.
private let decimalBias: UInt64 = 6176

/// A leaf of values of 12 or 16 bytes: blocks of eight, each behind a byte of null bits.
struct FixedBytesLeaf: Sendable {
  private let node: Node
  private let valueBytes: Int
  let count: Int

  init(_ node: Node, valueBytes: Int) throws(RealmFileError) {
    try node.require(
      !node.header.hasReferences && node.header.layout != .bits && node.header.width <= 1, .nodeKind
    )
    let size = node.payload.count
    let blockBytes = 8 * valueBytes + 1
    let rest = size % blockBytes
    try node.require(rest == 0 || rest % valueBytes == 1 % valueBytes, .elementCount)
    self.node = node
    self.valueBytes = valueBytes
    count = size / blockBytes * 8 + rest / valueBytes
  }

  func value(at index: Int) throws(RealmFileError) -> [UInt8]? {
    guard index >= 0, index < count else { throw node.damage(.index) }
    let block = index / 8 * (8 * valueBytes + 1)
    if node.payload[block] >> UInt8(index % 8) & 1 != 0 { return nil }
    let start = block + 1 + index % 8 * valueBytes
    return Array(node.payload[start..<start + valueBytes])
  }
}

/// A leaf of times: seconds, of which some may be null, and nanoseconds.
struct DateLeaf: Sendable {
  private let seconds: IntegerLeaf
  private let nanoseconds: Node

  init(
    _ node: Node, _ reader: NodeReader, _ budget: inout ReadBudget
  ) throws(RealmFileError) {
    try node.require(node.header.layout == .bits && node.header.hasReferences, .nodeKind)
    seconds = try IntegerLeaf(reader.node(node.child(0), &budget), isNullable: true)
    nanoseconds = try reader.array(node.child(1), hasReferences: false, &budget)
    try node.require(nanoseconds.count == seconds.count, .elementCount)
  }

  var count: Int { seconds.count }

  func value(at index: Int) throws(RealmFileError) -> StoredValue {
    guard let whole = try seconds.value(at: index) else { return .null }
    return try StoredValue(seconds: whole, nanoseconds: nanoseconds.signed(index), nanoseconds)
  }
}

extension StoredValue {
  /// A time, if its parts have one sign and the nanoseconds are less than a second.
  init(seconds: Int64, nanoseconds: Int64, _ node: Node) throws(RealmFileError) {
    guard let part = Int32(exactly: nanoseconds), part > -1_000_000_000, part < 1_000_000_000,
      seconds == 0 || part == 0 || (seconds < 0) == (part < 0)
    else { throw node.damage(.value) }
    self = .date(seconds: seconds, nanoseconds: part)
  }
}
