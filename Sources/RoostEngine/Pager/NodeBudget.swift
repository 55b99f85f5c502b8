import Synchronization

/// How much of the page cache some trees hold for their readers, and may hold.
final class NodeBudget: Sendable {
  private let leafBytesLeft: Atomic<Int>
  private let nodeBytesLeft: Atomic<Int>

  init(leafBytes: Int, nodeBytes: Int) {
    leafBytesLeft = Atomic(leafBytes)
    nodeBytesLeft = Atomic(nodeBytes)
  }

  var hasRoomForLeaves: Bool { leafBytesLeft.load(ordering: .relaxed) >= 0 }
  var hasRoomForNodes: Bool { nodeBytesLeft.load(ordering: .relaxed) >= 0 }

  /// A leaf came into memory, with a positive number, or went, with a negative one.
  func add(leafBytes: Int) { leafBytesLeft.subtract(leafBytes, ordering: .relaxed) }

  /// The same for nodes.
  func add(nodeBytes: Int) { nodeBytesLeft.subtract(nodeBytes, ordering: .relaxed) }
}
