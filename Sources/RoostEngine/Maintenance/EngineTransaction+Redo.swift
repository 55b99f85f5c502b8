/// Making the changes that records of a ring say, for salvaging.
extension EngineTransaction {
  /// Makes the changes of one record, as far as the objects are there that they concern.
  ///
  /// - Throws: Also where what is left of them does not fit together; then at the commit, too.
  /// - Returns: The objects of which changes are lost, by table: those that are not there, and those whose links must lead to
  ///   an object that is not there. An optional link to one becomes null.
  package func redo(
    _ record: [RecordedRows]
  ) throws(EngineError) -> [(table: UInt32, key: Int64)] {
    var lost: [(table: UInt32, key: Int64)] = []
    // What it inserts may be linked to by what comes before.
    var inserted: [UInt32: Set<Int64>] = [:]
    for rows in record { inserted[rows.table] = Set(rows.insertedKeys) }
    for rows in record {
      guard let table = catalog.table(rows.table) else {
        lost += rows.keys.map { (rows.table, $0) }
        continue
      }
      let state = try settledState(rows.table, toChange: true)
      var sound = rows
      sound.keepSound(of: table)
      let gone = try sound.keep(
        there: { (key) throws(EngineError) in try state.holder(of: key) != nil },
        canLink: { (field, target) throws(EngineError) in
          guard inserted[field.target]?.contains(target) != true else { return true }
          return try self.state(field.target).holder(of: target) != nil
        }, table)
      lost += gone.map { (rows.table, $0) }
      try state.apply(sound, &scratchKey)
      // A link that led to one of them may not have been changed.
      let replaced = Set(sound.insertedKeys)
      for key in sound.deletes where !replaced.contains(key) {
        state.didDelete(key)
        if !state.inboundLinks.isEmpty { pendingDeletions.note(in: table.id, catalog) }
      }
      try applyIfLarge(state)
    }
    return lost
  }
}

extension RecordedRows {
  /// Leaves out what is no change of a table's fields.
  fileprivate mutating func keepSound(of table: TableDefinition) {
    updates.removeAll { table.field($0.field) == nil }
  }

  /// Leaves out changes of objects that are not there, and links to such.
  ///
  /// - Returns: The keys of the objects of which changes are lost.
  fileprivate mutating func keep(
    there isThere: (Int64) throws(EngineError) -> Bool,
    canLink: (FieldDefinition, Int64) throws(EngineError) -> Bool, _ table: TableDefinition
  ) throws(EngineError) -> [Int64] {
    var lost: [Int64] = []
    var deleted: [Int64] = []
    for key in deletes { if try isThere(key) { deleted.append(key) } else { lost.append(key) } }
    deletes = deleted
    var kept: [Int] = []
    for (place, key) in insertedKeys.enumerated() {
      var isSound = try !isThere(key) || deletes.contains(key)
      for (column, values) in inserts.enumerated() where isSound {
        guard let field = table.field(values.field) else { continue }
        let value = try field.linkable(values.values[place], canLink)
        isSound = value != nil
        if let value { inserts[column].values[place] = value }
      }
      if isSound { kept.append(place) } else { lost.append(key) }
    }
    for column in inserts.indices {
      inserts[column].values = kept.map { inserts[column].values[$0] }
    }
    insertedKeys = kept.map { insertedKeys[$0] }
    for column in updates.indices {
      guard let field = table.field(updates[column].field) else { continue }
      var rows: [(key: Int64, value: Value)] = []
      for (key, value) in updates[column].rows {
        let isHere = try isThere(key) && !deletes.contains(key) || insertedKeys.contains(key)
        if isHere, let value = try field.linkable(value, canLink) {
          rows.append((key, value))
        } else {
          lost.append(key)
        }
      }
      updates[column].rows = rows
    }
    return lost
  }
}

extension FieldDefinition {
  /// A value without links that lead nowhere; nil where it must not be without one.
  fileprivate func linkable(
    _ value: Value, _ canLink: (FieldDefinition, Int64) throws(EngineError) -> Bool
  ) throws(EngineError) -> Value? {
    switch (type, value) {
    case (.link, .integer(let target)):
      return try canLink(self, target) ? value : isOptional ? .null : nil
    case (.links, .bytes(let list)):
      var kept: [Int64] = []
      for target in LinkList.targets(list) where try canLink(self, target) { kept.append(target) }
      return .bytes(LinkList.bytes(kept))
    default: return value
    }
  }
}
