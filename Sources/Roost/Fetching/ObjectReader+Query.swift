internal import RoostEngine

/// Reading by query.
extension ObjectReader {
  /// The results of a query, decoded, in its order.
  ///
  /// If only some fields of many objects are needed, ``Snapshot/rows(_:)`` decodes less.
  /// - Throws: ``StoreError/unknownField(model:property:)`` where the query names a property that is not
  ///   stored; ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  public func fetch<M: Model>(_ query: Query<M>) throws(StoreError) -> [M] {
    try _reader.context.objects(of: query)
  }

  /// The first result of a query, or nil if it has none.
  public func first<M: Model>(_ query: Query<M>) throws(StoreError) -> M? {
    let content = query.content
    return try fetch(query.limit(content.countMax == 0 ? 0 : 1, offset: content.offset)).first
  }

  /// The number of results of a query.
  ///
  /// Reads only the fields that the query names.
  public func count<M: Model>(_ query: Query<M>) throws(StoreError) -> Int {
    try _reader.context.count(query)
  }
}

extension VersionContext {
  /// The results of a query, undecoded.
  func rows<M>(_ query: Query<M>) throws(StoreError) -> Rows<M> {
    let model = try model(M.self)
    return Rows(RowsContent(try results(of: query.content, model), of: model, in: self))
  }

  /// The object with this id, undecoded, in a context that the holder retains.
  @inline(__always)
  static func row<M>(
    _ type: M.Type, id: _Constant, in context: UnownedReference<VersionContext>,
    heldBy holder: any AnyObject & Sendable
  ) throws(StoreError) -> Row<M>? {
    try row(find(type, id: id.value, in: context), in: context, heldBy: holder)
  }

  /// The object with this key, undecoded, in a context that the holder retains.
  static func row<M>(
    _ type: M.Type, key: Int64, in context: UnownedReference<VersionContext>,
    heldBy holder: any AnyObject & Sendable
  ) throws(StoreError) -> Row<M>? {
    let model = try model(type, in: context)
    return try row(find(key, of: model, in: context), in: context, heldBy: holder)
  }

  @inline(__always)
  private static func row<M>(
    _ found: FoundRow?, in context: UnownedReference<VersionContext>,
    heldBy holder: any AnyObject & Sendable
  ) -> Row<M>? {
    guard let found else { return nil }
    guard let owner = found.owner else {
      return Row(found.columns, row: found.row, in: UnownedLookup(context), heldBy: holder)
    }
    let page = RowPage(row: found.row, of: found.columns, owner: owner, in: context.object)
    return Row(page, 0)
  }

  /// The location of an object.
  private struct FoundRow {
    let columns: UnownedColumns
    let row: Int
    /// What retains the columns, if the version does not: the leaf, or the columns themselves.
    let owner: AnyObject?
  }

  /// The location of the object with an id. Not generic, so that no type's metadata is looked up.
  @inline(never)
  private static func find(
    _ type: Any.Type, id: Value, in context: UnownedReference<VersionContext>
  ) throws(StoreError) -> FoundRow? {
    let model = try model(type, in: context)
    let key: Int64
    if case .integer(let number) = id, model.withObject({ $0.hasIntegerKey }) {
      key = number
    } else {
      guard let found = try objectKey(of: model, id: id, in: context) else { return nil }
      key = found
    }
    return try find(key, of: model, in: context)
  }

  @inline(__always)
  private static func model(
    _ type: Any.Type, in context: UnownedReference<VersionContext>
  ) throws(StoreError) -> UnownedReference<ModelBinding> {
    let model = context.withObject { $0.binding.reference(ObjectIdentifier(type)) }
    guard let model else {
      throw context.withObject {
        $0.binding.missing(type, ModelName.name(of: type))
      }
    }
    return model
  }

  @inline(__always)
  private static func find(
    _ key: Int64, of model: UnownedReference<ModelBinding>,
    in context: UnownedReference<VersionContext>
  ) throws(StoreError) -> FoundRow? {
    switch context.withObject({ $0.known(key, of: model) }) {
    case .row(let columns, let row): return FoundRow(columns: columns, row: row, owner: nil)
    case .absent: return nil
    case .unknown: return try context.object.load(key, of: model)
    }
  }

  private static func objectKey(
    of model: UnownedReference<ModelBinding>, id: Value,
    in context: UnownedReference<VersionContext>
  ) throws(StoreError) -> Int64? {
    try context.withObject { (context) throws(StoreError) in
      try model.withObject { (model) throws(StoreError) in
        try context.objectKey(of: model, id: id)
      }
    }
  }

  /// The result of a lookup in only the cache.
  private enum CachedLookup: BitwiseCopyable {
    case row(UnownedColumns, Int)
    case absent
    case unknown
  }

  /// Looks a key up in only the cache. Neither throws nor counts references.
  @inline(__always)
  private func known(_ key: Int64, of model: UnownedReference<ModelBinding>) -> CachedLookup {
    guard let trees else { return .unknown }
    return model.withObject { model in
      let known = trees.withObject { $0.cachedLookup(key, in: model.tableID) }
      switch known {
      case .row(let held):
        // The version's tree retains the leaf.
        let columns = held.leaf.withObject { ModelColumns.of($0, for: model) }
        return .row(columns, held.row)
      case .absent: return .absent
      case .unknown: return .unknown
      }
    }
  }

  @inline(never)
  private func load(
    _ key: Int64, of model: UnownedReference<ModelBinding>
  ) throws(StoreError) -> FoundRow? {
    let model = model.object
    guard let place = try place(in: model, key: key) else { return nil }
    let found = try columns(of: model, at: place)
    return FoundRow(columns: found.columns, row: found.row, owner: found.owner)
  }
}

extension Snapshot {
  /// The results of a query, in its order and undecoded.
  ///
  /// - Throws: As ``ObjectReader/fetch(_:)-(Query<M>)``.
  public func rows<M: Model>(_ query: Query<M>) throws(StoreError) -> Rows<M> {
    try open().rows(query)
  }

  /// The object with this id, undecoded, or nil if there is none.
  ///
  /// The cheapest way to read some of an object's properties.
  /// - Throws: ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  @inlinable
  public func row<M: Model>(_ type: M.Type, id: M.ID) throws(StoreError) -> Row<M>? {
    try _row(type, id: id._constant)
  }

  @usableFromInline
  func _row<M: Model>(_ type: M.Type, id: _Constant) throws(StoreError) -> Row<M>? {
    try VersionContext.row(type, id: id, in: held.unowned(), heldBy: held)
  }

  /// The target of a link, undecoded, or nil if it does not exist.
  @inlinable
  public func row<M: Model>(_ link: Link<M>) throws(StoreError) -> Row<M>? {
    try row(M.self, id: link.id)
  }
}
