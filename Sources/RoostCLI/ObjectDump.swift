import RoostEngine

/// Everything that a store holds as lines of JSON: one object a line, in the form of Format.md §12.
///
/// Tables come in the order of the catalog, objects in the order of their keys. Memory is bounded: a leaf
/// at a time is read. What is damaged is left out, and said on the standard error.
final class ObjectDump {
  private let snapshot: Snapshot
  private let path: String
  private let output: Output
  private let progress = ProgressLine()
  private let lines: ObjectLines
  /// What was left out of the table last, and is not reported yet.
  private var gap: Corruption?
  /// How many objects are not in the dump.
  private var missing: UInt64 = 0

  /// A dump of a version of the file at `path`.
  init(_ snapshot: Snapshot, path: String, to output: Output) {
    self.snapshot = snapshot
    self.path = path
    self.output = output
    lines = ObjectLines(of: snapshot, path: path)
  }

  /// Writes all lines that can be made.
  ///
  /// - Throws: A failure with the code of damage, at the end, where something had to be left out.
  func run() throws(ToolFailure) {
    for table in snapshot.catalog.tables { try dump(table) }
    progress.end()
    try output.flush()
    guard missing == 0 else {
      throw ToolFailure(
        "\(path) is damaged: \(missing) \(missing == 1 ? "object is" : "objects are") not in the"
          + " dump. Restore a copy; `roost verify` lists all damage.", code: .corrupt)
    }
  }

  private func dump(_ table: TableDefinition) throws(ToolFailure) {
    let objects = try working(on: path) { () throws(EngineError) in
      try snapshot.view.objects(table.id)
    }
    let form = try lines.form(of: table, isNamed: true)
    missing += objects.count
    var first: Int64? = .min
    while let key = first { first = try dump(objects, from: key, of: table, form) }
    reportGap(in: table)
  }

  /// Dumps the objects from a key on.
  ///
  /// - Returns: Where to go on, when the way to the first of them is damaged.
  private func dump(
    _ objects: ObjectTree, from key: Int64, of table: TableDefinition, _ form: ObjectLines.Form
  ) throws(ToolFailure) -> Int64? {
    var cursor: LeafCursor
    switch try read({ () throws(EngineError) in try objects.leaves(in: key...Int64.max) }) {
    case .success(let found): cursor = found
    case .failure(let damage):
      leaveOut(damage, of: table)
      guard let last = damage.keys?.upperBound, last >= key, last < .max else { return nil }
      return last + 1
    }
    while true {
      // After damage the cursor stands behind it.
      switch try read({ () throws(EngineError) in try cursor.next() }) {
      case .success(let leaf?): try dump(leaf, of: table, form)
      case .success(nil): return nil
      case .failure(let damage): leaveOut(damage, of: table)
      }
      progress.show(table.name, cursor.position, of: objects.count)
    }
  }

  private func dump(
    _ leaf: LeafReference, of table: TableDefinition, _ form: ObjectLines.Form
  ) throws(ToolFailure) {
    let found = try read { () throws(EngineError) in try lines.columns(of: leaf, form) }
    let chunks: [ColumnChunk]
    switch found {
    case .success(let columns): chunks = columns
    case .failure(let damage): return leaveOut(damage, of: table)
    }
    for row in 0..<leaf.rowCount {
      let lineStart = output.buffer.count
      let line = try read { () throws(EngineError) in
        try lines.add(row, of: leaf, chunks, form, to: &output.buffer)
      }
      switch line {
      case .success: missing -= 1
      case .failure(var damage):
        output.buffer.removeSubrange(lineStart...)
        damage.keys = leaf.key(row)...leaf.key(row)
        leaveOut(damage, of: table)
      }
      try output.flushIfFull()
    }
    withExtendedLifetime(leaf) {}
  }

  // MARK: Damage

  /// The result, or the damage that kept it from being had.
  private func read<Found>(
    _ body: () throws(EngineError) -> Found
  ) throws(ToolFailure) -> Result<Found, Corruption> {
    do { return .success(try body()) } catch {
      guard case .corrupt(let damage) = error else { throw ToolFailure(error, path: path) }
      return .failure(damage)
    }
  }

  /// Notes that objects are left out; neighbours that one extent's damage hits are one gap.
  private func leaveOut(_ damage: Corruption, of table: TableDefinition) {
    if let last = gap, last.reason == damage.reason, last.unit == damage.unit,
      last.tree == damage.tree, let keys = last.keys, let more = damage.keys
    {
      gap?.keys = min(keys.lowerBound, more.lowerBound)...max(keys.upperBound, more.upperBound)
    } else {
      reportGap(in: table)
      gap = damage
    }
  }

  private func reportGap(in table: TableDefinition) {
    guard let gap else { return }
    progress.end()
    complain("roost: left out of \(table.name.visible): \(gap.summary)")
    self.gap = nil
  }
}
