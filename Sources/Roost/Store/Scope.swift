/// A store restricted to some models, so that a function's signature tells which models it uses.
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
/// The closures receive the objects of each model, in the scope's order, and no transaction: another model is not
/// accessible there, and using it does not compile. Pass objects on to share a part of the work:
/// `func reserve(_ order: Order, of products: WritableObjects<Product>) throws`.
///
/// The schema still applies: a delete rule reaches objects of other models, and reads can follow links
/// from objects of the scope: by a condition, a row, or ``Query/including(_:)``.
public struct Scope<each Object: Model>: Sendable {
  private let store: Store

  init(_ store: Store) { self.store = store }

  /// Reads the newest version on the caller's thread, like ``Store/read(_:fileID:line:)``.
  @discardableResult
  public func read<Result>(
    _ body: (repeat ReadableObjects<each Object>) throws -> Result,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws -> Result {
    try store.read(
      { try body(repeat ReadableObjects<each Object>($0)) }, fileID: fileID, line: line)
  }

  /// Reads the newest version on a background queue, without blocking the caller's thread or actor.
  @discardableResult
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (repeat ReadableObjects<each Object>) throws -> Result,
    fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> Result {
    try await store.read(
      { try body(repeat ReadableObjects<each Object>($0)) }, fileID: fileID, line: line)
  }

  /// Writes on the caller's thread, like ``Store/write(durability:tag:_:)``: all changes are made or none.
  @discardableResult
  public func write<Result>(
    durability: Durability? = nil,
    _ body: (repeat WritableObjects<each Object>) throws -> Result
  ) throws -> Result {
    try store.write(durability: durability) { transaction in
      try body(repeat WritableObjects<each Object>(transaction))
    }
  }

  /// Writes on a queue of the store, without blocking the caller's thread or actor.
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
  /// This store restricted to some models.
  ///
  /// - Complexity: O(1); a scope is made where it is needed. A model that the store was not opened with throws
  ///   ``StoreError/unknownModel(model:)`` when it is used.
  public func scope<each Object: Model>(
    _ model: repeat (each Object).Type
  ) -> Scope<repeat each Object> {
    Scope(self)
  }
}
