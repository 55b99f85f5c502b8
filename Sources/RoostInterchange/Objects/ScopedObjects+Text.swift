public import Roost

extension ScopedObjects {
  /// Writes the results of a query as text, in the query's order; returns their number. See
  /// ``ObjectReader/export(_:to:as:)``.
  @discardableResult
  public func export(
    _ query: Query<Object> = Object.all, to output: TextOutput, as format: TextFormat
  ) throws -> Int {
    try reader.export(query, to: output, as: format)
  }

  /// Writes the results of a query as nested text; returns their number. See ``ObjectReader/export(_:to:as:including:)``.
  @discardableResult
  public func export(
    _ query: Query<Object> = Object.all, to output: TextOutput, as format: TextFormat = .json,
    @BranchBuilder<Object> including branches: (Branches<Object>) -> [Branch<Object>]
  ) throws -> Int {
    try reader.export(query, to: output, as: format, including: branches)
  }
}

extension ScopedObjects where Reader == WriteTransaction {
  /// Inserts the objects of a text; returns their number. See ``WriteTransaction/insert(_:from:as:)``.
  ///
  /// Objects of other models within them, which the scope may not have, are left out.
  @discardableResult
  public func insert(from input: TextInput, as format: TextFormat) throws -> Int {
    try reader.insert(Object.self, from: input, as: format, nil)
  }

  /// Inserts the objects of a text, and applies the policy where an id already exists; returns the number of objects in the
  /// text.
  ///
  /// Objects of other models within them, which the scope may not have, are left out.
  @discardableResult
  public func upsert(
    from input: TextInput, as format: TextFormat,
    onConflict policy: ConflictPolicy<Object> = .replace
  ) throws -> Int {
    try reader.upsert(Object.self, from: input, as: format, onConflict: policy, nil)
  }

  /// Inserts the objects of a text that have no mistake; returns their number. See
  /// ``WriteTransaction/insert(_:from:as:leavingOut:)``.
  @_disfavoredOverload
  @discardableResult
  public func insert(
    from input: TextInput, as format: TextFormat, leavingOut report: (TextProblem) throws -> Void
  ) throws -> Int {
    try reader.insert(Object.self, from: input, as: format, leavingOut: report)
  }

  /// Inserts the objects of a text that have no mistake, and applies the policy where an id already exists; returns their
  /// number. See ``WriteTransaction/upsert(_:from:as:onConflict:leavingOut:)``.
  @_disfavoredOverload
  @discardableResult
  public func upsert(
    from input: TextInput, as format: TextFormat,
    onConflict policy: ConflictPolicy<Object> = .replace,
    leavingOut report: (TextProblem) throws -> Void
  ) throws -> Int {
    try reader.upsert(
      Object.self, from: input, as: format, onConflict: policy, leavingOut: report)
  }
}
