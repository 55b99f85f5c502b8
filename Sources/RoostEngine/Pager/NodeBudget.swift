import Synchronization

/// The part of the page cache that some trees hold for their readers, and its limit.
final class NodeBudget: Sendable {
  private let leafBytesLeft: Atomic<Int>
  private let nodeBytesLeft: Atomic<Int>

  init(leafBytes: Int, nodeBytes: Int) {
    leafBytesLeft = Atomic(leafBytes)
    nodeBytesLeft = Atomic(nodeBytes)
  }

  var hasRoomForLeaves: Bool { leafBytesLeft.load(ordering: .relaxed) >= 0 }
  var hasRoomForNodes: Bool { nodeBytesLeft.load(ordering: .relaxed) >= 0 }

  /// Counts bytes of leaves: positive when a leaf came into memory, negative when it left.
  func add(leafBytes: Int) { leafBytesLeft.subtract(leafBytes, ordering: .relaxed) }

  /// Counts bytes of nodes in the same way.
  func add(nodeBytes: Int) { nodeBytesLeft.subtract(nodeBytes, ordering: .relaxed) }
}
