/// Links: at the commit every link leads to an object, and no link leads to a deleted object.
extension EngineTransaction {
  /// Checks the links that this transaction may have broken; everything is applied to the trees before.
  ///
  /// The distinct targets of the links that were added are looked up once each, and the deleted
  /// objects in the inverse of every link into their table.
  func checkLinks(_ states: [TableState]) throws(EngineError) {
    for state in states {
      for index in state.indexes where index.field.type.isLink {
        try checkTargets(of: index, in: state)
      }
    }
    for state in states where !state.deletedKeys.isEmpty {
      try checkInverses(of: state)
    }
  }

  /// Whether every link that was added leads to an object, also where nothing is applied. Otherwise they stay noted.
  func hasSoundLinks() throws(EngineError) -> Bool {
    for index in states.flatMap(\.linkIndexes) {
      index.noteAddedTargets()
      guard !index.newTargets.isEmpty else { continue }
      let target = try state(index.field.target)
      for key in index.newTargets.sorted().keys where try target.holder(of: key) == nil {
        return false
      }
    }
    return true
  }

  /// Forgets the deleted objects that nothing links to and the new links whose target is there, so that memory
  /// stays bounded: a link that comes later is noted itself, and so is a target that goes later.
  ///
  /// - Parameter keepsDeleted: Whether all deleted objects stay noted.
  func forgetSoundLinks(_ state: TableState, keepsDeleted: Bool) throws(EngineError) {
    let links = denyingLinks(into: state)
    func isLinked(_ key: Int64) throws(EngineError) -> Bool {
      for (table, field) in links {
        let other = try self.state(table.id)
        if let index = other.index(of: field.id), try firstLink(to: key, index, in: other) != nil {
          return true
        }
      }
      return false
    }
    try state.forgetLinkChecks(unless: keepsDeleted ? nil : isLinked) {
      (index, key) throws(EngineError) in
      try self.state(index.field.target).holder(of: key) != nil
    }
  }

  private func checkTargets(
    of index: IndexState, in state: TableState
  ) throws(EngineError) {
    guard !index.newTargets.isEmpty else { return }
    let target = try self.state(index.field.target)
    for key in index.newTargets.sorted().keys where try target.objects.find(key) == nil {
      guard let owner = try firstLink(to: key, index, in: state) else { continue }
      guard index.field.nullifiesMissingTarget else {
        throw .danglingLink(
          table: state.name, key: try identifier(ofApplied: owner, in: state),
          field: index.field.name, target: target.name, value: target.identifier(reservedFor: key))
      }
      try nullify(index, of: state, target: key)
    }
    index.newTargets.removeAll()
  }

  /// The links that keep the objects of a table from being deleted. The rules of the others are followed,
  /// so that none of those can lead to a deleted object unless it was added later, and noted itself.
  private func denyingLinks(
    into state: TableState
  ) -> [(table: TableDefinition, field: FieldDefinition)] {
    catalog.links(into: state.definition.id).filter { $0.field.deleteRule == .deny }
  }

  private func checkInverses(of state: TableState) throws(EngineError) {
    for (table, field) in denyingLinks(into: state) {
      let links = try self.state(table.id)
      guard let index = links.index(of: field.id) else { continue }
      for key in Array(state.deletedKeys).ascending()
      where try firstLink(to: key, index, in: links) != nil {
        // An object with this key may have been inserted again.
        guard try !state.objects.contains(key) else { continue }
        throw .linkedTarget(
          table: state.name, key: try identifier(of: key, in: state), from: table.name,
          field: field.name)
      }
    }
  }

  /// The identifier of an object that this transaction deleted, as text for an error.
  private func identifier(of key: Int64, in state: TableState) throws(EngineError) -> String {
    guard base.catalog.table(state.definition.id) != nil else {
      return state.definition.text(ofKey: key)
    }
    return try identifier(
      of: key, in: state.definition, base.view().objects(state.definition.id))
  }

  /// The identifier of an object that is in the tree, as text for an error.
  private func identifier(ofApplied key: Int64, in state: TableState) throws(EngineError) -> String
  {
    try identifier(of: key, in: state.definition, state.objects)
  }

  private func identifier(
    of key: Int64, in table: TableDefinition, _ objects: ObjectTree
  ) throws(EngineError) -> String {
    guard let field = table.identifier, !field.isObjectKey, let found = try objects.find(key)
    else { return table.text(ofKey: key) }
    return field.text(try RowPlace.leaf(found.leaf, found.row).value(of: field.id))
  }

  /// Sets every link to a target to null.
  private func nullify(
    _ index: IndexState, of state: TableState, target: Int64
  ) throws(EngineError) {
    var owners: [Int64] = []
    scratchKey.set(target)
    let tree = index.tree
    try scratchKey.withView { view throws(EngineError) in
      try tree.keys(equal: view, into: &owners)
    }
    for owner in owners {
      try update(state.definition.id, key: owner, field: index.field.id, to: .null)
    }
  }

  /// A value as text for an error: of a link, the identifier of its target, which nothing changes.
  func text(_ value: Value, of field: FieldDefinition) -> String {
    guard field.type == .link, case .integer(let key) = value,
      let target = try? state(field.target), let identifier = target.definition.identifier
    else { return field.text(value) }
    let place: RowPlace? =
      switch identifier.isObjectKey ? nil : try? target.holder(of: key) {
      case .batch(let row): .batch(target.delta.batch, row)
      case .leaf(let leaf, let row): .leaf(leaf, row)
      case nil: nil
      }
    guard let place, let id = try? place.value(of: identifier.id) else {
      return target.identifier(reservedFor: key) ?? field.text(value)
    }
    return identifier.text(id)
  }

  private func firstLink(
    to key: Int64, _ index: IndexState, in state: TableState
  ) throws(EngineError) -> Int64? {
    scratchKey.set(key)
    return try state.first(scratchKey, in: index)
  }
}

extension TableState {
  /// The identifier that a key was set aside for, as text for an error; nil where it is not known any more.
  fileprivate func identifier(reservedFor key: Int64) -> String? {
    guard let identifier = definition.identifier, !identifier.isObjectKey else {
      return definition.text(ofKey: key)
    }
    // What the transaction has inserted and deleted is not reserved any more.
    guard let bytes = reserved.first(where: { $0.value == key })?.key else { return nil }
    return identifier.text(Value(ofKey: bytes, type: identifier.type.physical))
  }
}
