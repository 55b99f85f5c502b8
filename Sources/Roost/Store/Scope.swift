/// A store of which just some models can be touched, so that a function's signature says what it touches.
///
/// ```swift
/// func place(_ order: Order, in store: Scope<Order, Product>) throws {
///   try store.write { orders, products in
///     try orders.insert(order)
///     try products.update(id: order.product.id) { $0.stock -= order.count }
///   }
/// }
/// try place(order, in: store.scope(Order.self, Product.self))
/// ```
///
/// The closures get the objects of each model, in the scope's order, and no transaction: another model has no name
/// there, and so does not compile. A part of the work is handed on by its objects:
/// `func reserve(_ order: Order, of products: WritableObjects<Product>) throws`.
///
/// What follows from the schema happens all the same: a delete rule reaches objects of other models, and links can be
/// followed from objects of the scope to be read: by a condition, a row, or ``Query/including(_:)``.
public struct Scope<each Object: Model>: Sendable {
  private let store: Store

  init(_ store: Store) { self.store = store }

  /// Reads the newest version, on the caller's thread, as ``Store/read(_:)`` does.
  @discardableResult
  public func read<Result>(
    _ body: (repeat ReadableObjects<each Object>) throws -> Result
  ) throws -> Result {
    try store.read { snapshot in
      try body(repeat ReadableObjects<each Object>(snapshot))
    }
  }

  /// Reads the newest version on a queue of the store's: the caller's thread or actor is not blocked.
  @discardableResult
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (repeat ReadableObjects<each Object>) throws -> Result
  ) async throws -> Result {
    try await store.read { snapshot in
      try body(repeat ReadableObjects<each Object>(snapshot))
    }
  }

  /// Writes, on the caller's thread, as ``Store/write(durability:_:)`` does: all changes are made or none.
  @discardableResult
  public func write<Result>(
    durability: Durability? = nil,
    _ body: (repeat WritableObjects<each Object>) throws -> Result
  ) throws -> Result {
    try store.write(durability: durability) { transaction in
      try body(repeat WritableObjects<each Object>(transaction))
    }
  }

  /// Writes on a queue of the store's: the caller's thread or actor is not blocked.
  @discardableResult
  public func write<Result: Sendable>(
    durability: Durability? = nil,
    _ body: @escaping @Sendable (repeat WritableObjects<each Object>) throws -> Result
  ) async throws -> Result {
    try await store.write(durability: durability) { transaction in
      try body(repeat WritableObjects<each Object>(transaction))
    }
  }
}

extension Store {
  /// This store, of which just these models can be touched.
  ///
  /// - Complexity: O(1); a scope is made where it is needed. A model that the store was not opened with throws
  ///   ``StoreError/unknownModel(model:)`` when it is used.
  public func scope<each Object: Model>(
    _ model: repeat (each Object).Type
  ) -> Scope<repeat each Object> {
    Scope(self)
  }
}
