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

  /// Begins to sort the entries on another thread, if they are many, and none of them is written yet.
  func beginSorting(_ limits: WriteBufferLimits) {
    let bytes = filler.byteCount
    // Those of another index are there, too.
    guard bytes > limits.indexBytesSortedHere, bytes <= limits.indexBytes / 2,
      let changes = filler.takeChanges()
    else { return }
    sort = IndexSort(changes, tree: rule.tree)
  }

  /// Writes the index.
  func finish() throws(EngineError) -> TreeRoot {
    guard let sort else { return try filler.finish() }
    self.sort = nil
    try sort.wait()
    return try filler.finish(sort.run)
  }
}
