/// A leaf of values of any type: a composite for each, which says its type and where it is.
struct MixedLeaf: Sendable {
  private let reference: UInt64
  private let composites: Node?
  private let integers: Node?
  private let pairs: Node?
  private let strings: ByteLeaf?
  private let references: Node?

  init(
    _ node: Node, _ reader: NodeReader, _ budget: inout ReadBudget
  ) throws(RealmFileError) {
    try node.require(node.header.layout == .bits && node.header.hasReferences, .nodeKind)
    reference = node.reference
    func part(_ index: Int, hasReferences: Bool) throws(RealmFileError) -> Node? {
      guard case .reference(let reference) = try node.slotIfPresent(index) else { return nil }
      return try reader.array(reference, hasReferences: hasReferences, &budget)
    }
    composites = try part(0, hasReferences: false)
    integers = try part(1, hasReferences: false)
    pairs = try part(2, hasReferences: false)
    if case .reference(let reference) = try node.slotIfPresent(3) {
      strings = try ByteLeaf(reference, isText: true, isNullable: false, reader, &budget)
    } else {
      strings = nil
    }
    references = try part(4, hasReferences: true)
  }

  var count: Int { composites?.count ?? 0 }

  /// A value.
  func value(
    at index: Int, _ reader: NodeReader, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> LeafValue {
    guard let composites else { throw .damaged(at: reference, .index) }
    let composite = try composites.signed(index)
    let place = composite >> 5 & 7
    let payload = composite >> 8
    let type = (composite & 31) - 1
    switch (type, place) {
    case (19, 4): return .list(try collection(payload))
    case (21, 4): return .dictionary(try collection(payload))
    default: return .value(try single(composite, in: composites, reader, &budget))
    }
  }

  /// A value that is no collection.
  private func single(
    _ composite: Int64, in composites: Node, _ reader: NodeReader, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> StoredValue {
    guard composite != 0 else { return .null }
    let place = composite >> 5 & 7
    let payload = composite >> 8
    let type = (composite & 31) - 1
    switch (type, place) {
    case (0, 0): return .int(payload)
    case (0, 1): return .int(try number(integers, payload))
    case (1, _): return .bool(payload != 0)
    case (9, 1):
      let bits = UInt32(truncatingIfNeeded: try number(integers, payload))
      return .float(Float(bitPattern: bits))
    case (10, 1):
      return .double(Double(bitPattern: UInt64(bitPattern: try number(integers, payload))))
    case (8, 2):
      let pair = try pair(payload)
      return try StoredValue(seconds: pair.0, nanoseconds: pair.1, composites)
    case (11, 2):
      let pair = try pair(payload)
      return .decimal(high: UInt64(bitPattern: pair.1), low: UInt64(bitPattern: pair.0))
    case (16, 2):
      let pair = try pair(payload)
      guard let table = UInt32(exactly: pair.0) else { throw composites.damage(.value) }
      return pair.1 < 0 ? .null : .link(table: table, key: pair.1)
    case (2, 3): return .string(try bytes(payload, reader, &budget))
    case (4, 3): return .data(try bytes(payload, reader, &budget))
    case (15, 3): return .objectID(try bytes(payload, count: 12, reader, &budget))
    case (17, 3): return .uuid(try bytes(payload, count: 16, reader, &budget))
    default: throw composites.damage(.columnType)
    }
  }

  private func number(_ node: Node?, _ index: Int64) throws(RealmFileError) -> Int64 {
    guard let node, let index = Int(exactly: index) else { throw .damaged(at: reference, .index) }
    return try node.signed(index)
  }

  private func pair(_ index: Int64) throws(RealmFileError) -> (Int64, Int64) {
    let (first, overflow) = index.multipliedReportingOverflow(by: 2)
    guard !overflow, first >= 0, first < .max else { throw .damaged(at: reference, .index) }
    return (try number(pairs, first), try number(pairs, first + 1))
  }

  private func bytes(
    _ index: Int64, count: Int? = nil, _ reader: NodeReader, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> [UInt8] {
    guard let strings, let index = Int(exactly: index), index >= 0, index < strings.count else {
      throw .damaged(at: reference, .index)
    }
    let bytes = try strings.bytes(at: index, reader, &budget) ?? []
    guard count == nil || bytes.count == count else {
      throw .damaged(at: reference, .value)
    }
    return bytes
  }

  /// Where a collection is; nil for an empty one.
  private func collection(_ index: Int64) throws(RealmFileError) -> UInt64? {
    guard let references, let index = Int(exactly: index) else {
      throw .damaged(at: reference, .index)
    }
    switch try references.slot(index) {
    case .empty: return nil
    case .number: throw references.damage(.nodeKind)
    case .reference(let reference): return reference
    }
  }
}
