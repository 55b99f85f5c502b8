public import Roost

extension ScopedObjects {
  /// Writes the objects that a query finds as a text, in its order; returns how many. See
  /// ``ObjectReader/export(_:to:as:)``.
  @discardableResult
  public func export(
    _ query: Query<Object> = Object.all, to output: TextOutput, as format: TextFormat
  ) throws -> Int {
    try reader.export(query, to: output, as: format)
  }
}

extension ScopedObjects where Reader == WriteTransaction {
  /// Adds the objects of a text; returns how many. See ``WriteTransaction/insert(_:from:as:)``.
  @discardableResult
  public func insert(from input: TextInput, as format: TextFormat) throws -> Int {
    try reader.insert(Object.self, from: input, as: format)
  }

  /// Adds the objects of a text, or deals with those that have their ids as the policy says; returns how many the
  /// text has.
  @discardableResult
  public func upsert(
    from input: TextInput, as format: TextFormat,
    onConflict policy: ConflictPolicy<Object> = .replace
  ) throws -> Int {
    try reader.upsert(Object.self, from: input, as: format, onConflict: policy)
  }
}
