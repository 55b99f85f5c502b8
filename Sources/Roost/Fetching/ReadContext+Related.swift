internal import RoostEngine

extension _Reader {
  /// The objects with some ids, each once, in key order, as ``related(_:_:)``.
  package func _related<M: Model>(
    _ type: M.Type, _ ids: some Sequence<M.ID>
  ) throws(StoreError) -> [M] {
    try context.related(type, ids)
  }

  /// The store's models whose objects link to one object of this model.
  package func _models<Target: Model>(
    linkingTo target: Target.Type
  ) throws(StoreError) -> [LinkingModel] {
    let context = try context
    return context.binding.models(linkingTo: try context.model(target))
  }

  /// For each of some objects, the objects that link to it, as ``sources(of:_:)``.
  package func _sources<Target: Model, Source: Model>(
    of inverse: Inverse<Target, Source>, _ ids: [Target.ID]
  ) throws(StoreError) -> [[Source]] {
    try context.sources(of: inverse, ids)
  }

  /// The objects with some ids, each once, in key order; ids without an object are ignored.
  ///
  /// One pass over the leaves of the model that have any of them.
  @usableFromInline
  func related<M: Model>(_ type: M.Type, _ ids: some Sequence<M.ID>) throws(StoreError) -> [M] {
    try context.related(type, ids)
  }

  /// For each of some objects, the objects that link to it, in key order.
  ///
  /// One pass over the link's index, and one over the model that has the link.
  @usableFromInline
  func sources<Target: Model, Source: Model>(
    of inverse: Inverse<Target, Source>, _ ids: [Target.ID]
  ) throws(StoreError) -> [[Source]] {
    try context.sources(of: inverse, ids)
  }
}

extension ReadContext {
  func related<M: Model>(_ type: M.Type, _ ids: some Sequence<M.ID>) throws(StoreError) -> [M] {
    let model = try model(type)
    var keys: [Int64] = []
    for id in Set(ids) {
      if let key = try objectKey(of: model, id: id._constant.value) { keys.append(key) }
    }
    return try objects(type, of: model, keys: keys.ascending()).map { $0.object }
  }

  func sources<Target: Model, Source: Model>(
    of inverse: Inverse<Target, Source>, _ ids: [Target.ID]
  ) throws(StoreError) -> [[Source]] {
    let target = try model(Target.self)
    let source = try model(Source.self)
    guard let position = inverse.link.position else {
      throw .unknownField(model: source.name.name, property: inverse.link.name)
    }
    var targets: [(key: Int64, place: Int)] = []
    for (place, id) in ids.enumerated() {
      if let key = try objectKey(of: target, id: id._constant.value) {
        targets.append((key, place))
      }
    }
    targets = targets.ascending(by: { Int($0.key) })
    let view = try view()
    let owners = try working(on: file) { () throws(EngineError) in
      try view.owners(
        of: source.fields[position], in: source.tableID, linkingTo: targets.map { $0.key })
    }
    var objects: [Int64: Source] = [:]
    let keys = Array(Set(owners.joined())).ascending()
    for (key, object) in try self.objects(Source.self, of: source, keys: keys) {
      objects[key] = object
    }
    var sources = [[Source]](repeating: [], count: ids.count)
    for (target, owners) in zip(targets, owners) {
      sources[target.place] = owners.compactMap { objects[$0] }
    }
    return sources
  }

  /// The objects with these keys, which ascend.
  private func objects<M: Model>(
    _ type: M.Type, of model: ModelBinding, keys: [Int64]
  ) throws(StoreError) -> [(key: Int64, object: M)] {
    let view = try view()
    let schema = M.schema
    var objects: [(key: Int64, object: M)] = []
    objects.reserveCapacity(keys.count)
    let wasInUse = beginDecoding()
    defer { endDecoding(wasInUse) }
    var lookup = try working(on: file) { () throws(EngineError) in
      try view.multiGet(keys, of: model.tableID)
    }
    while true {
      let next = try working(on: file) { () throws(EngineError) in try lookup.next() }
      guard let (leaf, rows) = next else { return objects }
      let columns = ModelColumns.of(leaf, for: model)
      try columns.findAll(in: self)
      for row in rows {
        objects.append((leaf.key(row), try schema.object(found: columns, row: row, in: self)))
      }
      withExtendedLifetime(leaf) {}
    }
  }
}
