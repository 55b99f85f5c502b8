/// An index that is built of a table's objects: their entries are gathered, sorted and written.
final class IndexBuild {
  let rule: IndexRule
  let table: UInt32
  /// Takes the entries.
  var filler: IndexFiller
  private var sort: IndexSort?

  init(_ rule: IndexRule, table: UInt32, filler: consuming IndexFiller) {
    self.rule = rule
    self.table = table
    self.filler = filler
  }

  /// Begins to sort the entries on another thread, if they are many, or may be of no use, and none of them is written yet.
  func beginSorting(_ limits: WriteBufferLimits) {
    let bytes = filler.byteCount
    // Those of another index are there, too, as large as these.
    let isOneOfTwo = bytes > limits.indexBytesSortedHere && bytes <= limits.indexBytes / 2
    guard isOneOfTwo || filler.mayHaveTwins, let changes = filler.takeChanges()
    else { return }
    sort = IndexSort(changes, tree: rule.tree)
  }

  /// Writes the index.
  ///
  /// - Returns: Nil if a value is there twice that must be unique; the entries are of no use then.
  func finish() throws(EngineError) -> TreeRoot? {
    guard let sort else { return try filler.finish() }
    self.sort = nil
    try sort.wait()
    guard !sort.run.hasTwins else { return nil }
    return try filler.finish(sort.run)
  }
}
