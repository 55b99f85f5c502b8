internal import RoostEngine

extension Store {
  /// Checks everything in the newest version on the caller's thread, and returns all damage; an empty array if it
  /// is sound.
  ///
  /// Reads the whole file, even parts cached in memory: every pointer and checksum, the order of keys, counts, zone
  /// maps, that indexes agree with their models' objects and links have targets, and that each unit has one
  /// owner. Takes seconds for a gigabyte and little memory, and never waits. Data behind damage cannot
  /// be checked.
  /// - Parameter progress: Called now and then with the share that is done, from 0 to 1.
  /// - Throws: ``StoreError/closed``, and what the system refuses; damage is returned.
  public func verify(progress: ((Double) -> Void)? = nil) throws(StoreError) -> [StoreDamage] {
    let context = try version()
    let findings = try working(on: context.file) { () throws(EngineError) in
      try context.snapshot.verify(
        progress: progress.map { progress in
          { progress(Double($0.done) / Double(max($0.total, 1))) }
        })
    }
    // Tables may have been added since the store was opened.
    let names = TreeNames(context.snapshot.catalog)
    return findings.map { StoreDamage($0, names: names) }
  }

  /// Checks everything in the newest version, like the synchronous form, on a background queue.
  ///
  /// - Throws: Also `CancellationError` where the task was cancelled before it began, and ``StoreError/cancelled`` soon after
  ///   it was cancelled meanwhile.
  public func verify(
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> [StoreDamage] {
    try Task.checkCancellation()
    // The type selects the synchronous form.
    let verify: (((Double) -> Void)?) throws(StoreError) -> [StoreDamage] = self.verify
    return try await withTaskExecutorPreference(QueueExecutor.readers) { try verify(progress) }
  }
}
