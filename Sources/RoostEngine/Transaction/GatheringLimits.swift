/// How much a write transaction gathers in memory before some of it goes to the trees.
package struct GatheringLimits: Sendable {
  /// A new index is sorted in parts of so many bytes; sorting takes about as much again.
  package var indexPartBytes = 16 << 20
  /// So many of these parts are merged at once.
  package var indexPartsMerged = 64

  /// What transactions have: few passes over the trees.
  package init() {}
}
