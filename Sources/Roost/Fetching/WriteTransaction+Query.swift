/// Updates and deletions of all results of a query.
extension WriteTransaction {
  /// Lets a closure change each result of a query.
  ///
  /// The results are determined before the first object changes.
  /// - Returns: How many there are.
  /// - Throws: What the closure throws; ``StoreError/changedKey(model:id:)`` where it changes an id. None is changed then,
  ///   and what else the closure did in the transaction is undone.
  @discardableResult
  public func update<M: Model>(
    _ query: Query<M>, _ change: (inout M) throws -> Void
  ) throws -> Int {
    let context = try open()
    let keys = try context.keys(of: query)
    let writer = try context.writer(M.self)
    return try context.wholeRethrowing {
      for key in keys { _ = try writer.update(key: key, change) }
      return keys.count
    }
  }

  /// Sets one field of all results of a query to the value of an expression, without decoding objects.
  ///
  /// ```swift
  /// try transaction.update(Person.all, set: \.age, to: { $0.age + 1 })
  /// ```
  ///
  /// Only the field's column is written. The expression reads the object's fields from before the update,
  /// and constants (``QueryValue``). Uniqueness is checked when all objects have
  /// their values.
  /// - Returns: How many objects there are.
  /// - Throws: ``StoreError/overflowInUpdate(model:field:id:)`` where an integer does not fit in the field's type,
  ///   ``StoreError/duplicateKey(model:field:value:)``, and ``StoreError/changedKey(model:id:)`` where the property is
  ///   the id. Nothing is changed then.
  @discardableResult
  public func update<M: Model, Value: Storable>(
    _ query: Query<M>, set property: KeyPath<M, Value>,
    to expression: (QueryRoot<M>) -> QueryValue<Value>
  ) throws(StoreError) -> Int {
    try open().writer(M.self).update(query, property, to: expression(QueryRoot()).term)
  }

  /// Sets one optional field of all results of a query to the value of an expression that is never nil.
  ///
  /// Otherwise like the method for fields of the expression's own type.
  @discardableResult
  public func update<M: Model, Value: Storable>(
    _ query: Query<M>, set property: KeyPath<M, Value?>,
    to expression: (QueryRoot<M>) -> QueryValue<Value>
  ) throws(StoreError) -> Int {
    try open().writer(M.self).update(query, property, to: expression(QueryRoot()).term)
  }

  /// Sets one property of all results of a query to a value, without decoding objects.
  ///
  /// ```swift
  /// try transaction.update(Person.where { $0.age >= 18 }, set: \.mood, to: .calm)
  /// ```
  ///
  /// - Returns: How many objects there are.
  /// - Throws: ``StoreError/duplicateKey(model:field:value:)`` where two objects have the value of a unique field;
  ///   ``StoreError/changedKey(model:id:)`` where the property is the id. Nothing is changed then.
  @discardableResult
  public func update<M: Model, Value: PropertyValue>(
    _ query: Query<M>, set property: KeyPath<M, Value>, to value: Value
  ) throws(StoreError) -> Int {
    try open().writer(M.self).update(query, property, to: value)
  }

  /// Removes the results of a query; returns the number of objects removed.
  ///
  /// If damage to the file lets only some of them be removed, the transaction ends.
  @discardableResult
  public func delete<M: Model>(_ query: Query<M>) throws(StoreError) -> Int {
    let context = try open()
    let keys = try context.keys(of: query)
    return try context.writer(M.self).delete(keys: keys)
  }
}
