public import Roost

/// Named versions, and the migrations that were applied to a file.
extension DynamicStore {
  /// The named versions, oldest first.
  ///
  /// - Complexity: Reads what the file says of its free space; nothing where no version is kept.
  public var versions: [KeptVersion] { get throws(StoreError) { try store.versions } }

  /// A named version, readable for as long as it is held, even after its name is dropped.
  ///
  /// - Throws: ``/Roost/StoreError/unknownVersion(name:)``.
  public func snapshot(of version: String) throws(StoreError) -> DynamicSnapshot {
    try DynamicSnapshot(store.snapshot(of: version), path: path)
  }

  /// Keeps the newest version under a name, see `Store.keep`.
  ///
  /// - Parameter name: 1 to 255 bytes of UTF-8.
  /// - Throws: ``/Roost/StoreError/versionNameTaken(name:)``; ``/Roost/StoreError/limitExceeded(_:)`` for a name that is empty
  ///   or too long, and where 64 versions are kept.
  public func keep(_ name: String) throws(StoreError) { try store.keep(name) }

  /// Drops a version's name: the space that only this version uses can be written again.
  ///
  /// - Throws: ``/Roost/StoreError/unknownVersion(name:)``.
  public func drop(version name: String) throws(StoreError) { try store.drop(version: name) }

  /// Restores a named version, see `Store.restore`: a separate write, after which the store has the tables and
  /// objects of that version.
  ///
  /// - Throws: ``/Roost/StoreError/unknownVersion(name:)``; the errors of the file, after which nothing is changed.
  public func restore(_ name: String) throws(StoreError) { try store.restore(name) }

  /// The name under which a migration automatically keeps the version before a step.
  public static func versionName(before step: String) -> String { KeptVersion.name(before: step) }

  /// The migration steps that were applied to the file, or that it was created after, oldest first.
  public var history: [AppliedStep] { get throws(StoreError) { try store.history } }
}
