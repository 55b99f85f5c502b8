internal import RoostEngine

/// Adding objects that may already exist.
extension ModelWriter {
  /// Runs a call over many objects, in which none may have an id that the store has given to another one of them.
  func upsertMany<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    givenIDs = []
    defer { givenIDs = nil }
    return try body()
  }

  /// Adds an object, or applies the policy if an object has its id.
  ///
  /// - Returns: The object as it is stored; nil if that must be read.
  func upsert(_ object: M, _ policy: ConflictPolicy<M>) throws(StoreError) -> M? {
    guard !isToBeAssigned(object.id) else {
      let stored = try insert(object)
      givenIDs?.insert(stored.id)
      return stored
    }
    guard let key = try key(of: object) else { return try insert(object) }
    // It is another object than the one of the same call that has just got this id.
    if givenIDs?.contains(object.id) == true {
      throw .duplicateKey(
        model: model.name.name, field: model.fieldNames[model.keyPosition], value: "\(object.id)")
    }
    switch policy.kind {
    case .replace, .mergeGiven:
      _ = try replace(object, key: key)
      return object
    case .keep: break
    case .merge(let paths): _ = try replace(object, key: key, fields: fields(paths))
    }
    return nil
  }

  /// Replaces the objects with these keys: removes those that are not among the given objects, adds and changes the rest.
  func replaceAll(_ keys: [Int64], by objects: [M]) throws(StoreError) {
    var gone = Set(keys)
    for object in objects where !isToBeAssigned(object.id) {
      if let key = try objectKey(object.id) { gone.remove(key) }
    }
    // Changes the kept objects before others are removed, because delete rules might remove kept objects too. An object waits
    // for a unique value that another object still has, until that object gets another value or is removed.
    var waiting = try upsertAll(objects)
    if !gone.isEmpty {
      _ = try delete(keys: Array(gone).ascending())
      // An object that links to a removed object may have been removed too: it is added again, and its link is an error.
      for object in objects where !isToBeAssigned(object.id) {
        if try key(of: object) == nil { waiting.append(object) }
      }
    }
    while !waiting.isEmpty {
      let count = waiting.count
      waiting = try upsertAll(waiting)
      guard waiting.count < count else {
        _ = try upsert(waiting[0], .replace)
        return
      }
    }
  }

  /// Adds objects and changes existing ones; returns those whose unique value is still taken.
  private func upsertAll(_ objects: [M]) throws(StoreError) -> [M] {
    var waiting: [M] = []
    for object in objects {
      do { _ = try upsert(object, .replace) } catch {
        guard case .duplicateKey = error else { throw error }
        waiting.append(object)
      }
    }
    return waiting
  }
}
