internal import RoostEngine

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A version of a store that is kept under a name until it is dropped.
public struct KeptVersion: Hashable, Sendable {
  /// Its name.
  public let name: String
  /// The time when it was kept.
  public let date: Date
  /// Its number; a different one after the file was compacted.
  public let version: UInt64
  /// The number of bytes of the file that only it has: dropping it would free them.
  public let bytes: UInt64
  /// The number of further openings of the file through which it is kept, see ``Configuration/keepsBeforeMigration``; nil if it
  /// is kept until it is dropped.
  public let openings: Int?

  /// The name under which the version before a migration step is kept automatically.
  package static func name(before step: String) -> String {
    var name = "before \(step)"
    while name.utf8.count > RoostEngine.NamedVersion.nameBytesMax { name.removeLast() }
    return name
  }
}

/// Versions kept under names.
extension Store {
  /// The versions kept under names, oldest first.
  ///
  /// - Complexity: Reads what the file says of its free space; nothing where no version is kept.
  /// - Throws: ``StoreError/closed``; ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  public var versions: [KeptVersion] {
    get throws(StoreError) {
      let context = try version()
      let named = context.snapshot.namedVersions
      let bytes = try working(on: context.file) { () throws(EngineError) in
        try context.snapshot.namedBytes().each
      }
      return zip(named, bytes).map { version, bytes in
        KeptVersion(
          name: version.name, date: Date(timeIntervalSinceReferenceDate: version.date),
          version: version.transaction, bytes: bytes,
          openings: version.openings > 0 ? Int(version.openings) : nil)
      }
    }
  }

  /// Keeps the newest version under a name: it survives closing, crashes and compaction, until it is dropped.
  ///
  /// ```swift
  /// try store.keep("before the import")
  /// ```
  ///
  /// Waits for the turn to write, and for a sync. Nothing is copied: later writes do not free the version's bytes
  /// in the file. Libraries that do not know kept versions can only read a file that has some.
  /// - Parameter name: 1 to 255 bytes of UTF-8.
  /// - Throws: ``StoreError/versionNameTaken(name:)``; ``StoreError/limitExceeded(_:)`` for a name that is empty or too long,
  ///   and where 64 versions are kept.
  public func keep(_ name: String) throws(StoreError) {
    try changeVersions { (transaction) throws(EngineError) in
      try transaction.keepBase(as: name, date: Date().timeIntervalSinceReferenceDate)
    }
  }

  /// Drops a version's name: data that only it has becomes free space. Snapshots of it can still be read.
  ///
  /// - Throws: ``StoreError/unknownVersion(name:)``.
  public func drop(version name: String) throws(StoreError) {
    try changeVersions { (transaction) throws(EngineError) in
      try transaction.dropVersion(named: name)
    }
  }

  /// Restores a kept version in a separate write, after which the store has the models and objects of that
  /// version. This version and other kept versions stay.
  ///
  /// Later writes are lost, except in kept versions: call ``keep(_:)`` before to be able to return. Ids that
  /// the store has assigned since are not reused. Migration steps that were run since run again when the file
  /// is opened with their plan.
  ///
  /// If the version's models differ from the file's current models, this and every other store that has the file open throws
  /// ``StoreError/modelsChanged`` from then on if its models are among them, and must be reopened.
  /// - Complexity: O(n) in the objects of models that have changed since, which are written anew.
  /// - Throws: ``StoreError/unknownVersion(name:)``; the errors of the file, after which nothing is changed.
  public func restore(_ name: String) throws(StoreError) {
    try changeVersions { (transaction) throws(EngineError) in
      try transaction.restoreVersion(named: name)
    }
  }

  private func changeVersions(
    _ body: (EngineTransaction) throws(EngineError) -> Void
  ) throws(StoreError) {
    let context = try beginWrite(onTrees: true)
    try working(on: file) { () throws(EngineError) in
      do throws(EngineError) { try body(context.transaction) } catch {
        context.transaction.rollback()
        throw error
      }
      try context.transaction.commit()
    }
  }

  // MARK: Reading

  /// A kept version, readable while it is retained, whatever happens to its name.
  ///
  /// A model that the version has not as the program declares it throws ``StoreError/versionUnfit(version:_:)`` when
  /// it is read; the others can be read.
  /// - Complexity: Reads the version's list of models.
  /// - Throws: ``StoreError/unknownVersion(name:)``; ``StoreError/closed``; ``StoreError/corrupt(path:damage:)``.
  public func snapshot(of name: String) throws(StoreError) -> Snapshot {
    Snapshot(try version(named: name))
  }

  /// Reads a kept version on the caller's thread, as ``read(_:fileID:line:)`` reads the newest.
  ///
  /// ```swift
  /// let before = try store.read(version: "before the import") { try $0.count(Person.all) }
  /// ```
  ///
  /// - Throws: What ``snapshot(of:)`` throws.
  @discardableResult
  public func read<Result>(
    version name: String, _ body: (Snapshot) throws -> Result
  ) throws -> Result {
    try body(try snapshot(of: name))
  }

  /// Reads a kept version on a background queue, without blocking the caller's thread or actor.
  ///
  /// - Throws: Also `CancellationError` where the task was cancelled before it began.
  @discardableResult
  public func read<Result: Sendable>(
    version name: String, _ body: @escaping @Sendable (Snapshot) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    // The type selects the synchronous form.
    let read: (String, @Sendable (Snapshot) throws -> Result) throws -> Result = self.read
    return try await withTaskExecutorPreference(QueueExecutor.readers) { try read(name, body) }
  }

  private func version(named name: String) throws(StoreError) -> VersionContext {
    let newest = try version()
    let snapshot = try working(on: newest.file) { () throws(EngineError) in
      try newest.snapshot.named(name)
    }
    let file = StoreFile(path: newest.file.path, catalog: snapshot.catalog)
    var bindings: [ModelBinding] = []
    var unfit: [(type: ObjectIdentifier, error: StoreError)] = []
    for model in descriptions {
      let evolution = SchemaEvolution(from: snapshot.catalog, to: [model])
      var differences = evolution.differences
      differences += try working(on: file) { () throws(EngineError) in
        try evolution.needed(by: .read, in: snapshot)
      }
      if differences.isEmpty, let table = snapshot.catalog.table(named: model.name.name) {
        bindings.append(try ModelBinding(model, in: table))
      } else {
        unfit.append((model.name.type, .versionUnfit(version: name, differences)))
      }
    }
    let binding = StoreBinding(
      file: file, identity: snapshot.fileIdentity, catalog: snapshot.catalog, models: bindings,
      unfit: unfit)
    let number = snapshot.version.transaction
    guard let mark = self.newest.holders.markVersion(number) else { throw .closed }
    return VersionContext(snapshot, binding: binding, mark: mark)
  }
}
