internal import RoostEngine

/// A source of objects: a ``Snapshot`` or a ``WriteTransaction``.
///
/// A function that only reads takes `some ObjectReader` and works with both.
public protocol ObjectReader {
  /// The source of reads. For the store's own use.
  var _reader: _Reader { get throws(StoreError) }
}

/// The source of reads: part of ``ObjectReader``, for the store's own use.
public struct _Reader {
  private let reads: any ReadContext
  /// Whether it belongs to a write transaction, so that a kept reader must not be used after its end or on another thread.
  private let isWriting: Bool

  init(context: VersionContext) {
    reads = context
    isWriting = false
  }

  init(context: WriteContext) {
    reads = context
    isWriting = true
  }

  /// The source of reads.
  var context: any ReadContext {
    get throws(StoreError) {
      if isWriting { try check() }
      return reads
    }
  }

  // Inlining this into generic code over packs crashes the compiler (6.3).
  @inline(never)
  private func check() throws(StoreError) { try reads.checkIsOpen() }
}

extension ObjectReader {
  /// The object with this id, or nil if there is none; ``find(_:id:)`` throws instead.
  ///
  /// - Throws: ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  public func fetch<M: Model>(_ type: M.Type, id: M.ID) throws(StoreError) -> M? {
    let context = try _reader.context
    let model = try context.model(type)
    guard let place = try context.place(of: id, in: model) else { return nil }
    return try context.object(M.schema, of: model, at: place)
  }

  /// The objects with these ids, in their order; ids without an object are left out.
  public func fetch<M: Model>(
    _ type: M.Type, ids: some Sequence<M.ID>
  ) throws(StoreError) -> [M] {
    let context = try _reader.context
    let model = try context.model(type)
    let schema = M.schema
    var objects: [M] = []
    objects.reserveCapacity(ids.underestimatedCount)
    for id in ids {
      guard let place = try context.place(of: id, in: model) else { continue }
      objects.append(try context.object(schema, of: model, at: place))
    }
    return objects
  }

  /// The target of a link, or nil if it does not exist.
  public func fetch<M: Model>(_ link: Link<M>) throws(StoreError) -> M? {
    try fetch(M.self, id: link.id)
  }

  /// The target of an optional link: nil where there is no link, and where its target does not exist.
  public func fetch<M: Model>(_ link: Link<M>?) throws(StoreError) -> M? {
    guard let link else { return nil }
    return try fetch(link)
  }

  /// The targets of links, in their order.
  public func fetch<Target: Model>(_ links: Links<Target>) throws(StoreError) -> [Target] {
    try fetch(Target.self, ids: links)
  }

  /// The object with this id.
  ///
  /// - Throws: ``StoreError/notFound(model:id:)`` where there is none.
  public func find<M: Model>(_ type: M.Type, id: M.ID) throws(StoreError) -> M {
    guard let object = try fetch(type, id: id) else {
      throw .notFound(model: String(describing: type), id: "\(id)")
    }
    return object
  }

  /// The target of a link.
  ///
  /// - Throws: ``StoreError/notFound(model:id:)`` where it does not exist.
  public func find<M: Model>(_ link: Link<M>) throws(StoreError) -> M {
    try find(M.self, id: link.id)
  }

  /// Whether there is an object with this id.
  public func contains<M: Model>(_ type: M.Type, id: M.ID) throws(StoreError) -> Bool {
    let context = try _reader.context
    return try context.place(of: id, in: try context.model(type)) != nil
  }
}
