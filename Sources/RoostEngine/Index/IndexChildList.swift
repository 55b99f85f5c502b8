/// Nodes or leaves of one level in order, each with the separator on its left: the future children of a parent.
final class IndexChildList {
  private struct Item: BitwiseCopyable {
    let offset: Int
    let length: Int
    let key: Int64
    let count: UInt64
    let pointer: ExtentPointer
  }

  private var heap = PlainBuffer<UInt8>(minimumCapacity: 1 << 10)
  private var items = PlainBuffer<Item>(minimumCapacity: 128)

  var count: Int { items.count }
  var isEmpty: Bool { items.isEmpty }

  func pointer(_ index: Int) -> ExtentPointer { items[index].pointer }
  func entryCount(_ index: Int) -> UInt64 { items[index].count }

  /// The bytes of the separator on the left of a child.
  @inline(__always)
  func bytes(_ index: Int) -> ByteView {
    let item = items[index]
    return heap.view(item.offset, item.length)
  }

  /// The key of the separator on the left of a child.
  @inline(__always)
  func key(_ index: Int) -> Int64 { items[index].key }

  func separator(_ index: Int) -> IndexSeparator {
    IndexSeparator(bytes: SplitBytes(bytes(index)), key: key(index))
  }

  /// The edge to the last child.
  func lastEdge(level: Int, high: IndexSeparator?) -> IndexEdge {
    let last = count - 1
    return IndexEdge(
      pointer: pointer(last), level: level, count: entryCount(last), low: separator(last),
      high: high)
  }

  /// Adds a child.
  func append(_ separator: IndexSeparator?, _ pointer: ExtentPointer, count: UInt64) {
    let offset = heap.count
    if let separator {
      heap.append(separator.bytes.prefix)
      heap.append(separator.bytes.suffix)
    }
    items.append(
      Item(
        offset: offset, length: heap.count - offset, key: separator?.key ?? Int64.min,
        count: count, pointer: pointer))
  }

  /// Adds neighbouring children of the node at the end of an edge.
  func append(_ children: Range<Int>, of node: IndexInner, _ edge: IndexEdge) {
    for child in children {
      append(
        child > 0 ? node.separator(child - 1) : edge.low, node.pointer(child),
        count: node.count(child))
    }
  }

  /// Adds the children of another list.
  func append(_ other: IndexChildList) {
    for index in 0..<other.count {
      append(other.separator(index), other.pointer(index), count: other.entryCount(index))
    }
  }

  func removeLast() {
    heap.removeLast(items[items.count - 1].length)
    items.removeLast()
  }

  func removeAll() {
    heap.removeAll()
    items.removeAll()
  }
}

extension IndexChildList {
  /// Nodes below this many children may take more than one unit.
  private static let childrenWanted = 16
  /// Lists below this many bytes are merged with a neighbour.
  private static let smallBytes = 1024

  /// Whether the children would make a node small enough to merge with a neighbour.
  var isSmall: Bool {
    guard count > 1 else { return true }
    guard count < 32 else { return false }
    return nodeEnd(from: 0, bytesMax: Self.smallBytes, childrenBeyond: 0) == count
  }

  /// Divides the children into nodes; passes each node's range to `body`.
  ///
  /// - Parameter isFull: Whether the nodes are filled, because what follows comes at the end; else the last
  ///   two are made alike.
  func forEachNode(
    full isFull: Bool, _ body: (Range<Int>) throws(EngineError) -> Void
  ) throws(EngineError) {
    var start = 0
    while start < count {
      var end = nodeEnd(from: start)
      if end < count, !isFull, nodeEnd(from: end) == count {
        let half = start + (count - start) / 2
        if half <= end, nodeEnd(from: half) == count { end = half }
      }
      try body(start..<end)
      start = end
    }
  }

  /// The size in bytes of a node of some of the children, and the length of their separators' common prefix.
  func size(_ range: Range<Int>) -> (size: Int, prefixLength: Int) {
    var heap = 0
    var prefixLength = 0
    for index in range.dropFirst() {
      heap += bytes(index).count + (key(index) == Int64.min ? 0 : 8)
      prefixLength =
        index == range.lowerBound + 1
        ? bytes(index).count
        : bytes(range.lowerBound + 1).slice(0, prefixLength).sharedPrefix(with: bytes(index))
    }
    let separators = range.count - 1
    return (
      IndexInnerLayout.size(
        children: range.count, prefix: prefixLength, heap: heap - separators * prefixLength),
      prefixLength
    )
  }

  private func nodeEnd(from start: Int) -> Int {
    nodeEnd(from: start, bytesMax: Unit.bytes, childrenBeyond: Self.childrenWanted)
  }

  /// The end of a node that begins at a child; up to `childrenBeyond` children may exceed `bytesMax`.
  private func nodeEnd(from start: Int, bytesMax: Int, childrenBeyond: Int) -> Int {
    var heap = 0
    var prefixLength = 0
    var end = start + 1
    while end < count {
      heap += bytes(end).count + (key(end) == Int64.min ? 0 : 8)
      prefixLength =
        end == start + 1
        ? bytes(end).count
        : bytes(start + 1).slice(0, prefixLength).sharedPrefix(with: bytes(end))
      let size = IndexInnerLayout.size(
        children: end + 1 - start, prefix: prefixLength,
        heap: heap - (end - start) * prefixLength)
      let limit =
        end - start < childrenBeyond ? IndexInnerLayout.unitsMax * Unit.bytes : bytesMax
      guard size <= limit else { break }
      end += 1
    }
    return end
  }

  /// Writes a node of some of the children, whose counts must not overflow in sum.
  func store(
    _ range: Range<Int>, prefixLength: Int, level: Int, tree: UInt32, in target: MutableByteView
  ) {
    typealias Layout = IndexInnerLayout
    let children = range.count
    target.store(ExtentKind.indexInner.rawValue, at: 0)
    target.store(UInt8(level), at: Layout.level)
    target.store(UInt16(children), at: Layout.childCount)
    target.store(tree, at: Layout.tree)
    target.store(UInt16(prefixLength), at: Layout.prefixLength)
    let countsAt = Layout.counts(children)
    let offsetsAt = Layout.offsets(children)
    let heapAt = Layout.prefix(children) + prefixLength
    if prefixLength > 0 {
      target.copy(
        bytes(range.lowerBound + 1).slice(0, prefixLength), at: Layout.prefix(children))
    }
    var end = 0
    var through: UInt64 = 0
    for (place, index) in range.enumerated() {
      pointer(index).store(in: target, at: Layout.pointers + ExtentPointer.size * place)
      through &+= entryCount(index)
      target.store(through, at: countsAt + 8 * place)
      guard place > 0 else { continue }
      let bytes = bytes(index)
      let suffix = bytes.slice(prefixLength, bytes.count - prefixLength)
      target.copy(suffix, at: heapAt + end)
      let start = end
      end += suffix.count
      if key(index) != Int64.min {
        target.store(UInt16(start) | Layout.keyFlag, at: offsetsAt + 2 * (place - 1))
        target.store(key(index), at: heapAt + end)
        end += 8
      }
      target.store(UInt16(end), at: offsetsAt + 2 * place)
    }
    target.store(through, at: Layout.entryCount)
  }

  /// The number of entries below some of the children.
  func total(_ range: Range<Int>) throws(EngineError) -> UInt64 {
    var sum: UInt64 = 0
    for index in range {
      let (next, overflow) = sum.addingReportingOverflow(entryCount(index))
      guard !overflow, next <= UInt64(Int64.max) else {
        throw .corrupt(Corruption(.objectCount, unit: pointer(index).unit))
      }
      sum = next
    }
    return sum
  }
}
