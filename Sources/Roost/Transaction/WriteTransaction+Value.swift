internal import RoostEngine

/// Writing single values under names.
extension WriteTransaction {
  /// Sets the value under a name, replacing any earlier value.
  ///
  /// ```swift
  /// try store.write { try $0.setValue("settings", to: settings) }
  /// ```
  ///
  /// A value is part of the store as objects are: snapshots keep theirs, and a failed transaction undoes the change.
  /// Names need not be declared. Each name is a table of the file, so use dozens of names, not thousands:
  /// for many values of one kind, use a model.
  /// - Throws: ``StoreError/schemaMismatch(model:field:stored:declared:)`` where a value of another type is there;
  ///   ``removeValue(_:)`` makes room for it.
  public func setValue<Value: PropertyValue>(
    _ name: String, to value: Value
  ) throws(StoreError) {
    try check(name: name)
    try open().setValue(name, to: value)
  }

  /// Sets a value of the store's own; its name begins with "roost.".
  package func setOwnValue<Value: PropertyValue>(
    _ name: String, to value: Value
  ) throws(StoreError) {
    try open().setValue(TableDefinition.ownValuePrefix + name, to: value)
  }

  /// Lets a closure change the value under a name, or the given default if there is none.
  ///
  /// ```swift
  /// try store.write { try $0.updateValue("settings", default: Settings()) { $0.isDark = true } }
  /// ```
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, after which the value is as it was; otherwise as ``setValue(_:to:)``.
  @discardableResult
  public func updateValue<Value: PropertyValue, Result>(
    _ name: String, default value: @autoclosure () -> Value,
    _ change: (inout Value) throws -> Result
  ) throws -> Result {
    var changed = try self.value(name, as: Value.self) ?? value()
    let result = try change(&changed)
    try setValue(name, to: changed)
    return result
  }

  /// Removes the value under a name; returns whether it existed.
  @discardableResult
  public func removeValue(_ name: String) throws(StoreError) -> Bool {
    try check(name: name)
    return try open().removeValue(name)
  }

  /// Throws for a name that is reserved for the store.
  private func check(name: String) throws(StoreError) {
    guard name.hasPrefix(TableDefinition.ownValuePrefix) else { return }
    throw .schemaInvalid(
      model: "the value \"\(name)\"",
      reason: "names that begin with \"\(TableDefinition.ownValuePrefix)\" are the store's own.")
  }
}
