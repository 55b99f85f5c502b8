// All of these are compiled into the programs that use them: most programs use few and should not grow for the rest.

/// The objects of one model in a ``Scope``, to read and, in a write, to change.
///
/// After the closure of a write it throws ``StoreError/transactionEnded``; after that of a read it still shows its version.
public struct ScopedObjects<Object: Model, Reader: ObjectReader> {
  @usableFromInline package let reader: Reader

  init(_ reader: Reader) { self.reader = reader }
}

/// The objects of one model, to read.
public typealias ReadableObjects<Object: Model> = ScopedObjects<Object, Snapshot>

/// The objects of one model, to read and to write.
public typealias WritableObjects<Object: Model> = ScopedObjects<Object, WriteTransaction>

// MARK: Reading

extension ScopedObjects {
  /// The object with this id, or nil if there is none.
  @_alwaysEmitIntoClient
  public func fetch(id: Object.ID) throws(StoreError) -> Object? {
    try reader.fetch(Object.self, id: id)
  }

  /// The objects with these ids, in their order; ids without an object are left out.
  @_alwaysEmitIntoClient
  public func fetch(ids: some Sequence<Object.ID>) throws(StoreError) -> [Object] {
    try reader.fetch(Object.self, ids: ids)
  }

  /// The results of a query, in its order; all objects by default.
  @_alwaysEmitIntoClient
  public func fetch(_ query: Query<Object> = Object.all) throws(StoreError) -> [Object] {
    try reader.fetch(query)
  }

  /// The first result of a query, or nil if it has none.
  @_alwaysEmitIntoClient
  public func first(_ query: Query<Object>) throws(StoreError) -> Object? {
    try reader.first(query)
  }

  /// The object with this id.
  ///
  /// - Throws: ``StoreError/notFound(model:id:)`` where there is none.
  @_alwaysEmitIntoClient
  public func find(id: Object.ID) throws(StoreError) -> Object {
    try reader.find(Object.self, id: id)
  }

  /// Whether there is an object with this id.
  @_alwaysEmitIntoClient
  public func contains(id: Object.ID) throws(StoreError) -> Bool {
    try reader.contains(Object.self, id: id)
  }

  /// The number of results of a query; by default, of all objects.
  @_alwaysEmitIntoClient
  public func count(_ query: Query<Object> = Object.all) throws(StoreError) -> Int {
    try reader.count(query)
  }

  /// The sum of a field over the results of a query; 0 if there are none.
  ///
  /// - Throws: ``StoreError/overflow(model:field:)`` where a sum of integers or decimal numbers does not fit.
  @_alwaysEmitIntoClient
  public func sum<Value: Summable>(
    _ path: KeyPath<Object, Value>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Value {
    try reader.sum(path, of: query)
  }

  /// The sum of an optional field over the results of a query that have a value; 0 if there are none.
  @_alwaysEmitIntoClient
  public func sum<Value: Summable>(
    _ path: KeyPath<Object, Value?>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Value {
    try reader.sum(path, of: query)
  }

  /// The mean of a field over the results of a query: a `Double`, or a `Decimal` of decimal numbers, rounded half even
  /// to 38 digits; nil if there are none.
  @_alwaysEmitIntoClient
  public func average<Value: Summable>(
    _ path: KeyPath<Object, Value>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Value._Mean? {
    try reader.average(path, of: query)
  }

  /// The mean of an optional field over the results of a query that have a value; nil if there are none.
  @_alwaysEmitIntoClient
  public func average<Value: Summable>(
    _ path: KeyPath<Object, Value?>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Value._Mean? {
    try reader.average(path, of: query)
  }

  /// The lowest value of a field over the results of a query; nil if there are none.
  @_alwaysEmitIntoClient
  public func min<Value: Sortable>(
    _ path: KeyPath<Object, Value>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Value? {
    try reader.min(path, of: query)
  }

  /// The lowest value of an optional field over the results of a query that have a value; nil if there are none.
  @_alwaysEmitIntoClient
  public func min<Value: Sortable>(
    _ path: KeyPath<Object, Value?>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Value? {
    try reader.min(path, of: query)
  }

  /// The highest value of a field over the results of a query; nil if there are none.
  @_alwaysEmitIntoClient
  public func max<Value: Sortable>(
    _ path: KeyPath<Object, Value>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Value? {
    try reader.max(path, of: query)
  }

  /// The highest value of an optional field over the results of a query that have a value; nil if there are none.
  @_alwaysEmitIntoClient
  public func max<Value: Sortable>(
    _ path: KeyPath<Object, Value?>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Value? {
    try reader.max(path, of: query)
  }
}

// MARK: Writing

extension ScopedObjects where Reader == WriteTransaction {
  /// Adds an object, and returns it as it is stored; see ``WriteTransaction/insert(_:)``.
  @_alwaysEmitIntoClient
  @discardableResult
  public func insert(_ object: Object) throws(StoreError) -> Object {
    try reader.insert(object)
  }

  /// Adds objects in order; see ``WriteTransaction/insert(contentsOf:)``.
  @_alwaysEmitIntoClient
  public func insert(contentsOf objects: some Sequence<Object>) throws(StoreError) {
    try reader.insert(contentsOf: objects)
  }

  /// Replaces the values of the object with this object's id; see ``WriteTransaction/update(_:)``.
  @_alwaysEmitIntoClient
  public func update(_ object: Object) throws(StoreError) {
    try reader.update(object)
  }

  /// Lets a closure change the object with this id; see ``WriteTransaction/update(_:id:_:)``.
  @_alwaysEmitIntoClient
  @discardableResult
  public func update(
    id: Object.ID, _ change: (inout Object) throws -> Void
  ) throws -> Object {
    try reader.update(Object.self, id: id, change)
  }

  /// Sets one field of the object with this id; see ``WriteTransaction/update(_:id:set:to:)``.
  @_alwaysEmitIntoClient
  public func update<Value: PropertyValue>(
    id: Object.ID, set property: KeyPath<Object, Value>, to value: Value
  ) throws(StoreError) {
    try reader.update(Object.self, id: id, set: property, to: value)
  }

  /// Lets a closure change each result of a query; returns the number of objects.
  @_alwaysEmitIntoClient
  @discardableResult
  public func update(
    _ query: Query<Object>, _ change: (inout Object) throws -> Void
  ) throws -> Int {
    try reader.update(query, change)
  }

  /// Sets one property of each result of a query to a value; returns the number of objects.
  @_alwaysEmitIntoClient
  @discardableResult
  public func update<Value: PropertyValue>(
    _ query: Query<Object>, set property: KeyPath<Object, Value>, to value: Value
  ) throws(StoreError) -> Int {
    try reader.update(query, set: property, to: value)
  }

  /// Sets one field of each result of a query to the value of an expression; returns the number of objects.
  @_alwaysEmitIntoClient
  @discardableResult
  public func update<Value: Storable>(
    _ query: Query<Object>, set property: KeyPath<Object, Value>,
    to expression: (QueryRoot<Object>) -> QueryValue<Value>
  ) throws(StoreError) -> Int {
    try reader.update(query, set: property, to: expression)
  }

  /// Sets one optional field of each result of a query to the value of an expression that is never nil.
  @_alwaysEmitIntoClient
  @discardableResult
  public func update<Value: Storable>(
    _ query: Query<Object>, set property: KeyPath<Object, Value?>,
    to expression: (QueryRoot<Object>) -> QueryValue<Value>
  ) throws(StoreError) -> Int {
    try reader.update(query, set: property, to: expression)
  }

  /// Adds an object, or updates the object with its id; returns it as it is stored.
  ///
  /// See ``WriteTransaction/upsert(_:onConflict:)``.
  @_alwaysEmitIntoClient
  @discardableResult
  public func upsert(
    _ object: Object, onConflict policy: ConflictPolicy<Object> = .replace
  ) throws(StoreError) -> Object {
    try reader.upsert(object, onConflict: policy)
  }

  /// Adds objects in order, or updates the objects with their ids.
  @_alwaysEmitIntoClient
  public func upsert(
    contentsOf objects: some Sequence<Object>, onConflict policy: ConflictPolicy<Object> = .replace
  ) throws(StoreError) {
    try reader.upsert(contentsOf: objects, onConflict: policy)
  }

  /// Replaces the results of a query by these objects; see ``WriteTransaction/replaceAll(_:of:)``.
  @_alwaysEmitIntoClient
  public func replaceAll(
    _ objects: some Sequence<Object>, of query: Query<Object> = Object.all
  ) throws(StoreError) {
    try reader.replaceAll(objects, of: query)
  }

  /// Removes the object with this id; returns whether it existed. See ``WriteTransaction/delete(_:id:)``.
  @_alwaysEmitIntoClient
  @discardableResult
  public func delete(id: Object.ID) throws(StoreError) -> Bool {
    try reader.delete(Object.self, id: id)
  }

  /// Removes the object with this object's id; returns whether it existed.
  @_alwaysEmitIntoClient
  @discardableResult
  public func delete(_ object: Object) throws(StoreError) -> Bool {
    try reader.delete(object)
  }

  /// Removes the objects with the ids of these objects; returns the number of objects removed.
  @_alwaysEmitIntoClient
  @discardableResult
  public func delete(contentsOf objects: some Sequence<Object>) throws(StoreError) -> Int {
    try reader.delete(contentsOf: objects)
  }

  /// Removes the objects with these ids; returns the number of objects removed.
  @_alwaysEmitIntoClient
  @discardableResult
  public func delete(ids: some Sequence<Object.ID>) throws(StoreError) -> Int {
    try reader.delete(Object.self, ids: ids)
  }

  /// Removes the results of a query; returns the number of objects removed.
  @_alwaysEmitIntoClient
  @discardableResult
  public func delete(_ query: Query<Object>) throws(StoreError) -> Int {
    try reader.delete(query)
  }
}
