/// Rows planned as one leaf, with the size of shorter leaves of the same rows.
struct LeafWindow {
  let batch: RecordBatch
  let rows: Range<Int>
  /// The plans of the object key and of each field of the shape.
  let plans: [ColumnPlan]

  init(_ batch: RecordBatch, rows: Range<Int>) {
    self.batch = batch
    self.rows = rows
    var plans: [ColumnPlan] = []
    plans.reserveCapacity(batch.columns.count + 1)
    plans.append(ColumnEncoder.plan(batch.keys, rows: rows))
    for column in batch.columns { plans.append(ColumnEncoder.plan(column, rows: rows)) }
    self.plans = plans
  }

  /// The placement of all these rows.
  var placement: LeafPlacement {
    LeafPlacement(sizes: plans.map(\.byteCount), rowCount: rows.count)
  }

  /// The bytes of the directory and all columns.
  var contentBytes: Int {
    plans.reduce(LeafLayout.columnsOffset(columns: plans.count, groups: 0)) { $0 + $1.byteCount }
  }

  /// The units of a leaf of the first rows; may be slightly too large.
  func unitCount(first count: Int) -> Int {
    var sizes: [Int] = []
    sizes.reserveCapacity(plans.count)
    sizes.append(plans[0].byteCount(first: count, of: batch.keys, rows: rows))
    for (column, plan) in zip(batch.columns, plans.dropFirst()) {
      sizes.append(plan.byteCount(first: count, of: column, rows: rows))
    }
    return LeafPlacement(sizes: sizes, rowCount: count).unitCount
  }

  /// The most rows, but at least `least`, whose leaf takes at most `units` units.
  func mostRows(units: Int, least: Int) -> Int {
    var low = least
    var high = rows.count
    while low < high {
      let middle = (low + high + 1) / 2
      if unitCount(first: middle) <= units { low = middle } else { high = middle - 1 }
    }
    return low
  }
}

/// The policy for the number of rows in a leaf.
enum LeafSizing {
  /// The target size of a leaf in bytes.
  private static let targetBytes = 64.0 * 1024
  /// The target size for wide rows: then changing an entire object rewrites little,
  /// and a leaf is one extent.
  private static let wideTargetBytes = Double(LeafPlacement.groupBytes)
  /// For rows with more bytes than this, the target falls with the row size, down to that of wide rows.
  private static let wideRowBytes = 256.0
  /// The target size if even the maximum of rows makes a small leaf: then a head without groups is best.
  static let narrowTargetBytes = 8 << 10
  private static let narrowBytesMax = 32 << 10
  /// A leaf whose rows changed is split when it has more than this times its target rows.
  private static let splitFactor = 1.5
  /// A leaf of which only columns are rewritten is split when it is larger than this times its target.
  private static let rewrittenFactor = 1.75

  /// The maximum rows, and units, of a tail: a leaf at the end of a tree that is rewritten for each
  /// row appended to it.
  static let tailRowsMax = 64
  static let tailUnitsMax = 2
  /// When many rows are appended at once, a tail may have up to this many times their number.
  static let tailAppends = 4

  /// The rows of a leaf with the target size, for rows like these.
  static func targetRows(_ window: LeafWindow) -> Int {
    let bytesPerRow = Double(window.contentBytes) / Double(window.rows.count)
    let isNarrow = bytesPerRow * Double(LeafLayout.rowsMax) <= Double(narrowBytesMax)
    let target = isNarrow ? Double(narrowTargetBytes) : targetBytes(bytesPerRow)
    return max(1, min(Int(target / bytesPerRow), rowsMax(window)))
  }

  /// The target bytes of a leaf whose rows are not narrow.
  fileprivate static func targetBytes(_ bytesPerRow: Double) -> Double {
    min(targetBytes, max(wideTargetBytes, targetBytes * wideRowBytes / bytesPerRow))
  }

  /// Whether a leaf of which only columns are rewritten should be split instead.
  static func isOvergrown(rows: Int, units: Int) -> Bool {
    let bytes = Double(units * Unit.bytes)
    return rows > 1 && bytes > targetBytes(bytes / Double(rows)) * rewrittenFactor
  }

  /// Whether changed rows still fit one leaf.
  static func fitsOneLeaf(_ window: LeafWindow) -> Bool {
    window.rows.count == 1
      || Double(window.rows.count)
        <= min(
          Double(targetRows(window)) * splitFactor, Double(rowsMax(window)))
  }

  /// Whether so few rows are left that they should join a neighbour's.
  static func isUnderfull(_ window: LeafWindow) -> Bool {
    window.rows.count * 4 < targetRows(window)
  }

  /// The row count near the target whose leaf has the least padding per row.
  static func bestRows(_ window: LeafWindow) -> Int {
    let target = targetRows(window)
    let high = min(target * 5 / 4, rowsMax(window), window.rows.count)
    let low = min(max(1, target * 3 / 4), high)
    let step = max(1, (high - low) / 24)
    var best = (count: high, units: window.unitCount(first: high))
    for count in stride(from: low, to: high, by: step) {
      let units = window.unitCount(first: count)
      if units * best.count < best.units * count { best = (count, units) }
    }
    let most = window.mostRows(units: best.units, least: best.count)
    return min(most, high)
  }

  /// The most rows of a leaf whose head holds the object keys.
  private static func rowsMax(_ window: LeafWindow) -> Int {
    let directory = LeafLayout.columnsOffset(
      columns: window.plans.count, groups: window.plans.count)
    let head = max(LeafLayout.headUnitsMax * Unit.bytes, directory + 2 * Unit.bytes)
    let width = max(window.plans[0].width, 1)
    return max(1, min(LeafLayout.rowsMax, (head - directory - 16) * 8 / width))
  }
}

extension LeafReference {
  /// Whether the leaf is as large, or nearly, as a leaf that is packed full.
  var isFull: Bool {
    let bytes = Double(byteCount)
    return rowCount >= LeafLayout.rowsMax - 64
      || bytes >= LeafSizing.targetBytes(bytes / Double(rowCount)) / 16 * 15
  }
}
