/// A leaf of byte strings: texts or data. Its header says which of four layouts it has.
struct ByteLeaf: Sendable {
  private let reference: UInt64
  private let content: Content
  private let isNullable: Bool
  /// Whether a zero byte follows each value.
  private let isTerminated: Bool
  /// The number of values.
  let count: Int

  private enum Content {
    /// Blocks of equal length; the last byte says how many bytes before it are padding.
    case blocks(Node)
    /// Indexes into the distinct values.
    indirect case enumerated(Node, ByteLeaf)
    /// One run of bytes, the end of each value in it, and which values are null.
    case run(bytes: Node, ends: Node, nulls: Node?)
    /// A reference for each value.
    case references(Node)
    case empty
  }

  /// The bytes that a run may have: far more than the 63 that a value in it has at most, times their number.
  private static let runBytesMax = 1 << 20
  /// The most parts that a value over 16 MB consists of.
  private static let partsMax = 256

  /// A leaf at a reference.
  ///
  /// - Parameters:
  ///   - isText: Whether it is a leaf of strings; else, of data.
  ///   - enumeration: Where the distinct values of an enumerated column are.
  init(
    _ reference: UInt64, isText: Bool, isNullable: Bool, enumeration: UInt64? = nil,
    _ reader: NodeReader, _ budget: inout ReadBudget
  ) throws(RealmFileError) {
    self.isNullable = isNullable
    isTerminated = isText
    self.reference = reference
    let node = try reader.node(reference, &budget)
    let header = node.header
    try node.require(!header.isInner, .nodeKind)
    if !header.hasReferences, isText, header.layout == .bytes {
      content = .blocks(node)
      count = node.count
    } else if !header.hasReferences, isText, header.layout == .bits, node.count > 0 {
      guard let enumeration else { throw node.damage(.nodeKind) }
      let values = try ByteLeaf(
        enumeration, isText: true, isNullable: isNullable, reader, &budget)
      content = .enumerated(node, values)
      count = node.count
    } else if header.hasReferences, header.layout == .bits, header.context {
      content = .references(node)
      count = node.count
    } else if header.hasReferences, header.layout == .bits {
      let ends = try reader.array(node.child(0), hasReferences: false, &budget)
      let bytes = try reader.node(node.child(1), &budget)
      try bytes.require(!bytes.header.hasReferences && bytes.header.layout != .bits, .nodeKind)
      try bytes.require(bytes.payload.count <= Self.runBytesMax, .nodeSize)
      var nulls: Node?
      if case .reference(let reference) = try node.slotIfPresent(2) {
        let flags = try reader.array(reference, hasReferences: false, &budget)
        try flags.require(flags.count == ends.count, .elementCount)
        nulls = flags
      }
      content = .run(bytes: bytes, ends: ends, nulls: nulls)
      count = ends.count
    } else {
      try node.require(node.count == 0, .nodeKind)
      content = .empty
      count = 0
    }
  }

  /// The bytes of a value; nil if it is null.
  func bytes(
    at index: Int, _ reader: NodeReader, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> [UInt8]? {
    let value: [UInt8]?
    switch content {
    case .blocks(let node): value = try Self.block(index, of: node)
    case .enumerated(let node, let values):
      guard let place = Int(exactly: try node.signed(index)) else { throw node.damage(.index) }
      guard place >= 0, place < values.count else { throw node.damage(.index) }
      return try values.bytes(at: place, reader, &budget)
    case .run(let bytes, let ends, let nulls):
      value = try run(index, bytes, ends, nulls)
    case .references(let node):
      switch try node.slot(index) {
      case .empty: value = nil
      case .reference(let reference): value = try blob(reference, reader, &budget)
      case .number: throw node.damage(.nodeKind)
      }
    case .empty: throw .damaged(at: reference, .index)
    }
    if let value {
      // The bytes, and what the caller makes of them.
      try budget.take(2 * value.count)
      return value
    }
    return isNullable ? nil : []
  }

  private static func block(_ index: Int, of node: Node) throws(RealmFileError) -> [UInt8]? {
    guard index >= 0, index < node.count else { throw node.damage(.index) }
    let width = node.header.width
    guard width > 0 else { return nil }
    let start = index * width
    let padding = Int(node.payload[start + width - 1])
    if padding == width { return nil }
    guard padding < width else { throw node.damage(.value) }
    return Array(node.payload[start..<start + width - 1 - padding])
  }

  private func run(
    _ index: Int, _ bytes: Node, _ ends: Node, _ nulls: Node?
  ) throws(RealmFileError) -> [UInt8]? {
    if let nulls, try nulls.signed(index) != 0 { return nil }
    let start = index == 0 ? 0 : try ends.signed(index - 1)
    let end = try ends.signed(index)
    guard start >= 0, start <= end, end <= Int64(bytes.payload.count) else {
      throw ends.damage(.value)
    }
    return try unterminated(bytes.payload[Int(start)..<Int(end)], bytes)
  }

  /// A value in a node of its own, or in several that are joined.
  private func blob(
    _ reference: UInt64, _ reader: NodeReader, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> [UInt8] {
    let node = try reader.node(reference, &budget)
    if node.header.hasReferences, node.header.context {
      try node.require(node.count <= Self.partsMax, .nodeSize)
      var whole: [UInt8] = []
      for index in 0..<node.count {
        let part = try reader.node(node.child(index), &budget)
        try part.require(!part.header.hasReferences && part.header.layout != .bits, .nodeKind)
        whole += part.payload
      }
      return try unterminated(whole[...], node)
    }
    try node.require(!node.header.hasReferences && node.header.layout != .bits, .nodeKind)
    return try unterminated(node.payload[...], node)
  }

  /// The value without the zero byte that follows a text.
  private func unterminated(
    _ bytes: ArraySlice<UInt8>, _ node: Node
  ) throws(RealmFileError) -> [UInt8] {
    guard isTerminated else { return Array(bytes) }
    guard bytes.last == 0 else { throw node.damage(.value) }
    return Array(bytes.dropLast())
  }
}
