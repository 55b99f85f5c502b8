internal import RoostEngine

/// What a write waits for before it returns. No level lets the file come to harm; they differ in what a
/// crash can take.
public enum Durability: Hashable, Sendable, CaseIterable {
  /// Waits for a sync. What was written outlasts a crash of the machine.
  case full
  /// The same, and `async` writes that are under way at the same time share a sync.
  ///
  /// Much faster for many tasks that write; a little slower for one alone.
  case grouped
  /// Waits for nothing: the sync follows within some 20 ms, or when 4 MiB wait for it.
  ///
  /// A crash of the machine can take what was written since the last sync, the newest transactions
  /// first, never a part of one. A crash of the process takes nothing. ``Store/synchronize()`` waits for
  /// what is not synced yet, and so does closing the store.
  case relaxed
  /// Waits for two syncs: one for what was written, then one for the note that it counts.
  ///
  /// So recovery need not trust that a checksum finds what was torn. Twice as slow.
  case paranoid

  /// The engine's word for it.
  var engine: SyncPolicy {
    switch self {
    case .full: .full
    case .grouped: .grouped
    case .relaxed: .relaxed
    case .paranoid: .paranoid
    }
  }
}
