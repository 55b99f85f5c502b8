/// Which commits leave their changes to be applied to the trees later, see ``UnappliedRows``.
package struct ChangeLeaving: Sendable {
  /// Behind how many commits that nobody has read. Who reads each version would have to make its trees first.
  package var unreadCommits: UInt64 = 16
  /// How often objects of one version are looked up without its trees. They cost more than so many lookups.
  package var lookups = 128
  /// How many commits are left at most: who reads a version makes all that they changed.
  package var commits = 256
  /// How many changed rows of a table are left at most.
  package var rows = 128
  /// How many rows and values of a table are left at most in a small file; in a larger one as many as a thirty-second of its
  /// units, since each may lie in a few units that are written anew.
  package var values = 128
  /// The most bytes of a table's rows and values that are left.
  package var bytes = 1 << 20
  /// The most bytes of a record of them.
  package var recordBytes = 8 << 10

  /// The same in any file.
  private static let valuesMax = 2048

  package init() {}

  /// The same for a file of so many units.
  func inFile(ofUnits units: UInt64) -> ChangeLeaving {
    var leaving = self
    leaving.values = max(values, min(Int(clamping: units / 32), Self.valuesMax))
    return leaving
  }
}
