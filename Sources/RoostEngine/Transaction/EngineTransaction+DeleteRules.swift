/// Delete rules: their effect on the objects that link to a deleted object.
///
/// A transaction sees each rule applied with the deletion. Internally the keys of deleted objects gather, so that
/// cascading deletions are one job, until an operation needs a table that the rules may change.
extension EngineTransaction {
  /// A table's state after applying all pending delete rules that may change it, with no value of it open.
  ///
  /// - Parameter toChange: Whether it is for something else than to read or to delete.
  func settledState(_ table: UInt32, toChange: Bool = false) throws(EngineError) -> TableState {
    try checkIsOpen()
    if openValue?.table == table { try closeValue() }
    if pendingDeletions.mayChange(table) { try followDeletes() }
    if toChange {
      writer.onlyDeletes = false
      hasBegunChanges = true
    }
    return try state(table)
  }

  /// Applies the rules when many deletions are pending, so that memory stays bounded.
  func followIfMany(_ state: TableState) throws(EngineError) {
    if state.unfollowedCount > Self.unfollowedMax { try followDeletes() }
  }

  private static var unfollowedMax: Int { 1 << 20 }

  /// Applies the rules of all deletions, including the deletions that they cause.
  ///
  /// Each round takes the deleted objects of a table and deletes or changes the objects that link to them; no object is
  /// deleted twice, so cycles of links end.
  func followDeletes() throws(EngineError) {
    try closeValue()
    guard !pendingDeletions.isEmpty else { return }
    // The deletions came before the current operation: their effects are not part of it.
    let log = notingLog
    notingLog = nil
    defer { notingLog = log }
    try applying { () throws(EngineError) in
      while let table = pendingDeletions.next() {
        let state = try self.state(table)
        let keys = state.takeUnfollowedKeys()
        for link in state.inboundLinks { try follow(link, to: keys) }
      }
    }
  }

  /// The identifier of an object that a rule has deleted, while links to it may be left; nil for others.
  package func identifierOfCascaded(_ key: Int64, in table: UInt32) -> Value? {
    pendingDeletions.identifiers[table]?[key]
  }

  /// Applies one link's rule to deleted objects, whose keys ascend.
  private func follow(_ link: InboundLink, to keys: [Int64]) throws(EngineError) {
    let state = try self.state(link.table)
    guard let index = state.index(of: link.field) else { return }
    let owners = try owners(of: index, linkingTo: keys, in: state)
    guard owners.count > 0 else { return }
    switch link.rule {
    case .deny: return
    case .nullify where index.field.type == .links:
      try removeLinks(to: keys, from: index, of: state, owners)
    case .nullify: try nullify(index, of: state, owners)
    case .cascade:
      _ = try delete(owners, in: state) { (key, holder) throws(EngineError) in
        guard let identifier = try state.identifierOfDenied(holder) else { return }
        pendingDeletions.note(identifier, of: key, in: link.table)
      }
    }
  }

  /// The objects that have a link to some objects, whose keys ascend.
  private func owners(
    of index: IndexState, linkingTo keys: [Int64], in state: TableState
  ) throws(EngineError) -> ColumnBuffer {
    let owners = ColumnBuffer(type: .integer)
    if keys.count <= Self.lookedUpMax, index.hasFewChanges {
      for key in keys {
        scratchKey.set(key)
        try index.visit(scratchKey) { if state.isLive($0) { owners.append($0) } }
      }
    } else {
      try index.apply(writer)
      for owner in try index.tree.keys(equalToAny: keys) where state.isLive(owner) {
        owners.append(owner)
      }
    }
    return owners
  }

  /// The maximum of deleted objects that are looked up among the pending changes of an index.
  private static var lookedUpMax: Int { 64 }

  /// Removes the links to deleted objects from the lists of some objects, which may repeat.
  private func removeLinks(
    to keys: [Int64], from index: IndexState, of state: TableState, _ owners: ColumnBuffer
  ) throws(EngineError) {
    let targets = KeySet(ascending: keys)
    var last: Int64?
    for owner in (0..<owners.count).map({ owners.integer($0) }).ascending() where owner != last {
      last = owner
      let list = try openedValue(state.definition.id, owner, index.field.id, .links)
      let links = LinkList.targets(try list.editor.read(0..<list.editor.length))
      for place in links.indices.reversed() where targets.contains(links[place]) {
        try index.removeLink(to: links[place], of: owner, &scratchKey)
        let start = UInt64(place * LinkList.linkBytes)
        try list.editor.remove(start..<start + UInt64(LinkList.linkBytes))
      }
      openValue?.hasChanged = true
      try closeValue()
      try applyIfLarge(state)
    }
  }

  /// Sets the links of some objects to null.
  private func nullify(
    _ index: IndexState, of state: TableState, _ owners: ColumnBuffer
  ) throws(EngineError) {
    let null = ColumnBuffer(type: .integer)
    null.appendNull()
    for row in 0..<owners.count {
      let key = owners.integer(row)
      guard let holder = try state.holder(of: key) else { continue }
      try state.change(index.column, of: key, at: holder, to: null, 0, &scratchKey)
      if row.isMultiple(of: 4096) { try applyIfLarge(state) }
    }
    try applyIfLarge(state)
  }
}
