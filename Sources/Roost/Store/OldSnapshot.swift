internal import RoostEngine
internal import Synchronization

/// An old version that a ``Snapshot`` or rows still retain.
public struct OldSnapshot: Hashable, Sendable {
  /// The version's number.
  public let version: UInt64
  /// The time since the first newer version was made.
  public let age: Duration
  /// The number of bytes of the file that it keeps from being reused.
  public let bytes: Int64

  init(_ snapshot: OldestPinnedVersion) {
    version = snapshot.version
    age = snapshot.age
    bytes = Int64(clamping: snapshot.bytes)
  }
}

extension Store {
  /// The oldest retained version that is not the newest, as of the last write.
  ///
  /// Nil if retaining it costs nothing, because nothing in it was changed since. A retained version costs the data that
  /// only it can see, never everything written since; still, a snapshot forgotten in some
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

/// The condition for reporting a snapshot, and the receiver of the report.
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
