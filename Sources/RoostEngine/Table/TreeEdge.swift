/// A parent's pointer to a node or leaf, with what it says of it.
///
/// Every descent checks the child against its edge, so that a damaged or hostile file can lead
/// neither round in a circle nor into another tree.
package struct TreeEdge: Equatable, Sendable {
  /// Where the child is.
  package var pointer: ExtentPointer
  /// The child's level; a leaf has level 0.
  package var level: Int
  /// How many objects lie below.
  var count: UInt64
  /// The keys that may lie below, both ends included.
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

  /// Damage of the child, with the keys that it takes along.
  func corruption(_ reason: Corruption.Reason, tree: UInt32) -> EngineError {
    .corrupt(Corruption(reason, unit: pointer.unit, tree: tree, keys: keys))
  }
}

/// A child as its parent will describe it: what writing a leaf or a node hands upward.
struct TreeEntry: Equatable, Sendable {
  /// The smallest key below.
  var firstKey: Int64
  /// How many objects lie below.
  var count: UInt64
  /// Where the child is.
  package var pointer: ExtentPointer
}
