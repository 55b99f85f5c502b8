/// Reads collections whole: B+trees of elements, and dictionaries.
struct Collections {
  private let reader: NodeReader
  /// How many collections contain this one.
  private let depth: Int

  /// The most collections within each other: more than Realm allows.
  static let depthMax = 128
  /// The most levels of inner nodes: each has 1,000 children, so four hold more than a file can.
  private static let levelsMax = 8
  /// The most elements in a leaf, and children of an inner node.
  private static let leafCountMax = 1000

  init(_ reader: NodeReader, depth: Int = 0) {
    self.reader = reader
    self.depth = depth
  }

  /// A value of a leaf, with all that a collection in it contains; nil for a link in a list whose target is gone.
  func value(
    at index: Int, of leaf: ColumnLeaf, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> StoredValue? {
    let reference: UInt64
    let isList: Bool
    switch try leaf.value(at: index, reader, &budget) {
    case .value(let value): return value
    case .gone: return nil
    case .list(nil): return .list([])
    case .dictionary(nil): return .dictionary([])
    case .list(.some(let list)): (reference, isList) = (list, true)
    case .dictionary(.some(let dictionary)): (reference, isList) = (dictionary, false)
    }
    guard depth < Self.depthMax else { throw .damaged(at: reference, .depth) }
    let inner = Collections(reader, depth: depth + 1)
    return isList
      ? .list(try inner.elements(reference, .mixed, &budget))
      : .dictionary(try inner.entries(reference, keys: .key, &budget))
  }

  /// The elements of a list or set. Links whose target is gone are left out.
  func elements(
    _ root: UInt64, _ type: LeafType, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> [StoredValue] {
    var values: [StoredValue] = []
    try append(root, type, level: 0, to: &values, &budget)
    return values
  }

  /// Adds the elements below a node; returns how many the file has there.
  @discardableResult private func append(
    _ reference: UInt64, _ type: LeafType, level: Int, to values: inout [StoredValue],
    _ budget: inout ReadBudget
  ) throws(RealmFileError) -> UInt64 {
    guard try reader.header(reference).isInner else {
      let leaf = try ColumnLeaf(reference, type, reader, &budget)
      guard leaf.count <= Self.leafCountMax else { throw .damaged(at: reference, .nodeSize) }
      try budget.take(leaf.count * StoredValue.elementBytes)
      for index in 0..<leaf.count {
        if let value = try value(at: index, of: leaf, &budget) { values.append(value) }
      }
      return UInt64(leaf.count)
    }
    guard level < Self.levelsMax else { throw .damaged(at: reference, .depth) }
    let node = try reader.array(
      reference, countMax: Self.leafCountMax + 2, hasReferences: true, &budget)
    try node.require(node.count >= 2, .elementCount)
    var count: UInt64 = 0
    for index in 1..<node.count - 1 {
      count += try append(node.child(index), type, level: level + 1, to: &values, &budget)
    }
    try node.require(node.number(node.count - 1) == count, .elementCount)
    return count
  }

  /// Integers: in a tree, or in one array of any length before format 24.
  func integers(
    _ reference: UInt64, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> [Int64] {
    var integers: [Int64] = []
    if reader.format < 24 {
      let array = try reader.array(reference, hasReferences: false, &budget)
      try budget.take(array.count * MemoryLayout<Int64>.stride)
      for index in 0..<array.count { integers.append(try array.signed(index)) }
    } else {
      let type = LeafType(type: .int, isNullable: false)
      for value in try elements(reference, type, &budget) {
        guard case .int(let integer) = value else { throw .damaged(at: reference, .value) }
        integers.append(integer)
      }
    }
    return integers
  }

  /// The entries of a dictionary.
  func entries(
    _ reference: UInt64, keys keyType: LeafType, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> [StoredValue.Entry] {
    if reader.format < 23 { return try hashedEntries(reference, keys: keyType, &budget) }
    let node = try reader.array(reference, hasReferences: true, &budget)
    let keys = try elements(node.child(0), keyType, &budget)
    let values = try elements(node.child(1), .mixed, &budget)
    try node.require(keys.count == values.count, .elementCount)
    try budget.take(2 * keys.count * StoredValue.elementBytes)
    return zip(keys, values).map { StoredValue.Entry(key: $0, value: $1) }
  }

  /// The entries of a dictionary before format 23: a tree of clusters by the hash of the key.
  private func hashedEntries(
    _ root: UInt64, keys keyType: LeafType, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> [StoredValue.Entry] {
    var entries: [StoredValue.Entry] = []
    var cursor = ClusterCursor(root, reader)
    while let cluster = try cursor.next(&budget) {
      guard cluster.count > 0 else { continue }
      let keys = try ColumnLeaf(cluster.column(0), keyType, reader, &budget)
      let values = try ColumnLeaf(cluster.column(1), .mixed, reader, &budget)
      guard keys.count == cluster.count, values.count == cluster.count else {
        throw .damaged(at: root, .elementCount)
      }
      try budget.take(2 * cluster.count * StoredValue.elementBytes)
      for index in 0..<cluster.count {
        guard let key = try value(at: index, of: keys, &budget),
          let value = try value(at: index, of: values, &budget)
        else { continue }
        entries.append(StoredValue.Entry(key: key, value: value))
      }
    }
    return entries
  }
}
