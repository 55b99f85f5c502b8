internal import RoostEngine

/// Reading by query.
extension ObjectReader {
  /// The objects that a query finds, decoded, in its order.
  ///
  /// For many objects of which only some fields are needed, ``Snapshot/rows(_:)`` decodes less.
  /// - Throws: ``StoreError/unknownField(model:property:)`` where the query names a property that is not
  ///   stored; ``StoreError/corrupt(path:unit:reason:)`` where the file is damaged.
  public func fetch<M: Model>(_ query: Query<M>) throws(StoreError) -> [M] {
    var objects: [M] = []
    try _reader.context.forEach(query) {
      objects.append($0)
    } counted: {
      objects.reserveCapacity($0)
    }
    return objects
  }

  /// The first object that a query finds, or nil where it finds none.
  public func first<M: Model>(_ query: Query<M>) throws(StoreError) -> M? {
    try fetch(query.limit(query.countMax == 0 ? 0 : 1, offset: query.offset)).first
  }

  /// How many objects a query finds.
  ///
  /// Reads the fields that the query names, and no other.
  public func count<M: Model>(_ query: Query<M>) throws(StoreError) -> Int {
    try _reader.context.count(query)
  }
}

extension VersionContext {
  /// The objects that a query finds, undecoded.
  func rows<M>(_ query: Query<M>) throws(StoreError) -> Rows<M> {
    let results = try results(of: query)
    return Rows(results, of: try model(M.self), in: self)
  }

  /// The object with this id, undecoded.
  func row<M>(_ type: M.Type, id: _Constant) throws(StoreError) -> Row<M>? {
    let model = try binding.model(type)
    guard let key = try objectKey(of: model, id: id.value) else { return nil }
    let found = try atPath(path) { () throws(EngineError) in
      try snapshot.view.find(key, in: model.table.id)
    }
    guard let found else { return nil }
    // The row holds this context, and with it the version and what leaves its view holds.
    let columns = unsafe found.leaf._withUnsafeGuaranteedRef { ModelColumns.of($0, for: model) }
    return Row(columns, of: found.owner, row: found.row, in: self)
  }
}

extension Snapshot {
  /// The objects that a query finds, in its order, none of them decoded.
  ///
  /// - Throws: As ``ObjectReader/fetch(_:)-(Query<M>)``.
  public func rows<M: Model>(_ query: Query<M>) throws(StoreError) -> Rows<M> {
    try open().rows(query)
  }

  /// The object with this id, or nil where there is none; nothing of it is decoded.
  ///
  /// The cheapest way to some of an object's properties.
  /// - Throws: ``StoreError/corrupt(path:unit:reason:)`` where the file is damaged.
  @inlinable
  public func row<M: Model>(_ type: M.Type, id: M.ID) throws(StoreError) -> Row<M>? {
    try _row(type, id: id._constant)
  }

  @usableFromInline
  func _row<M: Model>(_ type: M.Type, id: _Constant) throws(StoreError) -> Row<M>? {
    try open().row(type, id: id)
  }

  /// The object that a link leads to, or nil where there is none; nothing of it is decoded.
  @inlinable
  public func row<M: Model>(_ link: Link<M>) throws(StoreError) -> Row<M>? {
    try row(M.self, id: link.id)
  }
}

extension ReadTransaction {
  /// The objects that a query finds, in its order, none of them decoded.
  ///
  /// They may leave the closure: they hold their version.
  /// - Throws: As ``ObjectReader/fetch(_:)-(Query<M>)``.
  public func rows<M: Model>(_ query: Query<M>) throws(StoreError) -> Rows<M> {
    try open().rows(query)
  }

  /// The object with this id, or nil where there is none; nothing of it is decoded.
  ///
  /// The cheapest way to some of an object's properties. It may leave the closure: it holds its version.
  /// - Throws: ``StoreError/corrupt(path:unit:reason:)`` where the file is damaged.
  @inlinable
  public func row<M: Model>(_ type: M.Type, id: M.ID) throws(StoreError) -> Row<M>? {
    try _row(type, id: id._constant)
  }

  @usableFromInline
  func _row<M: Model>(_ type: M.Type, id: _Constant) throws(StoreError) -> Row<M>? {
    try open().row(type, id: id)
  }

  /// The object that a link leads to, or nil where there is none; nothing of it is decoded.
  @inlinable
  public func row<M: Model>(_ link: Link<M>) throws(StoreError) -> Row<M>? {
    try row(M.self, id: link.id)
  }
}
