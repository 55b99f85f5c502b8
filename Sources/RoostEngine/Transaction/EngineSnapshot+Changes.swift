extension EngineSnapshot {
  /// The difference of a table between this version and an earlier or later one.
  ///
  /// If the table's object keys are not its identifiers, an object that was deleted and inserted again is matched
  /// by its identifier: it is one of ``TableDifference/replacements``.
  /// - Complexity: O(n) in the leaves of the table that are not in both versions. Where one transaction of this process
  ///   lies between that changed few objects, those are looked up instead.
  /// - Throws: `.unknownTable` where neither version has the table.
  package func changes(
    of table: UInt32, since earlier: EngineSnapshot
  ) throws(EngineError) -> TableDifference {
    try changes(
      of: table, since: earlier, among: version.touchedKeys(of: table, since: earlier.version))
  }

  /// The changes of a table, if all changed objects are among the given ones, or nothing is known of them.
  package func changes(
    of table: UInt32, since earlier: EngineSnapshot, among keys: [Int64]?
  ) throws(EngineError) -> TableDifference {
    guard let definition = catalog.table(table) ?? earlier.catalog.table(table) else {
      throw .unknownTable(name: "\(table)")
    }
    let old = try earlier.objects(definition)
    let new = try objects(definition)
    var changes =
      if let keys { try new.changes(of: keys, since: old) } else { try new.changes(since: old) }
    if let identifier = definition.identifier, !identifier.isObjectKey {
      try changes.joinReplacements(of: definition, identifier.id, from: earlier, old, to: new)
    }
    return changes
  }

  /// The numbers of objects of a table inserted, deleted and changed since an earlier version of the store.
  ///
  /// An object that was deleted and inserted again under the same identifier counts as both if identifiers are not
  /// object keys.
  /// - Complexity: O(n) in the leaves of the table that are not in both versions, in bounded memory.
  /// - Throws: `.unknownTable` where neither version has the table.
  package func changeCounts(
    of table: UInt32, since earlier: EngineSnapshot, _ origins: FieldOrigins
  ) throws(EngineError) -> TableDifferenceCounts {
    guard let definition = catalog.table(table) ?? earlier.catalog.table(table) else {
      throw .unknownTable(name: "\(table)")
    }
    return try objects(definition).changeCounts(since: earlier.objects(definition), origins)
  }

  /// The objects of a table; none if the version does not have the table.
  private func objects(_ table: TableDefinition) throws(EngineError) -> ObjectTree {
    guard catalog.table(table.id) == nil else { return try view.objects(table.id) }
    return ObjectTree(
      root: TreeRoot(empty: table.tree, kind: .objects), shape: TableShape(table),
      reader: version.applied.reader)
  }
}

extension TableDifference {
  /// Joins deletions and insertions with the same identifier into replacements.
  fileprivate mutating func joinReplacements(
    of table: TableDefinition, _ identifier: FieldID, from earlier: EngineSnapshot,
    _ old: ObjectTree, to new: ObjectTree
  ) throws(EngineError) {
    guard !insertions.isEmpty, !deletions.isEmpty else { return }
    for key in insertions {
      guard let place = try new.find(key) else { continue }
      let value = try RowPlace.leaf(place.leaf, place.row).value(of: identifier)
      guard
        let earlierKey = try earlier.view.objectKey(in: table.id, identifier: value),
        deletions.containsAscending(earlierKey), let before = try old.find(earlierKey)
      else { continue }
      let fields = try place.leaf.changedFields(
        ofRow: place.row, since: before.leaf, row: before.row)
      append(Replacement(earlierKey: earlierKey, laterKey: key, fields: fields))
    }
    guard !replacements.isEmpty else { return }
    let replaced = replacements.map(\.earlierKey).ascending()
    let replacing = replacements.map(\.laterKey)
    deletions.removeAll { replaced.containsAscending($0) }
    insertions.removeAll { replacing.containsAscending($0) }
  }
}

extension [Int64] {
  /// Whether the array, which ascends, contains a key.
  fileprivate func containsAscending(_ key: Int64) -> Bool {
    let place = partitioningIndex { $0 >= key }
    return place < count && self[place] == key
  }
}
