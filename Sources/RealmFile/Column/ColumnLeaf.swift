/// A leaf of single values of one type: those of a column, or the elements of a collection.
struct ColumnLeaf: Sendable {
  private let type: LeafType
  private let reference: UInt64
  private let content: Content

  private enum Content {
    case integers(IntegerLeaf)
    case words(WordLeaf)
    case fixed(FixedBytesLeaf)
    case dates(DateLeaf)
    case bytes(ByteLeaf)
    case mixed(MixedLeaf)
  }

  /// The leaf at a reference.
  init(
    _ reference: UInt64, _ type: LeafType, _ reader: NodeReader, _ budget: inout ReadBudget
  ) throws(RealmFileError) {
    self.type = type
    self.reference = reference
    switch type.type {
    case .string, .data:
      content = .bytes(
        try ByteLeaf(
          reference, isText: type.type == .string, isNullable: type.isNullable,
          enumeration: type.enumeration, reader, &budget))
      return
    default: break
    }
    let node = try reader.node(reference, &budget)
    try node.require(!node.header.isInner, .nodeKind)
    switch type.type {
    case .int: content = .integers(try IntegerLeaf(node, isNullable: type.isNullable))
    case .bool, .link, .linkList: content = .integers(try IntegerLeaf(node, isNullable: false))
    case .float: content = .words(try WordLeaf(node, widths: [4]))
    case .double: content = .words(try WordLeaf(node, widths: [8]))
    case .decimal: content = .words(try WordLeaf(node, widths: [0, 4, 8, 16]))
    case .objectID: content = .fixed(try FixedBytesLeaf(node, valueBytes: 12))
    case .uuid: content = .fixed(try FixedBytesLeaf(node, valueBytes: 16))
    case .date: content = .dates(try DateLeaf(node, reader, &budget))
    case .mixed: content = .mixed(try MixedLeaf(node, reader, &budget))
    case .string, .data, .backlink, .typedLink: throw node.damage(.columnType)
    }
  }

  /// The number of values.
  var count: Int {
    switch content {
    case .integers(let leaf): leaf.count
    case .words(let leaf): leaf.count
    case .fixed(let leaf): leaf.count
    case .dates(let leaf): leaf.count
    case .bytes(let leaf): leaf.count
    case .mixed(let leaf): leaf.count
    }
  }

  /// A value.
  func value(
    at index: Int, _ reader: NodeReader, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> LeafValue {
    if case .mixed(let leaf) = content { return try leaf.value(at: index, reader, &budget) }
    guard let value = try single(at: index, reader, &budget) else { return .gone }
    return .value(value)
  }

  /// A value that is no Mixed; nil for a link in a list whose target is gone.
  private func single(
    at index: Int, _ reader: NodeReader, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> StoredValue? {
    switch content {
    case .integers(let leaf): return try integer(leaf.value(at: index))
    case .words(let leaf):
      switch type.type {
      case .float: return try leaf.float(at: index)
      case .double: return try leaf.double(at: index)
      default: return try leaf.decimal(at: index)
      }
    case .fixed(let leaf):
      guard let bytes = try leaf.value(at: index) else { return .null }
      try budget.take(bytes.count)
      return type.type == .uuid ? .uuid(bytes) : .objectID(bytes)
    case .dates(let leaf): return try leaf.value(at: index)
    case .bytes(let leaf):
      guard let bytes = try leaf.bytes(at: index, reader, &budget) else { return .null }
      return type.type == .string ? .string(bytes) : .data(bytes)
    case .mixed: return nil
    }
  }

  private func integer(_ value: Int64?) throws(RealmFileError) -> StoredValue? {
    guard let value else { return .null }
    switch type.type {
    case .bool:
      guard value == 0 || value == 1 || value == 3 else { throw .damaged(at: reference, .value) }
      return value == 3 ? .null : .bool(value == 1)
    case .link, .linkList:
      guard let target = type.target else { throw .damaged(at: reference, .table) }
      // Below 0, the target was deleted elsewhere and only its tombstone is left.
      if type.linksArePlusOne {
        return value <= 0 ? .null : .link(table: target, key: value - 1)
      }
      return value < 0 ? nil : .link(table: target, key: value)
    default: return .int(value)
    }
  }
}
