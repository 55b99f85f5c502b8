/// The oldest version that somebody still holds, by a snapshot or by rows, although there are newer ones.
public struct OldSnapshot: Equatable, Sendable {
  /// The version's number.
  public var version: UInt64
  /// For how long there have been newer versions.
  public var age: Duration
  /// How many bytes of the file it keeps from being used again.
  public var bytes: UInt64
}
