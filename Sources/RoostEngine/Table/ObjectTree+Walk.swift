extension ObjectTree {
  /// Calls `visit` with every extent that can be reached through births after a transaction.
  ///
  /// Each extent's checksum and structure have been checked when it is visited, parents before what
  /// they point to. An extent that is not younger is not read, and nothing below it can be younger.
  /// What recovery needs, and with 0 what verifying and compaction need.
  /// - Parameter damaged: Called for each part that cannot be read, which is then skipped; without
  ///   it the first damage is thrown.
  /// - Throws: What `visit` throws, and the first damage when `damaged` is nil.
  public func walk(
    bornAfter threshold: UInt64 = 0, damaged: ((EngineError) -> Void)? = nil,
    visit: (ExtentPointer) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard let edge = TreeEdge(root: root) else { return }
    try walk(edge, bornAfter: threshold, damaged: damaged, visit)
  }

  private func walk(
    _ edge: TreeEdge, bornAfter threshold: UInt64, damaged: ((EngineError) -> Void)?,
    _ visit: (ExtentPointer) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard edge.pointer.birth > threshold else { return }
    guard edge.level > 0 else {
      guard
        let leaf = try attempt(
          damaged,
          { () throws(EngineError) in
            try LeafReference(edge, in: context)
          })
      else { return }
      try visit(edge.pointer)
      return try walk(leaf, bornAfter: threshold, damaged: damaged, visit)
    }
    guard
      let children = try attempt(
        damaged,
        { () throws(EngineError) in
          try children(of: edge)
        })
    else { return }
    try visit(edge.pointer)
    for child in children {
      try walk(child, bornAfter: threshold, damaged: damaged, visit)
    }
  }

  /// The groups of a leaf, and the long values of its rows.
  private func walk(
    _ leaf: LeafReference, bornAfter threshold: UInt64, damaged: ((EngineError) -> Void)?,
    _ visit: (ExtentPointer) throws(EngineError) -> Void
  ) throws(EngineError) {
    for (index, pointer) in leaf.head.groups.enumerated() where pointer.birth > threshold {
      guard
        try attempt(
          damaged,
          { () throws(EngineError) in
            try leaf.heldGroup(index)
          }) != nil
      else { continue }
      try visit(pointer)
    }
    for (place, entry) in leaf.head.entries.enumerated() where entry.flags.contains(.external) {
      let birth = leaf.birth(ofColumnAt: place)
      guard birth > threshold, let column = try? leaf.column(at: place) else { continue }
      for row in 0..<leaf.rowCount {
        guard let reference = column.external(row) else { continue }
        let key = leaf.key(row)
        do {
          try reader.visitValue(
            reference.pointer, length: reference.length, parentBirth: birth,
            bornAfter: threshold, visit)
        } catch {
          let error = error.located(in: root.id, keys: key...key)
          guard let damaged, case .corrupt = error else { throw error }
          damaged(error)
        }
      }
    }
  }

  /// The result, or nil after telling `damaged` of the damage.
  private func attempt<Result>(
    _ damaged: ((EngineError) -> Void)?, _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result? {
    do {
      return try body()
    } catch {
      guard let damaged, case .corrupt = error else { throw error }
      damaged(error)
      return nil
    }
  }
}
