extension Migration {
  /// Calls a closure with each object of a model of another store, in the order of the keys.
  ///
  /// ```swift
  /// let old = try Store("contacts.roost", configuration: readOnly)   // Names no model, and reads all of them.
  /// try $0.forEach("Contact", in: old) { contact in … }
  /// ```
  ///
  /// Its objects are read as those of the file are, and links between them followed; no link of the file can lead to them.
  /// A model that the store does not have has no objects.
  /// - Complexity: One pass over the columns that are read; memory for a leaf of objects.
  public func forEach(
    _ model: String, in store: Store, _ body: (MigrationObject) throws -> Void
  ) throws {
    guard let work else { return }
    try work.forEach(model, in: try store.version(), body)
  }
}
