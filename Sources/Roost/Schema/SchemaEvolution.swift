internal import RoostEngine

/// From the tables that a file has to those that the models declare.
///
/// A model, an optional or defaulted field, or an index may be new. What the file has and the models lack stays: another
/// version of the program may know it. Any other difference is an error, and then nothing is changed.
struct SchemaEvolution {
  /// One change of the file.
  enum Step {
    case addTables([TableDraft])
    case addField(FieldDefinition, to: UInt32, linkingTo: String?)
    case requireField(FieldDefinition, of: UInt32, declared: String)
    case changeField(FieldDefinition, of: UInt32)
    case addIndex(TableIndexDraft, to: UInt32)
    case removeIndex(TableIndex, of: UInt32)
  }

  /// What has to be done, in order; nothing where the file fits.
  private(set) var steps: [Step] = []
  private let stored: Catalog
  /// Whether the models know all that the file has. Otherwise they may be those of an older program, or of a part of one:
  /// then what they say of indexes, uniqueness and rules that are there is not followed.
  private let isWhole: Bool

  /// Compares a file's tables with the models.
  init(from stored: Catalog, to models: [ModelDescription]) throws(StoreError) {
    self.stored = stored
    isWhole = stored.tables.allSatisfy { table in
      guard let model = models.first(where: { $0.name.name == table.name }) else {
        return table.holdsNamedValue
      }
      return table.fields.allSatisfy { field in model.fields.contains { $0.name == field.name } }
    }
    var drafts: [TableDraft] = []
    var changes: [Step] = []
    for model in models {
      if let table = stored.table(named: model.name.name) {
        try check(model, against: table)
        changes += try steps(for: model, table)
      } else {
        drafts.append(draft(of: model))
      }
    }
    // A new field may link to a table that is new too.
    if !drafts.isEmpty { steps.append(.addTables(drafts)) }
    steps += changes
  }

  /// Makes the changes in a transaction.
  ///
  /// - Parameter file: The file, for errors.
  func apply(
    to transaction: RoostEngine.WriteTransaction, in file: StoreFile
  ) throws(StoreError) {
    for step in steps {
      if case .requireField(let field, let table, let declared) = step {
        try require(field, of: table, declared, in: transaction, file)
      } else {
        try working(on: file) { () throws(EngineError) in try apply(step, to: transaction) }
      }
    }
  }

  /// Makes a field required that may have been so before a program which does not know it added objects.
  private func require(
    _ field: FieldDefinition, of table: UInt32, _ declared: String,
    in transaction: RoostEngine.WriteTransaction, _ file: StoreFile
  ) throws(StoreError) {
    let nulls = try working(on: file) { () throws(EngineError) in
      let nulls = try transaction.nullCount(of: field.id, in: table)
      if nulls == 0 { try transaction.setOptional(false, [field.id], of: table) }
      return nulls
    }
    guard nulls > 0 else { return }
    throw .schemaMismatch(
      model: stored.table(table)?.name ?? "", field: field.name,
      stored: "\(describe(field)), which \(nulls) \(nulls == 1 ? "object lacks" : "objects lack")",
      declared: declared)
  }

  private func apply(
    _ step: Step, to transaction: RoostEngine.WriteTransaction
  ) throws(EngineError) {
    switch step {
    case .addTables(let drafts): try transaction.addTables(drafts)
    case .addField(let field, let table, let target):
      try transaction.addField(field, to: table, linkingTo: target)
    case .requireField: break
    case .changeField(let field, let table):
      try transaction.changeField(
        field.id, of: table, isIndexed: field.isIndexed, isUnique: field.isUnique,
        nullifiesMissingTarget: field.nullifiesMissingTarget, deleteRule: field.deleteRule)
    case .addIndex(let index, let table): try transaction.addIndex(index, to: table)
    case .removeIndex(let index, let table): try transaction.removeIndex(index, of: table)
    }
  }

  /// The tables as they are after changes that add none, without their being made.
  func tablesAfterwards() throws(EngineError) -> Catalog {
    var tables = stored
    for step in steps {
      switch step {
      case .addTables, .requireField, .changeField, .addIndex, .removeIndex: break
      case .addField(var field, let table, let target):
        if let target { field.target = stored.table(named: target)?.id ?? 0 }
        try tables.addField(field, to: table)
      }
    }
    return tables
  }

  // MARK: Differences

  /// Adds fields that are new, and sets indexes and rules.
  private func steps(
    for model: ModelDescription, _ table: TableDefinition
  ) throws(StoreError) -> [Step] {
    var steps: [Step] = []
    func isIn(_ table: TableDefinition, _ index: TableIndexDraft) -> Bool {
      index.index(in: table).map { index in table.indexes.contains(where: index.isLike) } ?? false
    }
    for index in table.indexes
    where isWhole && !model.indexes.contains(where: { $0.index(in: table)?.isLike(index) == true })
    {
      steps.append(.removeIndex(index, of: table.id))
    }
    for field in model.fields {
      let wanted = field.definition
      guard let known = table.field(named: field.name) else {
        guard field.hasDefault else {
          throw mismatch(
            model, field, stored: "nothing", declared: "\(field.type) without a default")
        }
        steps.append(.addField(wanted, to: table.id, linkingTo: field.type.target?.name))
        continue
      }
      if known.isOptional && !wanted.isOptional {
        steps.append(.requireField(known, of: table.id, declared: "\(field.type)"))
      }
      // The default is what older objects have: it was settled when the field was added.
      var changed = known
      guard isWhole else {
        changed.isIndexed = known.isIndexed || wanted.isIndexed
        if changed != known { steps.append(.changeField(changed, of: table.id)) }
        continue
      }
      changed.isIndexed = wanted.isIndexed
      changed.isUnique = wanted.isUnique
      changed.nullifiesMissingTarget = wanted.nullifiesMissingTarget
      changed.deleteRule = wanted.deleteRule
      if changed != known { steps.append(.changeField(changed, of: table.id)) }
    }
    for index in model.indexes where !isIn(table, index) {
      steps.append(.addIndex(index, to: table.id))
    }
    return steps
  }

  /// Throws where a field that is in both has another type, or is the key in one of them only.
  private func check(
    _ model: ModelDescription, against table: TableDefinition
  ) throws(StoreError) {
    for field in model.fields {
      guard let known = table.field(named: field.name) else {
        guard field.isKey else { continue }
        let key = table.identifier?.name ?? "no field"
        throw mismatch(
          model, field, stored: "nothing (the key is \"\(key)\")",
          declared: "\(field.type), the key")
      }
      let target = stored.table(known.target)?.name
      // What may be null and is not can be required: that is found when the objects are looked at.
      let isSameType =
        known.type == field.type.kind && (known.isOptional || !field.type.isOptional)
        && known.parts == field.type.parts
      let isSameTarget = !known.type.isLink || target == field.type.target?.name
      guard isSameType && isSameTarget && known.isIdentifier == field.isKey else {
        throw mismatch(
          model, field, stored: describe(known) + (known.isIdentifier ? ", the key" : ""),
          declared: "\(field.type)" + (field.isKey ? ", the key" : ""))
      }
    }
  }

  /// The type of a stored field as a program would write it.
  private func describe(_ field: FieldDefinition) -> String {
    _FieldType.describe(
      field.type, isOptional: field.isOptional, target: stored.table(field.target)?.name,
      field.parts)
  }

  private func mismatch(
    _ model: ModelDescription, _ field: FieldDescription, stored: String, declared: String
  ) -> StoreError {
    .schemaMismatch(
      model: model.name.name, field: field.name, stored: stored, declared: declared)
  }

  // MARK: Definitions

  private func draft(of model: ModelDescription) -> TableDraft {
    var targets: [String: String] = [:]
    for field in model.fields { targets[field.name] = field.type.target?.name }
    return TableDraft(
      name: model.name.name, fields: model.fields.map(\.definition), linkTargets: targets,
      indexes: model.indexes)
  }
}
