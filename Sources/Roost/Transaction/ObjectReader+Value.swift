internal import RoostEngine

/// Single values under names: a profile, settings, the token of the last synchronization.
extension ObjectReader {
  /// The value under a name, or nil if there is none.
  ///
  /// ```swift
  /// let settings = try store.snapshot().value("settings", as: Settings.self) ?? Settings()
  /// ```
  ///
  /// The type is any type that a field may have: a text, a ``Link``, an ``Opaque`` type, an ``Embedded`` struct. The
  /// struct may have changed since the value was written, as a model's fields may: new parts get their
  /// defaults, and removed parts are ignored.
  /// - Complexity: A lookup among the store's tables: each name is a table.
  /// - Throws: ``StoreError/schemaMismatch(model:field:stored:declared:)`` where the value there is of another type, and
  ///   what the type's own fields throw.
  public func value<Value: PropertyValue>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(StoreError) -> Value? {
    try _reader.context.value(name, type)
  }

  /// A value that ``WriteTransaction/setOwnValue(_:to:)`` has set; nil if there is none.
  package func ownValue<Value: PropertyValue>(
    _ name: String, as type: Value.Type
  ) throws(StoreError) -> Value? {
    try _reader.context.value(TableDefinition.ownValuePrefix + name, type)
  }
}

extension ReadContext {
  @_semantics("optimize.sil.specialize.generic.never")
  func value<Value: PropertyValue>(
    _ name: String, _ type: Value.Type
  ) throws(StoreError) -> Value? {
    let view = try view()
    guard let model = try binding.values.model(name, type, in: view.catalog) else { return nil }
    let tree = try working(on: file) { () throws(EngineError) in
      let tree = try view.objects(model.tableID)
      let shape = TableShape(model.table)
      return tree.shape == shape
        ? tree : ObjectTree(root: tree.root, shape: shape, reader: view.reader)
    }
    // The leaf does not retain its version.
    defer { withExtendedLifetime((view, tree)) {} }
    let found = try working(on: file) { () throws(EngineError) in
      try tree.find(Int64(NamedValue<Value>.key))
    }
    guard let found else { return nil }
    let columns = ModelColumns.of(found.leaf, for: model)
    return try NamedValue<Value>.schema.object(columns, row: found.row, in: self).value
  }
}
