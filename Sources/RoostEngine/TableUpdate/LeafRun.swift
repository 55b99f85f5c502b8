/// Rows gathered from neighbouring leaves until they are packed again.
struct LeafRun {
  /// The rows; those before `start` are packed already.
  private(set) var batch: RecordBatch
  private(set) var start = 0
  /// Whether a leaf of the run lost rows, so that too few may be left for a leaf.
  var lostRows = false
  /// Receives the remaining rows when the front is dropped.
  private var spare: RecordBatch?

  init(shape: TableShape) {
    batch = RecordBatch(shape: shape)
  }

  var isEmpty: Bool { start == batch.count }
  var count: Int { batch.count - start }
  var rows: Range<Int> { start..<batch.count }

  /// Drops the rows before `row`.
  mutating func drop(before row: Int) {
    start = row
    guard start > 0 else { return }
    if isEmpty {
      batch.removeAll(keepingCapacity: true)
    } else {
      let rest = spare ?? RecordBatch(shape: batch.shape)
      rest.removeAll(keepingCapacity: true)
      rest.append(batch, rows: rows)
      spare = batch
      batch = rest
    }
    start = 0
  }

  /// Drops all rows.
  mutating func removeAll() {
    batch.removeAll(keepingCapacity: true)
    start = 0
    lostRows = false
  }
}

extension RecordBatch {
  /// Appends rows of a batch of the same shape.
  func append(_ other: RecordBatch, rows: Range<Int>) {
    keys.append(other.keys, rows: rows)
    for (column, source) in zip(columns, other.columns) { column.append(source, rows: rows) }
  }

  /// Appends inserts, by their index in key order.
  func append(_ changes: TableChanges, inserts: Range<Int>) {
    guard let order = changes.insertOrder else {
      return append(changes.inserts, rows: inserts)
    }
    let rows = order[inserts]
    keys.append(changes.inserts.keys, gathering: rows)
    for (column, source) in zip(columns, changes.inserts.columns) {
      column.append(source, gathering: rows)
    }
  }

  /// Appends rows of a leaf and inserts in their merged order.
  func append(
    _ leaf: LeafReference, _ merge: LeafMerge, of changes: TableChanges
  ) throws(EngineError) {
    if let rows = merge.scatteredRows {
      keys.append(leaf.keys, gathering: rows)
      for (column, field) in zip(columns, shape.fields) {
        column.append(try leaf.column(field.id), gathering: rows)
      }
      return withExtendedLifetime(leaf) {}
    }
    append(leaf.keys, changes.inserts.keys, merge, changes, to: keys)
    for (place, field) in shape.fields.enumerated() {
      append(
        try leaf.column(field.id), changes.inserts.columns[place], merge, changes,
        to: columns[place])
    }
    withExtendedLifetime(leaf) {}
  }

  private func append(
    _ chunk: ColumnChunk, _ inserted: ColumnBuffer, _ merge: LeafMerge, _ changes: TableChanges,
    to column: ColumnBuffer
  ) {
    for run in merge.runs {
      switch run {
      case .leaf(let rows): column.append(chunk, rows: rows)
      case .inserts(let places):
        if let order = changes.insertOrder {
          column.append(inserted, gathering: order[places])
        } else {
          column.append(inserted, rows: places)
        }
      }
    }
  }
}
