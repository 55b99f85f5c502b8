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
    case .batch, .patched:
      let found = try columns(of: model, at: place)
      defer { withExtendedLifetime(found.owner) {} }
      let wasInUse = beginDecoding()
      defer { endDecoding(wasInUse) }
      return try body(found.columns, found.row)
    }
  }

  /// The columns that hold a row, its place in them, and what must be retained while they are used.
  @inline(never)
  final func columns(
    of model: ModelBinding, at place: RowPlace
  ) throws(StoreError) -> (columns: UnownedColumns, row: Int, owner: AnyObject) {
    let made: ModelColumns
    var row = 0
    switch place {
    case .leaf(let leaf, let row): return (ModelColumns.of(leaf, for: model), row, leaf)
    case .batch(let batch, let place):
      let table = table(of: model)
      if model.collections.contains(where: { model.conversion($0, in: table) != nil }) {
        made = try ModelColumns(model, batch: batch, row: place, in: table)
      } else {
        (made, row) = (try ModelColumns(model, batch: batch), place)
      }
    case .patched(let patched):
      let cells = patched.cells(of: model, in: table(of: model))
      (made, row) = (ModelColumns(model, patched.leaf, cells), patched.row)
    }
    return (UnownedColumns(made), row, made)
  }
}

extension PatchedRow {
  /// The new values as columns that have them where the leaf has the row, by the positions of the schema.
  fileprivate func cells(
    of model: ModelBinding, in table: TableDefinition
  ) -> [(position: Int, column: ColumnBuffer)] {
    var cells: [(position: Int, column: ColumnBuffer)] = []
    for (position, field) in model.fields.enumerated() {
      guard let value = value(of: field) else { continue }
      let stored = ColumnBuffer(type: value.type ?? model.types[position])
      for _ in 0..<row { stored.appendNull() }
      stored.append(value)
      cells.append((position, model.conversion(position, in: table)?.converted(stored) ?? stored))
    }
    return cells
  }
}
