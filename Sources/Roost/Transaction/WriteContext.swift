internal import RoostEngine

/// Reads and writes of a write transaction.
final class WriteContext: ObjectLookup, ReadContext {
  let transaction: EngineTransaction
  /// The writers of models, each made when its model is first written.
  private var writers: [ObjectIdentifier: AnyObject] = [:]
  /// The writer that was used last, with its model: the next request is usually for the same one.
  private var lastWriter: (model: ObjectIdentifier, writer: AnyObject)?
  /// Whether an object is being encoded or decoded: the table's batch may then have half of a row.
  private(set) var isInUse = false
  /// The ids of missing objects that links refer to: objects to be added later, or deleted ones.
  private var absent: [AbsentKey: any Hashable] = [:]

  /// The writers of values under names.
  private var valueWriters: [String: AnyObject] = [:]
  /// Whether a value under a name links to an object; nil until first needed.
  private var valuesHaveLinks: Bool?

  private struct AbsentKey: Hashable {
    let model: ModelName
    let key: Int64
  }

  init(_ transaction: EngineTransaction, binding: StoreBinding) {
    self.transaction = transaction
    super.init(binding: binding)
  }

  func checkIsOpen() throws(StoreError) {
    do throws(EngineError) { try transaction.checkIsOpen() } catch {
      throw StoreError(error, in: file)
    }
    guard !isInUse else { throw .transactionInUse }
  }

  override func table(of model: ModelBinding) -> TableDefinition {
    transaction.catalog.table(model.tableID) ?? model.table
  }

  override func beginDecoding() -> Bool {
    defer { isInUse = true }
    return isInUse
  }

  override func endDecoding(_ wasInUse: Bool) { isInUse = wasInUse }

  /// Runs code of the model's types, which must not use the transaction meanwhile.
  @inline(__always)
  func whileInUse<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let wasInUse = isInUse
    isInUse = true
    defer { isInUse = wasInUse }
    return try body()
  }

  func view() throws(StoreError) -> ReadView {
    try working(on: file) { () throws(EngineError) in try transaction.view() }
  }

  func objectKey(of model: ModelBinding, id: Value) throws(StoreError) -> Int64? {
    try working(on: file) { () throws(EngineError) in
      try transaction.objectKey(in: model.table.id, identifier: id)
    }
  }

  override func place(in model: ModelBinding, key: Int64) throws(StoreError) -> RowPlace? {
    try working(on: file) { () throws(EngineError) in
      try transaction.row(in: model.table.id, key: key)
    }
  }

  /// Ends the transaction and lets the next one begin; returns the commit that must yet be made durable.
  func stage(_ durability: SyncPolicy) throws(StoreError) -> PendingCommit? {
    forgetWriters()
    return try working(on: file) { () throws(EngineError) in try transaction.stage(durability) }
  }

  /// Discards all changes; does nothing after the end.
  func rollback() {
    forgetWriters()
    transaction.rollback()
  }

  /// A point that the transaction can be rolled back to.
  func savepoint() throws(StoreError) -> Savepoint {
    // A savepoint is noncopyable, so a closure cannot return it.
    do throws(EngineError) { return try transaction.savepoint() } catch {
      throw StoreError(error, in: file)
    }
  }

  /// Undoes the changes since a savepoint.
  func rollback(to savepoint: consuming Savepoint) throws(StoreError) {
    do throws(EngineError) { try transaction.rollback(to: savepoint) } catch {
      throw StoreError(error, in: file)
    }
  }

  /// Runs an operation over many objects. If it throws, the transaction is as it was before.
  ///
  /// - Parameter withSavepoint: Whether it deletes objects, and nothing has gathered.
  func whole<Result>(
    withSavepoint: Bool = false, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try beginWhole(withSavepoint: withSavepoint)
    do {
      let result = try body()
      transaction.endUndoable()
      return result
    } catch {
      transaction.undo()
      throw error
    }
  }

  /// Like the other method, for an operation that runs code with errors of its own.
  func wholeRethrowing<Result>(_ body: () throws -> Result) throws -> Result {
    try beginWhole()
    do {
      let result = try body()
      transaction.endUndoable()
      return result
    } catch {
      transaction.undo()
      throw error
    }
  }

  private func beginWhole(withSavepoint: Bool = false) throws(StoreError) {
    try working(on: file) { () throws(EngineError) in
      try transaction.beginUndoable(withSavepoint: withSavepoint)
    }
  }

  private func forgetWriters() {
    writers = [:]
    lastWriter = nil
    valueWriters = [:]
  }

  /// Whether links to a model are read through their target: its id is not its key, and there are links.
  func readsLinks(to model: ModelBinding) -> Bool {
    !model.hasIntegerKey && (binding.isLinkTarget(model.name) || haveValuesLinks())
  }

  private func haveValuesLinks() -> Bool {
    if let valuesHaveLinks { return valuesHaveLinks }
    let found = transaction.catalog.tables.contains { table in
      table.holdsNamedValue && table.fields.contains { $0.type == .link }
    }
    valuesHaveLinks = found
    return found
  }

  /// Remembers the id of an object that is being deleted, for links that are read before they are repaired.
  func willDelete(_ id: some Hashable, in model: ModelBinding, key: Int64) {
    guard readsLinks(to: model) else { return }
    absent[AbsentKey(model: model.name, key: key)] = id
  }

  override func absentID(in model: ModelBinding, key: Int64) -> (any Hashable)? {
    absent[AbsentKey(model: model.name, key: key)]
  }

  override func cascadedID(in model: ModelBinding, key: Int64) -> Value? {
    transaction.identifierOfCascaded(key, in: model.table.id)
  }

  /// The writer of a model's objects.
  func writer<M: Model>(_ type: M.Type) throws(StoreError) -> ModelWriter<M> {
    if let lastWriter, lastWriter.model == ObjectIdentifier(type) {
      // The model's writer; a checked cast would look up its type's metadata each time.
      return unsafe unsafeDowncast(lastWriter.writer, to: ModelWriter<M>.self)
    }
    let writer: ModelWriter<M>
    if let known = writers[ObjectIdentifier(type)] as? ModelWriter<M> {
      writer = known
    } else {
      writer = ModelWriter<M>(try model(type), in: self)
      writers[ObjectIdentifier(type)] = writer
    }
    lastWriter = (ObjectIdentifier(type), writer)
    return writer
  }
}

// MARK: Values under names

extension WriteContext {
  /// Sets the value under a name; first creates its table, or changes it to the value's type.
  @_semantics("optimize.sil.specialize.generic.never")
  func setValue<Value: PropertyValue>(_ name: String, to value: Value) throws(StoreError) {
    let object = NamedValue(id: NamedValue<Value>.key, value: value)
    _ = try valueWriter(name, Value.self).upsert(object, .replace)
  }

  /// Removes the value under a name; returns whether it existed.
  func removeValue(_ name: String) throws(StoreError) -> Bool {
    guard let table = transaction.catalog.table(named: TableDefinition.name(ofValue: name)) else {
      return false
    }
    // Removes its table too, so that the name can be used for another type of value.
    try working(on: file) { () throws(EngineError) in try transaction.removeTable(table.id) }
    return true
  }

  private func valueWriter<Value: PropertyValue>(
    _ name: String, _ type: Value.Type
  ) throws(StoreError) -> ModelWriter<NamedValue<Value>> {
    if let known = valueWriters[name] as? ModelWriter<NamedValue<Value>>,
      transaction.catalog.table(known.model.tableID) == known.model.table
    {
      return known
    }
    let evolution = try binding.values.evolution(name, type, from: transaction.catalog)
    if !evolution.steps.isEmpty {
      do { try evolution.apply(to: transaction, in: file) } catch {
        guard case .migrationRequired(let differences) = error, let first = differences.first
        else { throw error }
        throw first.mismatch
      }
      valuesHaveLinks = nil
    }
    guard let model = try binding.values.model(name, type, in: transaction.catalog) else {
      throw .unknownModel(model: TableDefinition.name(ofValue: name))
    }
    let writer = ModelWriter<NamedValue<Value>>(model, in: self)
    valueWriters[name] = writer
    return writer
  }
}

extension WriteContext: LinkResolver {
  func objectKey<Target: Model>(
    of target: Target.Type, id: Target.ID
  ) throws(StoreError) -> Int64 {
    let model = try model(target)
    let value = id._constant.value
    if let key = try objectKey(of: model, id: value) { return key }
    let key = try working(on: file) { () throws(EngineError) in
      try transaction.objectKey(in: model.table.id, identifier: value, reserving: true)
    }
    guard let key else { throw .notFound(model: model.name.name, id: "\(id)") }
    absent[AbsentKey(model: model.name, key: key)] = id
    return key
  }
}

extension WriteContext {
  /// The engine's form of an expression over a model's fields.
  func lower(
    _ term: ExpressionTerm, _ model: ModelBinding
  ) throws(StoreError) -> ColumnExpression {
    try binding.lower(term, model, links: self)
  }
}
