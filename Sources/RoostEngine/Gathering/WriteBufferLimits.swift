/// How much a write transaction gathers in memory before some of it goes to the trees.
package struct WriteBufferLimits: Sendable {
  /// Rows of a table that came in the order of their keys, behind all others.
  package var ascendingBytes = 8 << 20
  /// Rows that came in another order, and new values.
  package var scatteredBytes = 160 << 20
  /// How many rows and values of a table those are at most.
  package var changes = 1 << 20
  /// The changes of one index, or all entries that are gathered for indexes that wait. Sorting them takes about as much again.
  package var indexBytes = 128 << 20
  /// So many bytes of the entries of an index that is built are sorted sooner than another thread would begin.
  package var indexBytesSortedHere = 1 << 20
  /// How many deleted keys and new targets of a table's links are noted before those that are sound are forgotten.
  package var linkChecks = 1 << 18
  /// A new index is sorted in parts of so many bytes; sorting takes about as much again.
  package var indexPartBytes = 16 << 20
  /// So many of these parts are merged at once.
  package var indexPartsMerged = 64

  /// What transactions have: few passes over the trees.
  package init() {}

  /// Those of a migration's step, which may change all objects of a file that is larger than memory.
  package static var ofMigration: WriteBufferLimits {
    var limits = WriteBufferLimits()
    limits.scatteredBytes = 32 << 20
    limits.changes = 1 << 18
    limits.indexBytes = 16 << 20
    limits.linkChecks = 1 << 16
    return limits
  }
}
