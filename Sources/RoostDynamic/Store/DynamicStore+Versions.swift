public import Roost

/// Versions that are kept under names, and the migrations that a file has behind it.
extension DynamicStore {
  /// The versions that are kept under names, the oldest first.
  ///
  /// - Complexity: Reads what the file says of its free space; nothing where no version is kept.
  public var versions: [KeptVersion] { get throws(StoreError) { try store.versions } }

  /// A version that is kept, to read for as long as it is held, whatever becomes of its name.
  ///
  /// - Throws: ``StoreError/unknownVersion(name:)``.
  public func snapshot(of version: String) throws(StoreError) -> DynamicSnapshot {
    DynamicSnapshot(try store.snapshot(of: version).content, path: path)
  }

  /// Keeps the newest version under a name, see `Store.keep`.
  ///
  /// - Parameter name: 1 to 255 bytes of UTF-8.
  /// - Throws: ``StoreError/versionNameTaken(name:)``; ``StoreError/limitExceeded(_:)`` for a name that is empty or too long,
  ///   and where 64 versions are kept.
  public func keep(_ name: String) throws(StoreError) { try store.keep(name) }

  /// Drops a version's name: what it alone has is free to be written again.
  ///
  /// - Throws: ``StoreError/unknownVersion(name:)``.
  public func drop(version name: String) throws(StoreError) { try store.drop(version: name) }

  /// Goes back to a version that is kept, see `Store.restore`: a write of its own, after which the store has the tables and
  /// objects that the version has.
  ///
  /// - Throws: ``StoreError/unknownVersion(name:)``; the errors of the file, after which nothing is changed.
  public func restore(_ name: String) throws(StoreError) { try store.restore(name) }

  /// The name under which a migration keeps the version before a step by itself.
  public static func versionName(before step: String) -> String { KeptVersion.name(before: step) }

  /// The steps of the program's migrations that were run in the file, or that it was made after, the oldest first.
  public var history: [AppliedStep] { get throws(StoreError) { try store.history } }
}
