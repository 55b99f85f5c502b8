/// A parent's pointer to a node or leaf, with the parent's description of it.
///
/// Every descent checks the child against its edge, so that a damaged or hostile file can lead
/// neither into a cycle nor into another tree.
package struct TreeEdge: Equatable, Sendable {
  /// The address of the child.
  package var pointer: ExtentPointer
  /// The child's level; a leaf has level 0.
  package var level: Int
  /// The number of objects below.
  var count: UInt64
  /// The allowed keys below, both ends included.
  var keys: ClosedRange<Int64>

  /// The edge that leads into a tree; nil when the tree is empty.
  package init?(root: TreeRoot) {
    guard !root.pointer.isNull else { return nil }
    self.init(
      pointer: root.pointer, level: root.level, count: root.count, keys: Int64.min...Int64.max)
  }

  init(pointer: ExtentPointer, level: Int, count: UInt64, keys: ClosedRange<Int64>) {
    self.pointer = pointer
    self.level = level
    self.count = count
    self.keys = keys
  }

  /// An error for a damaged child, with the affected keys.
  func corruption(_ reason: Corruption.Reason, tree: UInt32) -> EngineError {
    .corrupt(Corruption(reason, unit: pointer.unit, tree: tree, keys: keys))
  }
}

/// A child's entry in its parent: the result of writing a leaf or a node.
struct TreeEntry: Equatable, Sendable {
  /// The smallest key below.
  var firstKey: Int64
  /// The number of objects below.
  var count: UInt64
  /// The address of the child.
  package var pointer: ExtentPointer
}
