/// A table to add; its links name their target tables, which may be added with it.
package struct TableDraft: Sendable {
  /// The table's name.
  package var name: String
  /// The fields; one of them is the identifier.
  package var fields: [FieldDefinition]
  /// For each link field by name, the name of its target table.
  package var linkTargets: [String: String]
  /// The indexes that are not of a single field.
  package var indexes: [TableIndexDraft]

  /// A table to add.
  package init(
    name: String, fields: [FieldDefinition], linkTargets: [String: String] = [:],
    indexes: [TableIndexDraft] = []
  ) {
    self.name = name
    self.fields = fields
    self.linkTargets = linkTargets
    self.indexes = indexes
  }
}

/// An index to add, with its fields by name.
package struct TableIndexDraft: Equatable, Sendable {
  /// A field and the test of its value.
  package struct FieldCondition: Equatable, Sendable {
    /// The field's name.
    package var field: String
    /// The test of its value.
    package var test: IndexCondition.Test

    /// A condition.
    package init(_ field: String, _ test: IndexCondition.Test) {
      self.field = field
      self.test = test
    }
  }

  /// The names of the fields whose values are ordered, the most significant one first.
  package var fields: [String]
  /// Whether two objects of the index may not have the same values.
  package var isUnique: Bool
  /// The condition under which an object has an entry.
  package var condition: [FieldCondition]

  /// An index to add.
  package init(of fields: [String], isUnique: Bool = false, where condition: [FieldCondition] = [])
  {
    self.fields = fields
    self.isUnique = isUnique
    self.condition = condition
  }

  /// The index with the numbers of a table's fields; nil where the table lacks one.
  package func index(in table: TableDefinition) -> TableIndex? {
    let ids = fields.compactMap { table.field(named: $0)?.id }
    let tests = condition.compactMap { condition in
      table.field(named: condition.field).map { IndexCondition($0.id, condition.test) }
    }
    guard ids.count == fields.count, tests.count == condition.count else { return nil }
    return TableIndex(of: ids, isUnique: isUnique, where: tests)
  }
}

extension TableDefinition {
  /// The indexes that use a field, with the names of their fields.
  package func indexes(using id: FieldID) -> [TableIndexDraft] {
    func name(_ id: FieldID) -> String { field(id)?.name ?? "" }
    return indexes.filter { $0.usedFields.contains(id) }.map { index in
      TableIndexDraft(
        of: index.fields.map(name), isUnique: index.isUnique,
        where: index.condition.map { TableIndexDraft.FieldCondition(name($0.field), $0.test) })
    }
  }

  /// Whether the table has the fields of an index, in types that it can be of.
  package func canHave(_ index: TableIndexDraft) -> Bool {
    index.index(in: self)?.isSound(in: self) ?? false
  }
}

/// Tables and fields: adding and removing them, and their indexes.
///
/// An operation that throws has changed nothing.
extension EngineTransaction {
  /// Adds tables.
  package func addTables(_ drafts: [TableDraft]) throws(EngineError) {
    guard !drafts.isEmpty else { return }
    try catalogDidChange()
    var catalog = catalog
    let coming = Dictionary(
      zip(drafts.map(\.name), try catalog.comingTables(drafts.count)),
      uniquingKeysWith: { first, _ in first })
    for draft in drafts {
      var fields = draft.fields
      for index in fields.indices where fields[index].type.isLink {
        let target = draft.linkTargets[fields[index].name] ?? ""
        guard let id = catalog.table(named: target)?.id ?? coming[target] else {
          throw .unknownTable(name: target)
        }
        fields[index].target = id
      }
      let table = try catalog.addTable(named: draft.name, fields: fields)
      for index in draft.indexes {
        guard let index = index.index(in: table) else {
          throw .unknownField(table: table.name, field: index.fields.joined(separator: ", "))
        }
        _ = try catalog.addIndex(index, to: table.id)
      }
    }
    self.catalog = catalog
  }

  /// Adds an index to a table, and fills it.
  ///
  /// - Throws: `.duplicate` and `.tooLong` where it should be unique and cannot be.
  package func addIndex(_ draft: TableIndexDraft, to id: UInt32) throws(EngineError) {
    guard let table = catalog.table(id) else { throw .unknownTable(name: "\(id)") }
    guard let index = draft.index(in: table) else {
      throw .unknownField(table: table.name, field: draft.fields.joined(separator: ", "))
    }
    try addIndex(index, to: table)
  }

  /// Adds an index to a table, and fills it.
  func addIndex(_ index: TableIndex, to table: TableDefinition) throws(EngineError) {
    try whole { () throws(EngineError) in
      try catalogDidChange()
      let id = table.id
      let added = try catalog.addIndex(index, to: id)
      guard let keys = TableIndexKeys(added, of: TableShape(table)) else { return }
      try build(.table(keys, table), table: id)
    }
  }

  /// Runs operations atomically: if one throws, neither definitions nor trees have changed.
  package func whole<Result>(
    _ operation: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let savepoint = try savepoint()
    let result: Result
    do throws(EngineError) { result = try operation() } catch {
      try rollback(to: savepoint)
      throw error
    }
    release(savepoint)
    return result
  }

  /// Removes an index of a table.
  package func removeIndex(_ index: TableIndex, of table: UInt32) throws(EngineError) {
    try catalogDidChange()
    try removeIndex(tree: index.tree)
    catalog.removeIndex(index, from: table)
  }

  /// Removes a table with everything in it.
  ///
  /// - Throws: `.linkedTarget` while a field of another table links into it.
  package func removeTable(_ id: UInt32) throws(EngineError) {
    try catalogDidChange()
    guard let table = catalog.table(id) else { throw .unknownTable(name: "\(id)") }
    if let link = catalog.links(into: id).first(where: { $0.table.id != id }) {
      throw .linkedTarget(
        table: table.name, key: "every object", from: link.table.name, field: link.field.name)
    }
    try whole { () throws(EngineError) in
      for tree in table.indexTrees { try removeIndex(tree: tree) }
      let objects = try committedView().objects(id)
      var extents: [ExtentPointer] = []
      try objects.walk { extents.append($0) }
      for extent in extents { writer.free(extent) }
      removeTree(table.tree)
      catalog.removeTable(id)
    }
  }

  /// Adds a field; existing objects have its default.
  @discardableResult
  package func addField(
    _ field: FieldDefinition, to table: UInt32, linkingTo target: String? = nil
  ) throws(EngineError) -> FieldDefinition {
    try checkIsOpen()
    var field = field
    if field.type.isLink {
      guard let id = target.flatMap({ catalog.table(named: $0)?.id }) else {
        throw .unknownTable(name: target ?? "")
      }
      field.target = id
    }
    return try whole { () throws(EngineError) in
      try catalogDidChange()
      let added = try catalog.addField(field, to: table)
      try buildIndex(of: added, table: table)
      return added
    }
  }

  /// Removes a field, with the indexes that use it. Its bytes leave a leaf when the leaf is next written.
  package func removeField(_ field: FieldID, from table: UInt32) throws(EngineError) {
    try checkIsOpen()
    guard let definition = catalog.table(table)?.field(field) else {
      throw catalog.unknown(field, of: table)
    }
    guard !definition.isIdentifier else {
      throw .identifierCount(table: catalog.table(table)?.name ?? "\(table)")
    }
    try whole { () throws(EngineError) in
      try catalogDidChange()
      try removeIndex(tree: definition.indexTree)
      for index in catalog.table(table)?.indexes ?? [] where index.usedFields.contains(field) {
        try removeIndex(index, of: table)
      }
      catalog.removeField(field, from: table)
    }
  }

  /// Changes whether a field is indexed and unique, and the delete rule of a link.
  ///
  /// - Throws: `.duplicate` where the values that are there are not unique, `.tooLong` where one of them is longer
  ///   than a unique value can be; `.wrongType` where the field cannot have the rule.
  package func changeField(
    _ field: FieldID, of table: UInt32, isIndexed: Bool, isUnique: Bool,
    nullifiesMissingTarget: Bool, deleteRule: ReferentialAction
  ) throws(EngineError) {
    try checkIsOpen()
    guard let old = catalog.table(table)?.field(field) else {
      throw catalog.unknown(field, of: table)
    }
    var new = old
    new.isIndexed = isIndexed
    new.isUnique = isUnique
    new.nullifiesMissingTarget = nullifiesMissingTarget
    new.deleteRule = deleteRule
    guard new.isSound else {
      throw .wrongType(table: catalog.table(table)?.name ?? "", field: old.name)
    }
    try whole { () throws(EngineError) in
      try catalogDidChange()
      if old.needsIndex && !new.needsIndex { try removeIndex(tree: old.indexTree) }
      try catalog.replaceField(new, in: table)
      guard let replaced = catalog.table(table)?.field(field) else { return }
      if !old.needsIndex {
        try buildIndex(of: replaced, table: table)
      } else if isUnique && !old.isUnique {
        try checkIsUnique(replaced, table: table)
      }
    }
  }

  /// Sets whether fields may be null. The values stay as they are: see ``ReadView/nullCount(of:in:)``.
  package func setOptional(
    _ isOptional: Bool, _ fields: [FieldID], of table: UInt32
  ) throws(EngineError) {
    try catalogDidChange()
    var catalog = catalog
    for id in fields {
      guard var field = catalog.table(table)?.field(id) else {
        throw catalog.unknown(id, of: table)
      }
      field.isOptional = isOptional
      if !isOptional, field.type == .link {
        // A required link cannot become null.
        if field.deleteRule == .nullify { field.deleteRule = .deny }
        field.nullifiesMissingTarget = false
      }
      guard field.isSound else {
        throw .wrongType(table: catalog.table(table)?.name ?? "", field: field.name)
      }
      try catalog.replaceField(field, in: table)
    }
    self.catalog = catalog
  }

  /// Notes whether some of the kinds in these fields are unknown; then they are null, and the fields optional.
  package func setLacksKinds(
    _ lacksKinds: Bool, _ fields: [FieldID], of table: UInt32
  ) throws(EngineError) {
    try catalogDidChange()
    var catalog = catalog
    for id in fields {
      guard var field = catalog.table(table)?.field(id) else {
        throw catalog.unknown(id, of: table)
      }
      field.nullifiesMissingTarget = lacksKinds
      if lacksKinds { field.isOptional = true }
      try catalog.replaceField(field, in: table)
    }
    self.catalog = catalog
  }

  /// Fills a new index from the table's objects.
  private func buildIndex(of field: FieldDefinition, table: UInt32) throws(EngineError) {
    guard field.indexTree != 0 else { return }
    try build(.field(field), table: table)
  }

  /// Fills an index, which is empty, in memory for some of the entries at a time. After an error its parts are left to
  /// ``whole(_:)``.
  private func build(_ rule: IndexRule, table: UInt32) throws(EngineError) {
    changedRoots.update(
      with: try builtIndex(rule, table: table, partBytes: limits.indexPartBytes))
  }

  /// The index of a table's objects, which is written; the one that is there is empty.
  ///
  /// - Parameter partBytes: When so much has gathered, a part is sorted and written.
  /// - Throws: `.duplicate` and `.tooLong` for values that must be unique; what was written is left to the caller then.
  func builtIndex(
    _ rule: IndexRule, table: UInt32, partBytes: Int
  ) throws(EngineError) -> TreeRoot {
    try finished(try gathered(rule, table: table, partBytes: partBytes))
  }

  /// An index with the entries of all objects, which are still to be sorted and written.
  ///
  /// - Parameter entries: Those of all objects; nil if they are to be gathered.
  /// - Throws: `.tooLong`, as ``builtIndex(_:table:partBytes:)``.
  func gathered(
    _ rule: IndexRule, table: UInt32, partBytes: Int, _ entries: consuming IndexChanges? = nil
  ) throws(EngineError) -> IndexBuild {
    let build = IndexBuild(
      rule, table: table,
      filler: IndexFiller(
        tree: rule.tree, writer: writer, partBytes: partBytes,
        partsMerged: limits.indexPartsMerged, isUnique: rule.isUnique))
    if let entries {
      build.filler.begin(with: entries)
    } else {
      try fill(&build.filler, rule, table)
    }
    return build
  }

  /// Sorts and writes the entries of an index.
  ///
  /// - Throws: `.duplicate`, as ``builtIndex(_:table:partBytes:)``.
  func finished(_ build: IndexBuild) throws(EngineError) -> TreeRoot {
    guard let root = try build.finish() else {
      // The error names the value, and the first object that has it.
      return try builtIndex(build.rule, table: build.table, partBytes: limits.indexBytes)
    }
    if build.filler.hasRepetition {
      try checkIsUnique(IndexTree(root: root, reader: writer.reader), build.rule, build.table)
    }
    return root
  }

  /// Adds the entries of all objects to an index.
  private func fill(
    _ filler: inout IndexFiller, _ rule: IndexRule, _ table: UInt32
  ) throws(EngineError) {
    let objects = try committedView().objects(table)
    let cells = IndexedCells(rule, of: objects.shape)
    let isUnique = rule.isUnique
    var leaves = try objects.leaves()
    var key = IndexKey()
    while let leaf = try leaves.next() {
      try checkCancellation()
      try cells.forEachKey(leaf, &key) { (key, row, hasNull) throws(EngineError) in
        if isUnique, key.isTruncated { throw tooLong(rule, table) }
        try key.withView { (value) throws(EngineError) in
          try filler.add(value, leaf.key(row), mayRepeat: !isUnique || hasNull)
        }
      }
    }
  }

  /// The error for a value too long to be told apart from others in an index.
  private func tooLong(_ rule: IndexRule, _ id: UInt32) -> EngineError {
    switch rule {
    case .table(let keys, let table): table.tooLong(keys.index)
    case .field(let field):
      .tooLong(
        table: catalog.table(id)?.name ?? "", field: field.name,
        limit: IndexKey.byteCountMax - 1)
    }
  }

  private func checkIsUnique(_ field: FieldDefinition, table: UInt32) throws(EngineError) {
    try checkIsUnique(try committedView().index(field), .field(field), table)
  }

  /// Throws if two objects share a value of an index that must be unique.
  private func checkIsUnique(
    _ tree: IndexTree, _ rule: IndexRule, _ table: UInt32
  ) throws(EngineError) {
    let name = catalog.table(table)?.name ?? ""
    switch rule {
    case .field(let field):
      guard let value = try equalValues(of: field, tree, in: table, limit: 1).first?.value else {
        return
      }
      throw .duplicate(
        table: name, field: field.name,
        value: text(Value(ofKey: value, type: field.type.physical), of: field))
    case .table(let keys, let table):
      guard let entry = try tree.entryOfTwo(keys.index, in: table) else { return }
      throw .duplicate(
        table: name, field: table.fieldNames(of: keys.index),
        value: table.text(ofEntry: entry, of: keys.index, text))
    }
  }

  /// The first values of a field's index that several objects share, but for null: the whole value, and the objects.
  ///
  /// - Throws: `.tooLong` where a value is longer than an index holds; what such values are equal to it cannot say.
  func equalValues(
    of field: FieldDefinition, in table: UInt32, limit: Int = .max
  ) throws(EngineError) -> [(value: [UInt8], keys: [Int64])] {
    try equalValues(of: field, try committedView().index(field), in: table, limit: limit)
  }

  private func equalValues(
    of field: FieldDefinition, _ tree: IndexTree, in table: UInt32, limit: Int
  ) throws(EngineError) -> [(value: [UInt8], keys: [Int64])] {
    var equal: [(value: [UInt8], keys: [Int64])] = []
    var last: (value: [UInt8], keys: [Int64]) = ([], [])
    let (rule, objects) = (IndexRule.field(field), try committedView().objects(table))
    var key = IndexKey()
    try tree.scan { (value, keys) throws(EngineError) in
      let bytes = value.array
      // Null may repeat; an empty text is a value like others.
      guard bytes.first != 0 else { return true }
      // A value of this length may be whole or truncated.
      for object in bytes.count == IndexKey.byteCountMax ? Array(keys) : [] {
        guard let leaf = try objects.leaf(for: object), let row = leaf.row(of: object) else {
          throw .missingKey(object)
        }
        try rule.forEachKey(leaf, row: row, &key) { (key) throws(EngineError) in
          if key.isTruncated { throw tooLong(rule, table) }
        }
      }
      // A value may continue in the next leaf.
      if bytes != last.value {
        if last.keys.count > 1 { equal.append(last) }
        last = (bytes, [])
      }
      last.keys += keys
      return equal.count < limit
    }
    if equal.count < limit, last.keys.count > 1 { equal.append(last) }
    return equal
  }

  /// Frees the index of an identifier that is to be one no more, if it has one.
  func removeIndex(ofIdentifier field: FieldDefinition) throws(EngineError) {
    try removeIndex(tree: field.indexTree)
  }

  private func removeIndex(tree id: UInt32) throws(EngineError) {
    guard id != 0 else { return }
    let tree = try committedView().index(tree: id)
    var extents: [ExtentPointer] = []
    try tree.walk(bornAfter: 0) { extents.append($0) }
    for extent in extents { writer.free(extent) }
    removeTree(id)
  }

  private func removeTree(_ id: UInt32) {
    changedRoots.remove(id)
    removedTrees.append(id)
  }

  /// The view while no table has a state: everything is applied.
  private func committedView() throws(EngineError) -> ReadView { try view() }
}
