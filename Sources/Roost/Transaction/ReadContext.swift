internal import RoostEngine

/// What reads go to: one version, or a write transaction's own state so far.
protocol ReadContext: CellLookup {
  /// How the models lie in the file.
  var binding: StoreBinding { get }
  /// All trees, with what the transaction changed.
  func view() throws(StoreError) -> ReadView
  /// The object key of the object with an id; for an integer key it is not looked up.
  func objectKey(of model: ModelBinding, id: Value) throws(StoreError) -> Int64?
}

extension ReadContext {
  var path: String { binding.path }

  func model(_ name: ModelName) throws(StoreError) -> ModelBinding { try binding.model(name) }

  func model<M: Model>(_ model: M.Type) throws(StoreError) -> ModelBinding {
    try binding.model(model)
  }

  /// Where the object with this id is.
  func place<ID: Storable>(of id: ID, in model: ModelBinding) throws(StoreError) -> RowPlace? {
    guard let key = try objectKey(of: model, id: id._constant.value) else { return nil }
    return try place(in: model, key: key)
  }
}

/// Reads of one version.
final class VersionContext: ReadContext, Sendable {
  let snapshot: RoostEngine.Snapshot
  let binding: StoreBinding

  init(_ snapshot: RoostEngine.Snapshot, binding: StoreBinding) {
    self.snapshot = snapshot
    self.binding = binding
  }

  func view() throws(StoreError) -> ReadView { snapshot.view }

  func objectKey(of model: ModelBinding, id: Value) throws(StoreError) -> Int64? {
    try atPath(path) { () throws(EngineError) in
      try snapshot.view.objectKey(in: model.table, identifier: id)
    }
  }

  func place(in model: ModelBinding, key: Int64) throws(StoreError) -> RowPlace? {
    try atPath(path) { () throws(EngineError) in
      guard let found = try snapshot.view.objects(model.table.id).find(key) else { return nil }
      return .leaf(found.leaf, found.row)
    }
  }
}
