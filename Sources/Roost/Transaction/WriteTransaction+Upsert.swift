/// What ``WriteTransaction/upsert(_:onConflict:)`` does with an object whose id is there already.
public struct ConflictPolicy<M: Model>: Sendable {
  enum Kind: Sendable {
    case replace, keep
    case merge([any PartialKeyPath<M> & Sendable])
  }

  let kind: Kind

  /// The object that is there gets all values of the new one.
  public static var replace: Self { Self(kind: .replace) }

  /// The object that is there stays as it is.
  public static var keep: Self { Self(kind: .keep) }

  /// The object that is there gets the new one's values of these fields, and keeps its own of all others.
  public static func merge(_ fields: (any PartialKeyPath<M> & Sendable)...) -> Self {
    Self(kind: .merge(fields))
  }
}

/// Adding what may be there already.
extension WriteTransaction {
  /// Adds an object, or deals with the one that has its id as the policy says: by default it gets its values.
  ///
  /// ```swift
  /// try transaction.upsert(person, onConflict: .merge(\.name, \.age))
  /// ```
  ///
  /// Fields that stay the same are not written.
  /// - Throws: ``StoreError/duplicateKey(model:field:value:)`` where another object has the value of a unique
  ///   field; ``StoreError/unknownField(model:property:)`` where the schema does not have a field to merge.
  public func upsert<M: Model>(
    _ object: M, onConflict policy: ConflictPolicy<M> = .replace
  ) throws(StoreError) {
    try open().writer(M.self).upsert(object, policy)
  }

  /// Adds objects, or deals with those that have their ids as the policy says, one after the other.
  ///
  /// - Throws: The errors of ``upsert(_:onConflict:)``. Nothing is changed then.
  public func upsert<M: Model>(
    contentsOf objects: some Sequence<M>, onConflict policy: ConflictPolicy<M> = .replace
  ) throws(StoreError) {
    let context = try open()
    let writer = try context.writer(M.self)
    try context.whole { () throws(StoreError) in
      for object in objects { try writer.upsert(object, policy) }
    }
  }

  /// Makes the objects of a query these: adds those that are new, gives those that are there their values, and
  /// removes the others.
  ///
  /// ```swift
  /// try transaction.replaceAll(prices, of: Price.where { $0.shop == shop })
  /// ```
  ///
  /// The change is the smallest that does it: what is the same is not written, and where everything is, nothing
  /// is committed. An object that the query does not find but whose id is among the given ones is changed too.
  /// The others are removed by their delete rules. Values that must be unique may go from one object to the next, but not
  /// around in a circle: of two objects that are to exchange theirs, give one another value before.
  /// - Complexity: A lookup for each object; the removed ones go together.
  /// - Throws: The errors of ``upsert(_:onConflict:)``. Nothing is changed then.
  public func replaceAll<M: Model>(
    _ objects: some Sequence<M>, of query: Query<M> = M.all
  ) throws(StoreError) {
    let context = try open()
    let given = Array(objects)
    let keys = try context.keys(of: query)
    let writer = try context.writer(M.self)
    // To find the keys, everything that had gathered was applied.
    try context.whole(withSavepoint: true) { () throws(StoreError) in
      try writer.replaceAll(keys, by: given)
    }
  }
}
