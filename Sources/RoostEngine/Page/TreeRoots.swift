/// The roots of trees, one for each, in the order of the trees' numbers.
///
/// An array, and no dictionary: there are a handful, which a commit copies. And a process that only reads has no use for
/// `[UInt32: …]`, whose first creation has the runtime look through all conformances of the program (0.1 ms).
package struct TreeRoots: Equatable, Sendable {
  /// The roots, ascending by tree.
  package private(set) var all: [TreeRoot] = []

  /// No trees.
  package init() {}

  /// Whether there are no trees.
  var isEmpty: Bool { all.isEmpty }

  /// The root of a tree, if there is one. O(log n).
  package subscript(tree: UInt32) -> TreeRoot? {
    let place = place(of: tree)
    return hasRoot(of: tree, at: place) ? all[place] : nil
  }

  /// The root of a tree of the catalog.
  ///
  /// - Throws: `.corrupt` where there is none: a tree without a root is not taken for an empty one.
  package func root(of tree: UInt32) throws(EngineError) -> TreeRoot {
    guard let root = self[tree] else { throw .corrupt(Corruption(.roots, tree: tree)) }
    return root
  }

  /// Adds the root of a tree, in place of the one that it has. O(1) for the tree with the highest number, else O(n).
  package mutating func update(with root: TreeRoot) {
    let place = place(of: root.id)
    if hasRoot(of: root.id, at: place) {
      all[place] = root
    } else {
      all.insert(root, at: place)
    }
  }

  /// Removes the root of a tree, if there is one.
  mutating func remove(_ tree: UInt32) {
    let place = place(of: tree)
    if hasRoot(of: tree, at: place) { all.remove(at: place) }
  }

  /// The roots that others do not have, or have otherwise.
  func subtracting(_ others: TreeRoots) -> TreeRoots {
    var rest = TreeRoots()
    rest.all = all.filter { others[$0.id] != $0 }
    return rest
  }

  private func place(of tree: UInt32) -> Int {
    if let last = all.last, last.id < tree { return all.count }
    return all.partitioningIndex { $0.id >= tree }
  }

  private func hasRoot(of tree: UInt32, at place: Int) -> Bool {
    place < all.count && all[place].id == tree
  }
}
