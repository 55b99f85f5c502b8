/// Packs rows into leaves, from left to right.
///
/// The row count of one leaf is the first guess for the next, so that similar rows cost one
/// plan for each leaf.
final class LeafPacker {
  private let writer: PageWriter
  private let tree: UInt32
  /// The row count and units of the last full leaf; nil before the first.
  private var guess: (rows: Int, units: Int)?

  init(writer: PageWriter, tree: UInt32) {
    self.writer = writer
    self.tree = tree
  }

  /// Writes full leaves while more than one leaf's rows remain, then the rest as one leaf.
  ///
  /// For a tree that grows at its right edge: the last leaf may be as small as one row.
  func packFull(
    _ batch: RecordBatch, rows: Range<Int>, into entries: inout [TreeEntry]
  ) throws(EngineError) {
    var left = rows
    while !left.isEmpty {
      let leaf = nextFullLeaf(batch, rows: left)
      try write(leaf, into: &entries)
      left = leaf.rows.upperBound..<left.upperBound
    }
  }

  /// Writes full leaves while more than `reserve` leaves' rows remain.
  ///
  /// - Returns: The first row that was not written.
  func packFront(
    _ batch: RecordBatch, rows: Range<Int>, reserve: Int, into entries: inout [TreeEntry]
  ) throws(EngineError) -> Int {
    var left = rows
    while !left.isEmpty {
      let leaf = nextFullLeaf(batch, rows: left)
      guard left.count > leaf.rows.count * reserve else { break }
      try write(leaf, into: &entries)
      left = leaf.rows.upperBound..<left.upperBound
    }
    return left.lowerBound
  }

  /// Writes the rows as one leaf if they fit, else as leaves of equal row count.
  func packEvenly(
    _ batch: RecordBatch, rows: Range<Int>, into entries: inout [TreeEntry]
  ) throws(EngineError) {
    guard !rows.isEmpty else { return }
    let window = LeafWindow(batch, rows: rows.prefix(LeafLayout.rowsMax))
    if window.rows.count == rows.count, LeafSizing.fitsOneLeaf(window) {
      return try write(window, into: &entries)
    }
    let target = LeafSizing.targetRows(window)
    let leaves = max(2, (rows.count + target - 1) / target)
    for leaf in 0..<leaves {
      let start = rows.lowerBound + rows.count * leaf / leaves
      let end = rows.lowerBound + rows.count * (leaf + 1) / leaves
      guard start < end else { continue }
      try write(LeafWindow(batch, rows: start..<end), into: &entries)
    }
  }

  /// The rows of the next full leaf, or all rows if they fit into one.
  private func nextFullLeaf(_ batch: RecordBatch, rows: Range<Int>) -> LeafWindow {
    if let guess, guess.rows < rows.count {
      let window = LeafWindow(batch, rows: rows.prefix(guess.rows))
      let units = window.placement.unitCount
      if units <= guess.units, units * 4 >= guess.units * 3 {
        // Tries a few more rows next time, if the maximum allows it.
        let more = min(guess.rows + max(1, guess.rows / 1024), LeafLayout.rowsMax)
        self.guess = (more, guess.units)
        return window
      }
      if units > guess.units {
        let fewer = window.mostRows(units: guess.units, least: guess.rows * 15 / 16)
        let shorter = LeafWindow(batch, rows: rows.prefix(fewer))
        if shorter.placement.unitCount <= guess.units {
          // Tries fewer rows next time, so that few leaves are planned twice.
          self.guess = (max(1, fewer - fewer / 256), guess.units)
          return shorter
        }
      }
    }
    // The rows differ from those before: try all counts near the target.
    let sample = LeafWindow(batch, rows: rows.prefix(min(512, LeafLayout.rowsMax)))
    let target = LeafSizing.targetRows(sample)
    if sample.rows.count == rows.count, rows.count <= target { return sample }
    let window = LeafWindow(batch, rows: rows.prefix(min(target * 4 / 3 + 16, LeafLayout.rowsMax)))
    if window.rows.count == rows.count, rows.count <= LeafSizing.targetRows(window) {
      return window
    }
    let leaf = LeafWindow(batch, rows: rows.prefix(LeafSizing.bestRows(window)))
    guess = (leaf.rows.count, leaf.placement.unitCount)
    return leaf
  }

  /// Writes the rows as one leaf, or as two if a group would be larger than an extent.
  private func write(
    _ window: LeafWindow, into entries: inout [TreeEntry]
  ) throws(EngineError) {
    let rows = window.rows
    let placement = window.placement
    if placement.groupUnits.contains(where: { $0 > Unit.extentUnitsMax }), rows.count > 1 {
      let middle = rows.lowerBound + rows.count / 2
      try write(LeafWindow(window.batch, rows: rows.lowerBound..<middle), into: &entries)
      try write(LeafWindow(window.batch, rows: middle..<rows.upperBound), into: &entries)
      return
    }
    var columns = [
      LeafColumn(field: 0, content: .rows(window.batch.keys, rows, window.plans[0]))
    ]
    columns.reserveCapacity(window.plans.count)
    for (place, field) in window.batch.shape.fields.enumerated() {
      columns.append(
        LeafColumn(
          field: field.id,
          content: .rows(window.batch.columns[place], rows, window.plans[place + 1])))
    }
    let draft = LeafDraft(
      tree: tree, rowCount: rows.count, firstKey: window.batch.key(rows.lowerBound),
      lastKey: window.batch.key(rows.upperBound - 1), columns: columns,
      groupOfColumn: placement.groupOfColumn,
      groups: placement.groupUnits.map { .written(units: $0) }, headUnits: placement.headUnits)
    entries.append(try writer.writeLeaf(draft))
  }
}
