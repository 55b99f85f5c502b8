public import Roost
internal import RoostEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension DynamicStore {
  /// Writes, on the caller's thread: waits for the turn, runs `body` and makes its changes durable.
  ///
  /// ```swift
  /// try store.write { transaction in
  ///   try transaction.insert(["id": 7, "name": "Ann", "owner": nil], into: "Person")
  /// }
  /// ```
  ///
  /// All changes are made or none: where `body` throws, it is as if it had not run, and its error comes out unchanged.
  /// - Parameter durability: What to wait for; nil for a sync of the file.
  /// - Throws: ``StoreError/readOnly``; ``StoreError/danglingLink(model:field:target:targetID:)`` and
  ///   ``StoreError/linkedTarget(model:id:linkingModel:linkingField:)`` at the end; the errors of the file.
  @discardableResult
  public func write<Result>(
    durability: Durability? = nil, _ body: (DynamicTransaction) throws -> Result
  ) throws -> Result {
    try store.write(durability: durability) { try body(DynamicTransaction($0, path: path)) }
  }

  /// Writes, on a queue of the store's: the caller's thread or actor is not blocked.
  ///
  /// - Throws: As the synchronous form; `CancellationError` where the task is cancelled before the changes are made durable:
  ///   then none is made.
  @discardableResult
  public func write<Result: Sendable>(
    durability: Durability? = nil,
    _ body: @escaping @Sendable (DynamicTransaction) throws -> Result
  ) async throws -> Result {
    let path = path
    return try await store.write(durability: durability) {
      try body(DynamicTransaction($0, path: path))
    }
  }
}

/// Reads and writes of one transaction, inside of the closure of `write`.
///
/// It sees its own changes, nobody else does before the closure has returned; then all of them are durable at once. An operation
/// that throws changes nothing itself, so that a caller may catch its error and go on. Delete rules are followed, and what must
/// be unique is checked, as with models; links are checked at the end. What a model's own code checks, its initializers and
/// conversions, nobody checks here.
///
/// After the closure it throws ``StoreError/transactionEnded``, on another thread
/// ``StoreError/transactionOfAnotherThread``.
public final class DynamicTransaction {
  private let transaction: WriteTransaction
  private let path: String

  init(_ transaction: WriteTransaction, path: String) {
    self.transaction = transaction
    self.path = path
    // A cache goes by when its objects were written, whoever wrote them.
    if let engine = try? transaction.content, engine.writeTime == nil,
      engine.catalog.tables.contains(where: { $0.writeTimeField != nil })
    {
      engine.writeTime = Date().timeIntervalSinceReferenceDate
    }
  }

  /// Runs an operation of the engine, whose errors become the store's.
  func working<Result>(
    _ operation: (EngineTransaction) throws(EngineError) -> Result
  ) throws(StoreError) -> Result {
    let engine = try transaction.content
    do { return try operation(engine) } catch {
      throw StoreError(error, in: StoreFile(path: path, catalog: engine.catalog))
    }
  }

  var catalog: Catalog { get throws(StoreError) { try transaction.content.catalog } }

  func definition(_ table: String) throws(StoreError) -> TableDefinition {
    guard let table = try catalog.table(named: table) else { throw .unknownModel(model: table) }
    return table
  }

  // MARK: Writing

  /// Adds an object.
  ///
  /// A field that is not given has its default, or is null, or an empty collection, blob or list of links; a link is the key of
  /// the object that it leads to, which may be inserted later in the transaction.
  /// - Throws: ``StoreError/duplicateKey(model:field:value:)`` where the key, or the value of a unique field, is there already;
  ///   ``StoreError/valueMismatch(model:field:expected:found:)`` for a value that its field does not take, and for a field that
  ///   needs one and has none; ``StoreError/unknownModel(model:)``; ``StoreError/unknownField(model:property:)``.
  public func insert(
    _ values: [String: DynamicValue], into table: String
  ) throws(StoreError) {
    let table = try definition(table)
    let row = try row(values, of: table, isWhole: true)
    try working { transaction throws(EngineError) in
      row.append(to: try transaction.batch(for: table.id))
      try transaction.insertRow(into: table.id, key: row.objectKey)
    }
  }

  /// Gives fields of an object new values; the others stay as they are.
  ///
  /// - Returns: Whether there was an object with the key.
  /// - Throws: As ``insert(_:into:)``; ``StoreError/changedKey(model:id:)`` where the values have another key.
  @discardableResult
  public func update(
    _ key: DynamicValue, of table: String, _ values: [String: DynamicValue]
  ) throws(StoreError) -> Bool {
    let table = try definition(table)
    guard let object = try objectKey(key, of: table) else { return false }
    return try update(object, of: table, try changes(values, of: key, in: table))
  }

  /// Adds an object, or gives the one that has its key these values; fields of that one that are not given stay as they are.
  ///
  /// - Returns: Whether it was added.
  /// - Throws: As ``insert(_:into:)``.
  @discardableResult
  public func upsert(
    _ values: [String: DynamicValue], into table: String
  ) throws(StoreError) -> Bool {
    let definition = try definition(table)
    if let field = definition.identifier, let key = values[field.name],
      try update(key, of: table, values)
    {
      return false
    }
    try insert(values, into: table)
    return true
  }

  /// Deletes an object, and follows the delete rules of what links to it.
  ///
  /// - Returns: Whether there was an object with the key.
  @discardableResult
  public func delete(_ key: DynamicValue, from table: String) throws(StoreError) -> Bool {
    let table = try definition(table)
    guard let object = try objectKey(key, of: table) else { return false }
    return try working { transaction throws(EngineError) in
      try transaction.delete(from: table.id, key: object)
    }
  }

  // MARK: Objects of queries

  /// Gives fields of all objects of a query new values.
  ///
  /// - Returns: How many objects there are.
  /// - Throws: As ``update(_:of:_:)``; none is changed then. ``StoreError/queryMalformed(text:reason:offset:)``.
  @discardableResult
  public func update(
    _ query: DynamicQuery, _ values: [String: DynamicValue]
  ) throws(StoreError) -> Int {
    let (keys, table) = try keys(query)
    let row = try changes(values, of: nil, in: table)
    try working { transaction throws(EngineError) in try transaction.beginUndoable() }
    do {
      for key in keys { _ = try update(key, of: table, row) }
    } catch {
      try? transaction.content.undo()
      throw error
    }
    try transaction.content.endUndoable()
    return keys.count
  }

  /// Deletes all objects of a query, and follows the delete rules of what links to them.
  ///
  /// - Returns: How many objects of the query there were.
  /// - Throws: ``StoreError/queryMalformed(text:reason:offset:)``.
  @discardableResult
  public func delete(_ query: DynamicQuery) throws(StoreError) -> Int {
    let (keys, table) = try keys(query)
    let column = ColumnBuffer(type: .integer)
    for key in keys { column.append(key) }
    return try working { transaction throws(EngineError) in
      try transaction.delete(from: table.id, keys: column)
    }
  }

  /// How many objects a query finds, with the transaction's changes.
  ///
  /// - Throws: ``StoreError/queryMalformed(text:reason:offset:)``.
  public func count(_ query: DynamicQuery) throws(StoreError) -> Int {
    let query = try query.objects(in: try catalog)
    return try working { transaction throws(EngineError) in try transaction.view().count(query) }
  }

  private func keys(
    _ query: DynamicQuery
  ) throws(StoreError) -> (keys: [Int64], table: TableDefinition) {
    let objects = try query.objects(in: try catalog)
    guard let table = try catalog.table(objects.table) else {
      throw .unknownModel(model: query.text)
    }
    let keys = try working { transaction throws(EngineError) in
      try transaction.view().matches(objects).keys()
    }
    return (keys, table)
  }

  // MARK: Reading

  /// The tables, with the transaction's changes.
  public var tables: [DynamicTable] {
    get throws(StoreError) {
      let catalog = try catalog
      return catalog.tables.map { DynamicTable($0, in: catalog) }
    }
  }

  /// The values of an object, with the transaction's changes, by the names of their fields; nil where there is none.
  ///
  /// A link to an object that is to be inserted later in the transaction is null here.
  public func object(
    _ table: String, _ key: DynamicValue
  ) throws(StoreError) -> [String: DynamicValue]? {
    let table = try definition(table)
    guard let object = try objectKey(key, of: table) else { return nil }
    var values: [String: DynamicValue] = [:]
    for field in table.fields {
      guard !field.isObjectKey else {
        values[field.name] = DynamicValue(stored: .integer(object), field.type, [])
        continue
      }
      let value = try working { transaction throws(EngineError) -> Value? in
        try transaction.row(in: table.id, key: object)?.value(of: field.id)
      }
      guard let value else { return nil }
      values[field.name] =
        field.type.isLink
        ? try identifiers(value, of: field)
        : DynamicValue(stored: value, field.type, field.parts)
    }
    return values
  }

  private func identifiers(
    _ value: Value, of field: FieldDefinition
  ) throws(StoreError) -> DynamicValue {
    switch value {
    case .integer(let key): return try identifier(key, of: field.target)
    case .bytes(let list):
      var keys: [DynamicValue] = []
      for key in LinkList.targets(list) { keys.append(try identifier(key, of: field.target)) }
      return .list(keys)
    default: return .null
    }
  }

  private func identifier(_ key: Int64, of table: UInt32) throws(StoreError) -> DynamicValue {
    guard let field = try catalog.table(table)?.identifier, !field.isObjectKey else {
      let type = try catalog.table(table)?.identifier?.type
      return DynamicValue(stored: .integer(key), type ?? .int, [])
    }
    let value = try working { transaction throws(EngineError) in
      try transaction.row(in: table, key: key)?.value(of: field.id)
    }
    return DynamicValue(stored: value ?? .null, field.type, field.parts)
  }
}
