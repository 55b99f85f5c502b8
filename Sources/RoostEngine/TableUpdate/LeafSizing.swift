/// Rows that are planned as one leaf, and what shorter leaves of the same rows would take.
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

  /// The placement of exactly these rows.
  var placement: LeafPlacement {
    LeafPlacement(sizes: plans.map(\.byteCount), rowCount: rows.count)
  }

  /// The bytes of the directory and all columns.
  var contentBytes: Int {
    plans.reduce(LeafLayout.columnsOffset(columns: plans.count, groups: 0)) { $0 + $1.byteCount }
  }

  /// The units of a leaf of the first rows, or slightly more than that.
  func unitCount(first count: Int) -> Int {
    var sizes: [Int] = []
    sizes.reserveCapacity(plans.count)
    sizes.append(plans[0].byteCount(first: count, of: batch.keys, rows: rows))
    for (column, plan) in zip(batch.columns, plans.dropFirst()) {
      sizes.append(plan.byteCount(first: count, of: column, rows: rows))
    }
    return LeafPlacement(sizes: sizes, rowCount: count).unitCount
  }

  /// The most rows, of at least `least`, whose leaf takes at most so many units.
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

/// How many rows a leaf is given.
enum LeafSizing {
  /// The bytes that a leaf aims at.
  private static let targetBytes = 64.0 * 1024
  /// What it aims at where its rows are wide: then an object that changes as a whole writes little anew,
  /// and a leaf is one extent.
  private static let wideTargetBytes = Double(LeafPlacement.groupBytes)
  /// From so many bytes of a row on the target sinks, as the rows grow, to that of wide ones.
  private static let wideRowBytes = 256.0
  /// What it aims at where even the most rows make a small leaf: then a head without groups is best.
  static let narrowTargetBytes = 8 << 10
  private static let narrowBytesMax = 32 << 10
  /// A leaf whose rows changed is split when it is larger than its target by half.
  private static let splitFactor = 1.5
  /// A leaf of which only columns are rewritten is split when it is so many times as large as its target.
  private static let rewrittenFactor = 1.75

  /// The most rows, and units, of a leaf at the end of a tree that is written anew for each row
  /// that comes behind it.
  static let tailRowsMax = 64
  static let tailUnitsMax = 2
  /// Where many rows come at once, a tail takes so many times as many.
  static let tailAppends = 4

  /// The rows of a leaf that has its target size, for rows like these.
  static func targetRows(_ window: LeafWindow) -> Int {
    let bytesPerRow = Double(window.contentBytes) / Double(window.rows.count)
    let isNarrow = bytesPerRow * Double(LeafLayout.rowsMax) <= Double(narrowBytesMax)
    let target = isNarrow ? Double(narrowTargetBytes) : targetBytes(bytesPerRow)
    return max(1, min(Int(target / bytesPerRow), rowsMax(window)))
  }

  /// The bytes that a leaf of rows that are not narrow aims at.
  fileprivate static func targetBytes(_ bytesPerRow: Double) -> Double {
    min(targetBytes, max(wideTargetBytes, targetBytes * wideRowBytes / bytesPerRow))
  }

  /// Whether a leaf of which only columns are rewritten should rather be split.
  static func isOvergrown(rows: Int, units: Int) -> Bool {
    let bytes = Double(units * Unit.bytes)
    return rows > 1 && bytes > targetBytes(bytes / Double(rows)) * rewrittenFactor
  }

  /// Whether rows that were changed still make one leaf.
  static func fitsOneLeaf(_ window: LeafWindow) -> Bool {
    window.rows.count == 1
      || Double(window.rows.count)
        <= min(
          Double(targetRows(window)) * splitFactor, Double(rowsMax(window)))
  }

  /// Whether so few rows are left that they should move in with a neighbour's.
  static func isUnderfull(_ window: LeafWindow) -> Bool {
    window.rows.count * 4 < targetRows(window)
  }

  /// The row count, about the target, whose leaf has the least padding for each row.
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
  /// Whether the leaf is as large as one that is packed full, or nearly.
  var isFull: Bool {
    let bytes = Double(byteCount)
    return rowCount >= LeafLayout.rowsMax - 64
      || bytes >= LeafSizing.targetBytes(bytes / Double(rowCount)) / 16 * 15
  }
}
