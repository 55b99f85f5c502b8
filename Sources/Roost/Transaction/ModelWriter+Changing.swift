internal import RoostEngine

/// The objects that closures are changing, each within the one before: usually none or one.
struct ChangingObjects<M: Model> {
  fileprivate var keys: [Int64] = []
  /// Those that something else has changed meanwhile, as they were before, each with its place among the keys.
  fileprivate var before: [(place: Int, object: M)] = []

  /// Ends the innermost change; returns the object as it was, if something else has changed it meanwhile.
  fileprivate mutating func removeLast() -> M? {
    keys.removeLast()
    guard let last = before.last, last.place == keys.count else { return nil }
    before.removeLast()
    return last.object
  }
}

extension ModelWriter {
  /// Reads an object, lets `change` change it and writes it back.
  ///
  /// Where the closure has also changed the object through the transaction, only what differs from the object that it was
  /// given is written.
  /// - Returns: The object as it is now, or nil where there is none.
  func update(key: Int64, _ change: (inout M) throws -> Void) throws -> M? {
    guard let place = try context.place(in: model, key: key) else { return nil }
    var object = try context.object(schema, of: model, at: place)
    let id = object.id
    changing.keys.append(key)
    var before: M?
    do {
      defer { before = changing.removeLast() }
      try change(&object)
    }
    // Texts that are equal in Swift may differ in bytes.
    guard object.id == id, object.id._constant == id._constant else {
      throw StoreError.changedKey(model: model.name.name, id: "\(id)")
    }
    // The closure may have deleted the object through the transaction.
    guard let before else { return try replace(object, key: key) ? object : nil }
    guard try replace(object, key: key, fields: changedFields(before, object)),
      let now = try context.place(in: model, key: key)
    else { return nil }
    return try context.object(schema, of: model, at: now)
  }

  /// Remembers an object as it is, if a closure is changing it, before something else does.
  ///
  /// - Parameter key: The key of the object; nil for many.
  @inline(__always)
  func willChange(_ key: Int64?) throws(StoreError) {
    if !changing.keys.isEmpty { try remember(key) }
  }

  private func remember(_ key: Int64?) throws(StoreError) {
    for (place, changed) in changing.keys.enumerated() {
      guard key ?? changed == changed, !changing.before.contains(where: { $0.place == place }),
        let row = try context.place(in: model, key: changed)
      else { continue }
      changing.before.append((place, try context.object(schema, of: model, at: row)))
    }
    // Nested changes end in the order of their places.
    changing.before.sort { $0.place < $1.place }
  }

  /// The fields in which two objects differ; blobs, whose bytes objects need not have, are among them.
  private func changedFields(_ before: M, _ after: M) throws(StoreError) -> [FieldID] {
    let sink = RowSink(columns: model.types.map { ColumnBuffer(type: $0) }, links: context)
    try context.whileInUse { () throws(StoreError) in
      for object in [before, after] {
        sink.begin(mayKeepBlobs: true)
        try schema.encode(object, to: sink)
      }
    }
    return model.fields.indices.filter { position in
      let column = sink.columns[position]
      return schema.fields[position].type.kind == .blob || column.value(0) != column.value(1)
    }.map { model.fields[$0] }
  }
}
