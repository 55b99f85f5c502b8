internal import RoostEngine

/// The transaction of a migration step, with the means to read and write its values.
final class MigrationContext {
  let transaction: EngineTransaction
  let file: StoreFile
  let step: String
  private let place: (number: Int, count: Int)
  /// The steps run before it, for errors.
  private let completed: [String]
  /// The fields that replaced other fields.
  private(set) var replaced = ReplacedFields()
  private let progress: (@Sendable (MigrationProgress) -> Void)?
  /// Finds fields that the file has under other names; nil without a step.
  private let formerNames: FormerNames?
  /// How far the step is in its uses of names.
  private var usePlace: FormerNames.Place
  /// The names that the current use of a name found under no other name, each behind its table's number.
  private var missingNames: Set<String> = []
  /// The names that the step uses and the file does not have.
  private(set) var ignored = IgnoredNames()
  /// The names that the step has replaced.
  var renamed = RenamedFields()
  /// The number of nested passes over objects in progress.
  private var passes = 0
  /// The lookup for cells of columns in memory: a model without fields.
  private let lookup: ObjectLookup
  private let holder: ModelColumns
  /// A row without a value for each physical type requested so far.
  private var nulls: [ColumnBuffer] = []

  /// - Parameter place: The step's place among those that are run, from 1, and how many are.
  init(
    _ transaction: EngineTransaction, in file: StoreFile, step: String,
    place: (number: Int, count: Int), progress: (@Sendable (MigrationProgress) -> Void)?,
    formerNames: FormerNames? = nil, completed: [String] = []
  ) throws(StoreError) {
    self.transaction = transaction
    self.file = file
    self.step = step
    self.place = place
    self.completed = completed
    self.progress = progress
    self.formerNames = formerNames
    usePlace = FormerNames.Place(step: step)
    let loose = try DetachedModel.of(NamedValue<Int>.self)
    lookup = ObjectLookup(binding: loose.binding)
    holder = ModelColumns(loose.model, columns: [], owner: lookup)
  }

  /// The error of an operation that had begun to change objects.
  private(set) var brokenBy: StoreError?

  /// Runs an operation that changes objects one by one.
  ///
  /// If it throws, some of them have changed. So the step fails with its error, even if the step's closure catches it.
  func changingObjects<Result>(_ operation: () throws -> Result) throws -> Result {
    do { return try operation() } catch {
      if brokenBy == nil { brokenBy = error as? StoreError ?? failure(nil, "\(error)") }
      throw error
    }
  }

  /// Throws if an operation has changed only some of its objects.
  func checkIsWhole() throws(StoreError) { if let brokenBy { throw brokenBy } }

  /// The tables and fields as changed by the step so far.
  var catalog: Catalog { transaction.catalog }

  /// Runs an operation of the engine.
  @discardableResult
  func working<Result>(
    _ operation: (EngineTransaction) throws(EngineError) -> Result
  ) throws(StoreError) -> Result {
    try Roost.working(on: file) { () throws(EngineError) in try operation(transaction) }
  }

  /// Runs several operations of the engine, all or none.
  func workingWhole(
    _ operations: (EngineTransaction) throws(EngineError) -> Void
  ) throws(StoreError) {
    try working { transaction throws(EngineError) in
      try transaction.whole { () throws(EngineError) in try operations(transaction) }
    }
  }

  /// The table of a model; nil if the file has none.
  func table(_ model: String) throws(StoreError) -> TableDefinition? {
    try checkIsWhole()
    guard let table = catalog.table(named: model) else { return nil }
    guard !table.holdsNamedValue else {
      throw failure(model, "This is a value under a name, which no step changes.")
    }
    return table
  }

  // MARK: Names

  /// Whether a table has no objects, and no other table links to it.
  func isUnused(_ table: TableDefinition) throws(StoreError) -> Bool {
    guard !table.holdsNamedValue,
      catalog.links(into: table.id).allSatisfy({ $0.table.id == table.id })
    else { return false }
    return try working { transaction throws(EngineError) in
      try transaction.view().objects(table.id).count == 0
    }
  }

  /// Notes that the step uses a name next.
  func begin(_ use: MigrationUse) {
    usePlace.count += 1
    usePlace.use = use
    if !missingNames.isEmpty { missingNames.removeAll() }
    ignored.note(use, in: catalog)
  }

  /// The table of a model, whose field has the name that the step uses; nil if the file has no such model.
  func table(_ model: String, naming field: String) throws(StoreError) -> TableDefinition? {
    try table(model).map { table throws(StoreError) in try following(field, in: table) }
  }

  /// A table in which a field, or the parts of a struct, have the name that the step uses, if `.was` tells which they are.
  func following(
    _ field: String, in table: TableDefinition
  ) throws(StoreError) -> TableDefinition {
    guard let formerNames, table.field(named: field) == nil,
      renamed.newName(of: field, in: table.id) == nil,
      !missingNames.contains("\(table.id) \(field)")
    else { return table }
    let renames = formerNames.renames(to: field, of: table, at: usePlace)
    guard !renames.isEmpty else {
      missingNames.insert("\(table.id) \(field)")
      ignored.note(field, of: table, in: usePlace.use)
      return table
    }
    try workingWhole { transaction throws(EngineError) in
      for (id, name) in renames { try transaction.renameField(id, of: table.id, to: name) }
    }
    return catalog.table(table.id) ?? table
  }

  /// A field by the name that the step uses; nil if the file has no such field.
  ///
  /// - Parameter table: The table as it was at some time of the step; the field is as it was then.
  func field(_ name: String, of table: TableDefinition) throws(StoreError) -> FieldDefinition? {
    if let field = table.field(named: name) { return field }
    guard let now = catalog.table(table.id) else { return nil }
    return try following(name, in: now).field(named: name).flatMap { table.field($0.id) }
  }

  // MARK: Cells

  /// The value in a row of a column in memory.
  func read<Value: Storable>(
    _ type: Value.Type, _ column: ColumnBuffer, _ row: Int
  ) throws(StoreError) -> Value {
    let holder = holder
    return try Value._read(holder.cell(of: column, row: row, in: lookup))
  }

  /// Reads nil as a value of the type.
  func readNull<Value: Storable>(_ type: Value.Type) throws(StoreError) -> Value {
    let stored = Value._fieldType.kind.physical
    let column = nulls.first { $0.type == stored } ?? ColumnBuffer(type: stored)
    if column.count == 0 {
      column.appendNull()
      nulls.append(column)
    }
    return try read(type, column, 0)
  }

  // MARK: Going through objects

  /// Calls `body` with the rows of each leaf of a table, in their old state.
  ///
  /// - Throws: What `body` throws; ``StoreError/cancelled`` where the task is.
  func forEachRows(
    of table: TableDefinition, _ body: (MigrationRows, Range<Int>) throws -> Void
  ) throws {
    passes += 1
    defer { passes -= 1 }
    let total = try working { transaction throws(EngineError) in
      try transaction.view().objects(table.id).count
    }
    var done: UInt64 = 0
    var failure: (any Error)?
    try working { transaction throws(EngineError) in
      try transaction.forEachLeaf(of: table.id) { (leaf) throws(EngineError) in
        do { try body(MigrationRows(leaf, of: table, in: self), 0..<leaf.rowCount) } catch {
          failure = error
          return false
        }
        done += UInt64(leaf.rowCount)
        report(table.name, Int(clamping: done), of: Int(clamping: total))
        return true
      }
    }
    if let failure { throw failure }
  }

  /// Reports that the step begins.
  func reportBeginning() { report(nil, 0, of: 0) }

  private func report(_ model: String?, _ done: Int, of total: Int) {
    progress?(
      MigrationProgress(
        step: step, number: place.number, count: place.count, model: model, done: done,
        total: total))
  }

  /// Throws if the task is cancelled; called between two objects.
  ///
  /// - Complexity: Some nanoseconds.
  func checkCancellation() throws(StoreError) {
    if Task.isCancelled { throw .cancelled }
  }

  // MARK: Whole columns

  /// Adds a field whose values a closure makes from the rows of each leaf; it may be nil, and has no index yet.
  ///
  /// - Parameter old: The field whose name it takes, and that is removed; where it is the key, the new field becomes the key.
  func addFilled(
    _ definition: FieldDefinition, to table: TableDefinition,
    insteadOf old: FieldDefinition? = nil,
    _ fill: (MigrationRows, ColumnBuffer) throws -> Void
  ) throws -> FieldDefinition {
    var draft = definition
    draft.isOptional = draft.type != .links
    draft.isIndexed = false
    draft.isUnique = false
    draft.defaultValue = draft.type == .links ? .bytes([]) : .null
    if draft.type == .link { draft.deleteRule = .nullify }
    let target = catalog.table(draft.target)?.name
    let indexes = old.map { table.indexes(using: $0.id) } ?? []
    // No program uses such a name: it would be a part of a struct without a name.
    let oldName = "." + definition.name
    let made = try working { transaction throws(EngineError) in
      if let old { try transaction.renameField(old.id, of: table.id, to: oldName) }
      return try transaction.addField(draft, to: table.id, linkingTo: target)
    }
    let values = ColumnBuffer(type: draft.type.physical)
    let keys = ColumnBuffer(type: .integer)
    try forEachRows(of: table) { rows, places in
      values.removeAll(keepingCapacity: true)
      keys.removeAll(keepingCapacity: true)
      try fill(rows, values)
      for row in places { keys.append(rows.key(row)) }
      try working { transaction throws(EngineError) in
        try transaction.update(table.id, field: made.id, of: keys, to: values)
      }
    }
    guard let old else { return made }
    if old.isIdentifier, let now = catalog.table(table.id) { try changeKey(of: now, to: made) }
    guard let now = catalog.table(table.id), let before = now.field(named: oldName),
      let new = now.field(named: definition.name)
    else { return made }
    try working { transaction throws(EngineError) in
      try transaction.removeField(before.id, from: table.id)
      for index in indexes where transaction.catalog.table(table.id)?.canHave(index) == true {
        try transaction.addIndex(index, to: table.id)
      }
    }
    replaced.append(new.id, insteadOf: before.id, in: table.id)
    return new
  }

  /// Adds a field with the values of another field.
  func copy(_ source: FieldDefinition, of table: TableDefinition, to name: String) throws {
    var definition = source
    definition.name = name
    definition.isIdentifier = false
    definition.isUnique = false
    let made = try addFilled(definition, to: table) { rows, target throws(StoreError) in
      try rows.append(source, to: target)
    }
    try finish(made, of: table.id, like: source, isOptional: source.isOptional, isUnique: false)
    guard source.lacksKinds else { return }
    try working { transaction throws(EngineError) in
      try transaction.setLacksKinds(true, [made.id], of: table.id)
    }
  }

  /// Gives a filled field all properties of another field except its type.
  func finish(
    _ field: FieldDefinition, of table: UInt32, like model: FieldDefinition, isOptional: Bool,
    isUnique: Bool
  ) throws(StoreError) {
    try working { transaction throws(EngineError) in
      if !isOptional, field.type != .links {
        try transaction.setOptional(false, [field.id], of: table)
      }
      let keepsRules = field.type.isLink
      try transaction.changeField(
        field.id, of: table, isIndexed: model.isIndexed, isUnique: isUnique,
        nullifiesMissingTarget: keepsRules && model.nullifiesMissingTarget,
        deleteRule: keepsRules ? model.deleteRule : .deny)
    }
  }

  /// Sets whether a field is unique, and whether it is indexed.
  func set(
    _ field: FieldDefinition, of table: UInt32, isUnique: Bool, isIndexed: Bool
  ) throws(StoreError) {
    try working { transaction throws(EngineError) in
      try transaction.changeField(
        field.id, of: table, isIndexed: isIndexed, isUnique: isUnique,
        nullifiesMissingTarget: field.nullifiesMissingTarget, deleteRule: field.deleteRule)
    }
  }

  /// Makes a field unique.
  func makeUnique(
    _ field: FieldDefinition, of table: TableDefinition,
    _ settle: ((MigrationObject, MigrationEditor) throws -> Void)?
  ) throws {
    do {
      guard let settle else { return try makeUnique(field, of: table) }
      try changingObjects {
        try set(field, of: table.id, isUnique: false, isIndexed: true)
        try self.settle(field, of: table, settle)
        try set(field, of: table.id, isUnique: true, isIndexed: field.isIndexed)
      }
    } catch let error as StoreError { throw mapped(error, table, field) }
  }

  /// Makes a field unique whose values are all different.
  private func makeUnique(
    _ field: FieldDefinition, of table: TableDefinition
  ) throws(StoreError) {
    do throws(StoreError) {
      try set(field, of: table.id, isUnique: true, isIndexed: field.isIndexed)
    } catch {
      guard case .duplicateKey(_, _, let value) = error else { throw error }
      throw failure(
        table.name, field: field.name,
        "Several objects have the value \(value). Give them others, or say in the closure of `makeUnique` or "
          + "`changeKey` what becomes of each but the first: `{ first, other in other.delete() }`.")
    }
  }

  /// Makes another field the key; the old key becomes an ordinary field.
  func changeKey(
    of table: TableDefinition, to field: FieldDefinition,
    _ settle: ((MigrationObject, MigrationEditor) throws -> Void)? = nil
  ) throws {
    guard passes == 0 else {
      throw failure(
        table.name, field: field.name,
        "The key cannot change while objects are gone through. Change it before or afterwards.")
    }
    guard field.type.canBeKey else {
      throw failure(
        table.name, field: field.name,
        "It stores \(describe(field)), which cannot be a key; an integer, a text or a UUID can.")
    }
    try changingObjects {
      try checkFits(asKey: field, of: table)
      try makeUnique(field, of: table, settle)
      // The closure that resolves equal values may have removed one.
      if settle != nil { try checkFits(asKey: field, of: table) }
      try changeKey(of: table, toUnique: field)
    }
  }

  /// Throws if an object's value of a field cannot be its key.
  private func checkFits(
    asKey field: FieldDefinition, of table: TableDefinition
  ) throws(StoreError) {
    let unfit = try working { transaction throws(EngineError) in
      try transaction.firstUnfit(asIdentifier: field.id, in: table.id)
    }
    guard let unfit else { return }
    throw failure(
      table, key: unfit.key, field.name,
      unfit.isNull
        ? "It has no value, and every object has a key."
        : "It is longer than a key can be, which has at most \(IndexKey.byteCountMax - 1) bytes.")
  }

  /// Makes a field the key; it has a unique value in each object.
  private func changeKey(
    of table: TableDefinition, toUnique field: FieldDefinition
  ) throws(StoreError) {
    let links = catalog.links(into: table.id).map(\.table)
    var passes: [KeyPass] = []
    let changed = try working { transaction throws(EngineError) in
      try transaction.setOptional(false, [field.id], of: table.id)
      let view = try transaction.view()
      for table in [table] + links {
        let total = Int(clamping: try view.objects(table.id).count)
        passes.append(KeyPass(table: table.id, model: table.name, total: total))
      }
      return try transaction.changeIdentifier(of: table.id, to: field.id) { id, count in
        guard let place = passes.firstIndex(where: { $0.table == id }) else { return }
        passes[place].add(count)
        report(passes[place].model, passes[place].done, of: passes[place].total)
      }
    }
    for change in changed { replaced.append(change.new, insteadOf: change.old, in: table.id) }
    replaced.tablesWithOtherKey.insert(table.id)
  }

  /// The progress of one or several passes over the objects of a table.
  private struct KeyPass {
    let table: UInt32
    let model: String
    let total: Int
    private(set) var done = 0

    mutating func add(_ count: Int) { done = done < total ? done + count : count }
  }

  /// Calls a closure for each object whose value an earlier object has too.
  private func settle(
    _ field: FieldDefinition, of table: TableDefinition,
    _ body: (MigrationObject, MigrationEditor) throws -> Void
  ) throws {
    let equal = try working { transaction throws(EngineError) in
      try transaction.equalValues(of: field.id, in: table.id)
    }
    let deleted = ColumnBuffer(type: .integer)
    for keys in equal {
      let first = MigrationRows(key: keys[0], of: table, in: self)
      for key in keys.dropFirst() {
        try checkCancellation()
        let changes = MigrationChanges(
          table, MigrationRows(key: key, of: table, in: self), in: self)
        do {
          try body(MigrationObject(rows: first, row: 0), MigrationEditor(changes: changes, row: 0))
        } catch { throw named(error, table, key: key) }
        try changes.apply()
        for key in changes.deleted { deleted.append(key) }
      }
    }
    try delete(deleted, of: table)
  }

  /// Deletes objects.
  func delete(_ keys: ColumnBuffer, of table: TableDefinition) throws(StoreError) {
    guard keys.count > 0 else { return }
    try working { transaction throws(EngineError) in
      try transaction.delete(from: table.id, keys: keys)
    }
  }

  /// Inserts an object; returns its key in the file.
  func insert(_ changes: MigrationChanges, into table: TableDefinition) throws(StoreError) -> Int64
  {
    let batch = try working { transaction throws(EngineError) in
      try transaction.batch(for: table.id)
    }
    do throws(StoreError) {
      let key = try changes.insert(into: batch)
      return try working { transaction throws(EngineError) in
        try transaction.insertRow(into: table.id, key: key)
      }
    } catch {
      try working { transaction throws(EngineError) in try transaction.abandonRows(of: table.id) }
      throw mapped(error, table, nil)
    }
  }

  /// Calls `body` with each object of a model in a version of another store.
  func forEach(
    _ model: String, in other: VersionContext, _ body: (MigrationObject) throws -> Void
  ) throws {
    guard let table = other.snapshot.catalog.table(named: model), !table.holdsNamedValue else {
      return
    }
    func working<Result>(
      _ operation: () throws(EngineError) -> Result
    ) throws(StoreError) -> Result {
      try Roost.working(on: other.file, operation)
    }
    let objects = try working { () throws(EngineError) in try other.snapshot.view.objects(table.id)
    }
    var leaves = try working { () throws(EngineError) in try objects.leaves() }
    var done = 0
    while let leaf = try working({ () throws(EngineError) in try leaves.next() }) {
      let rows = MigrationRows(leaf, of: table, in: self, from: other)
      for row in 0..<leaf.rowCount {
        try checkCancellation()
        do { try body(MigrationObject(rows: rows, row: row)) } catch let error as StoreError {
          throw error.isOfObjects ? failure(model, id: rows.id(row), error.message) : error
        } catch { throw failure(model, id: rows.id(row), "\(error)") }
      }
      done += leaf.rowCount
      report(model, done, of: Int(clamping: objects.count))
    }
  }

  /// The object of a table with an identifier; nil if there is none.
  func object<ID: Storable>(
    of table: TableDefinition, id: ID
  ) throws(StoreError) -> MigrationObject? {
    guard let identifier = table.identifier else { return nil }
    let type = ID._fieldType
    guard type.kind == identifier.type, type.parts == identifier.parts, !type.isOptional else {
      throw failure(
        table.name, field: identifier.name, "It stores \(describe(identifier)), not \(type).")
    }
    let cells = RowSink(columns: [ColumnBuffer(type: type.kind.physical)], links: NoLinks.shared)
    try id._write(to: cells.cell(0))
    let value = cells.columns[0].value(0)
    let key = try working { transaction throws(EngineError) -> Int64? in
      guard let key = try transaction.objectKey(in: table.id, identifier: value),
        try transaction.row(in: table.id, key: key) != nil
      else { return nil }
      return key
    }
    return key.map { MigrationObject(rows: MigrationRows(key: $0, of: table, in: self), row: 0) }
  }

  // MARK: Errors

  /// An error of a step's closure, with the object that it concerns.
  func named(_ error: any Error, _ table: TableDefinition, key: Int64) -> any Error {
    guard let error = error as? StoreError else { return failure(table, key: key, nil, "\(error)") }
    return mapped(error, table, nil)
  }

  /// Turns an error of the store into an error of the step if it concerns objects and not the file.
  func mapped(
    _ error: StoreError, _ table: TableDefinition?, _ field: FieldDefinition?
  ) -> StoreError {
    error.isOfObjects ? failure(table?.name, field: field?.name, error.message) : error
  }

  /// A field's type in Swift syntax.
  func describe(_ field: FieldDefinition) -> String {
    _FieldType.describe(
      field.type, isOptional: field.isOptional, target: catalog.table(field.target)?.name,
      field.parts)
  }

  /// The error for an object.
  func failure(
    _ table: TableDefinition, key: Int64, _ field: String?, _ reason: String
  ) -> StoreError {
    .migrationFailed(
      MigrationFailure(
        step: step, model: table.name, id: text(ofKey: key, in: table), field: field,
        reason: reason, completed: completed))
  }

  /// The error for a model or a field.
  func failure(
    _ model: String?, id: String? = nil, field: String? = nil, _ reason: String
  ) -> StoreError {
    .migrationFailed(
      MigrationFailure(
        step: step, model: model, id: id, field: field, reason: reason, completed: completed))
  }

  /// The id of an object as readable text.
  private func text(ofKey key: Int64, in table: TableDefinition) -> String {
    guard let identifier = table.identifier, !identifier.isObjectKey else {
      return table.text(ofKey: key)
    }
    let value = try? transaction.row(in: table.id, key: key)?.value(of: identifier.id)
    return value.map(identifier.text) ?? "\(key)"
  }
}

/// The progress of a migration.
public struct MigrationProgress: Hashable, Sendable {
  /// The step's name.
  public let step: String
  /// The step's number among those that the file lacks, from 1.
  public let number: Int
  /// The number of steps that the file lacks.
  public let count: Int
  /// The model whose objects are being visited; nil when the step begins.
  public let model: String?
  /// The number of objects visited so far.
  public let done: Int
  /// The total number of objects; 0 when the step begins.
  public let total: Int
}

extension StoreError {
  /// Whether the error concerns objects or fields, and not the file or its use.
  fileprivate var isOfObjects: Bool {
    switch self {
    case .duplicateKey, .undecodable, .unencodable, .valueTooLong, .overflow, .overflowInUpdate,
      .limitExceeded, .unknownModel, .unknownField, .nameTaken, .missingKey, .notFound,
      .danglingLink,
      .linkedTarget:
      true
    default: false
    }
  }
}
