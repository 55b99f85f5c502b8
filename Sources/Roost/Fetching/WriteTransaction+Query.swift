/// Updates and deletions of all objects of a query.
extension WriteTransaction {
  /// Lets a closure change each object of a query.
  ///
  /// The objects are chosen before the first of them is changed.
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

  /// Gives one field of all objects of a query what an expression makes of each object, without decoding any.
  ///
  /// ```swift
  /// try transaction.update(Person.all, set: \.age, to: { $0.age + 1 })
  /// ```
  ///
  /// The field's column is written anew, and no other. The expression is made of the object's fields as they were
  /// before, and of constants (``QueryValue``). What must be unique is looked at when all objects have
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

  /// Gives one field that may be nil of all objects of a query what an expression makes of each that is never nil.
  ///
  /// Otherwise as the one for fields of the expression's own type.
  @discardableResult
  public func update<M: Model, Value: Storable>(
    _ query: Query<M>, set property: KeyPath<M, Value?>,
    to expression: (QueryRoot<M>) -> QueryValue<Value>
  ) throws(StoreError) -> Int {
    try open().writer(M.self).update(query, property, to: expression(QueryRoot()).term)
  }

  /// Gives one property of all objects of a query a value, without decoding any.
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

  /// Removes the objects of a query; returns how many there were.
  ///
  /// Where the file is damaged so that only some of them can be removed, the transaction has ended.
  @discardableResult
  public func delete<M: Model>(_ query: Query<M>) throws(StoreError) -> Int {
    let context = try open()
    let keys = try context.keys(of: query)
    return try context.writer(M.self).delete(keys: keys)
  }
}
