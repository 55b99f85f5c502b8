package import RoostEngine

/// Reads and writes of one transaction, inside the closure of `write`.
///
/// The transaction sees its own changes; others see them after the closure has returned, when all of them become durable at
/// once. If the closure throws, no change is made. An operation that throws changes nothing itself, even over a million
/// objects, so the caller may catch its error and continue; only numbers taken for ids are not reused. A full disk
/// or a damaged file may end the transaction. Changing an object by its id throws ``StoreError/notFound(model:id:)`` if there
/// is none; a deletion returns whether the object existed, or how many did. After the closure the transaction throws
/// ``StoreError/transactionEnded``; it cannot escape an `async` closure at all. On another thread than the closure's it
/// throws ``StoreError/transactionOfAnotherThread``.
public final class WriteTransaction: ObjectReader {
  /// The thread that the closure runs on; other threads read nothing else here.
  private let thread = ThreadIdentity.current
  private var context: WriteContext?

  init(_ context: WriteContext) { self.context = context }

  /// The source of reads. For the store's own use.
  public var _reader: _Reader {
    get throws(StoreError) { _Reader(context: try open()) }
  }

  /// The engine's transaction.
  package var content: EngineTransaction {
    get throws(StoreError) { try open().transaction }
  }

  func open() throws(StoreError) -> WriteContext {
    guard thread == .current else { throw .transactionOfAnotherThread }
    guard let context else { throw .transactionEnded }
    guard !context.isInUse else { throw .transactionInUse }
    return context
  }

  func end() { context = nil }

  // MARK: Inserting

  /// Adds an object. To replace one that may be there already, see ``upsert(_:onConflict:)``.
  ///
  /// - Returns: The object as it is stored: with its id, where the store gives that
  ///   (``KeyOption/assigned``).
  /// - Throws: ``StoreError/duplicateKey(model:field:value:)`` where its id, or the value of a unique
  ///   field, is already there.
  @discardableResult
  public func insert<M: Model>(_ object: M) throws(StoreError) -> M {
    try open().writer(M.self).insert(object)
  }

  /// Adds objects in order.
  ///
  /// Ascending ids are the fastest.
  /// - Throws: As ``insert(_:)``, for the first object that cannot be added. None is added then.
  public func insert<M: Model>(contentsOf objects: some Sequence<M>) throws(StoreError) {
    let context = try open()
    let writer = try context.writer(M.self)
    try context.whole { () throws(StoreError) in try writer.insert(contentsOf: objects) }
  }

  /// Adds objects as part of an operation that is undone as a whole.
  package func insertPart<M: Model>(_ objects: [M]) throws(StoreError) {
    try open().writer(M.self).insert(contentsOf: objects)
  }

  /// Adds or updates objects as part of an operation that is undone as a whole.
  package func upsertPart<M: Model>(
    _ objects: [M], _ policy: ConflictPolicy<M>
  ) throws(StoreError) {
    let writer = try open().writer(M.self)
    for object in objects { _ = try writer.upsert(object, policy) }
  }

  /// Sets some columns of the object with this object's id to its values; they are numbered as in its schema.
  ///
  /// A part of an operation that is undone as a whole.
  package func updatePart<M: Model>(_ object: M, columns: [Int]) throws(StoreError) {
    let writer = try open().writer(M.self)
    guard try writer.replace(object, columns: columns) else {
      throw .notFound(model: writer.model.name.name, id: "\(object.id)")
    }
  }

  /// Runs an operation that adds objects of a model in several parts: the store gives none of them an id that another one has.
  package func whole<M: Model, Result>(
    adding type: M.Type, _ body: () throws -> Result
  ) throws -> Result {
    let writer = try open().writer(type)
    return try whole { try writer.upsertMany(body) }
  }

  /// Runs an operation of several parts. If it throws, the transaction is as it was before.
  package func whole<Result>(_ body: () throws -> Result) throws -> Result {
    try open().wholeRethrowing(body)
  }

  // MARK: Updating

  /// Replaces the values of the object with this object's id. Unchanged fields are not written.
  ///
  /// - Throws: ``StoreError/notFound(model:id:)`` where there is none.
  public func update<M: Model>(_ object: M) throws(StoreError) {
    let writer = try open().writer(M.self)
    guard try writer.replace(object) else {
      throw .notFound(model: writer.model.name.name, id: "\(object.id)")
    }
  }

  /// Lets a closure change the object with this id.
  ///
  /// - Returns: The object as it is now.
  /// - Throws: ``StoreError/notFound(model:id:)`` where there is none, also after the closure; what the closure throws;
  ///   ``StoreError/changedKey(model:id:)`` where it changes the id.
  @discardableResult
  public func update<M: Model>(
    _ type: M.Type, id: M.ID, _ change: (inout M) throws -> Void
  ) throws -> M {
    let context = try open()
    let writer = try context.writer(type)
    guard let key = try context.objectKey(of: writer.model, id: id._constant.value),
      let changed = try writer.update(key: key, change)
    else { throw StoreError.notFound(model: writer.model.name.name, id: "\(id)") }
    return changed
  }

  /// Sets one field of the object with this id, without reading the object.
  ///
  /// ```swift
  /// try transaction.update(Person.self, id: 7, set: \.age, to: 42)
  /// ```
  ///
  /// The fastest way to change many objects. An unchanged value is not written.
  /// - Throws: ``StoreError/notFound(model:id:)`` where there is no such object;
  ///   ``StoreError/changedKey(model:id:)`` where the property is the id;
  ///   ``StoreError/unknownField(model:property:)`` where the schema does not have it;
  ///   ``StoreError/duplicateKey(model:field:value:)`` where another object has the value of a unique field.
  public func update<M: Model, Value: PropertyValue>(
    _ type: M.Type, id: M.ID, set property: KeyPath<M, Value>, to value: Value
  ) throws(StoreError) {
    let writer = try open().writer(type)
    guard try writer.update(id: id, property, to: value) else {
      throw .notFound(model: writer.model.name.name, id: "\(id)")
    }
  }

  // MARK: Deleting

  /// Removes the object with this id; returns whether it existed.
  ///
  /// The delete rule of each link to it is applied (``FieldOption/onTargetDelete(_:)``). A link without a rule that remains
  /// at the end of the transaction throws ``StoreError/linkedTarget(model:id:linkingModel:linkingField:isListed:)``.
  @discardableResult
  public func delete<M: Model>(_ type: M.Type, id: M.ID) throws(StoreError) -> Bool {
    try open().writer(type).delete(id: id)
  }

  /// Removes the object with this object's id; returns whether it existed. See ``delete(_:id:)``.
  @discardableResult
  public func delete<M: Model>(_ object: M) throws(StoreError) -> Bool {
    try delete(M.self, id: object.id)
  }

  /// Removes the objects with the ids of these objects; returns the number of objects removed. See ``delete(_:ids:)``.
  @discardableResult
  public func delete<M: Model>(contentsOf objects: some Sequence<M>) throws(StoreError) -> Int {
    try delete(M.self, ids: objects.lazy.map(\.id))
  }

  /// Removes the objects with these ids; returns the number of objects removed.
  ///
  /// The fastest way to remove many objects. Ids without an object are ignored. All objects are removed before the
  /// delete rules of links to them are applied. If damage to the file lets only some of them be removed, the
  /// transaction ends.
  @discardableResult
  public func delete<M: Model>(_ type: M.Type, ids: some Sequence<M.ID>) throws(StoreError) -> Int {
    try open().writer(type).delete(ids: ids)
  }

  /// Removes all objects of a model whose ids a condition does not accept; returns how many there were.
  ///
  /// Memory: eight bytes for each object of the model.
  package func deleteAll<M: Model>(
    _ type: M.Type, except isKept: (M.ID) -> Bool
  ) throws(StoreError) -> Int {
    let context = try open()
    let writer = try context.writer(type)
    var gone: [Int64] = []
    for key in try context.keys(of: M.all) {
      guard let place = try context.place(in: writer.model, key: key) else { continue }
      let id = try context.read(
        M.ID.self, writer.model.keyPosition, of: writer.model, at: place)
      if !isKept(id) { gone.append(key) }
    }
    return gone.isEmpty ? 0 : try writer.delete(keys: gone)
  }
}
