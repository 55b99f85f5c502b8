/// What a commit waits for. No level endangers the file; they differ in what a crash can lose.
package enum SyncPolicy: Hashable, Sendable, CaseIterable {
  /// Waits for a sync. The commit survives a crash of the machine.
  case full
  /// The same, and transactions of tasks that commit at the same time share a sync.
  case grouped
  /// Waits for nothing: the sync follows within some 20 ms, or earlier if 1 MiB waits for it. A commit waits for it only if more
  /// than 4 MiB do, and one that only deletes also on a full disk.
  ///
  /// A crash of the machine can lose the commits since the last sync, the newest transactions
  /// first, never a part of one. A crash of the process loses nothing.
  case relaxed
  /// Waits for two syncs: one for what was written, then one for the note that it counts.
  ///
  /// So recovery need not trust that a checksum detects a torn write. Twice as slow.
  case paranoid
}
