/// The objects of one table in one version: a B+tree from object keys to rows of columns.
///
/// A value: reading never changes it, and ``apply(_:writer:)`` returns the root of a new tree. Every
/// read goes through the page cache and can throw.
package struct ObjectTree: Sendable {
  /// The root of the tree.
  package let root: TreeRoot
  /// The context that the tree's leaves share.
  package let context: TreeContext
  /// The cached nodes and leaves.
  let nodes: NodeCache

  /// The tree below `root`.
  ///
  /// - Parameter pin: What keeps the version's extents from being written over; held by every leaf.
  package init(
    root: TreeRoot, shape: TableShape, reader: PageReader,
    pin: (any AnyObject & Sendable)? = nil
  ) {
    self.root = root
    context = TreeContext(tree: root.id, shape: shape, reader: reader, pin: pin, budget: nil)
    let budget = reader.objectBudget
    nodes = NodeCache(
      root,
      context: TreeContext(tree: root.id, shape: shape, reader: reader, pin: nil, budget: budget),
      budget: budget)
  }

  /// The tree of the same table in the version after another's; inherits that tree's cached nodes and leaves.
  init(root: TreeRoot, succeeding other: ObjectTree, pin: (any AnyObject & Sendable)?) {
    self.root = root
    context = TreeContext(
      tree: root.id, shape: other.shape, reader: other.reader, pin: pin, budget: nil)
    guard root.pointer != other.root.pointer else {
      nodes = other.nodes
      return
    }
    nodes = NodeCache(root, like: other.nodes)
    nodes.inherit(from: other.nodes, in: self)
  }

  /// The tree of a transaction that changed another tree: only the transaction retains its version.
  init(root: TreeRoot, changing other: ObjectTree) {
    self.root = root
    context = other.nodes.context
    nodes = NodeCache(root, like: other.nodes)
  }

  private init(_ other: ObjectTree, computing fields: ComputedFields) {
    root = other.root
    context = TreeContext(other.context, computing: fields)
    nodes = other.nodes
  }

  /// The same tree for a query with computed fields.
  func computing(_ fields: ComputedFields) -> ObjectTree { ObjectTree(self, computing: fields) }

  /// Whether the tree holds the version that it is of.
  var isPinned: Bool { context.isPinned }

  /// The number of objects.
  package var count: UInt64 { root.count }
  /// The fields of the table.
  package var shape: TableShape { context.shape }
  package var reader: PageReader { context.reader }

  /// The leaf that contains `key`, if any does; nil if the key lies before the tree's first.
  ///
  /// It does not retain the version: retain the tree while using the leaf.
  @inline(__always)
  func leaf(for key: Int64) throws(EngineError) -> LeafReference? {
    try nodes.leaf(for: key, in: self)
  }
}

/// The context that all leaves of a tree share.
package final class TreeContext: Sendable {
  let tree: UInt32
  let shape: TableShape
  /// The highest field number; 0 if the shape has no fields.
  let lastField: FieldID
  package let reader: PageReader
  /// The budget that counts the leaves cached for lookups.
  let budget: NodeBudget?
  /// The computed fields of a query; nil if it has none.
  let computed: ComputedFields?
  private let pin: (any AnyObject & Sendable)?

  fileprivate var isPinned: Bool { pin != nil }

  init(
    tree: UInt32, shape: TableShape, reader: PageReader, pin: (any AnyObject & Sendable)?,
    budget: NodeBudget?
  ) {
    self.tree = tree
    self.shape = shape
    lastField = shape.fields.last?.id ?? 0
    self.reader = reader
    self.pin = pin
    self.budget = budget
    computed = nil
  }

  /// The same for a query with computed fields.
  init(_ other: TreeContext, computing fields: ComputedFields) {
    tree = other.tree
    shape = other.shape
    lastField = other.lastField
    reader = other.reader
    budget = other.budget
    pin = other.pin
    computed = fields
  }
}
