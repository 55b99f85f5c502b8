package import RoostEngine

/// Reads and writes of one transaction, inside of the closure of `write`.
///
/// It sees its own changes, nobody else does before the closure has returned; then all of them are
/// durable at once. Where the closure throws, none is made. An operation that throws changes nothing
/// itself, also one over a million objects, so a caller may catch its error and go on; only the numbers that it took for
/// ids are not given again. A full disk or a damaged file may end the transaction. A change of an object by its id
/// throws ``StoreError/notFound(model:id:)`` where there is none; a deletion returns whether, or how many, there were. After the closure the transaction throws
/// ``StoreError/transactionEnded``; it cannot leave an `async` one at all. On another thread than the closure's it throws
/// ``StoreError/transactionOfAnotherThread``.
public final class WriteTransaction: ObjectReader {
  /// The thread that the closure runs on: the others look at nothing else here.
  private let thread = ThreadIdentity.current
  private var context: WriteContext?

  init(_ context: WriteContext) { self.context = context }

  /// Where reads go. For the store's own use.
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

  /// Adds an object.
  ///
  /// - Returns: The object as it is stored: with its id, where the store gives that
  ///   (``KeyOption/assigned``).
  /// - Throws: ``StoreError/duplicateKey(model:field:value:)`` where its id, or the value of a unique
  ///   field, is already there.
  @discardableResult
  public func insert<M: Model>(_ object: M) throws(StoreError) -> M {
    try open().writer(M.self).insert(object)
  }

  /// Adds objects, one after the other.
  ///
  /// Ascending ids are the fastest.
  /// - Throws: As ``insert(_:)``, for the first object that cannot be added. None is added then.
  public func insert<M: Model>(contentsOf objects: some Sequence<M>) throws(StoreError) {
    let context = try open()
    let writer = try context.writer(M.self)
    try context.whole { () throws(StoreError) in try writer.insert(contentsOf: objects) }
  }

  /// Adds objects, as a part of an operation that is undone as a whole.
  package func insertPart<M: Model>(_ objects: [M]) throws(StoreError) {
    try open().writer(M.self).insert(contentsOf: objects)
  }

  /// Adds objects or deals with those that are there, as a part of an operation that is undone as a whole.
  package func upsertPart<M: Model>(
    _ objects: [M], _ policy: ConflictPolicy<M>
  ) throws(StoreError) {
    let writer = try open().writer(M.self)
    for object in objects { try writer.upsert(object, policy) }
  }

  /// Runs an operation of several parts. Where it throws, the transaction is as it was before.
  package func whole<Result>(_ body: () throws -> Result) throws -> Result {
    try open().wholeRethrowing(body)
  }

  // MARK: Updating

  /// Gives the object with this one's id its values. Fields that stay the same are not written.
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

  /// Gives one field of the object with this id a value, without reading the object.
  ///
  /// ```swift
  /// try transaction.update(Person.self, id: 7, set: \.age, to: 42)
  /// ```
  ///
  /// The fastest way to change many objects. A value that the field has already is not written.
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

  /// Removes the object with this id; returns whether there was one.
  ///
  /// Each link to it says what becomes of it (``FieldOption/onTargetDelete(_:)``). Where one that says nothing
  /// is left at the end of the transaction, that is ``StoreError/linkedTarget(model:id:linkingModel:linkingField:)``.
  @discardableResult
  public func delete<M: Model>(_ type: M.Type, id: M.ID) throws(StoreError) -> Bool {
    try open().writer(type).delete(id: id)
  }

  /// Removes the objects with these ids; returns how many there were.
  ///
  /// The fastest way to remove many objects. An id that no object has is left out. All are removed before the
  /// delete rules of links to them are followed. Where the file is damaged so that only some of them can be removed, the
  /// transaction has ended.
  @discardableResult
  public func delete<M: Model>(_ type: M.Type, ids: some Sequence<M.ID>) throws(StoreError) -> Int {
    try open().writer(type).delete(ids: ids)
  }
}
