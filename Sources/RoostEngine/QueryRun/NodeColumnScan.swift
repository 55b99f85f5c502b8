/// The state of a scan: a node's leaves, by the node columns of the required fields.
///
/// Allocates nothing and reaches no leaf while the cache has the leaves and the node columns know them.
struct NodeColumnScan {
  private let tree: ObjectTree
  private let fields: [FieldID]
  /// The storage of the node columns, retained by the node.
  private(set) var places: [NodeColumnPlaces] = []
  private var nodeColumns: [NodeColumn] = []
  private var node: CachedNode?
  /// The bytes read of each field's columns.
  private var byteCounts: [Int]

  init(_ tree: ObjectTree, _ fields: [FieldID]) {
    self.tree = tree
    self.fields = fields
    byteCounts = fields.map { _ in 0 }
    places.reserveCapacity(fields.count)
    nodeColumns.reserveCapacity(fields.count)
  }

  /// Moves to a node; false if the cache has no room for a node column.
  mutating func move(to node: CachedNode) -> Bool {
    self.node = node
    places.removeAll(keepingCapacity: true)
    nodeColumns.removeAll(keepingCapacity: true)
    for field in fields {
      guard let nodeColumn = tree.nodes.nodeColumn(field, of: node) else { return false }
      nodeColumns.append(nodeColumn)
      places.append(nodeColumn.places)
    }
    return true
  }

  /// Loads the directory's entry of a field in a leaf; false where the cache has no room for the leaf.
  @inline(__always)
  func loadEntry(_ index: Int, _ child: Int) throws(EngineError) -> Bool {
    if places[index].entries.has(child) { return true }
    return try note(index, child)
  }

  /// Loads the column of a field in a leaf whose entry is loaded.
  @inline(__always)
  func loadColumn(_ index: Int, _ child: Int) throws(EngineError) {
    if !places[index].columns.has(child) { try load(index, child) }
  }

  /// Records in the statistics that a column was read.
  @inline(__always)
  mutating func countBytes(_ index: Int, _ child: Int) {
    byteCounts[index] &+= Int(places[index].entries[child].length)
  }

  /// The leaf at a child of the node; nil if the cache has no room for it.
  private func leaf(_ child: Int) throws(EngineError) -> LeafReference? {
    try node.flatMap { (node) throws(EngineError) in
      try tree.nodes.leaf(child, of: node, in: tree)
    }
  }

  @inline(never)
  private func note(_ index: Int, _ child: Int) throws(EngineError) -> Bool {
    try checkCancellation()
    guard let leaf = try leaf(child) else { return false }
    try nodeColumns[index].note(leaf, at: child)
    return true
  }

  @inline(never)
  private func load(_ index: Int, _ child: Int) throws(EngineError) {
    try checkCancellation()
    guard let leaf = try leaf(child) else { preconditionFailure("The node holds the leaf.") }
    try nodeColumns[index].load(leaf, at: child)
  }

  /// Adds the columns read to the statistics.
  func report(to statistics: inout ScanStatistics) {
    for (index, field) in fields.enumerated() where byteCounts[index] > 0 {
      statistics.bytesByField[field, default: 0] += byteCounts[index]
    }
  }
}

extension CompiledPredicate {
  /// The tests that make up the condition, if it is a conjunction of tests of stored columns.
  var fieldTests: [FieldTest]? {
    switch self {
    case .field(let test): return test.isOfStoredColumn ? [test] : nil
    case .and(let parts):
      var tests: [FieldTest] = []
      for part in parts {
        guard case .field(let test) = part, test.isOfStoredColumn else { return nil }
        tests.append(test)
      }
      return tests
    default: return nil
    }
  }
}
