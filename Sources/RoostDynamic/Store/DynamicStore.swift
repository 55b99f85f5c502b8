public import Roost
internal import RoostEngine

/// A store without models: tables and fields by name, values of any type.
///
/// For tools, inspectors and other languages. Opens any file, whatever models its program declares; never
/// migrates, and runs no migration steps.
///
/// ```swift
/// let store = try DynamicStore("people.roost")
/// let snapshot = try store.snapshot()
/// for table in snapshot.tables { print(table.name, try snapshot.count(of: table.name)) }
/// for person in try snapshot.objects("Person where age >= 18 sort name") { print(try person["name"]) }
/// ```
///
/// A store can be used from any thread and actor. All stores that a process opens for one file share one underlying store, also
/// with a `Store` with models.
public final class DynamicStore: Sendable {
  /// How a file is opened.
  public enum Access: Hashable, Sendable {
    /// Read only; the file is not changed in any way.
    case read
    /// Read and write; the file must exist.
    case write
    /// Read and write; a missing file is created, without tables.
    case create
  }

  /// The path used to open the file; for a store in memory, a name for messages.
  public let path: String
  let store: Store

  /// Opens the store in a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - access: What may be done with it. A file that is open in this process already must be opened likewise.
  ///   - cacheBytesMax: How many bytes of the file may be kept in memory, beside what objects in use hold.
  ///   - fileID: With `line`, where ``/Roost/StoreError/inUse(path:by:)`` says that the store was opened.
  ///   - line: See `fileID`.
  /// - Throws: ``/Roost/StoreError/openInOtherMode(path:isReadOnly:)`` where it is open otherwise in this process;
  ///   ``/Roost/StoreError/fileNotFound(path:)``; ``/Roost/StoreError/notARoostFile(path:)``;
  ///   ``/Roost/StoreError/fileIsNewer(path:features:unknownSteps:)``; ``/Roost/StoreError/locked(path:)`` where another
  ///   process has it open; ``/Roost/StoreError/corrupt(path:damage:)`` where not even the tables can be read; the system's
  ///   errors.
  public convenience init(
    _ path: String, access: Access = .read, cacheBytesMax: Int = 192 << 20,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(StoreError) {
    var configuration = Configuration()
    configuration.cacheBytesMax = cacheBytesMax
    try self.init(path, access: access, configuration, fileID: fileID, line: line)
  }

  /// Opens the store in a file, with options for tests.
  package init(
    _ path: String, access: Access, _ configuration: Configuration,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(StoreError) {
    var configuration = configuration
    configuration.isReadOnly = access == .read
    configuration.createsFile = access == .create
    configuration.migrates = false
    self.path = path
    store = try Store(path, configuration: configuration, fileID: fileID, line: line)
  }

  /// Uses the same store as a store with models: each sees the other's writes.
  ///
  /// Closing one closes both.
  public init(_ store: Store) {
    self.store = store
    path =
      switch store.location {
      case .file(let path), .seeded(let path, _), .mirrored(let path): path
      case .inMemory: "the store in memory"
      }
  }

  /// Closes the store: every later use throws ``/Roost/StoreError/closed``, and sequences of changes end.
  ///
  /// Snapshots stay readable. The file is released when the last of them, and of the objects read from them, is gone;
  /// dropping a store does the same.
  public func close() { store.close() }

  /// The newest version.
  ///
  /// - Complexity: O(1); never waits.
  /// - Throws: ``/Roost/StoreError/closed``.
  public func snapshot() throws(StoreError) -> DynamicSnapshot {
    try DynamicSnapshot(store.snapshot(), path: path)
  }
}
