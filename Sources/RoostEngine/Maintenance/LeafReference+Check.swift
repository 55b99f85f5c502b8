extension LeafReference {
  /// Checks that a column's entry in the directory says of its values what a pass over them finds.
  ///
  /// - Throws: `.corrupt`, with the tree and the leaf's keys.
  func checkColumn(at place: Int) throws(EngineError) {
    let column = try column(at: place)
    let group = Int(head.entries[place].group)
    let unit = group == 0 ? pointer.unit : head.groups[group - 1].unit
    do { try column.checkInvariants(unit: unit) } catch { throw located(error) }
  }
}
