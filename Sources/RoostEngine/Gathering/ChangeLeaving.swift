/// Which commits leave their changes to be applied to the trees later, see ``UnappliedRows``.
package struct ChangeLeaving: Sendable {
  /// Behind how many commits that nobody has read. Who reads each version would have to make its trees first.
  package var unreadCommits: UInt64 = 16
  /// How many commits are left at most: who reads a version makes all that they changed.
  package var commits = 256
  /// How many changed rows and values of a table are left at most.
  package var changes = 128
  /// The most bytes of a table's rows and values that are left.
  package var bytes = 1 << 20
  /// The most bytes of a record of them.
  package var recordBytes = 8 << 10

  package init() {}
}
