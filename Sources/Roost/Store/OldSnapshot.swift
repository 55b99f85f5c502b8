internal import RoostEngine
internal import Synchronization

/// A version that a ``Snapshot`` or rows still hold although there are newer ones.
public struct OldSnapshot: Hashable, Sendable {
  /// The version's number.
  public let version: UInt64
  /// For how long there have been newer versions.
  public let age: Duration
  /// How many bytes of the file it keeps from being used again.
  public let bytes: Int64

  init(_ snapshot: OldestPinnedVersion) {
    version = snapshot.version
    age = snapshot.age
    bytes = Int64(clamping: snapshot.bytes)
  }
}

extension Store {
  /// The oldest version that is held although there are newer ones, as of the last write.
  ///
  /// Nil where none costs anything: nothing that it sees was changed since. A held version costs what it
  /// alone can see, never all that was written since; still, a snapshot that was forgotten in some
  /// property keeps the file from shrinking. See ``Configuration/reportsOldSnapshot``.
  /// - Complexity: O(1).
  public var oldestSnapshot: OldSnapshot? {
    (try? open())?.oldestSnapshot.map(OldSnapshot.init)
  }

  /// Reports a snapshot that looks forgotten, once.
  func reportOldSnapshot() {
    guard let report = oldSnapshots.report, let oldest = oldestSnapshot,
      oldest.age >= oldSnapshots.age, oldest.bytes >= oldSnapshots.bytes,
      reportedSnapshot.exchange(oldest.version, ordering: .relaxed) != oldest.version
    else { return }
    report(oldest)
  }
}

/// When a snapshot is reported, and to whom.
struct OldSnapshotReports: Sendable {
  let report: (@Sendable (OldSnapshot) -> Void)?
  let age: Duration
  let bytes: Int64

  init(_ configuration: Configuration) {
    report =
      configuration.reportsOldSnapshot
      ?? configuration.log.map { log in
        { @Sendable old in
          log(
            "Version \(old.version) has been held for \(old.age.components.seconds) s, by a snapshot or by rows, and keeps"
              + " \(old.bytes >> 20) MiB of the file from being used again.")
        }
      }
    age = configuration.oldSnapshotMin.age
    bytes = configuration.oldSnapshotMin.bytes
  }
}
