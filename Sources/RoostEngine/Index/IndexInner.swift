import Synchronization

/// The bytes of an inner node of an index (Format.md §4).
enum IndexInnerLayout {
  static let level = 1
  static let childCount = 2
  static let tree = 4
  static let entryCount = 8
  static let prefixLength = 16
  static let pointers = 32
  /// The padding bytes behind the separators.
  static let slack = 8
  /// The flag in an offset for a separator that ends in an object key.
  static let keyFlag: UInt16 = 0x8000
  /// The maximum number of units of a node.
  static let unitsMax = 4

  static func counts(_ children: Int) -> Int { pointers + ExtentPointer.size * children }
  static func offsets(_ children: Int) -> Int { counts(children) + 8 * children }
  static func prefix(_ children: Int) -> Int { offsets(children) + 2 * children }

  /// The size in bytes of a node whose separators' suffixes and keys take `heap` bytes.
  static func size(children: Int, prefix length: Int, heap: Int) -> Int {
    prefix(children) + length + heap + slack
  }
}

/// A validated inner node of an index; kept beside its frame, validated once.
///
/// Does not retain the frame; the caller must. It may retain children, in whatever version they are
/// read: the node's own bytes determine them.
final class IndexInner: Sendable {
  private static let serials = Atomic<UInt64>(0)

  /// The frame that retains the node and its bytes.
  let frame: UnownedReference<Frame>
  let bytes: ByteView
  /// A number that is unique among the nodes of this process.
  let serial = IndexInner.serials.wrappingAdd(1, ordering: .relaxed).newValue
  /// The mark of the edge that the node was last checked against.
  let checkedEdge = Atomic<UInt64>(0)
  let level: Int
  let childCount: Int
  let tree: UInt32
  let entryCount: UInt64
  let prefix: ByteView
  private let countsAt: Int
  private let offsetsAt: Int
  private let heapAt: Int
  /// The first bytes of each separator's suffix.
  private let probes: ProbeList
  private let budget: NodeBudget
  /// The retained node or leaf of each child.
  private let slots: FixedArray<IndexSlot>

  /// Validates all fields of the node and the form of its pointers.
  ///
  /// - Parameter isInOrder: Whether the bytes were just made from children in order: then pointers and
  ///   separators are not gone through again.
  init(
    validating frame: Frame, _ budget: NodeBudget, isInOrder: Bool = false
  ) throws(EngineError) {
    typealias Layout = IndexInnerLayout
    let bytes = frame.bytes
    let pointer = frame.pointer
    func damage(_ reason: Corruption.Reason) -> EngineError {
      .corrupt(Corruption(reason, unit: pointer.unit))
    }
    self.frame = UnownedReference(frame)
    self.budget = budget
    guard bytes.count >= Unit.bytes, bytes.count <= Layout.unitsMax * Unit.bytes,
      bytes.uint8(at: 0) == ExtentKind.indexInner.rawValue
    else { throw damage(.nodeTag) }
    level = Int(bytes.uint8(at: Layout.level))
    childCount = Int(bytes.uint16(at: Layout.childCount))
    tree = bytes.uint32(at: Layout.tree)
    entryCount = bytes.uint64(at: Layout.entryCount)
    let prefixLength = Int(bytes.uint16(at: Layout.prefixLength))
    guard (1...TreeRoot.levelMax).contains(level) else { throw damage(.nodeLevel) }
    guard childCount > 0, Layout.prefix(childCount) + Layout.slack <= bytes.count else {
      throw damage(.nodeCount)
    }
    countsAt = Layout.counts(childCount)
    offsetsAt = Layout.offsets(childCount)
    heapAt = Layout.prefix(childCount) + prefixLength
    guard prefixLength <= IndexKey.byteCountMax, heapAt + Layout.slack <= bytes.count else {
      throw damage(.offsets)
    }
    prefix = bytes.slice(heapAt - prefixLength, prefixLength)
    self.bytes = bytes
    probes = ProbeList(count: childCount - 1)
    slots = FixedArray(count: childCount) { _ in IndexSlot() }
    if !isInOrder {
      try checkChildren(pointer)
      guard hasLegalSeparators else { throw damage(.offsets) }
      for index in 1..<max(childCount - 1, 1) where !ascends(index) { throw damage(.nodeOrder) }
    }
    for index in 0..<childCount - 1 {
      let span = suffixSpan(index)
      probes[index] = ProbeBytes.chunk(bytes, span.offset, span.count)
    }
  }

  deinit {
    // Outside the loop, since each use of a property counts a reference there.
    let budget = budget
    for child in 0..<childCount { slots[child].leave(budget) }
  }

  /// What the slot of a child holds.
  @inline(__always)
  func held(_ child: Int) -> IndexSlot.Content { slots[child].content }

  /// Retains a child from now on, if the budget has room.
  func hold(_ node: IndexInner, at child: Int) { slots[child].hold(node, budget) }

  /// Retains a child from now on, if the budget has room.
  func hold(_ leaf: IndexLeaf, at child: Int) { slots[child].hold(leaf, budget) }

  @inline(__always)
  func pointer(_ child: Int) -> ExtentPointer {
    ExtentPointer(bytes, at: IndexInnerLayout.pointers + ExtentPointer.size * child)
  }

  /// The number of entries below the children before one.
  @inline(__always)
  func countBefore(_ child: Int) -> UInt64 {
    child == 0 ? 0 : bytes.uint64(at: countsAt + 8 * (child - 1))
  }

  /// The number of entries below a child.
  @inline(__always)
  func count(_ child: Int) -> UInt64 { countBefore(child + 1) &- countBefore(child) }

  /// The separator between a child and the next one.
  @inline(__always)
  func separator(_ index: Int) -> IndexSeparator {
    IndexSeparator(bytes: SplitBytes(prefix, suffix(index)), key: separatorKey(index))
  }

  /// The child with the first entry at or after a position, unless that is the first entry of the next child.
  @inline(__always)
  func child(for position: IndexPosition, from start: Int = 0) -> Int {
    let value = position.value
    switch PrefixOrder(of: value, in: bytes, prefixAt: heapAt &- prefix.count, prefix.count) {
    case .before: return start
    case .among:
      return child(for: ProbeBytes(value, after: prefix.count), position.key, from: start)
    case .after: return childCount - 1
    }
  }

  /// The same, with the object key at which the position's value continues behind the child; nil if it does
  /// not continue.
  ///
  /// - Parameter outer: That key for the whole node, which the last child's is.
  @inline(__always)
  func step(
    to position: IndexPosition, continuation outer: Int64?
  ) -> (child: Int, continuation: Int64?) {
    let value = position.value
    switch PrefixOrder(of: value, in: bytes, prefixAt: heapAt &- prefix.count, prefix.count) {
    case .before: return (0, childCount > 1 ? nil : outer)
    case .after: return (childCount - 1, outer)
    case .among: break
    }
    let rest = ProbeBytes(value, after: prefix.count)
    let child = child(for: rest, position.key, from: 0)
    guard child + 1 < childCount else { return (child, outer) }
    guard hasKey(child) else { return (child, nil) }
    let span = suffixSpan(child)
    return (child, rest.compare(bytes, span.offset, span.count) == 0 ? separatorKey(child) : nil)
  }

  @inline(__always)
  private func child(for rest: ProbeBytes, _ key: Int64, from start: Int) -> Int {
    let below = probes.count(below: rest.chunk)
    // The separators in this range have the same first bytes.
    let low = max(start, below)
    let high = max(start, probes.count(notAbove: rest.chunk, below: below))
    return (low..<high).partitioningIndex { index in
      let span = suffixSpan(index)
      let order = rest.compare(bytes, span.offset, span.count)
      return order > 0 || (order == 0 && separatorKey(index) > key)
    }
  }

  /// Whether the separators lie between the bounds of the node's edge.
  func lies(from low: IndexSeparator?, to high: IndexSeparator?) -> Bool {
    guard childCount > 1 else { return true }
    if let low, !low.precedes(separator(0)) { return false }
    if let high, !separator(childCount - 2).precedes(high) { return false }
    return true
  }

  /// A separator's bytes after the prefix.
  @inline(__always)
  private func suffix(_ index: Int) -> ByteView {
    let span = suffixSpan(index)
    return bytes.slice(span.offset, span.count)
  }

  /// The range of a separator's bytes after the prefix; at least eight bytes follow its start.
  @inline(__always)
  private func suffixSpan(_ index: Int) -> (offset: Int, count: Int) {
    let offsets = bytes.uint32(at: offsetsAt &+ 2 &* index)
    let start = Int(offsets & 0x7FFF)
    let end = Int(offsets >> 16 & 0x7FFF) &- (offsets & 0x8000 == 0 ? 0 : 8)
    return (heapAt &+ start, end &- start)
  }

  @inline(__always)
  private func hasKey(_ index: Int) -> Bool {
    bytes.uint16(at: offsetsAt + 2 * index) & IndexInnerLayout.keyFlag != 0
  }

  @inline(__always)
  private func separatorKey(_ index: Int) -> Int64 {
    guard hasKey(index) else { return Int64.min }
    let end = Int(bytes.uint16(at: offsetsAt + 2 * index + 2) & ~IndexInnerLayout.keyFlag)
    return bytes.int64(at: heapAt + end - 8)
  }

  private func checkChildren(_ pointer: ExtentPointer) throws(EngineError) {
    let kind: ExtentKind = level == 1 ? .indexLeaf : .indexInner
    let unitsMax = level == 1 ? IndexLeafLayout.unitsMax : IndexInnerLayout.unitsMax
    var last: UInt64 = 0
    for child in 0..<childCount {
      try self.pointer(child).check(kind: kind, parentBirth: pointer.birth)
      guard self.pointer(child).units <= unitsMax else {
        throw .corrupt(Corruption(.nodeTag, unit: pointer.unit))
      }
      let next = countBefore(child + 1)
      guard next > last else { throw .corrupt(Corruption(.objectCount, unit: pointer.unit)) }
      last = next
    }
    guard last == entryCount, last <= UInt64(Int64.max) else {
      throw .corrupt(Corruption(.objectCount, unit: pointer.unit))
    }
  }

  /// Whether every separator lies in the heap and does not exceed the maximum key length.
  private var hasLegalSeparators: Bool {
    let room = bytes.count - heapAt - IndexInnerLayout.slack
    var start = 0
    guard bytes.uint16(at: offsetsAt) & ~IndexInnerLayout.keyFlag == 0 else { return false }
    for index in 0..<childCount - 1 {
      let end = Int(bytes.uint16(at: offsetsAt + 2 * index + 2) & ~IndexInnerLayout.keyFlag)
      let length = end - start - (hasKey(index) ? 8 : 0)
      guard length >= 0, prefix.count + length <= IndexKey.byteCountMax, end <= room else {
        return false
      }
      start = end
    }
    return true
  }

  private func ascends(_ index: Int) -> Bool {
    let order = suffix(index - 1).compare(suffix(index))
    return order < 0 || (order == 0 && separatorKey(index - 1) < separatorKey(index))
  }
}

/// The slot of a node's child, or of a root. It retains the frame, which retains the node or leaf.
typealias IndexSlot = ReferenceSlot<IndexInner, IndexLeaf>

extension IndexSlot {
  /// Retains a node, unless another thread was first or the budget has no room.
  func hold(_ node: IndexInner, _ budget: NodeBudget) {
    guard budget.hasRoomForNodes, publish(node) else { return }
    budget.add(nodeBytes: node.heldBytes)
  }

  /// Retains a leaf, unless another thread was first or the budget has no room.
  func hold(_ leaf: IndexLeaf, _ budget: NodeBudget) {
    guard budget.hasRoomForLeaves, publish(leaf) else { return }
    budget.add(leafBytes: leaf.heldBytes)
  }

  /// Takes what the slot holds out of the budget, when its owner ends.
  func leave(_ budget: NodeBudget) {
    let content = content
    if let node = content.node {
      budget.add(nodeBytes: -node.withObject { $0.heldBytes })
    } else if let leaf = content.leaf {
      budget.add(leafBytes: -leaf.withObject { $0.heldBytes })
    }
  }
}

extension IndexInner: SlotObject {
  var keeper: UnownedReference<Frame> { frame }
}

extension IndexLeaf: SlotObject {
  var keeper: UnownedReference<Frame> { frame }
}

extension IndexInner {
  /// The memory of the node with its data for each child.
  fileprivate var heldBytes: Int { bytes.count + 2 * MemoryLayout<UInt>.stride * childCount }
}

extension IndexLeaf {
  /// The memory of the leaf.
  fileprivate var heldBytes: Int { bytes.count }
}
