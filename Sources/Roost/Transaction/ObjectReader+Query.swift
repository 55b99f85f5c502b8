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
    return Rows(results, layout: RowLayout(try model(M.self), lookup: self), path: path)
  }
}

extension Snapshot {
  /// The objects that a query finds, in its order, none of them decoded.
  ///
  /// - Throws: As ``ObjectReader/fetch(_:)-(Query<M>)``.
  public func rows<M: Model>(_ query: Query<M>) throws(StoreError) -> Rows<M> {
    try open().rows(query)
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
}
