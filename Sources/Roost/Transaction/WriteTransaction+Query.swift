/// Updates and deletions of all objects of a query.
extension WriteTransaction {
  /// Lets a closure change each object of a query.
  ///
  /// The objects are chosen before the first of them is changed.
  /// - Returns: How many there are.
  /// - Throws: What the closure throws; ``StoreError/changedKey(model:id:)`` where it changes an id.
  @discardableResult
  public func update<M: Model>(
    _ query: Query<M>, _ change: (inout M) throws -> Void
  ) throws -> Int {
    let context = try open()
    let keys = try context.keys(of: query)
    let writer = try context.writer(M.self)
    for key in keys { _ = try writer.update(key: key, change) }
    return keys.count
  }

  /// Removes the objects of a query; returns how many there were.
  @discardableResult
  public func delete<M: Model>(_ query: Query<M>) throws(StoreError) -> Int {
    let context = try open()
    let keys = try context.keys(of: query)
    return try context.writer(M.self).delete(keys: keys)
  }
}
