extension IndexTree {
  /// Writes the same entries to another file, every leaf and node packed full.
  ///
  /// Memory is bounded: a few leaves' entries wait at a time.
  /// - Parameters:
  ///   - progress: Called now and then with how many entries were written since the last call.
  ///   - visit: Called with each value and its keys.
  func repacked(
    with writer: PageWriter, progress: ((UInt64) -> Void)? = nil,
    visit: ((ByteView, IndexKeyRun) -> Void)? = nil
  ) throws(EngineError) -> TreeRoot {
    let empty = TreeRoot(empty: root.id, kind: .index)
    guard root.count > 0 else { return empty }
    var rebuilder = IndexRebuilder(tree: root.id, writer: writer)
    rebuilder.endsWithAdditions = true
    let cursor = cursor()
    var written: UInt64 = 0
    while try cursor.next() {
      try rebuilder.content.open(SplitBytes(cursor.value), unit: 0)
      rebuilder.content.append(cursor.keys)
      visit?(cursor.value, cursor.keys)
      try rebuilder.drain()
      written += UInt64(cursor.keys.count)
      if written >= 1 << 16 {
        try checkCancellation()
        progress?(written)
        written = 0
      }
    }
    progress?(written)
    return try rebuilder.finish(replacing: empty)
  }
}
