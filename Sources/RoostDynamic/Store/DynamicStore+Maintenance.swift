public import Roost
internal import RoostEngine
internal import RoostMaintenance

/// Maintenance of a file.
extension DynamicStore {
  /// The size of the store, and how its space is used.
  ///
  /// - Complexity: Reads the nodes of all trees, the heads of leaves, indexes, and the columns that have long values; not the
  ///   other columns.
  /// - Throws: ``/Roost/StoreError/corrupt(path:damage:)`` where one of these is damaged.
  public func statistics() throws(StoreError) -> Statistics {
    let engine = try store.open()
    let statistics = try Self.working(on: file) { () throws(EngineError) in
      try engine.statistics()
    }
    return Statistics(statistics, store.oldestSnapshot, try store.versions)
  }

  /// Checks the whole newest version, on the caller's thread, and returns all damage; empty if the version is sound.
  ///
  /// Reads the whole file, even what is cached: every pointer and checksum, the order of keys, counts, zone maps, that
  /// indexes agree with the objects and links have targets, and that each unit has one owner. Content behind damage cannot
  /// be checked.
  /// - Parameter progress: Called now and then, by this thread.
  /// - Throws: ``/Roost/StoreError/closed``, and what the system refuses; damage is returned.
  public func verify(progress: ((Progress) -> Void)? = nil) throws(StoreError) -> [StoreDamage] {
    let snapshot = try store.snapshot().content
    let names = TreeNames(snapshot.catalog)
    let findings = try Self.working(on: file) { () throws(EngineError) in
      try snapshot.verify(progress: Self.report(progress))
    }
    return findings.map { StoreDamage($0, names: names) }
  }

  /// Returns a file's unused space to the system: writes a packed copy beside it, verifies the copy and replaces the file.
  /// After an error the file is unchanged.
  ///
  /// - Parameters:
  ///   - path: The file, which must not be open.
  ///   - ifMostlyUnused: Only where it is over 100 MiB and less than half of it is used.
  ///   - progress: Called now and then, by this thread.
  /// - Returns: What it came to; nil where nothing was to be done.
  /// - Throws: ``/Roost/StoreError/inUse(path:by:)`` where this process has the file open; what opening throws; what kept the
  ///   file from being compacted.
  public static func compact(
    _ path: String, ifMostlyUnused: Bool = false, progress: ((Progress) -> Void)? = nil
  ) throws(StoreError) -> Compaction? {
    let condition = ifMostlyUnused ? EngineOptions.isMostlyUnused : nil
    let result = try working(on: StoreFile(path: path)) { () throws(EngineError) in
      try Engine.compact(path, when: condition, progress: report(progress))
    }
    return result.map {
      Compaction(fileBytesBefore: $0.fileBytesBefore, fileBytesAfter: $0.fileBytesAfter)
    }
  }

  /// Writes all readable content of a damaged file to a new file, which is verified before it gets its name. The damaged
  /// file is not changed.
  ///
  /// An unreadable value becomes null if its field is optional; otherwise the object is lost, and with it every object with
  /// a required link to it.
  /// - Parameters:
  ///   - path: The damaged file.
  ///   - copy: Where the new file is to lie; there must be none.
  ///   - progress: Called now and then, by this thread.
  /// - Complexity: Everything is read twice, in memory that grows with the number of objects only, by 8 bytes each.
  /// - Throws: ``/Roost/StoreError/corrupt(path:damage:)`` where nothing is known of the tables;
  ///   ``/Roost/StoreError/locked(path:)``; the system's errors.
  public static func salvage(
    _ path: String, to copy: String, progress: ((Progress) -> Void)? = nil
  ) throws(StoreError) -> Salvage {
    let saved = try working(on: StoreFile(path: path)) { () throws(EngineError) in
      try Engine.salvage(path, to: copy, progress: report(progress))
    }
    return Salvage(saved, path: path)
  }

  // MARK: Errors and progress

  /// The file, for errors.
  private var file: StoreFile {
    StoreFile(path: path, catalog: (try? store.snapshot().content.catalog) ?? Catalog())
  }

  private static func working<Result>(
    on file: @autoclosure () -> StoreFile, _ operation: () throws(EngineError) -> Result
  ) throws(StoreError) -> Result {
    do { return try operation() } catch { throw StoreError(error, in: file()) }
  }

  private static func report(
    _ progress: ((Progress) -> Void)?
  ) -> ((MaintenanceProgress) -> Void)? {
    progress.map { progress in { progress(Progress($0)) } }
  }
}
