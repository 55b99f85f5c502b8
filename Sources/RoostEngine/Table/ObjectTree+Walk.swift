extension ObjectTree {
  /// Calls `visit` with every extent that was born after a transaction.
  ///
  /// An extent's checksum and structure are checked before it is visited, parents before
  /// children. An extent that is not younger is not read, and nothing below it can be younger.
  /// Recovery uses it, and verifying and compaction use it with 0.
  /// - Parameter damaged: Called for each part that cannot be read, which is then skipped; without
  ///   it the first damage is thrown.
  /// - Throws: What `visit` throws, and the first damage when `damaged` is nil.
  package func walk(
    bornAfter threshold: UInt64 = 0, damaged: ((EngineError) -> Void)? = nil,
    visit: @escaping (ExtentPointer) throws(EngineError) -> Void
  ) throws(EngineError) {
    try walk(ExtentVisitor(bornAfter: threshold, damaged: damaged, visit))
  }

  /// As ``walk(bornAfter:damaged:visit:)``.
  func walk(_ visitor: ExtentVisitor) throws(EngineError) {
    guard let edge = TreeEdge(root: root) else { return }
    try walk(edge, visitor)
  }

  private func walk(_ edge: TreeEdge, _ visitor: ExtentVisitor) throws(EngineError) {
    guard edge.pointer.birth > visitor.bornAfter else { return }
    guard edge.level > 0 else {
      let leaf = try visitor.attempt { () throws(EngineError) in
        try LeafReference(edge, in: context)
      }
      guard let leaf else { return }
      try visitor.visit(edge.pointer)
      return try walk(leaf, visitor)
    }
    let read = try visitor.attempt { () throws(EngineError) in try children(of: edge) }
    guard let children = read else { return }
    try visitor.visit(edge.pointer)
    for child in children { try walk(child, visitor) }
  }

  /// The groups of a leaf, and the long values of its rows.
  private func walk(_ leaf: LeafReference, _ visitor: ExtentVisitor) throws(EngineError) {
    for (index, pointer) in leaf.head.groups.enumerated()
    where pointer.birth > visitor.bornAfter {
      let group = try visitor.attempt { () throws(EngineError) in try leaf.heldGroup(index) }
      guard group != nil else { continue }
      try visitor.visit(pointer)
    }
    for (place, entry) in leaf.head.entries.enumerated() where entry.flags.contains(.external) {
      let birth = leaf.birth(ofColumnAt: place)
      guard birth > visitor.bornAfter, let column = try? leaf.column(at: place) else { continue }
      for row in 0..<leaf.rowCount {
        guard let reference = column.external(row) else { continue }
        let key = leaf.key(row)
        let edge = ValueEdge(
          root: reference.pointer, length: reference.length, parentBirth: birth)
        _ = try visitor.attempt { () throws(EngineError) in
          do throws(EngineError) { try reader.visitValue(edge, visitor) } catch {
            throw error.located(in: root.id, keys: key...key)
          }
        }
      }
    }
  }
}
