internal import RoostEngine

/// The changes from the tables of a file to those that the models declare.
///
/// A model, an optional or defaulted field or part of a collection's elements, or an index may be new; a field may be
/// renamed, or have become optional or defaulted. Stored data that the models lack is kept, because another
/// version of the program may use it. Any other difference needs a migration step.
struct SchemaEvolution {
  /// One change of the file.
  enum Step {
    case addTables([TableDraft])
    case addField(FieldDefinition, to: UInt32, linkingTo: String?)
    /// Adds the field that says whether a struct, which has become optional, is present: not where these parts have no value, nor
    /// where the struct around it is absent.
    case addPresence(FieldDefinition, to: UInt32, without: [String], within: String?)
    /// Removes the values of a part where the struct is absent.
    case clearPart(String, of: UInt32, unless: String)
    case removeField(FieldDefinition, of: UInt32)
    case renameField(FieldDefinition, of: UInt32, to: String)
    case makeOptional(FieldDefinition, of: UInt32)
    case requireField(FieldDefinition, of: UInt32, declared: String, default: Value)
    case changeField(FieldDefinition, of: UInt32)
    case changeParts(FieldDefinition, of: UInt32, to: [DeclaredElement], declared: String)
    case addIndex(TableIndexDraft, to: UInt32)
    case removeIndex(TableIndex, of: UInt32)
  }

  /// The steps, in order; empty if the file fits.
  private(set) var steps: [Step] = []
  /// The kinds of values to be found after the steps, because a program that does not know them wrote values.
  private(set) var missingKinds: [MissingKinds] = []
  /// The differences that no step resolves.
  private(set) var differences: [SchemaDifference] = []
  /// Hints at likely mistakes.
  var notes: [String] = []
  /// Whether the file fits.
  var isEmpty: Bool { steps.isEmpty && missingKinds.isEmpty }
  let stored: Catalog
  /// Whether the models know everything in the file. Otherwise they may belong to an older program, or to a part of a program:
  /// then their declarations of existing indexes, uniqueness and rules are not applied.
  private let isWhole: Bool
  /// The tables of the file that no model is named after.
  private let unnamed: [TableDefinition]
  /// The objects; nil where only names and types are compared.
  let view: (() -> ReadView?)?

  /// The kinds of a field's values, some of which are unknown.
  struct MissingKinds {
    let table: UInt32
    let kind: FieldID
    let value: KindedField
    /// Whether the model's values, and so their kinds, may be nil.
    let mayBeNil: Bool
  }

  /// Compares a file's tables with the models.
  ///
  /// - Parameter view: The objects. Of those of a table in which a field stands beside its older name, the heads of leaves are
  ///   read.
  init(from stored: Catalog, to models: [ModelDescription], in view: (() -> ReadView?)? = nil) {
    self.stored = stored
    self.view = view
    isWhole = stored.tables.allSatisfy { table in
      guard let model = models.first(where: { $0.name.name == table.name }) else {
        return table.holdsNamedValue
      }
      return table.fields.allSatisfy { field in
        field.isWriteTime || model.fields.contains { $0.knows(field) }
          || Self.isPresence(field, of: table, ofRequiredStructIn: model)
          || Self.isPresence(field, of: table, ofDissolvedStructIn: model)
      }
    }
    unnamed = stored.tables.filter { table in
      !table.holdsNamedValue && !models.contains { $0.name.name == table.name }
    }
    var drafts: [TableDraft] = []
    var changes: [Step] = []
    for model in models {
      if let table = stored.table(named: model.name.name) {
        changes += steps(for: model, table)
      } else {
        drafts.append(draft(of: model))
        noteRename(to: model)
      }
    }
    // A new field may link to a new table.
    if !drafts.isEmpty { steps.append(.addTables(drafts)) }
    steps += changes
    guard !differences.isEmpty, let view = view?() else { return }
    // One error tells all.
    for case .requireField(let field, let table, let declared, .null) in steps {
      let missing = try? missingValues(of: field, of: table, declared, in: view)
      if let missing { differences.append(missing) }
    }
  }

  /// Compares the tables of a version with the models.
  init(of snapshot: EngineSnapshot, to models: [ModelDescription]) {
    self.init(from: snapshot.catalog, to: models, in: { try? snapshot.view })
  }

  /// Compares the tables of a transaction with the models.
  init(in transaction: EngineTransaction, to models: [ModelDescription]) {
    // Objects that cannot be read are left as they are.
    let view = try? transaction.view()
    self.init(from: transaction.catalog, to: models, in: { view })
  }

  /// Makes the changes in a transaction.
  ///
  /// - Parameter file: The file, for errors.
  func apply(
    to transaction: EngineTransaction, in file: StoreFile
  ) throws(StoreError) {
    var differences = differences
    for step in steps {
      let difference = try working(on: file) { () throws(EngineError) -> SchemaDifference? in
        do throws(EngineError) { return try apply(step, to: transaction) } catch {
          guard case .duplicate(let model, let field, let value) = error else { throw error }
          if case .addField(let added, _, _) = step {
            return .duplicateDefault(
              model: model, field: field, declared: describe(added))
          }
          return .duplicateValues(model: model, field: field, value: value)
        }
      }
      if let difference { differences.append(difference) }
    }
    guard differences.isEmpty else { throw .migrationRequired(differences) }
  }

  /// The difference where objects have no value of a field; nil if all have one. Reads the heads of all leaves.
  private func missingValues(
    of field: FieldDefinition, of table: UInt32, _ declared: String, in view: ReadView
  ) throws(EngineError) -> SchemaDifference? {
    let nulls = try view.nullCount(of: field.id, in: table)
    guard nulls > 0 else { return nil }
    return .missingValues(
      model: stored.table(table)?.name ?? "", field: field.name, objects: nulls, declared: declared)
  }

  /// Makes a field required again: a program that does not know it may have made it optional to add objects; objects without
  /// a value get the default.
  private func require(
    _ field: FieldDefinition, of table: UInt32, _ declared: String, _ value: Value,
    in transaction: EngineTransaction
  ) throws(EngineError) -> SchemaDifference? {
    let view = try transaction.view()
    if let missing = try missingValues(of: field, of: table, declared, in: view) {
      guard value != .null else { return missing }
      _ = try transaction.update(
        ObjectQuery(table: table, predicate: .isNull(field.id)),
        [FieldAssignment(field.id, .constant(value))])
    }
    try transaction.setOptional(false, [field.id], of: table)
    return nil
  }

  /// The changes that a program needs but may not make, because it must not change the file's models.
  ///
  /// Reads the heads of all leaves if an optional field is required.
  func needed(
    by access: Access, in snapshot: EngineSnapshot
  ) throws(EngineError) -> [SchemaDifference] {
    var needed: [SchemaDifference] = []
    func name(_ table: UInt32) -> String { stored.table(table)?.name ?? "" }
    for step in steps {
      switch step {
      case .addTables(let drafts):
        needed += drafts.map { .pendingChange(model: $0.name, field: nil) }
      case .addField(let field, let table, _), .addPresence(let field, let table, _, _):
        needed.append(.pendingChange(model: name(table), field: field.name))
      case .renameField(_, let table, let field):
        needed.append(.pendingChange(model: name(table), field: field))
      case .requireField(let field, let table, let declared, _):
        let missing = try missingValues(of: field, of: table, declared, in: snapshot.view)
        needed += missing.map { [$0] } ?? []
      case .makeOptional(let field, let table):
        if access == .write { needed.append(.pendingChange(model: name(table), field: field.name)) }
      case .changeField(let field, let table):
        var known = field
        known.isIndexed = stored.table(table)?.field(field.id)?.isIndexed ?? false
        if access == .write, known != stored.table(table)?.field(field.id) {
          needed.append(.pendingChange(model: name(table), field: field.name))
        }
      case .changeParts(let field, let table, let parts, _):
        if access == .write || !DeclaredElement.hold(parts, in: field.parts) {
          needed.append(.pendingChange(model: name(table), field: field.name))
        }
      case .addIndex(let index, let table):
        if access == .write, index.isUnique {
          needed.append(.pendingChange(model: name(table), field: nil))
        }
      case .removeIndex, .clearPart, .removeField: break
      }
    }
    for kinds in missingKinds {
      let field = FieldDefinition.kindName(of: kinds.value.name)
      needed.append(.pendingChange(model: name(kinds.table), field: field))
    }
    return needed
  }

  /// How a program uses the objects of a file.
  enum Access {
    case read, write
  }

  /// Makes a change; returns the differences that prevent it.
  private func apply(
    _ step: Step, to transaction: EngineTransaction
  ) throws(EngineError) -> SchemaDifference? {
    switch step {
    case .addTables(let drafts): try transaction.addTables(drafts)
    case .addField(let field, let table, let target):
      try transaction.addField(field, to: table, linkingTo: target)
    case .addPresence(let field, let table, let parts, let outer):
      return try addPresence(field, to: table, without: parts, within: outer, in: transaction)
    case .clearPart(let part, let table, let presence):
      guard let part = transaction.catalog.table(table)?.field(named: part) else { break }
      try clear(part, of: table, where: try absence(presence, in: table, transaction), transaction)
    case .removeField(let field, let table):
      try transaction.removeField(field.id, from: table)
    case .renameField(let field, let table, let name):
      try transaction.renameField(field.id, of: table, to: name)
    case .makeOptional(let field, let table):
      try transaction.setOptional(true, [field.id], of: table)
    case .requireField(let field, let table, let declared, let value):
      return try require(field, of: table, declared, value, in: transaction)
    case .changeParts(let field, let table, let parts, let declared):
      let missing = try transaction.setParts(parts, of: field, in: table)
      guard missing > 0 else { break }
      return .missingValues(
        model: stored.table(table)?.name ?? "", field: field.name, objects: missing,
        declared: declared)
    case .changeField(let field, let table):
      try transaction.changeField(
        field.id, of: table, isIndexed: field.isIndexed, isUnique: field.isUnique,
        nullifiesMissingTarget: field.nullifiesMissingTarget, deleteRule: field.deleteRule)
    case .addIndex(let index, let table): try transaction.addIndex(index, to: table)
    case .removeIndex(let index, let table): try transaction.removeIndex(index, of: table)
    }
    return nil
  }

  /// Adds the field that says whether a struct is present; it is where it lay when it was not optional.
  ///
  /// - Returns: The difference where objects have values of the struct, and not those that it needs: nobody would see them.
  private func addPresence(
    _ field: FieldDefinition, to table: UInt32, without parts: [String], within outer: String?,
    in transaction: EngineTransaction
  ) throws(EngineError) -> SchemaDifference? {
    let field = try transaction.addField(field, to: table)
    guard let stored = transaction.catalog.table(table) else { return nil }
    let needed = parts.compactMap { stored.field(named: $0) }.filter(\.isOptional)
    var absences = needed.map { Predicate.isNull($0.id) }
    if let outer { absences.append(try absence(outer, in: table, transaction)) }
    guard !absences.isEmpty else { return nil }
    let values = stored.fields.filter { part in
      part.name.hasPrefix("\(field.name).") && !needed.contains { $0.id == part.id }
    }.map(\.holdsValue)
    for part in needed where !values.isEmpty {
      let isPresent: [Predicate] =
        try outer.map { outer throws(EngineError) in
          [.not(try absence(outer, in: table, transaction))]
        } ?? []
      let hidden = ObjectQuery(
        table: table, predicate: .and(isPresent + [.isNull(part.id), .or(values)]))
      let count = try transaction.view().count(hidden)
      guard count > 0 else { continue }
      var declared = part
      declared.isOptional = false
      return .missingValues(
        model: stored.name, field: part.name, objects: UInt64(count), declared: describe(declared))
    }
    try clear(field, of: table, where: .or(absences), transaction)
    return nil
  }

  /// The condition that a struct is absent.
  private func absence(
    _ presence: String, in table: UInt32, _ transaction: EngineTransaction
  ) throws(EngineError) -> Predicate {
    guard let presence = transaction.catalog.table(table)?.field(named: presence) else {
      return .always(false)
    }
    return .not(.compare(presence.id, .equal, .integer(1)))
  }

  /// Sets a field to null, or what is not optional to false.
  private func clear(
    _ field: FieldDefinition, of table: UInt32, where isAbsent: Predicate,
    _ transaction: EngineTransaction
  ) throws(EngineError) {
    _ = try transaction.update(
      ObjectQuery(table: table, predicate: isAbsent),
      [FieldAssignment(field.id, .constant(field.isOptional ? .null : .integer(0)))])
  }

  /// The tables as they would be after changes that add no tables, without making the changes.
  func tablesAfterwards() throws(EngineError) -> Catalog {
    var tables = stored
    for step in steps {
      switch step {
      case .addTables, .requireField, .changeField, .addIndex, .removeIndex, .clearPart,
        .removeField:
        break
      case .addPresence(let field, let table, _, _): try tables.addField(field, to: table)
      case .renameField(let field, let table, let name):
        try tables.renameField(field.id, of: table, to: name)
      case .makeOptional(var field, let table):
        field.isOptional = true
        try tables.replaceField(field, in: table)
      case .changeParts(var field, let table, let parts, _):
        field.parts = parts.map(\.column)
        try tables.replaceField(field, in: table)
      case .addField(var field, let table, let target):
        if let target { field.target = stored.table(named: target)?.id ?? 0 }
        try tables.addField(field, to: table)
      }
    }
    return tables
  }

  // MARK: Differences

  /// Adds the steps for new fields, indexes and rules.
  private mutating func steps(
    for model: ModelDescription, _ table: TableDefinition
  ) -> [Step] {
    func isIn(_ table: TableDefinition, _ index: TableIndexDraft) -> Bool {
      index.index(in: table).map { index in table.indexes.contains(where: index.isLike) } ?? false
    }
    let dissolved = table.fields.filter {
      Self.isPresence($0, of: table, ofDissolvedStructIn: model)
    }
    var table = table
    var steps = renames(to: model, in: &table)
    for index in table.indexes
    where isWhole && !model.indexes.contains(where: { $0.index(in: table)?.isLike(index) == true })
    {
      steps.append(.removeIndex(index, of: table.id))
    }
    var others: [String] = []
    for field in model.fields where !others.contains(where: { field.name.hasPrefix("\($0).") }) {
      if let other = otherStruct(field, in: table, model) {
        differences.append(other.difference)
        others.append(other.name)
        continue
      }
      if let known = table.field(named: field.name) {
        guard isSameType(field, known, in: table) else { continue }
        steps += self.steps(from: known, to: field, in: table)
      } else {
        steps += self.steps(adding: field, to: table, model)
      }
    }
    let required = table.fields.filter { Self.isPresence($0, of: table, ofRequiredStructIn: model) }
    steps += (dissolved + required).map { .removeField($0, of: table.id) }
    steps += model.indexes.filter { !isIn(table, $0) }.map { .addIndex($0, to: table.id) }
    return steps
  }

  /// The steps that add a field.
  private mutating func steps(
    adding field: FieldDescription, to table: TableDefinition, _ model: ModelDescription
  ) -> [Step] {
    if field.isKey {
      differences.append(otherKey(field, in: table, isStored: false))
    } else if let kind = missingKind(field, in: table) {
      differences.append(kind)
    } else if field.isPresence, table.hasParts(of: field.name) {
      var added = field.definition
      added.defaultValue = .integer(1)
      let required = model.fields.filter { $0.presence == field.name && $0.isRequiredPart }
      return [
        .addPresence(
          added, to: table.id, without: required.map(\.name), within: field.presence)
      ]
    } else if field.hasDefault, !field.isRequiredPart || !table.hasStruct(field.presence) {
      if field.kindOf == nil { noteRename(to: field, in: table, model) }
      var added = field.definition
      var steps: [Step] = []
      if let presence = field.presence, added.defaultValue != .null {
        if table.hasStruct(presence) {
          steps.append(.clearPart(field.name, of: table.id, unless: presence))
        } else if model.fields.first(where: { $0.name == presence })?.defaultValue != .integer(1) {
          added.defaultValue = .null
        }
      }
      return [.addField(added, to: table.id, linkingTo: field.type.target?.name)] + steps
    } else if field.kindOf == nil {
      let names = undeclared(like: field, in: table, model)
      let others = names.isEmpty ? undeclared(near: field, in: table, model) : []
      differences.append(
        .missingField(
          model: table.name, field: field.name, declared: field.ownType, undeclared: names,
          others: Dictionary(
            others.map { ($0.name, describe($0)) }, uniquingKeysWith: { first, _ in first })))
    }
    return []
  }

  /// The steps that change a stored field to a model's declaration of the same type.
  private mutating func steps(
    from known: FieldDefinition, to field: FieldDescription, in table: TableDefinition
  ) -> [Step] {
    var steps: [Step] = []
    let wanted = field.definition
    if let parts = field.mergedParts(in: known), parts.map(\.column) != known.parts {
      steps.append(.changeParts(known, of: table.id, to: parts, declared: "\(field.type)"))
    }
    if let value = field.kindOf {
      if known.lacksKinds || known.isOptional && !wanted.isOptional {
        missingKinds.append(
          MissingKinds(
            table: table.id, kind: known.id, value: value, mayBeNil: wanted.isOptional))
      } else if wanted.isOptional && !known.isOptional {
        steps.append(.makeOptional(known, of: table.id))
      }
    } else if known.isOptional && !wanted.isOptional {
      steps.append(
        .requireField(
          known, of: table.id, declared: "\(field.type)",
          default: field.hasDefault ? field.defaultValue : .null))
    } else if wanted.isOptional && !known.isOptional {
      steps.append(.makeOptional(known, of: table.id))
      if let presence = field.presence, table.field(named: presence) != nil {
        steps.append(.clearPart(field.name, of: table.id, unless: presence))
      }
    }
    // The default belongs to older objects: it was set when the field was added.
    var changed = known
    if isWhole {
      changed.isIndexed = wanted.isIndexed
      changed.isUnique = wanted.isUnique
      if known.type.isLink { changed.nullifiesMissingTarget = wanted.nullifiesMissingTarget }
      changed.deleteRule = wanted.deleteRule
    } else {
      changed.isIndexed = known.isIndexed || wanted.isIndexed
      if wanted.isUnique, !known.isUnique { noteUnenforced(field, in: table) }
    }
    if changed != known { steps.append(.changeField(changed, of: table.id)) }
    return steps
  }

  /// Whether a field in both has the declared type; notes the difference if not.
  private mutating func isSameType(
    _ field: FieldDescription, _ known: FieldDefinition, in table: TableDefinition
  ) -> Bool {
    let target = stored.table(known.target)?.name
    let isSameTarget = !known.type.isLink || target == field.type.target?.name
    // Whether the field may be null is changed by a step: that is not part of its type.
    let isSame =
      known.type == field.type.kind && isSameTarget && field.mergedParts(in: known) != nil
    if !isSame {
      differences.append(
        missingKind(field, in: table) ?? otherTarget(field, known, in: table)
          ?? .otherType(
            model: table.name, field: field.name, stored: describe(known),
            declared: "\(field.type)"))
    }
    guard known.isIdentifier == field.isKey else {
      // A field that was the key, and is not any more, needs no other error.
      if field.isKey { differences.append(otherKey(field, in: table, isStored: true)) }
      return false
    }
    return isSame
  }

  /// The difference where a field of kinds is missing, or has another type; nil for any other field.
  ///
  /// The kinds of a value under a name are optional, and added without values: no query needs them.
  private func missingKind(
    _ field: FieldDescription, in table: TableDefinition
  ) -> SchemaDifference? {
    guard let value = field.kindOf, !table.holdsNamedValue, table.field(named: value.name) != nil
    else { return nil }
    return .missingKind(model: table.name, field: value.name, declared: "\(value.type)")
  }

  /// The difference where links lead to a model that seems to have another name in the program; nil for any other.
  private func otherTarget(
    _ field: FieldDescription, _ known: FieldDefinition, in table: TableDefinition
  ) -> SchemaDifference? {
    guard known.type == field.type.kind, known.type.isLink, let declared = field.type.target?.name,
      let target = unnamed.first(where: { $0.id == known.target })
    else { return nil }
    return .otherTarget(
      model: table.name, field: field.name, stored: target.name, declared: declared,
      isList: known.type == .links)
  }

  private func otherKey(
    _ field: FieldDescription, in table: TableDefinition, isStored: Bool
  ) -> SchemaDifference {
    let key = table.identifier.map { "\"\($0.name)\", \(describe($0))" } ?? "nothing"
    return .otherKey(
      model: table.name, stored: key, field: field.name, declared: "\(field.type)",
      isStored: isStored)
  }

  /// Notes that values are not made unique.
  private mutating func noteUnenforced(_ field: FieldDescription, in table: TableDefinition) {
    notes.append(
      "\(table.name).\(field.name) is declared as unique, and is not while the file keeps models or fields that this "
        + "program does not declare: `Store.keptFields` lists them. Declare or remove them.")
  }

  /// Notes a possible rename: a field is missing and another field of its type is new, or else one of another type.
  private mutating func noteRename(
    to field: FieldDescription, in table: TableDefinition, _ model: ModelDescription
  ) {
    guard let gone = undeclared(like: field, in: table, model).first else {
      return noteOthers(to: field, in: table, model)
    }
    // Another new field has its very name, behind that of a struct.
    let name = gone.split(separator: ".").last
    let isOthers = model.fields.contains { other in
      other.name != field.name && other.name.split(separator: ".").last == name
        && table.field(named: other.name) == nil
        && undeclared(like: other, in: table, model).contains(gone)
    }
    if isOthers, field.name.split(separator: ".").last != name { return }
    notes.append(
      "\(table.name) has a new field \"\(field.name)\", and \"\(gone)\" of the same type is not declared any more. "
        + "Its values are kept. If it is the same field under another name, "
        + PossibleRename.advice(field.name, gone, of: table.name))
  }

  /// Notes that a new field may be made of what another one holds, which is of another type.
  private mutating func noteOthers(
    to field: FieldDescription, in table: TableDefinition, _ model: ModelDescription
  ) {
    // The parts of a struct say more than whether it is there.
    let others = field.isPresence ? [] : undeclared(near: field, in: table, model)
    let target = field.type.target?.name
    let gone = others.first { $0.type.isLink && stored.table($0.target)?.name == target }
    guard let gone = gone ?? others.first else { return }
    let declared = field.ownType
    notes.append(
      "\(table.name) has a new field \"\(field.name)\", \(declared), and \"\(gone.name)\", \(describe(gone)), is not declared "
        + "any more. Its values are kept. If the new field is made of them, a step does that: "
        + advice(moving: gone, to: field.name, declared, in: table))
  }

  /// The stored fields that may be a declared field under another name: of its type, with a likely name, and not declared.
  private func undeclared(
    like field: FieldDescription, in table: TableDefinition, _ model: ModelDescription
  ) -> [String] {
    let names = undeclared(in: table, model).filter {
      $0.type == field.type.kind && $0.parts == field.type.parts
        && (!$0.type.isLink || stored.table($0.target)?.name == field.type.target?.name)
    }.map(\.name)
    return PossibleRename.likely(names, of: field.name)
  }

  /// The stored fields of any type that what a declared field holds may have been in: with a likely name, and not declared.
  private func undeclared(
    near field: FieldDescription, in table: TableDefinition, _ model: ModelDescription
  ) -> [FieldDefinition] {
    let fields = undeclared(in: table, model).filter {
      $0.type != .bool || !table.hasParts(of: $0.name)
    }
    let kinds = fields.map { FieldDefinition.kindName(of: $0.name) }
    let names = PossibleRename.likely(fields.map(\.name), of: field.name)
    return fields.filter { names.contains($0.name) && !kinds.contains($0.name) }
  }

  /// The stored fields that a model does not declare.
  private func undeclared(
    in table: TableDefinition, _ model: ModelDescription
  ) -> [FieldDefinition] {
    table.fields.filter { known in
      !known.isIdentifier && !known.isWriteTime
        && !model.fields.contains { $0.isStored(as: known) }
        // Only the mark is gone, and the struct is not.
        && !Self.isPresence(known, of: table, ofRequiredStructIn: model)
        && !Self.isPresence(known, of: table, ofDissolvedStructIn: model)
    }
  }

  /// Notes a possible rename: a model is new, and the file has another with its key and most of its fields, which no model
  /// is named after.
  private mutating func noteRename(to model: ModelDescription) {
    func common(_ table: TableDefinition) -> Int {
      table.fields.filter { known in
        model.fields.contains {
          $0.isStored(as: known) && $0.type.kind == known.type && $0.isKey == known.isIdentifier
        }
      }.count
    }
    let gone = unnamed.filter { table in
      let isOfKey = table.identifier.map { model.fields[model.keyPosition].isStored(as: $0) }
      return isOfKey == true && 2 * common(table) > max(table.fields.count, model.fields.count)
    }
    guard let gone = gone.max(by: { common($0) < common($1) }) else { return }
    let name = model.name.name
    notes.append(
      "The file has a model \"\(gone.name)\", which none of the models is named after. \(name), which has most of "
        + "its fields, is new, and has no objects. Those of \"\(gone.name)\" are kept. If \(gone.name) became \(name), "
        + "add a step with `renameModel(\"\(gone.name)\", to: \"\(name)\")`.")
  }

  // MARK: Definitions

  private func draft(of model: ModelDescription) -> TableDraft {
    var draft = TableDraft(
      name: model.name.name, fields: model.fields.map(\.definition), indexes: model.indexes)
    for position in model.fields.indices {
      guard let target = model.fields[position].type.target else { continue }
      draft.linkTargets[model.fields[position].name] = target.name
    }
    return draft
  }
}

extension FieldDefinition {
  /// The condition that an object has a value of the field other than the one that objects got when it was added, which of a
  /// collection is an empty one.
  fileprivate var holdsValue: Predicate {
    if isOptional { return .not(.isNull(id)) }
    switch type {
    case .list, .set, .dictionary:
      let count = ColumnExpression.elements(id, .count, of: 0, where: .always(true))
      return .comparison(count, .greater, .constant(.integer(0)))
    case .links, .blob: return .not(.compare(id, .equal, .bytes([])))
    default:
      return defaultValue == .null ? .always(true) : .not(.compare(id, .equal, defaultValue))
    }
  }
}
