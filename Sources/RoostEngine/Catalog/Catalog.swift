/// The tables and fields of one version, with the trees that hold them.
package struct Catalog: Equatable, Sendable {
  /// The tables, in order of their numbers.
  package private(set) var tables: [TableDefinition] = []
  private(set) var nextTable: UInt32 = 1
  private(set) var nextTree: UInt32 = 1

  /// The most fields that a table may have.
  package static let fieldsMax = 1024
  /// The most indexes that a table may have in addition to those of its fields.
  package static let indexesMax = 64
  /// The most bytes that a name may have.
  package static let nameBytesMax = 1024

  /// The most bytes that the default of a string or of data may have.
  package static let defaultBytesMax = 1024

  /// The most bytes of an encoded catalog, before compression.
  ///
  /// The whole catalog is in memory while a store is open, several times as large, and a small file could unfold to any
  /// size. Seven tables with everything at its limit fit, or 20,000 tables of twenty fields with usual names.
  package static let bytesMax = 16 << 20

  /// A catalog without tables.
  package init() {}

  init(tables: [TableDefinition], nextTable: UInt32, nextTree: UInt32) {
    self.tables = tables
    self.nextTable = nextTable
    self.nextTree = nextTree
  }

  /// The table of this name.
  package func table(named name: String) -> TableDefinition? { tables.first { $0.name == name } }
  /// The table with this number.
  package func table(_ id: UInt32) -> TableDefinition? { place(of: id).map { tables[$0] } }

  /// The index of a table in ``tables``, which is sorted by number.
  private func place(of id: UInt32) -> Int? {
    let place = tables.partitioningIndex { $0.id >= id }
    return place < tables.count && tables[place].id == id ? place : nil
  }

  /// All link fields that point into a table.
  package func links(into target: UInt32) -> [(table: TableDefinition, field: FieldDefinition)] {
    tables.flatMap { table in
      table.fields.filter { $0.type.isLink && $0.target == target }.map { (table, $0) }
    }
  }

  /// The trees of all tables, and their kinds.
  package var trees: [(id: UInt32, kind: TreeKind)] {
    tables.flatMap { table in
      [(table.tree, .objects)] + table.indexTrees.map { ($0, .index) }
    }
  }

  /// The error for an unknown field or table.
  func unknown(_ field: FieldID, of id: UInt32) -> EngineError {
    guard let table = table(id) else { return .unknownTable(name: "\(id)") }
    return .unknownField(table: table.name, field: table.field(field)?.name ?? "\(field)")
  }

  /// These tables, for a file that has newer tables: numbers that the newer catalog has used are not used again.
  func restored(over newer: Catalog) -> Catalog {
    var restored = self
    restored.nextTable = max(nextTable, newer.nextTable)
    restored.nextTree = max(nextTree, newer.nextTree)
    for place in restored.tables.indices {
      let known = newer.table(restored.tables[place].id)?.nextField ?? 0
      restored.tables[place].nextField = max(restored.tables[place].nextField, known)
    }
    return restored
  }

  /// The tables without their counters.
  var modelTables: [TableDefinition] {
    tables.map { table in
      var table = table
      table.nextField = 0
      return table
    }
  }

  /// Whether some link has a delete rule other than to deny.
  var hasDeleteRules: Bool {
    tables.contains { $0.fields.contains { $0.deleteRule != .deny } }
  }

  /// Adds a table; an identifier of an integer type becomes the object key.
  ///
  /// Links may refer to tables that are added later, by their future numbers.
  /// - Throws: After an error the catalog is as it was; `.limit` where no number is left for it.
  package mutating func addTable(
    named name: String, fields: [FieldDefinition]
  ) throws(EngineError) -> TableDefinition {
    try Catalog.check(name: name)
    guard table(named: name) == nil else { throw .nameTaken(table: name, field: nil) }
    guard fields.filter(\.isIdentifier).count == 1 else {
      throw .identifierCount(table: name)
    }
    var trees = nextTree
    let id = nextTable
    let table = try Catalog.number(after: id, .tablesEver)
    var added = TableDefinition(
      id: id, name: name, tree: try Catalog.take(&trees, .treesEver), nextField: 1,
      fields: [])
    for field in fields { try Catalog.append(field, to: &added, &trees) }
    (nextTable, nextTree) = (table, trees)
    tables.append(added)
    return added
  }

  /// Adds a field to a table; existing rows have its default.
  @discardableResult
  package mutating func addField(
    _ field: FieldDefinition, to id: UInt32
  ) throws(EngineError) -> FieldDefinition {
    guard let index = place(of: id) else {
      throw .unknownTable(name: "\(id)")
    }
    var table = tables[index]
    var trees = nextTree
    let added = try Catalog.append(field, to: &table, &trees)
    tables[index] = table
    nextTree = trees
    return added
  }

  /// Removes a field that no table index uses; its number is not used again. The caller frees the field's index.
  package mutating func removeField(_ field: FieldID, from id: UInt32) {
    guard let index = place(of: id) else { return }
    tables[index].fields.removeAll { $0.id == field }
  }

  /// Adds an index to a table; the caller fills it.
  ///
  /// - Returns: The index, with its tree.
  /// - Throws: `.wrongType` where the table cannot have it.
  package mutating func addIndex(
    _ index: TableIndex, to id: UInt32
  ) throws(EngineError) -> TableIndex {
    guard let place = place(of: id) else {
      throw .unknownTable(name: "\(id)")
    }
    let table = tables[place]
    guard index.isSound(in: table) else {
      throw .wrongType(table: table.name, field: table.fieldNames(of: index))
    }
    guard table.indexes.count < Catalog.indexesMax else {
      throw .limit(EngineLimit(.indexes, Catalog.indexesMax, in: table.name))
    }
    var index = index
    index.tree = try Catalog.take(&nextTree, .treesEver)
    tables[place].indexes.append(index)
    return index
  }

  /// Removes an index of a table. The caller frees its tree.
  package mutating func removeIndex(_ index: TableIndex, from id: UInt32) {
    guard let place = place(of: id) else { return }
    tables[place].indexes.removeAll { $0.tree == index.tree }
  }

  /// Removes a table. The caller frees its trees.
  package mutating func removeTable(_ id: UInt32) { tables.removeAll { $0.id == id } }

  /// Makes another field the identifier of a table; the object keys stay the same.
  ///
  /// - Parameters:
  ///   - new: A field that is unique, and no integer.
  ///   - old: The identifier before, whose index the caller has freed; it goes where it was the object key.
  mutating func changeIdentifier(
    of id: UInt32, to new: FieldID, from old: FieldID
  ) throws(EngineError) {
    guard let place = place(of: id) else { throw .unknownTable(name: "\(id)") }
    tables[place].fields.removeAll { $0.id == old && $0.isObjectKey }
    for var field in tables[place].fields where field.id == new || field.id == old {
      field.isIdentifier = field.id == new
      field.isUnique = field.isIdentifier
      if field.id == old { field.isIndexed = false }
      try replaceField(field, in: id)
    }
  }

  /// Gives a table empty trees for new fields with their own numbers; its old content goes to another table.
  ///
  /// - Returns: The number of that table. Its name is one that no program gives; links to it lead to the empty one.
  mutating func vacateTable(
    _ id: UInt32, fields: [FieldDefinition]
  ) throws(EngineError) -> UInt32 {
    guard let place = place(of: id) else { throw .unknownTable(name: "\(id)") }
    var left = tables[place]
    left.id = nextTable
    left.name = "." + left.name
    guard table(named: left.name) == nil else { throw .nameTaken(table: left.name, field: nil) }
    var trees = nextTree
    var vacated = tables[place]
    vacated.tree = try Catalog.take(&trees, .treesEver)
    vacated.indexes = []
    vacated.fields = []
    for var field in fields {
      field.indexTree = field.needsIndex ? try Catalog.take(&trees, .treesEver) : 0
      vacated.fields.append(field)
    }
    nextTable = try Catalog.number(after: left.id, .tablesEver)
    nextTree = trees
    tables[place] = vacated
    tables.append(left)
    return left.id
  }

  /// Renames a table.
  ///
  /// - Throws: `.nameTaken` where another table has it.
  package mutating func renameTable(_ id: UInt32, to name: String) throws(EngineError) {
    try Catalog.check(name: name)
    guard let place = place(of: id) else { throw .unknownTable(name: "\(id)") }
    guard table(named: name).map({ $0.id == id }) ?? true else {
      throw .nameTaken(table: name, field: nil)
    }
    tables[place].name = name
  }

  /// Renames a field; its number, which leaves store, stays the same.
  ///
  /// - Throws: `.nameTaken` where another field of the table has it.
  package mutating func renameField(
    _ field: FieldID, of id: UInt32, to name: String
  ) throws(EngineError) {
    try Catalog.check(name: name)
    guard let place = place(of: id) else { throw .unknownTable(name: "\(id)") }
    guard let position = tables[place].fields.firstIndex(where: { $0.id == field }) else {
      throw .unknownField(table: tables[place].name, field: "\(field)")
    }
    guard tables[place].field(named: name).map({ $0.id == field }) ?? true else {
      throw .nameTaken(table: tables[place].name, field: name)
    }
    tables[place].fields[position].name = name
  }

  /// Replaces the properties that rows do not depend on: the index, uniqueness, the link rule, the default.
  ///
  /// - Throws: `.limit` where it needs an index and no tree is left.
  package mutating func replaceField(
    _ field: FieldDefinition, in id: UInt32
  ) throws(EngineError) {
    guard let index = place(of: id),
      let position = tables[index].fields.firstIndex(where: { $0.id == field.id })
    else { return }
    var field = field
    if !field.needsIndex {
      field.indexTree = 0
    } else if field.indexTree == 0 {
      field.indexTree = try Catalog.take(&nextTree, .treesEver)
    }
    tables[index].fields[position] = field
  }

  @discardableResult
  private static func append(
    _ field: FieldDefinition, to table: inout TableDefinition, _ trees: inout UInt32
  ) throws(EngineError) -> FieldDefinition {
    try Catalog.check(name: field.name)
    guard table.field(named: field.name) == nil else {
      throw .nameTaken(table: table.name, field: field.name)
    }
    guard table.fields.count < Catalog.fieldsMax else {
      throw .limit(EngineLimit(.fields, Catalog.fieldsMax, in: table.name))
    }
    guard field.isSound else { throw .wrongType(table: table.name, field: field.name) }
    if case .bytes(let content) = field.defaultValue, content.count > Catalog.defaultBytesMax {
      throw .tooLong(table: table.name, field: field.name, limit: Catalog.defaultBytesMax)
    }
    var field = field
    if field.isIdentifier && field.type.canBeObjectKey {
      field.id = 0
      field.isUnique = true
    } else {
      field.id = try take(&table.nextField, .fieldsEver, in: table.name)
      if field.isIdentifier { field.isUnique = true }
    }
    field.indexTree = field.needsIndex ? try take(&trees, .treesEver) : 0
    table.fields.append(field)
    return field
  }

  /// Takes the next number of a counter; no number is used twice.
  private static func take(
    _ next: inout UInt32, _ kind: EngineLimit.Kind, in table: String? = nil
  ) throws(EngineError) -> UInt32 {
    let taken = next
    next = try number(after: taken, kind, in: table)
    return taken
  }

  /// The next value of a counter.
  private static func number(
    after number: UInt32, _ kind: EngineLimit.Kind, in table: String? = nil, count: Int = 1
  ) throws(EngineError) -> UInt32 {
    let (next, overflows) = number.addingReportingOverflow(UInt32(clamping: count))
    guard !overflows else {
      throw .limit(EngineLimit(kind, UInt32.max - 1, in: table))
    }
    return next
  }

  /// The numbers of the next tables to be added.
  func comingTables(_ count: Int) throws(EngineError) -> Range<UInt32> {
    nextTable..<(try Catalog.number(after: nextTable, .tablesEver, count: count))
  }

  private static func check(name: String) throws(EngineError) {
    guard !name.isEmpty, name.utf8.count <= nameBytesMax else {
      throw .limit(EngineLimit(.nameBytes, nameBytesMax))
    }
  }
}
