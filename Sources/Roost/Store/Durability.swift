internal import RoostEngine

/// The condition for a write to return. No level can corrupt the file; they differ in the writes that a
/// crash can lose.
public enum Durability: Hashable, Sendable, CaseIterable {
  /// Waits for a sync. The write survives a crash of the machine.
  case full
  /// Like ``full``, and concurrent `async` writes share a sync.
  ///
  /// Much faster for many writing tasks; a little slower for a single one.
  case grouped
  /// Does not wait: the sync follows within some 20 ms, or earlier if 1 MiB is pending. A write waits for it only if more than
  /// 4 MiB are pending, and a write that only deletes also on a full disk.
  ///
  /// A crash of the machine can lose writes since the last sync, the newest transactions
  /// first, never a part of one. A crash of the process loses nothing. ``Store/synchronize()`` waits for
  /// pending writes, and so does closing the store.
  case relaxed
  /// Waits for two syncs: one for the data, then one for the commit record.
  ///
  /// So recovery need not rely on a checksum to find torn writes. Twice as slow.
  case paranoid

  /// The engine's value for it.
  var engine: SyncPolicy {
    switch self {
    case .full: .full
    case .grouped: .grouped
    case .relaxed: .relaxed
    case .paranoid: .paranoid
    }
  }
}
