public import Roost
internal import RoostEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension DynamicStore {
  /// Writes on the caller's thread: waits for other writes, runs `body` and makes its changes durable.
  ///
  /// ```swift
  /// try store.write { transaction in
  ///   try transaction.insert(["id": 7, "name": "Ann", "owner": nil], into: "Person")
  /// }
  /// ```
  ///
  /// Makes all changes or none: if `body` throws, nothing changes, and its error is rethrown unchanged.
  /// - Parameters:
  ///   - durability: What to wait for; nil for a sync of the file.
  ///   - body: What is written; where it throws, nothing is.
  /// - Throws: ``/Roost/StoreError/readOnly``; ``/Roost/StoreError/danglingLink(model:id:field:target:targetID:)`` and
  ///   ``/Roost/StoreError/linkedTarget(model:id:linkingModel:linkingField:isListed:)`` at the end; the errors of the file.
  @discardableResult
  public func write<Result>(
    durability: Durability? = nil, _ body: (DynamicTransaction) throws -> Result
  ) throws -> Result {
    try store.write(durability: durability) { try body(DynamicTransaction($0, path: path)) }
  }

  /// Writes on the store's queue, without blocking the caller's thread or actor.
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

/// The reads and writes of one transaction, within the closure of `write`.
///
/// Only the transaction sees its changes until the closure has returned; then all of them become durable at once. An operation
/// that throws makes no changes itself, so a caller may catch its error and continue. Delete rules and unique
/// fields are enforced, as with models; links are checked at the end. Checks in a model's own code, its initializers and
/// conversions, do not run here.
///
/// After the closure, operations throw ``/Roost/StoreError/transactionEnded``; on another thread,
/// ``/Roost/StoreError/transactionOfAnotherThread``.
public final class DynamicTransaction {
  private let transaction: WriteTransaction
  private let path: String

  init(_ transaction: WriteTransaction, path: String) {
    self.transaction = transaction
    self.path = path
    // A cache evicts objects by write time, so writes without models must record it too.
    if let engine = try? transaction.content, engine.writeTime == nil,
      engine.catalog.tables.contains(where: { $0.writeTimeField != nil })
    {
      engine.writeTime = Date().timeIntervalSinceReferenceDate
    }
  }

  /// Runs an engine operation, and converts its errors to store errors.
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

  /// Inserts an object.
  ///
  /// A missing field gets its default, or null, or an empty collection, blob or list of links. A link is given as the key of
  /// its target, which may be inserted later in the transaction.
  /// - Throws: ``/Roost/StoreError/duplicateKey(model:field:value:)`` where the key, or the value of a unique field, is there
  ///   already; ``/Roost/StoreError/valueMismatch(model:field:expected:found:)`` for a value that its field does not take, and
  ///   for a field that needs one and has none; ``/Roost/StoreError/unknownModel(model:)``;
  ///   ``/Roost/StoreError/unknownField(model:property:)``.
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

  /// Gives fields of an object new values; the other fields do not change.
  ///
  /// - Returns: Whether there was an object with the key.
  /// - Throws: As ``insert(_:into:)``; ``/Roost/StoreError/changedKey(model:id:)`` where the values have another key.
  @discardableResult
  public func update(
    _ key: DynamicValue, of table: String, _ values: [String: DynamicValue]
  ) throws(StoreError) -> Bool {
    let table = try definition(table)
    guard let object = try objectKey(key, of: table) else { return false }
    return try update(object, of: table, try changes(values, of: key, in: table))
  }

  /// Inserts an object, or updates the object with the same key; its fields without a given value do not change.
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

  /// Deletes an object, and applies the delete rules of links to it.
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
  /// - Throws: As ``update(_:of:_:)``; none is changed then. ``/Roost/StoreError/queryMalformed(text:reason:offset:)``.
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

  /// Deletes all objects of a query, and applies the delete rules of links to them.
  ///
  /// - Returns: How many objects of the query there were.
  /// - Throws: ``/Roost/StoreError/queryMalformed(text:reason:offset:)``.
  @discardableResult
  public func delete(_ query: DynamicQuery) throws(StoreError) -> Int {
    let (keys, table) = try keys(query)
    let column = ColumnBuffer(type: .integer)
    for key in keys { column.append(key) }
    return try working { transaction throws(EngineError) in
      try transaction.delete(from: table.id, keys: column)
    }
  }

  /// The number of objects that a query finds, including the transaction's changes.
  ///
  /// - Throws: ``/Roost/StoreError/queryMalformed(text:reason:offset:)``.
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

  /// The tables, including the transaction's changes.
  public var tables: [DynamicTable] {
    get throws(StoreError) {
      let catalog = try catalog
      return catalog.tables.map { DynamicTable($0, in: catalog) }
    }
  }

  /// The values of an object by field name, including the transaction's changes; nil if there is no such object.
  ///
  /// A link to an object that is yet to be inserted in the transaction is null here.
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
