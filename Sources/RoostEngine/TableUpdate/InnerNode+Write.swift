extension PageWriter {
  /// Writes one inner node above these children.
  func writeInnerNode(
    _ children: ArraySlice<TreeEntry>, level: Int, tree: UInt32
  ) throws(EngineError) -> TreeEntry {
    precondition((1...InnerLayout.childrenMax).contains(children.count))
    guard level <= TreeRoot.levelMax, let first = children.first else {
      throw .limit(EngineLimit(.treeLevels, TreeRoot.levelMax))
    }
    var total: UInt64 = 0
    for child in children {
      let (sum, overflow) = total.addingReportingOverflow(child.count)
      // Only a file with false counts can overflow.
      guard !overflow else { throw .corrupt(Corruption(.objectCount, tree: tree)) }
      total = sum
    }
    let pointer = try write(kind: .objectInner, units: 1) { bytes throws(EngineError) in
      bytes.store(ExtentKind.objectInner.rawValue, at: 0)
      bytes.store(UInt8(level), at: InnerLayout.level)
      bytes.store(UInt16(children.count), at: InnerLayout.childCount)
      bytes.store(tree, at: InnerLayout.tree)
      bytes.store(total, at: InnerLayout.total)
      var place = 0
      for child in children {
        child.store(in: bytes, at: place)
        place += 1
      }
    }
    return TreeEntry(firstKey: first.firstKey, count: total, pointer: pointer)
  }

  /// Writes the inner nodes above these children, as many as needed.
  ///
  /// - Parameter fillsLeft: Whether all nodes but the last are filled, for a tree that grows at its
  ///   right edge; else the children are split evenly.
  func writeInnerNodes(
    _ children: [TreeEntry], level: Int, tree: UInt32, fillsLeft: Bool
  ) throws(EngineError) -> [TreeEntry] {
    let limit = InnerLayout.childrenMax
    let nodeCount = (children.count + limit - 1) / limit
    var nodes: [TreeEntry] = []
    nodes.reserveCapacity(nodeCount)
    var start = 0
    for node in 0..<nodeCount {
      let left = children.count - start
      let nodesLeft = nodeCount - node
      let size = fillsLeft ? min(limit, left) : (left + nodesLeft - 1) / nodesLeft
      nodes.append(
        try writeInnerNode(children[start..<start + size], level: level, tree: tree))
      start += size
    }
    return nodes
  }
}

extension TreeEntry {
  /// Writes a child's entry into an inner node.
  func store(in node: MutableByteView, at place: Int) {
    node.store(firstKey, at: InnerLayout.keys + 8 * place)
    node.store(count, at: InnerLayout.counts + 8 * place)
    pointer.store(in: node, at: InnerLayout.pointers + ExtentPointer.size * place)
  }
}
