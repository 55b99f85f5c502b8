/// A leaf of a tree of objects: up to 256 of them, column by column.
struct ClusterLeaf: Sendable {
  private let node: Node
  private let keys: Node?
  private let offset: UInt64
  /// The number of objects.
  let count: Int

  static let countMax = 256

  init(
    _ node: Node, offset: UInt64, _ reader: NodeReader, _ budget: inout ReadBudget
  ) throws(RealmFileError) {
    switch try node.slot(0) {
    case .reference(let reference):
      let keys = try reader.array(
        reference, countMax: Self.countMax, hasReferences: false, &budget)
      self.keys = keys
      count = keys.count
    case .number(let count):
      keys = nil
      try node.require(count <= Self.countMax, .nodeSize)
      self.count = Int(count)
    case .empty:
      keys = nil
      count = 0
    }
    self.node = node
    self.offset = offset
    var last: UInt64?
    for index in 0..<count {
      let key = try key(at: index)
      if let last, key <= last { throw node.damage(.keyOrder) }
      last = key
    }
  }

  /// The key of an object.
  func key(at index: Int) throws(RealmFileError) -> UInt64 {
    guard index >= 0, index < count else { throw node.damage(.index) }
    let (key, overflow) = offset.addingReportingOverflow(
      try keys?.unsigned(index) ?? UInt64(index))
    guard !overflow, key <= UInt64(Int64.max) else { throw node.damage(.keyOrder) }
    return key
  }

  /// The row that has a key.
  func row(of key: UInt64) throws(RealmFileError) -> Int? {
    for index in 0..<count where try self.key(at: index) == key { return index }
    return nil
  }

  /// Where the leaf of a column is.
  func column(_ leafIndex: Int) throws(RealmFileError) -> UInt64 {
    guard leafIndex + 1 < node.count else { throw node.damage(.table) }
    return try node.child(leafIndex + 1)
  }
}

/// An inner node of a tree of objects.
private struct ClusterInner {
  private let node: Node
  private let keys: Node?
  private let offset: UInt64
  let depth: Int
  let childCount: Int
  /// The number of objects below.
  let objectCount: UInt64

  static let depthMax = 7

  init(
    _ node: Node, offset: UInt64, _ reader: NodeReader, _ budget: inout ReadBudget
  ) throws(RealmFileError) {
    try node.require(node.header.layout == .bits && node.header.hasReferences, .nodeKind)
    try node.require(node.count > 3 && node.count <= 3 + ClusterLeaf.countMax, .nodeSize)
    childCount = node.count - 3
    if case .reference(let reference) = try node.slot(0) {
      let keys = try reader.array(
        reference, countMax: ClusterLeaf.countMax, hasReferences: false, &budget)
      try node.require(keys.count == childCount, .elementCount)
      self.keys = keys
    } else {
      keys = nil
    }
    let depth = try node.number(1)
    try node.require(depth >= 1 && depth <= Self.depthMax, .depth)
    self.depth = Int(depth)
    objectCount = try node.number(2)
    self.node = node
    self.offset = offset
  }

  /// Where a child is, and what its keys are relative to.
  func child(_ index: Int) throws(RealmFileError) -> (reference: UInt64, offset: UInt64) {
    (try node.child(index + 3), try childOffset(index))
  }

  private func childOffset(_ index: Int) throws(RealmFileError) -> UInt64 {
    let relative = try keys?.unsigned(index) ?? UInt64(index) << UInt64(8 * depth)
    let (sum, overflow) = offset.addingReportingOverflow(relative)
    guard !overflow, sum <= UInt64(Int64.max) else { throw node.damage(.keyOrder) }
    return sum
  }

  /// The child that has a key, if any has.
  func child(with key: UInt64) throws(RealmFileError) -> (reference: UInt64, offset: UInt64)? {
    var found: Int?
    var (low, high) = (0, childCount)
    while low < high {
      let middle = (low + high) / 2
      if try childOffset(middle) <= key {
        found = middle
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard let found else { return nil }
    return try child(found)
  }
}

/// A node of a tree of objects.
private enum ClusterNode {
  case inner(ClusterInner)
  case leaf(ClusterLeaf)

  /// The node at a reference.
  ///
  /// - Parameter depth: The depth that an inner node has to have, 0 for a leaf; nil for the root.
  init(
    _ place: (reference: UInt64, offset: UInt64), depth: Int?, _ reader: NodeReader,
    _ budget: inout ReadBudget
  ) throws(RealmFileError) {
    let node = try reader.node(place.reference, &budget)
    try node.require(node.header.layout == .bits && node.header.hasReferences, .nodeKind)
    if node.header.isInner {
      let inner = try ClusterInner(node, offset: place.offset, reader, &budget)
      try node.require(depth == nil || depth == inner.depth, .depth)
      self = .inner(inner)
    } else {
      try node.require(depth == nil || depth == 0, .depth)
      self = .leaf(try ClusterLeaf(node, offset: place.offset, reader, &budget))
    }
  }
}

/// Goes through the leaves of a tree of objects in the order of their keys.
struct ClusterCursor {
  private let reader: NodeReader
  private let root: UInt64
  private var path: [(node: ClusterInner, next: Int)] = []
  private var hasBegun = false
  private var lastKey: UInt64?
  private var nodesLeft: UInt64
  private var objectsSeen: UInt64 = 0
  private var objectCount: UInt64?

  init(_ root: UInt64, _ reader: NodeReader) {
    self.root = root
    self.reader = reader
    nodesLeft = reader.nodesMax
  }

  /// The next leaf.
  ///
  /// - Throws: Also at the end, if there were not as many objects as the root says.
  mutating func next(_ budget: inout ReadBudget) throws(RealmFileError) -> ClusterLeaf? {
    if !hasBegun {
      hasBegun = true
      return try visit((root, 0), depth: nil, &budget)
    }
    while let (node, next) = path.last {
      if next < node.childCount {
        path[path.count - 1].next += 1
        return try visit(node.child(next), depth: node.depth - 1, &budget)
      }
      path.removeLast()
    }
    if let objectCount, objectCount != objectsSeen { throw .damaged(at: root, .objectCount) }
    return nil
  }

  /// The first leaf at or below a node; inner nodes on the way are added to the path.
  private mutating func visit(
    _ place: (reference: UInt64, offset: UInt64), depth: Int?, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> ClusterLeaf {
    var (place, depth) = (place, depth)
    while true {
      // Each node is in one place of one tree.
      guard nodesLeft > 0 else { throw .damaged(at: root, .nodeCount) }
      nodesLeft -= 1
      switch try ClusterNode(place, depth: depth, reader, &budget) {
      case .inner(let inner):
        if objectCount == nil { objectCount = inner.objectCount }
        path.append((inner, 1))
        place = try inner.child(0)
        depth = inner.depth - 1
      case .leaf(let leaf):
        objectsSeen += UInt64(leaf.count)
        if leaf.count > 0 {
          let first = try leaf.key(at: 0)
          if let lastKey, first <= lastKey { throw .damaged(at: place.reference, .keyOrder) }
          lastKey = try leaf.key(at: leaf.count - 1)
        }
        return leaf
      }
    }
  }
}

/// A tree of objects, by their keys.
struct ClusterTree: Sendable {
  let root: UInt64
  private let reader: NodeReader

  init(_ root: UInt64, _ reader: NodeReader) {
    self.root = root
    self.reader = reader
  }

  /// The number of objects, as the root states it.
  func count(_ budget: inout ReadBudget) throws(RealmFileError) -> UInt64 {
    switch try ClusterNode((root, 0), depth: nil, reader, &budget) {
    case .inner(let inner): inner.objectCount
    case .leaf(let leaf): UInt64(leaf.count)
    }
  }

  /// The leaf that has an object, and its row there.
  func find(
    _ key: UInt64, _ budget: inout ReadBudget
  ) throws(RealmFileError) -> (leaf: ClusterLeaf, row: Int)? {
    var place: (reference: UInt64, offset: UInt64) = (root, 0)
    var depth: Int?
    while true {
      switch try ClusterNode(place, depth: depth, reader, &budget) {
      case .inner(let inner):
        guard let child = try inner.child(with: key) else { return nil }
        (place, depth) = (child, inner.depth - 1)
      case .leaf(let leaf):
        guard let row = try leaf.row(of: key) else { return nil }
        return (leaf, row)
      }
    }
  }
}
