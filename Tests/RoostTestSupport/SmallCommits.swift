package import RoostEngine

/// What the records of a test's small commits say.
package enum SmallCommits: CaseIterable, Sendable {
  /// Which extents are others.
  case extents
  /// Which rows are others, which are applied to the trees at once.
  case rows
  /// Which rows are others, which are left to be applied later, even if somebody reads them.
  case leftRows

  /// One of them for each number, in turn.
  package init(_ number: some BinaryInteger) {
    self = Self.allCases[Int(number % numericCast(Self.allCases.count))]
  }

  /// Lets commits be so.
  package func set(_ leaving: inout ChangeLeaving) {
    leaving.unreadCommits = self == .leftRows ? 0 : .max
    if self == .extents { leaving.recordBytes = 0 }
  }
}
