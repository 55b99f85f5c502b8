/// Adding objects that may already exist.
extension WriteTransaction {
  /// Adds an object, or applies the policy to the object with its id: by default, replaces all its values.
  ///
  /// ```swift
  /// try transaction.upsert(person, onConflict: .merge(\.name, \.age))
  /// ```
  ///
  /// Unchanged fields are not written.
  /// - Returns: The object as it is stored: a new one with its id, where the store gives that; one that was there as the
  ///   policy left it. It is read for that if the policy is not ``ConflictPolicy/replace``.
  /// - Throws: ``StoreError/duplicateKey(model:field:value:)`` where another object has the value of a unique
  ///   field; ``StoreError/unknownField(model:property:)`` where the schema does not have a field to merge.
  @discardableResult
  public func upsert<M: Model>(
    _ object: M, onConflict policy: ConflictPolicy<M> = .replace
  ) throws(StoreError) -> M {
    let context = try open()
    let writer = try context.writer(M.self)
    if let stored = try writer.upsert(object, policy) { return stored }
    return try fetch(M.self, id: object.id) ?? object
  }

  /// Adds objects in order, or applies the policy to the objects with their ids.
  ///
  /// - Throws: The errors of ``upsert(_:onConflict:)``; ``StoreError/duplicateKey(model:field:value:)`` where an object has an
  ///   id that the store has just given to another one of these. Nothing is changed then.
  public func upsert<M: Model>(
    contentsOf objects: some Sequence<M>, onConflict policy: ConflictPolicy<M> = .replace
  ) throws(StoreError) {
    let context = try open()
    let writer = try context.writer(M.self)
    try context.whole { () throws(StoreError) in
      try writer.upsertMany { () throws(StoreError) in
        for object in objects { _ = try writer.upsert(object, policy) }
      }
    }
  }

  /// Replaces the results of a query by these objects: adds new objects, updates existing ones, and
  /// removes the others.
  ///
  /// ```swift
  /// try transaction.replaceAll(prices, of: Price.where { $0.shop == shop })
  /// ```
  ///
  /// The change is minimal: unchanged values are not written, and if nothing changes, nothing is committed.
  /// An existing object that the query does not find but whose id is among the given objects is updated too.
  /// The others are removed by their delete rules. A unique value may move from one object to another, but not
  /// in a circle: to exchange values between two objects, give one of them another value before.
  /// - Complexity: A lookup for each object; the others are removed together.
  /// - Throws: The errors of ``upsert(_:onConflict:)``. Nothing is changed then.
  public func replaceAll<M: Model>(
    _ objects: some Sequence<M>, of query: Query<M> = M.all
  ) throws(StoreError) {
    let context = try open()
    let given = Array(objects)
    let keys = try context.keys(of: query)
    let writer = try context.writer(M.self)
    // Finding the keys applied all gathered changes.
    try context.whole(withSavepoint: true) { () throws(StoreError) in
      try writer.replaceAll(keys, by: given)
    }
  }
}
