internal import RoostEngine

extension WriteTransaction {
  /// The list of links of the object with this id, to be edited in place.
  ///
  /// ```swift
  /// let songs = try transaction.links(\Playlist.songs, of: 7)
  /// try songs.insert(song.id, at: 0)
  /// try songs.move(from: 3, to: 1)
  /// ```
  ///
  /// Neither the object nor the other links are decoded or written: editing a list of a million links costs little more
  /// than editing a list of ten. Consecutive edits of the same list are the cheapest.
  /// - Throws: ``StoreError/notFound(model:id:)`` where there is no such object;
  ///   ``StoreError/unknownField(model:property:)`` where the schema does not have the property.
  public func links<M: Model, Target: Model>(
    _ property: KeyPath<M, Links<Target>>, of id: M.ID
  ) throws(StoreError) -> LinksEditor<Target> {
    let context = try open()
    let model = try context.model(M.self)
    guard let position = M.schema.position(of: property) else {
      throw .unknownField(
        model: model.name.name, property: M.schema.nameOfUnknown(property))
    }
    guard let key = try context.objectKey(of: model, id: id._constant.value) else {
      throw .notFound(model: model.name.name, id: "\(id)")
    }
    let editor = LinksEditor<Target>(
      context: context, model: model, field: model.fields[position], key: key, id: "\(id)")
    _ = try editor.count
    return editor
  }
}

/// A list of links that is edited in place: see ``WriteTransaction/links(_:of:)``.
///
/// Positions are counted from 0. Reads show the current state of the transaction. After the transaction has ended, the
/// editor throws ``StoreError/transactionEnded``; after its object was deleted, ``StoreError/notFound(model:id:)``.
/// A position outside the list throws ``StoreError/outOfRange(place:count:)``.
public struct LinksEditor<Target: Model> {
  let context: WriteContext
  let model: ModelBinding
  let field: FieldID
  let key: Int64
  /// The id of the object, for errors.
  let id: String

  /// The number of links.
  public var count: Int {
    get throws(StoreError) {
      Int(
        clamping: try working { (transaction) throws(EngineError) in
          try transaction.linkCount(model.tableID, key: key, field: field)
        })
    }
  }

  /// Whether the list is empty.
  public var isEmpty: Bool { get throws(StoreError) { try count == 0 } }

  /// The id at a place.
  public subscript(place: Int) -> Target.ID {
    get throws(StoreError) {
      try check(place, atMost: try count - 1)
      return try ids(in: place..<place + 1)[0]
    }
  }

  /// The ids in a range of positions.
  ///
  /// - Complexity: As many as are asked for, and the logarithm of the list's length.
  public subscript(range: Range<Int>) -> [Target.ID] {
    get throws(StoreError) {
      try check(range)
      return try ids(in: range)
    }
  }

  /// All links, as an object holds them.
  public var value: Links<Target> {
    get throws(StoreError) { Links(ids: try ids(in: 0..<(try count))) }
  }

  // MARK: Editing

  /// Inserts a link before the link at `place`, which is at most the number of links.
  public func insert(_ id: Target.ID, at place: Int) throws(StoreError) {
    try insert(contentsOf: CollectionOfOne(id), at: place)
  }

  /// Inserts links before the link at `place`, which is at most the number of links.
  public func insert(
    contentsOf ids: some Sequence<Target.ID>, at place: Int
  ) throws(StoreError) {
    try check(place, atMost: try count)
    var targets: [Int64] = []
    for id in ids { targets.append(try context.objectKey(of: Target.self, id: id)) }
    guard !targets.isEmpty else { return }
    try working { (transaction) throws(EngineError) in
      try transaction.insertLinks(
        targets, at: UInt64(place), model.tableID, key: key, field: field)
    }
  }

  /// Adds a link at the end.
  public func append(_ id: Target.ID) throws(StoreError) { try insert(id, at: try count) }

  /// Adds links at the end.
  public func append(contentsOf ids: some Sequence<Target.ID>) throws(StoreError) {
    try insert(contentsOf: ids, at: try count)
  }

  /// Removes the link at a place.
  public func remove(at place: Int) throws(StoreError) {
    try check(place, atMost: try count - 1)
    try removeSubrange(place..<place + 1)
  }

  /// Removes the links in a range of positions.
  public func removeSubrange(_ range: Range<Int>) throws(StoreError) {
    try check(range)
    guard !range.isEmpty else { return }
    try working { (transaction) throws(EngineError) in
      try transaction.removeLinks(
        in: UInt64(range.lowerBound)..<UInt64(range.upperBound), model.tableID, key: key,
        field: field)
    }
  }

  /// Removes all links.
  public func removeAll() throws(StoreError) { try removeSubrange(0..<(try count)) }

  /// Replaces the link at a position.
  public func replace(at place: Int, with id: Target.ID) throws(StoreError) {
    try check(place, atMost: try count - 1)
    try insert(id, at: place)
    try remove(at: place + 1)
  }

  /// Moves a link from one position to another, which is its position afterwards.
  public func move(from place: Int, to target: Int) throws(StoreError) {
    let last = try count - 1
    try check(place, atMost: last)
    try check(target, atMost: last)
    guard place != target else { return }
    try working { (transaction) throws(EngineError) in
      try transaction.moveLinks(
        in: UInt64(place)..<UInt64(place) + 1, to: UInt64(target > place ? target + 1 : target),
        model.tableID, key: key, field: field)
    }
  }

  // MARK: Places and ids

  private func ids(in range: Range<Int>) throws(StoreError) -> [Target.ID] {
    let keys = try working { (transaction) throws(EngineError) in
      try transaction.links(
        model.tableID, key: key, field: field,
        in: UInt64(range.lowerBound)..<UInt64(range.upperBound))
    }
    var ids: [Target.ID] = []
    ids.reserveCapacity(keys.count)
    for key in keys {
      ids.append(try context.id(of: Target.self, linkedBy: key, from: model))
    }
    return ids
  }

  @inline(never)
  private func check(_ place: Int, atMost last: Int) throws(StoreError) {
    guard place >= 0, place <= last else { throw .outOfRange(place: place, count: try count) }
  }

  @inline(never)
  private func check(_ range: Range<Int>) throws(StoreError) {
    try check(range.lowerBound, atMost: range.upperBound)
    try check(range.upperBound, atMost: try count)
  }

  private func working<R>(
    _ operation: (EngineTransaction) throws(EngineError) -> R
  ) throws(StoreError) -> R {
    try context.checkIsOpen()
    do { return try operation(context.transaction) } catch { throw storeError(error) }
  }

  @inline(never)
  private func storeError(_ error: EngineError) -> StoreError {
    if case .missing = error { return .notFound(model: model.name.name, id: id) }
    return StoreError(error, in: context.file)
  }
}
