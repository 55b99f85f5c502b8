/// Evicting objects of a cache.
extension EngineTransaction {
  /// Deletes objects, but for those that others which stay link to by links that deny it, or that would go with them.
  ///
  /// So nothing else is deleted than is asked for, and no delete rule fails. Links that a rule says to remove are removed.
  /// - Parameter due: The keys of the objects by their tables, ascending. They are there.
  /// - Returns: How many objects are deleted.
  package func evict(_ due: [UInt32: [Int64]]) throws(EngineError) -> Int {
    let due = try withoutNeeded(due)
    var count = 0
    for table in Array(due.keys).ascending(by: { Int($0) }) {
      let keys = ColumnBuffer(type: .integer)
      for key in due[table] ?? [] { keys.append(key) }
      count += keys.count
      _ = try delete(from: table, keys: keys)
    }
    return count
  }

  /// The objects of some to which none of the others links by a rule that denies the deletion, or spreads it.
  ///
  /// Each round looks for the links to those that are left. Links behind one another take a round each; of tables in which
  /// more lie behind one another than there are rounds all objects are left out.
  private func withoutNeeded(_ due: [UInt32: [Int64]]) throws(EngineError) -> [UInt32: [Int64]] {
    let view = try view()
    var due = due
    var sets = due.mapValues { Set($0) }
    var looked = Set(due.keys)
    for _ in 0..<Self.roundsMax where !looked.isEmpty {
      var changed: Set<UInt32> = []
      for table in Array(looked).ascending(by: { Int($0) }) {
        var needed: Set<Int64> = []
        for link in catalog.links(into: table) where link.field.deleteRule != .nullify {
          let owners = sets[link.table.id] ?? []
          let isOwn = link.table.id == table
          let targets = due[table] ?? []
          let linking = try view.owners(of: link.field.id, in: link.table.id, linkingTo: targets)
          for (target, keys) in zip(targets, linking)
          where keys.contains(where: { !owners.contains($0) && !(isOwn && $0 == target) }) {
            needed.insert(target)
          }
        }
        guard !needed.isEmpty else { continue }
        due[table]?.removeAll(where: needed.contains)
        sets[table]?.subtract(needed)
        changed.insert(table)
      }
      // Those that are linked to from where something stays now.
      looked = Set(
        due.keys.filter { table in
          catalog.links(into: table).contains {
            $0.field.deleteRule != .nullify && changed.contains($0.table.id)
          }
        })
    }
    for table in looked { due[table] = nil }
    return due
  }

  private static var roundsMax: Int { 64 }
}

extension ReadView {
  /// The objects of some tables whose value in a field is the least, those of all tables compared: null first, then by
  /// the field, then in the order of tables and keys.
  ///
  /// Cost: that of a query with an order and a limit in each table.
  /// - Parameters:
  ///   - tables: The tables, each with its field, a date.
  /// - Returns: The keys by their tables, ascending.
  package func least(
    _ count: Int, of tables: [(table: UInt32, field: FieldID)]
  ) throws(EngineError) -> [UInt32: [Int64]] {
    var found: [(value: Double, table: UInt32, key: Int64)] = []
    for (table, field) in tables {
      let query = ObjectQuery(table: table, order: [SortKey(field: field)], limit: count)
      try matches(query).forEachLeaf { (leaf, rows) throws(EngineError) in
        let column = try leaf.column(field)
        for row in rows {
          var value = -Double.infinity
          if case .double(let number) = column.value(row) {
            value = number.isNaN ? .infinity : number
          }
          found.append((value, table, leaf.key(row)))
        }
        withExtendedLifetime(leaf) {}
      }
    }
    if tables.count > 1 {
      found = found.ascending(by: { Int($0.key) }).ascending(by: { Int($0.table) })
        .ascending(by: \.value.sortNumber)
      found.removeLast(found.count - min(count, found.count))
    }
    var keys: [UInt32: [Int64]] = [:]
    for place in found { keys[place.table, default: []].append(place.key) }
    return keys.mapValues { $0.ascending() }
  }
}
