internal import RoostEngine

/// The source of reads: a version, or a write transaction's current state.
protocol ReadContext: ObjectLookup {
  /// Throws if nothing can be read now, or not by this thread.
  func checkIsOpen() throws(StoreError)
  /// All trees, including the transaction's changes.
  func view() throws(StoreError) -> ReadView
  /// The object key of the object with an id; an integer key is not looked up.
  func objectKey(of model: ModelBinding, id: Value) throws(StoreError) -> Int64?
}

extension ReadContext {
  func model<M: Model>(_ model: M.Type) throws(StoreError) -> ModelBinding {
    try binding.model(model)
  }

  /// The place of the object with this id.
  func place<ID: Storable>(of id: ID, in model: ModelBinding) throws(StoreError) -> RowPlace? {
    guard let key = try objectKey(of: model, id: id._constant.value) else { return nil }
    return try place(in: model, key: key)
  }

  /// The object in a row.
  func object<M>(
    _ schema: Schema<M>, of model: ModelBinding, at place: RowPlace
  ) throws(StoreError) -> M {
    try withColumns(of: model, at: place) { (columns, row) throws(StoreError) in
      try schema.object(columns, row: row, in: self)
    }
  }
}

/// Reads of a single version.
///
/// Sendable because it is immutable.
final class VersionContext: ObjectLookup, ReadContext, @unchecked Sendable {
  let snapshot: EngineSnapshot
  private let knownTrees = PublishedReference<ReadView>()
  private let generation = ForkGeneration.ofNewFile()
  /// Keeps the engine; nil where the reader has it.
  private let mark: HolderMark?

  init(
    _ snapshot: EngineSnapshot, binding: StoreBinding, mark: HolderMark? = nil
  ) {
    self.snapshot = snapshot
    self.mark = mark
    super.init(binding: binding)
    noteKnownTrees()
  }

  func checkIsOpen() throws(StoreError) {}

  /// The snapshot's trees, unretained, so that calls of tens of nanoseconds count no references; nil where they would have to
  /// be made first, which a lookup does without.
  @inline(__always)
  var trees: UnownedReference<ReadView>? { knownTrees.reference }

  private func noteKnownTrees() {
    if let trees = snapshot.version.knownTrees { _ = knownTrees.publish(trees) }
  }

  func view() throws(StoreError) -> ReadView {
    try working(on: file) { () throws(EngineError) in try snapshot.view }
  }

  override func table(of model: ModelBinding) -> TableDefinition {
    snapshot.catalog.table(model.tableID) ?? model.table
  }

  /// False in a process forked since: the file, and the locks of the cache, belong to its parent.
  @inline(__always)
  var isOfThisProcess: Bool { generation.isCurrent }

  @inline(__always)
  func objectKey(of model: ModelBinding, id: Value) throws(StoreError) -> Int64? {
    if model.hasIntegerKey {
      guard case .integer(let key) = id else { return nil }
      return key
    }
    return try working(on: file) { () throws(EngineError) in
      if let trees {
        return try trees.withObject { (trees) throws(EngineError) in
          try trees.objectKey(in: model.tableID, identifier: id)
        }
      }
      defer { noteKnownTrees() }
      return try snapshot.version.objectKey(in: model.tableID, identifier: id)
    }
  }

  override func place(in model: ModelBinding, key: Int64) throws(StoreError) -> RowPlace? {
    try working(on: file) { () throws(EngineError) in
      defer { if trees == nil { noteKnownTrees() } }
      let place = try snapshot.version.find(key, in: model.tableID)
      guard let place, model.lacksValue(at: place) else { return place }
      // As of any row that was written without the model's field: reading the value says what is missing.
      return try snapshot.view.find(key, in: model.tableID).map { .leaf($0.leaf, $0.row) }
    }
  }
}
