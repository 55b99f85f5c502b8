/// The merged order of a leaf's rows and the inserts among them.
struct LeafMerge {
  /// Consecutive rows from the same source.
  enum Run {
    case leaf(Range<Int>)
    /// Inserts by their index in key order.
    case inserts(Range<Int>)
  }

  private(set) var runs: [Run] = []
  /// The rows of the leaf that are deleted.
  private(set) var deletedRows: [Int] = []

  /// The remaining rows of the leaf, if they are in many pieces without inserts between them.
  var scatteredRows: [Int32]? {
    guard runs.count > 16 else { return nil }
    var rows: [Int32] = []
    for run in runs {
      guard case .leaf(let range) = run else { return nil }
      for row in range { rows.append(Int32(row)) }
    }
    return rows.count < runs.count * 16 ? rows : nil
  }

  /// Finds the position of every insert and delete.
  ///
  /// - Throws: `.duplicate` or `.missing` where the leaf does not allow the change.
  init(
    _ leaf: LeafReference, _ share: ChangeCursor.LeafChanges, of changes: TableChanges
  ) throws(EngineError) {
    var delete = share.deletes.lowerBound
    var next = 0  // the first row of the leaf that is not in a run yet
    for insert in share.inserts {
      let key = changes.insertKey(insert)
      if insert > 0, changes.insertKey(insert - 1) == key { throw .duplicateKey(key) }
      while delete < share.deletes.upperBound, changes.deletes[delete] <= key {
        try remove(changes.deletes[delete], from: leaf, &next)
        delete += 1
      }
      let place = leaf.lowerBound(key)
      if place >= next, place < leaf.rowCount, leaf.key(place) == key {
        throw .duplicateKey(key)
      }
      keep(upTo: place, &next)
      if case .inserts(let range)? = runs.last {
        runs[runs.count - 1] = .inserts(range.lowerBound..<insert + 1)
      } else {
        runs.append(.inserts(insert..<insert + 1))
      }
    }
    while delete < share.deletes.upperBound {
      try remove(changes.deletes[delete], from: leaf, &next)
      delete += 1
    }
    keep(upTo: leaf.rowCount, &next)
  }

  private mutating func keep(upTo row: Int, _ next: inout Int) {
    guard row > next else { return }
    runs.append(.leaf(next..<row))
    next = row
  }

  private mutating func remove(
    _ key: Int64, from leaf: LeafReference, _ next: inout Int
  ) throws(EngineError) {
    guard let row = leaf.row(of: key), row >= next else { throw .missingKey(key) }
    keep(upTo: row, &next)
    next = row + 1
    deletedRows.append(row)
  }
}

extension EngineError {
  /// A change inserts an existing key; the transaction has checked, so this is an error in the transaction.
  static func duplicateKey(_ key: Int64) -> EngineError {
    .duplicate(table: "", field: "", value: "\(key)")
  }

  /// A change names a missing key; likewise.
  package static func missingKey(_ key: Int64) -> EngineError {
    .missing(table: "", key: "\(key)")
  }
}
