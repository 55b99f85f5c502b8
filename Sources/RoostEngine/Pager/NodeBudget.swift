import Synchronization

/// How much of some trees is held for their readers beside the page cache, and may be held.
final class NodeBudget: Sendable {
  private let leafBytesLeft: Atomic<Int>
  private let nodeBytesLeft: Atomic<Int>

  init(cacheBytes: Int) {
    leafBytesLeft = Atomic(cacheBytes / 2)
    nodeBytesLeft = Atomic(cacheBytes / 16)
  }

  var hasRoomForLeaves: Bool { leafBytesLeft.load(ordering: .relaxed) >= 0 }
  var hasRoomForNodes: Bool { nodeBytesLeft.load(ordering: .relaxed) >= 0 }

  /// A leaf came into memory, with a positive number, or went, with a negative one.
  func add(leafBytes: Int) { leafBytesLeft.subtract(leafBytes, ordering: .relaxed) }

  /// The same for nodes.
  func add(nodeBytes: Int) { nodeBytesLeft.subtract(nodeBytes, ordering: .relaxed) }
}
