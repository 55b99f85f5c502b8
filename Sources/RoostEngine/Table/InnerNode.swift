/// The bytes of an inner node (Format.md §3).
enum InnerLayout {
  static let level = 1
  static let childCount = 2
  static let tree = 4
  static let total = 8
  static let keys = 32
  static let counts = 840
  static let pointers = 1648
  /// The most children of a node that is written: their entries leave ``Unit/trailerBytes`` free.
  static let childrenMax = 100
  /// The most children that fit into a node, as older files have them.
  static let places = 101
}

/// A validated inner node; kept beside its frame, so that it is validated once.
///
/// Does not retain the frame; the caller must.
final class InnerNode: Sendable {
  let bytes: ByteView
  let level: Int
  let childCount: Int
  let tree: UInt32
  let total: UInt64

  /// Validates all fields of the node.
  init(validating bytes: ByteView, pointer: ExtentPointer) throws(EngineError) {
    func damage(_ reason: Corruption.Reason) -> EngineError {
      .corrupt(Corruption(reason, unit: pointer.unit))
    }
    guard bytes.count >= Unit.bytes, bytes.uint8(at: 0) == ExtentKind.objectInner.rawValue else {
      throw damage(.nodeTag)
    }
    level = Int(bytes.uint8(at: InnerLayout.level))
    childCount = Int(bytes.uint16(at: InnerLayout.childCount))
    tree = bytes.uint32(at: InnerLayout.tree)
    total = bytes.uint64(at: InnerLayout.total)
    guard (1...TreeRoot.levelMax).contains(level) else { throw damage(.nodeLevel) }
    guard (1...InnerLayout.places).contains(childCount) else { throw damage(.nodeCount) }
    let childKind: ExtentKind = level == 1 ? .leafHead : .objectInner
    var sum: UInt64 = 0
    for child in 0..<childCount {
      let key = bytes.int64(at: InnerLayout.keys + 8 * child)
      if child > 0, key <= bytes.int64(at: InnerLayout.keys + 8 * (child - 1)) {
        throw damage(.nodeOrder)
      }
      let count = bytes.uint64(at: InnerLayout.counts + 8 * child)
      let (next, overflow) = sum.addingReportingOverflow(count)
      guard count > 0, !overflow else { throw damage(.objectCount) }
      sum = next
      try ExtentPointer(bytes, at: InnerLayout.pointers + 24 * child)
        .check(kind: childKind, parentBirth: pointer.birth)
    }
    guard sum == total else { throw damage(.objectCount) }
    self.bytes = bytes
  }

  /// A node written with new last children in place of a valid node's; needs no validation.
  init(copyOf other: InnerNode, in bytes: ByteView, childCount: Int, total: UInt64) {
    self.bytes = bytes
    level = other.level
    tree = other.tree
    self.childCount = childCount
    self.total = total
  }

  @inline(__always) func key(_ child: Int) -> Int64 {
    bytes.int64(at: InnerLayout.keys &+ 8 &* child)
  }

  /// The same without a bounds check: the child must be below ``childCount``, and a node's bytes are a whole unit.
  @unsafe
  @inline(__always) func uncheckedKey(_ child: Int) -> Int64 {
    unsafe bytes.uncheckedLoad(at: InnerLayout.keys &+ 8 &* child, as: Int64.self)
  }

  /// Whether another node's children begin with the same keys.
  func hasKeys(of other: InnerNode) -> Bool {
    childCount == other.childCount
      && bytes.slice(InnerLayout.keys, 8 * childCount)
        .bytesEqual(other.bytes.slice(InnerLayout.keys, 8 * childCount))
  }

  /// Whether one of the children is another node's child.
  @inline(__always)
  func hasChild(_ child: Int, of other: InnerNode, at place: Int) -> Bool {
    pointer(child) == other.pointer(place) && count(child) == other.count(place)
  }

  @inline(__always) func count(_ child: Int) -> UInt64 {
    bytes.uint64(at: InnerLayout.counts + 8 * child)
  }

  @inline(__always) func pointer(_ child: Int) -> ExtentPointer {
    ExtentPointer(bytes, at: InnerLayout.pointers + 24 * child)
  }

  /// The child whose range contains `key`, or −1 if the key lies before all of them.
  @inline(__always) func child(for key: Int64) -> Int {
    // Branchless comparison: a misprediction costs more than the few steps saved.
    var low = 0
    var length = childCount
    while length > 0 {
      let half = length >> 1
      // Below `low + length`, which never exceeds the child count.
      let goesRight = unsafe uncheckedKey(low &+ half) <= key
      low = goesRight ? low &+ half &+ 1 : low
      length = goesRight ? length &- half &- 1 : half
    }
    return low - 1
  }
}
