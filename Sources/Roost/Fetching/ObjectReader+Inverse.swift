internal import RoostEngine

extension ObjectReader {
  /// The number of objects that link to the object with this id.
  ///
  /// Two descents in the link's index, whatever the number; no object is read.
  /// - Throws: ``StoreError/unknownField(model:property:)`` where the link is not stored;
  ///   ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  @inlinable
  public func count<Target, Source>(
    _ inverse: Inverse<Target, Source>, of id: Target.ID
  ) throws(StoreError) -> Int {
    try _count(inverse, of: id._constant)
  }

  @usableFromInline
  func _count<Target, Source>(
    _ inverse: Inverse<Target, Source>, of id: _Constant
  ) throws(StoreError) -> Int {
    try _reader.context.count(inverse.link, to: ModelName(Target.self), id: id.value)
  }
}

extension ReadContext {
  /// The number of objects that link to the object with an id. Counts no references of models.
  fileprivate func count(
    _ link: FieldStep, to target: ModelName, id: Value
  ) throws(StoreError) -> Int {
    guard let source = binding.reference(link.model.type) else {
      throw binding.missing(link.model.model, link.model.name)
    }
    guard let position = link.position else {
      throw .unknownField(model: link.model.name, property: link.name)
    }
    let (table, field) = source.withObject { ($0.tableID, $0.fields[position]) }
    guard let key = try objectKey(of: target, id: id) else { return 0 }
    let view = try view()
    return try working(on: file) { () throws(EngineError) in
      try view.count(field, in: table, equal: .integer(key))
    }
  }

  private func objectKey(of target: ModelName, id: Value) throws(StoreError) -> Int64? {
    guard let model = binding.reference(target.type) else {
      throw binding.missing(target.model, target.name)
    }
    if model.withObject({ $0.hasIntegerKey }) {
      guard case .integer(let key) = id else { return nil }
      return key
    }
    return try objectKey(of: try binding.model(target), id: id)
  }
}
