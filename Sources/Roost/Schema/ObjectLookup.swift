internal import RoostEngine

/// The context of some rows' cells: the version or the transaction that they are read in.
@usableFromInline
class ObjectLookup {
  /// How the models are stored in the file.
  let binding: StoreBinding

  init(binding: StoreBinding) { self.binding = binding }

  /// The file, for errors.
  final var file: StoreFile { binding.file }

  /// A model's table in the version read: a store with other models may have changed it since this store was opened.
  func table(of model: ModelBinding) -> TableDefinition { model.table }

  /// The place of the object with this key.
  func place(in model: ModelBinding, key: Int64) throws(StoreError) -> RowPlace? { nil }

  /// Announces that code of the model's types will run, which must not write here; returns the argument of ``endDecoding(_:)``.
  func beginDecoding() -> Bool { false }

  /// Announces that the code has run.
  func endDecoding(_ wasInUse: Bool) {}

  /// The id of a missing object by its key, within the transaction that broke the link.
  func absentID(in model: ModelBinding, key: Int64) -> (any Hashable)? { nil }

  /// The stored id of an object that a delete rule has deleted in this transaction.
  func cascadedID(in model: ModelBinding, key: Int64) -> Value? { nil }

  /// The id of the target of a link whose key is not an integer.
  final func id<Target: Model>(
    of target: Target.Type, objectKey: Int64, linkedFrom origin: ModelBinding
  ) throws(StoreError) -> Target.ID {
    let model = try binding.model(target)
    guard let place = try place(in: model, key: objectKey) else {
      if let id = absentID(in: model, key: objectKey) as? Target.ID { return id }
      if let id = cascadedID(in: model, key: objectKey) {
        return try read(Target.ID.self, id, of: model)
      }
      throw linkToNothing(model, in: origin)
    }
    return try read(Target.ID.self, model.keyPosition, of: model, at: place)
  }

  /// The error for a link without a target.
  final func linkToNothing(_ target: ModelBinding, in origin: ModelBinding) -> StoreError {
    .corrupt(
      path: file.path,
      damage: StoreDamage("link to no \(target.name.name)", code: "link", model: origin.name.name))
  }

  /// The id of the target of a link, by the link's key.
  final func id<Target: Model>(
    of target: Target.Type, linkedBy key: Int64, from origin: ModelBinding
  ) throws(StoreError) -> Target.ID {
    let model = try binding.model(target)
    guard model.hasIntegerKey else {
      return try id(of: target, objectKey: key, linkedFrom: origin)
    }
    return try read(Target.ID.self, .integer(key), of: model)
  }

  /// A key of a model as its Swift type.
  private func read<ID: Storable>(
    _ type: ID.Type, _ stored: Value, of model: ModelBinding
  ) throws(StoreError) -> ID {
    let columns = ModelColumns(model, position: model.keyPosition, value: stored)
    defer { withExtendedLifetime(columns) {} }
    return try ID._read(columns.cell(model.keyPosition, row: 0, in: self))
  }

  /// The value of one field of a row.
  final func read<V: Storable>(
    _ type: V.Type, _ position: Int, of model: ModelBinding, at place: RowPlace
  ) throws(StoreError) -> V {
    try withColumns(of: model, at: place) { (columns, row) throws(StoreError) in
      try columns.with { (columns) throws(StoreError) in
        try V._read(columns.cell(position, row: row, in: self))
      }
    }
  }

  /// Calls `body` with the columns that hold a row.
  @inline(__always)
  final func withColumns<R>(
    of model: ModelBinding, at place: RowPlace,
    _ body: (UnownedColumns, _ row: Int) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    switch place {
    case .leaf(let leaf, let row):
      defer { withExtendedLifetime(leaf) {} }
      return try body(ModelColumns.of(leaf, for: model), row)
    case .batch(let batch, let row):
      let table = table(of: model)
      let isConverted = model.collections.contains { model.conversion($0, in: table) != nil }
      let columns =
        isConverted
        ? try ModelColumns(model, batch: batch, row: row, in: table)
        : try ModelColumns(model, batch: batch)
      let row = isConverted ? 0 : row
      defer { withExtendedLifetime(columns) {} }
      let wasInUse = beginDecoding()
      defer { endDecoding(wasInUse) }
      return try body(UnownedColumns(columns), row)
    }
  }
}
