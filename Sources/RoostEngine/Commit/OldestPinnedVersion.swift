/// The oldest version that a snapshot or rows still hold although there are newer ones.
package struct OldestPinnedVersion: Equatable, Sendable {
  /// The version's number.
  package var version: UInt64
  /// For how long there have been newer versions.
  package var age: Duration
  /// How many bytes of the file it keeps from being used again.
  package var bytes: UInt64
}
