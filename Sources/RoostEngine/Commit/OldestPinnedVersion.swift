/// The oldest version that a snapshot or rows still hold although newer versions exist.
package struct OldestPinnedVersion: Equatable, Sendable {
  /// The version's number.
  package var version: UInt64
  /// For how long there have been newer versions.
  package var age: Duration
  /// The bytes of the file that it keeps from being reused.
  package var bytes: UInt64
}
