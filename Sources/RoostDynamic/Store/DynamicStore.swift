public import Roost
internal import RoostEngine

/// A store without models: tables and fields by their names, values of any type.
///
/// What tools, inspectors and other languages build on. Whatever models a program declares, its file can be opened; nothing is
/// migrated, and no step of a migration is run.
///
/// ```swift
/// let store = try DynamicStore("people.roost")
/// let snapshot = try store.snapshot()
/// for table in snapshot.tables { print(table.name, try snapshot.count(of: table.name)) }
/// for person in try snapshot.objects("Person where age >= 18 sort name") { print(try person["name"]) }
/// ```
///
/// A store may be used from every thread and actor. A file that a process opens several times is one store underneath, also
/// beside a `Store` with models.
public final class DynamicStore: Sendable {
  /// How a file is opened.
  public enum Access: Hashable, Sendable {
    /// It is only read, and not changed in any way.
    case read
    /// It is read and written; there must be one.
    case write
    /// It is read and written, and made where it is missing: without tables.
    case create
  }

  /// The path by which the file was opened; of a store in memory a name for messages.
  public let path: String
  let store: Store

  /// Opens the store in a file.
  ///
  /// - Parameters:
  ///   - access: What may be done with it. A file that is open in this process already must be opened likewise.
  ///   - cacheBytesMax: How many bytes of the file may be kept in memory, beside what objects in use hold.
  /// - Throws: ``StoreError/fileNotFound(path:)``; ``StoreError/notARoostFile(path:)``; ``StoreError/fileIsNewer(path:features:unknownSteps:)``;
  ///   ``StoreError/locked(path:)`` where another process has it open; ``StoreError/corrupt(path:damage:)`` where not even the
  ///   tables can be read; the system's errors.
  public convenience init(
    _ path: String, access: Access = .read, cacheBytesMax: Int = 192 << 20
  ) throws(StoreError) {
    var configuration = Configuration()
    configuration.cacheBytesMax = cacheBytesMax
    try self.init(path, access: access, configuration)
  }

  /// Opens the store in a file, as a test wants it.
  package init(
    _ path: String, access: Access, _ configuration: Configuration
  ) throws(StoreError) {
    var configuration = configuration
    configuration.isReadOnly = access == .read
    configuration.createsFile = access == .create
    configuration.migrates = false
    self.path = path
    store = try Store(.file(path), configuration: configuration)
  }

  /// The same store as one with models: what is written by either is seen by both.
  ///
  /// Closing either closes both.
  public init(_ store: Store) {
    self.store = store
    path =
      switch store.location {
      case .file(let path), .seeded(let path, _), .mirrored(let path): path
      case .inMemory: "the store in memory"
      }
  }

  /// Closes the store: every later use throws ``StoreError/closed``, and sequences of changes end.
  ///
  /// Snapshots can still be read. The file is let go when the last of them, and of the objects read from them, is gone;
  /// dropping a store does the same.
  public func close() { store.close() }

  /// The newest version.
  ///
  /// - Complexity: O(1); waits for nobody.
  /// - Throws: ``StoreError/closed``.
  public func snapshot() throws(StoreError) -> DynamicSnapshot {
    DynamicSnapshot(try store.snapshot().content, path: path)
  }
}
