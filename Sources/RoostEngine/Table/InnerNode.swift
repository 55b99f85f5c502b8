/// The bytes of an inner node (Format.md §3).
enum InnerLayout {
  static let level = 1
  static let childCount = 2
  static let tree = 4
  static let total = 8
  static let keys = 32
  static let counts = 840
  static let pointers = 1648
  /// The most children that one node can have.
  static let childrenMax = 101
}

/// An inner node whose bytes were found in order; kept beside its frame, so that it is checked once.
///
/// It does not hold the frame: see ``HeldNode``.
final class InnerNode: Sendable {
  let bytes: ByteView
  let level: Int
  let childCount: Int
  let tree: UInt32
  let total: UInt64

  /// Checks everything that the node says of itself.
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
    guard (1...InnerLayout.childrenMax).contains(childCount) else { throw damage(.nodeCount) }
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

  /// A node that was written with other children in place of another's last ones, in order as that is.
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

  /// The same for a child that is known to be one of ``childCount``; such a node's bytes are a whole unit.
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

  @inline(__always) func count(_ child: Int) -> UInt64 {
    bytes.uint64(at: InnerLayout.counts + 8 * child)
  }

  @inline(__always) func pointer(_ child: Int) -> ExtentPointer {
    ExtentPointer(bytes, at: InnerLayout.pointers + 24 * child)
  }

  /// The child whose range holds `key`, or −1 where the key lies before all of them.
  @inline(__always) func child(for key: Int64) -> Int {
    // Without branches on the comparison: a wrong guess costs more than the few steps saved.
    var low = 0
    var length = childCount
    while length > 0 {
      let half = length >> 1
      // Below `low + length`, which never grows from the count of children.
      let goesRight = unsafe uncheckedKey(low &+ half) <= key
      low = goesRight ? low &+ half &+ 1 : low
      length = goesRight ? length &- half &- 1 : half
    }
    return low - 1
  }
}
