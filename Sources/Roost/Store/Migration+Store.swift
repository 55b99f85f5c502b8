extension Migration {
  /// Calls a closure with each object of a model of another store, in key order.
  ///
  /// ```swift
  /// let old = try Store("contacts.roost", configuration: readOnly)   // Names no model, and reads all of them.
  /// try $0.forEach("Contact", in: old) { contact in … }
  /// ```
  ///
  /// Its objects are read like those of the file, and links between them can be followed; links of the file cannot refer to
  /// them. A model that the store lacks has no objects.
  /// - Complexity: One pass over the columns that are read; memory for a leaf of objects.
  public func forEach(
    _ model: String, in store: Store, _ body: (MigrationObject) throws -> Void
  ) throws {
    nesting += 1
    defer { nesting -= 1 }
    guard let work else { return }
    try work.forEach(model, in: try store.version(), body)
  }
}
