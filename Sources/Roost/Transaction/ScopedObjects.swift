// All of these are compiled into the programs that use them, for most use none and are to be no larger for it.

/// The objects of one model: what a ``Scope`` gives for each of its models, to read and, of a write, to change.
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
  /// The object with this id, or nil where there is none.
  @_alwaysEmitIntoClient
  public func fetch(id: Object.ID) throws(StoreError) -> Object? {
    try reader.fetch(Object.self, id: id)
  }

  /// The objects with these ids, in their order; ids without an object are left out.
  @_alwaysEmitIntoClient
  public func fetch(ids: some Sequence<Object.ID>) throws(StoreError) -> [Object] {
    try reader.fetch(Object.self, ids: ids)
  }

  /// The objects that a query finds, in its order; without a query, all.
  @_alwaysEmitIntoClient
  public func fetch(_ query: Query<Object> = Object.all) throws(StoreError) -> [Object] {
    try reader.fetch(query)
  }

  /// The first object that a query finds, or nil where it finds none.
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

  /// How many objects a query finds; without a query, how many there are.
  @_alwaysEmitIntoClient
  public func count(_ query: Query<Object> = Object.all) throws(StoreError) -> Int {
    try reader.count(query)
  }

  /// The sum of a field over the objects of a query, 0 over none.
  ///
  /// - Throws: ``StoreError/overflow(model:field:)`` where a sum of integers does not fit.
  @_alwaysEmitIntoClient
  public func sum<Value: Summable>(
    _ path: KeyPath<Object, Value>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Value {
    try reader.sum(path, of: query)
  }

  /// The sum of a field over the objects of a query that have one, 0 over none.
  @_alwaysEmitIntoClient
  public func sum<Value: Summable>(
    _ path: KeyPath<Object, Value?>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Value {
    try reader.sum(path, of: query)
  }

  /// The mean of a field over the objects of a query, or nil over none.
  @_alwaysEmitIntoClient
  public func average<Value: Summable>(
    _ path: KeyPath<Object, Value>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Double? {
    try reader.average(path, of: query)
  }

  /// The mean of a field over the objects of a query that have one, or nil over none.
  @_alwaysEmitIntoClient
  public func average<Value: Summable>(
    _ path: KeyPath<Object, Value?>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Double? {
    try reader.average(path, of: query)
  }

  /// The lowest value of a field over the objects of a query, or nil over none.
  @_alwaysEmitIntoClient
  public func min<Value: Sortable>(
    _ path: KeyPath<Object, Value>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Value? {
    try reader.min(path, of: query)
  }

  /// The lowest value of a field over the objects of a query that have one, or nil over none.
  @_alwaysEmitIntoClient
  public func min<Value: Sortable>(
    _ path: KeyPath<Object, Value?>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Value? {
    try reader.min(path, of: query)
  }

  /// The highest value of a field over the objects of a query, or nil over none.
  @_alwaysEmitIntoClient
  public func max<Value: Sortable>(
    _ path: KeyPath<Object, Value>, of query: Query<Object> = Object.all
  ) throws(StoreError) -> Value? {
    try reader.max(path, of: query)
  }

  /// The highest value of a field over the objects of a query that have one, or nil over none.
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

  /// Adds objects, one after the other; see ``WriteTransaction/insert(contentsOf:)``.
  @_alwaysEmitIntoClient
  public func insert(contentsOf objects: some Sequence<Object>) throws(StoreError) {
    try reader.insert(contentsOf: objects)
  }

  /// Gives the object with this one's id its values; see ``WriteTransaction/update(_:)``.
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

  /// Gives one field of the object with this id a value; see ``WriteTransaction/update(_:id:set:to:)``.
  @_alwaysEmitIntoClient
  public func update<Value: PropertyValue>(
    id: Object.ID, set property: KeyPath<Object, Value>, to value: Value
  ) throws(StoreError) {
    try reader.update(Object.self, id: id, set: property, to: value)
  }

  /// Lets a closure change each object of a query, and returns how many there are.
  @_alwaysEmitIntoClient
  @discardableResult
  public func update(
    _ query: Query<Object>, _ change: (inout Object) throws -> Void
  ) throws -> Int {
    try reader.update(query, change)
  }

  /// Gives one property of all objects of a query a value, and returns how many there are.
  @_alwaysEmitIntoClient
  @discardableResult
  public func update<Value: PropertyValue>(
    _ query: Query<Object>, set property: KeyPath<Object, Value>, to value: Value
  ) throws(StoreError) -> Int {
    try reader.update(query, set: property, to: value)
  }

  /// Gives one field of all objects of a query what an expression makes of each, and returns how many there are.
  @_alwaysEmitIntoClient
  @discardableResult
  public func update<Value: Storable>(
    _ query: Query<Object>, set property: KeyPath<Object, Value>,
    to expression: (QueryRoot<Object>) -> QueryValue<Value>
  ) throws(StoreError) -> Int {
    try reader.update(query, set: property, to: expression)
  }

  /// Gives one field that may be nil what an expression makes of each object of a query that is never nil.
  @_alwaysEmitIntoClient
  @discardableResult
  public func update<Value: Storable>(
    _ query: Query<Object>, set property: KeyPath<Object, Value?>,
    to expression: (QueryRoot<Object>) -> QueryValue<Value>
  ) throws(StoreError) -> Int {
    try reader.update(query, set: property, to: expression)
  }

  /// Adds an object, or deals with the one that has its id; see ``WriteTransaction/upsert(_:onConflict:)``.
  @_alwaysEmitIntoClient
  public func upsert(
    _ object: Object, onConflict policy: ConflictPolicy<Object> = .replace
  ) throws(StoreError) {
    try reader.upsert(object, onConflict: policy)
  }

  /// Adds objects, or deals with those that have their ids, one after the other.
  @_alwaysEmitIntoClient
  public func upsert(
    contentsOf objects: some Sequence<Object>, onConflict policy: ConflictPolicy<Object> = .replace
  ) throws(StoreError) {
    try reader.upsert(contentsOf: objects, onConflict: policy)
  }

  /// Makes the objects of a query these; see ``WriteTransaction/replaceAll(_:of:)``.
  @_alwaysEmitIntoClient
  public func replaceAll(
    _ objects: some Sequence<Object>, of query: Query<Object> = Object.all
  ) throws(StoreError) {
    try reader.replaceAll(objects, of: query)
  }

  /// Removes the object with this id; returns whether there was one. See ``WriteTransaction/delete(_:id:)``.
  @_alwaysEmitIntoClient
  @discardableResult
  public func delete(id: Object.ID) throws(StoreError) -> Bool {
    try reader.delete(Object.self, id: id)
  }

  /// Removes the objects with these ids; returns how many there were.
  @_alwaysEmitIntoClient
  @discardableResult
  public func delete(ids: some Sequence<Object.ID>) throws(StoreError) -> Int {
    try reader.delete(Object.self, ids: ids)
  }

  /// Removes the objects of a query; returns how many there were.
  @_alwaysEmitIntoClient
  @discardableResult
  public func delete(_ query: Query<Object>) throws(StoreError) -> Int {
    try reader.delete(query)
  }
}
