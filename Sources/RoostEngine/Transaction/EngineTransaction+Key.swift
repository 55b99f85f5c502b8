/// Changing the identifier of a table.
///
/// Links hold object keys. Where the new identifier is no integer, the objects keep theirs, and no link changes. Where it is the
/// object key itself, the rows are written anew under other keys, and each link to them is looked up.
extension EngineTransaction {
  /// The first object whose value of a field cannot be an identifier.
  ///
  /// - Returns: Its key, and whether the value is null; otherwise the value is too long for an index to tell apart.
  package func firstUnfit(
    asIdentifier field: FieldID, in table: UInt32
  ) throws(EngineError) -> (key: Int64, isNull: Bool)? {
    var found: (key: Int64, isNull: Bool)?
    try forEachLeaf(of: table) { (leaf) throws(EngineError) in
      let column = try leaf.column(field)
      defer { withExtendedLifetime(leaf) {} }
      for row in 0..<leaf.rowCount where found == nil {
        if column.isNull(row) {
          found = (leaf.key(row), true)
        } else if column.type == .bytes {
          let length = column.external(row)?.length ?? UInt64(column.bytes(row).count)
          if length >= UInt64(IndexKey.byteCountMax) { found = (leaf.key(row), false) }
        }
      }
      return found == nil
    }
    return found
  }

  /// Makes another field the identifier of a table.
  ///
  /// The old identifier becomes an ordinary field, without an index. If it was the object key, it gets a number.
  /// - Parameters:
  ///   - field: Has a value in all objects, which is unique and has an index, and is not too long.
  ///   - progress: Called with a table, and how many of its objects are done.
  /// - Returns: The numbers that fields have instead of others, in the order in which they changed.
  /// - Throws: `.linkedTarget` and `.danglingLink` where a link leads to an object that this transaction deleted.
  package func changeIdentifier(
    of table: UInt32, to field: FieldID, progress: (UInt32, Int) -> Void
  ) throws(EngineError) -> [(new: FieldID, old: FieldID)] {
    _ = try view()
    try checkLinks()
    guard let definition = catalog.table(table), let old = definition.identifier else {
      throw .unknownTable(name: "\(table)")
    }
    guard let new = definition.field(field) else { throw catalog.unknown(field, of: table) }
    var replaced: [(new: FieldID, old: FieldID)] = []
    var copy = old
    if old.isObjectKey {
      copy = try addObjectKeys(of: definition, as: old, progress)
      replaced.append((copy.id, old.id))
    }
    let keepsKeys = new.type.canBeObjectKey ? false : try keepsKeys(definition)
    if !keepsKeys {
      try moveRows(of: table, identifier: new, was: old, copy, progress)
      if new.type.canBeObjectKey { replaced.append((0, new.id)) }
    } else {
      try catalogDidChange()
      try removeIndex(ofIdentifier: old)
      try catalog.changeIdentifier(of: table, to: new.id, from: old.id)
      if old.isObjectKey { try catalog.renameField(copy.id, of: table, to: old.name) }
    }
    return replaced
  }

  /// Adds a field with the objects' keys, under a name that no program gives one.
  private func addObjectKeys(
    of table: TableDefinition, as identifier: FieldDefinition, _ progress: (UInt32, Int) -> Void
  ) throws(EngineError) -> FieldDefinition {
    let field = try addField(
      FieldDefinition(
        name: "." + identifier.name, type: identifier.type, defaultValue: .integer(0)),
      to: table.id)
    try forEachLeaf(of: table.id) { (leaf) throws(EngineError) in
      let keys = ColumnBuffer(type: .integer)
      for row in 0..<leaf.rowCount { keys.append(leaf.key(row)) }
      try update(table.id, field: field.id, of: keys, to: keys)
      progress(table.id, leaf.rowCount)
      return true
    }
    return field
  }

  /// Whether the objects can keep their keys as surrogates, and lets the counter of these go on behind them.
  private func keepsKeys(_ table: TableDefinition) throws(EngineError) -> Bool {
    guard table.hasIntegerKey else { return true }
    guard let last = try view().objects(table.id).last()?.key, last > 0 else { return true }
    guard last < Self.keptKeyMax else { return false }
    try settledState(table.id, toChange: true).noteNumber(UInt64(last))
    return true
  }

  /// Above this, the keys of objects are not kept as surrogates: as many must be left to count on.
  private static let keptKeyMax = Int64.max / 2

  // MARK: Rows under other keys

  /// Writes the rows of a table anew, under other object keys, and lets all links to them follow.
  ///
  /// - Parameters:
  ///   - new: The field that identifies the objects afterwards.
  ///   - old: The one that did before.
  ///   - copy: The field that has its values, which is the same where it was not the object key.
  private func moveRows(
    of table: UInt32, identifier new: FieldDefinition, was old: FieldDefinition,
    _ copy: FieldDefinition, _ progress: (UInt32, Int) -> Void
  ) throws(EngineError) {
    var keys = new.id
    if !new.type.canBeObjectKey { keys = try addSurrogates(to: table, progress) }
    try catalogDidChange()
    guard let definition = catalog.table(table) else { throw .unknownTable(name: "\(table)") }
    // The rows go to another table, and come back one by one.
    let left = try catalog.vacateTable(
      table,
      fields: definition.fields.compactMap { field in
        var field = field
        field.isIdentifier = field.id == new.id
        field.isIndexed = false
        field.isUnique = field.isIdentifier
        switch field.id {
        case old.id where old.isObjectKey: return nil
        case new.id:
          field.isIndexed = false
          if new.type.canBeObjectKey { field.id = 0 }
        case copy.id: field.name = old.name
        case keys: return nil
        default: break
        }
        return field
      })
    let map = KeyMap(objects: try view().objects(left), field: keys)
    let links = catalog.links(into: table)
    try insertRows(of: left, into: table, map, progress)
    for (linking, field) in links where linking.id != table && linking.id != left {
      try follow(field, of: linking.id, map, progress)
    }
    try restoreIndexes(of: table, as: definition)
    try removeTable(left)
  }

  /// Adds a field with the surrogate keys that the objects are to have, in their order.
  private func addSurrogates(
    to table: UInt32, _ progress: (UInt32, Int) -> Void
  ) throws(EngineError) -> FieldID {
    let field = try addField(
      FieldDefinition(name: ".", type: .int, defaultValue: .integer(0)), to: table)
    var next: Int64 = 1
    try forEachLeaf(of: table) { (leaf) throws(EngineError) in
      let keys = ColumnBuffer(type: .integer)
      let surrogates = ColumnBuffer(type: .integer)
      for row in 0..<leaf.rowCount {
        keys.append(leaf.key(row))
        surrogates.append(next)
        next += 1
      }
      try update(table, field: field.id, of: keys, to: surrogates)
      progress(table, leaf.rowCount)
      return true
    }
    return field.id
  }

  /// Inserts the rows of one table into another, under their new keys.
  private func insertRows(
    of source: UInt32, into table: UInt32, _ map: KeyMap, _ progress: (UInt32, Int) -> Void
  ) throws(EngineError) {
    guard let definition = catalog.table(table), let before = catalog.table(source) else {
      throw .unknownTable(name: "\(table)")
    }
    let isObjectKey = definition.hasIntegerKey
    try forEachLeaf(of: source) { (leaf) throws(EngineError) in
      let batch = try batch(for: table)
      for field in definition.fields where !field.isObjectKey {
        guard let column = batch.column(field.id), before.field(field.id) != nil else {
          throw .unknownField(table: definition.name, field: field.name)
        }
        switch field.type {
        case .blob: for _ in 0..<leaf.rowCount { column.append(.bytes([])) }
        case _ where field.type.isLink && field.target == table:
          let cells = ColumnBuffer(type: field.type.physical)
          try leaf.append(field.id, to: cells)
          let mapped = try map.mapped(cells, of: field.type)
          column.append(mapped, rows: 0..<mapped.count)
        default: try leaf.append(field.id, to: column)
        }
      }
      let keys = ColumnBuffer(type: .integer)
      try leaf.append(map.field, to: keys)
      try insertRows(into: table, count: leaf.rowCount, keys: isObjectKey ? keys : nil)
      for field in definition.fields where field.type == .blob {
        for row in 0..<leaf.rowCount {
          try copyBlob(field.id, of: leaf, row: row, to: table, key: keys.integer(row))
        }
      }
      progress(table, leaf.rowCount)
      return true
    }
  }

  /// Gives an object's empty blob the content of another one, a part at a time.
  private func copyBlob(
    _ field: FieldID, of leaf: LeafReference, row: Int, to table: UInt32, key: Int64
  ) throws(EngineError) {
    let content = try BlobContent(leaf, row: row, field: field)
    var position: UInt64 = 0
    while position < content.length {
      try checkCancellation()
      let piece = try content.piece(at: position)
      let bytes = piece.withBytes(in: position..<piece.range.upperBound) { $0.array }
      guard !bytes.isEmpty else { break }
      try insertBlobBytes(bytes, at: position, table, key: key, field: field)
      position += UInt64(bytes.count)
    }
  }

  /// Lets the links of a field lead to the same objects under their new keys.
  private func follow(
    _ field: FieldDefinition, of id: UInt32, _ map: KeyMap, _ progress: (UInt32, Int) -> Void
  ) throws(EngineError) {
    guard let table = catalog.table(id) else { throw .unknownTable(name: "\(id)") }
    // Until all have followed, links of the one kind may be equal to such of the other.
    let indexes = table.indexes.filter { $0.usedFields.contains(field.id) }
    for index in indexes { try removeIndex(index, of: table.id) }
    try set(field, of: table.id, isIndexed: field.isIndexed, isUnique: false)
    try forEachLeaf(of: table.id) { (leaf) throws(EngineError) in
      let cells = ColumnBuffer(type: field.type.physical)
      try leaf.append(field.id, to: cells)
      let keys = ColumnBuffer(type: .integer)
      let values = ColumnBuffer(type: field.type.physical)
      let mapped = try map.mapped(cells, of: field.type)
      for row in 0..<leaf.rowCount where !mapped.isIdentical(row, to: cells, row: row) {
        keys.append(leaf.key(row))
        values.append(mapped, row: row)
      }
      try update(table.id, field: field.id, of: keys, to: values)
      progress(table.id, leaf.rowCount)
      return true
    }
    try set(field, of: table.id, isIndexed: field.isIndexed, isUnique: field.isUnique)
    for index in indexes { try addIndex(index, to: table) }
  }

  /// Gives a table the indexes that it had before, as far as it still can have them.
  private func restoreIndexes(
    of id: UInt32, as before: TableDefinition
  ) throws(EngineError) {
    for field in catalog.table(id)?.fields ?? [] where !field.isIdentifier {
      guard let old = before.field(field.id), !old.isIdentifier,
        old.isIndexed || old.isUnique
      else { continue }
      try set(field, of: id, isIndexed: old.isIndexed, isUnique: old.isUnique)
    }
    guard let table = catalog.table(id) else { return }
    for index in before.indexes where index.isSound(in: table) { try addIndex(index, to: table) }
  }

  private func set(
    _ field: FieldDefinition, of table: UInt32, isIndexed: Bool, isUnique: Bool
  ) throws(EngineError) {
    try changeField(
      field.id, of: table, isIndexed: isIndexed, isUnique: isUnique,
      nullifiesMissingTarget: field.nullifiesMissingTarget, deleteRule: field.deleteRule)
  }
}

/// The keys that the objects of a table get, by those that they have: both are in its rows.
private final class KeyMap {
  private let objects: ObjectTree
  /// The field with the new keys.
  let field: FieldID

  init(objects: ObjectTree, field: FieldID) {
    self.objects = objects
    self.field = field
  }

  /// Links, or lists of links, with the new keys instead of the old ones.
  ///
  /// - Complexity: Each target is looked up once, in the order of the keys.
  func mapped(
    _ cells: ColumnBuffer, of type: FieldType
  ) throws(EngineError) -> ColumnBuffer {
    let mapped = ColumnBuffer(type: type.physical)
    guard type == .links else {
      let known = try newKeys(
        of: (0..<cells.count).compactMap { cells.isNull($0) ? nil : cells.integer($0) })
      for row in 0..<cells.count {
        if cells.isNull(row) {
          mapped.appendNull()
        } else {
          mapped.append(try key(cells.integer(row), among: known))
        }
      }
      return mapped
    }
    for row in 0..<cells.count {
      let targets = LinkList.targets(cells.bytes(row))
      let known = try newKeys(of: targets)
      var keys: [Int64] = []
      keys.reserveCapacity(targets.count)
      for target in targets { keys.append(try key(target, among: known)) }
      mapped.append(.bytes(LinkList.bytes(keys)))
    }
    return mapped
  }

  private func key(_ old: Int64, among known: [Int64: Int64]) throws(EngineError) -> Int64 {
    guard let new = known[old] else { throw .missingKey(old) }
    return new
  }

  private func newKeys(of old: [Int64]) throws(EngineError) -> [Int64: Int64] {
    var known: [Int64: Int64] = [:]
    known.reserveCapacity(old.count)
    var leaf: LeafReference?
    for key in old.ascending() where known[key] == nil {
      if leaf?.row(of: key) == nil { leaf = try objects.leaf(for: key) }
      guard let leaf, let row = leaf.row(of: key) else { throw .missingKey(key) }
      let column = try leaf.column(field)
      known[key] = column.integer(row)
      withExtendedLifetime(leaf) {}
    }
    return known
  }
}
