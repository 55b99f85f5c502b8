/// The leaves in which two versions of a tree differ, in the order of keys.
///
/// Equal pointers lead to equal subtrees, in every version, and are skipped: the cost is that of the nodes
/// and leaves that are not in both, however many versions and objects lie between.
struct DifferingLeaves {
  /// Leaves that have no equal in the other version, with all keys from the first to the last.
  ///
  /// No key of it has an object in another leaf of either version.
  struct Region {
    var earlier: [TreeEdge] = []
    var later: [TreeEdge] = []

    var isEmpty: Bool { earlier.isEmpty && later.isEmpty }
    /// Whether both versions have been scanned up to the same key.
    fileprivate var isComplete: Bool {
      guard let a = earlier.last, let b = later.last else { return false }
      return a.keys.upperBound == b.keys.upperBound
    }
  }

  private let earlierTree: ObjectTree
  private let laterTree: ObjectTree
  /// The pairs still to compare, the next one last.
  private var earlier: [TreeEdge]
  private var later: [TreeEdge]

  init(from earlier: ObjectTree, to later: ObjectTree) {
    earlierTree = earlier
    laterTree = later
    self.earlier = TreeEdge(root: earlier.root).map { [$0] } ?? []
    self.later = TreeEdge(root: later.root).map { [$0] } ?? []
  }

  /// The next region; nil after the last one.
  mutating func next() throws(EngineError) -> Region? {
    var region = Region()
    while true {
      switch (earlier.last, later.last) {
      case (nil, nil): return region.isEmpty ? nil : region
      case (let a?, nil): try takeEarlier(a, into: &region)
      case (nil, let b?): try takeLater(b, into: &region)
      case (let a?, let b?) where a.pointer == b.pointer:
        earlier.removeLast()
        later.removeLast()
        if !region.isEmpty { return region }
      case (let a?, let b?):
        try take(a, b, into: &region)
        if region.isComplete { return region }
      }
    }
  }

  /// Takes what cannot have an equal: of two that share keys the one that lies higher, and of two leaves the one
  /// that ends first. The equal of a leaf that ends last may come yet.
  private mutating func take(
    _ a: TreeEdge, _ b: TreeEdge, into region: inout Region
  ) throws(EngineError) {
    let overlaps = a.keys.overlaps(b.keys)
    let (endA, endB) = (a.keys.upperBound, b.keys.upperBound)
    let takesBoth = a.level == b.level && overlaps && (a.level > 0 || endA == endB)
    let takesA = overlaps && a.level != b.level ? a.level > b.level : endA < endB
    if takesBoth || takesA { try takeEarlier(a, into: &region) }
    if takesBoth || !takesA { try takeLater(b, into: &region) }
  }

  private mutating func takeEarlier(
    _ edge: TreeEdge, into region: inout Region
  ) throws(EngineError) {
    earlier.removeLast()
    if edge.level == 0 {
      region.earlier.append(edge)
    } else {
      earlier += try earlierTree.children(of: edge).reversed()
    }
  }

  private mutating func takeLater(
    _ edge: TreeEdge, into region: inout Region
  ) throws(EngineError) {
    later.removeLast()
    if edge.level == 0 {
      region.later.append(edge)
    } else {
      later += try laterTree.children(of: edge).reversed()
    }
  }
}
