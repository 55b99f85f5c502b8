/// Finds the first few matches in an order, without sorting the others.
///
/// A heap contains the best rows so far. The worst of them narrows the search: leaves whose zone map rules out
/// a better row are skipped, and columns are filtered by it before any key is built. The most promising leaves
/// come first.
struct TopRows {
  private struct Row {
    let key: [UInt8]
    let place: UInt64
    /// The value of the first sort key.
    let value: Value
    /// The words of the row's keys: a row with later words sorts after this row.
    let words: SortWords.Row

    @inline(__always)
    func precedes(_ other: Row) -> Bool {
      let order = key.compareBytes(other.key)
      return order != 0 ? order < 0 : place < other.place
    }
  }

  private let tree: ObjectTree
  private let order: [SortColumn]
  private let type: PhysicalType
  private let condition: CompiledPredicate
  private let count: Int
  /// A heap with the worst row first.
  private var heap: [Row] = []
  /// The words of the worst row, when the heap is full: a row with later words is no candidate.
  private var worst: SortWords.Row?
  private var writer: SortKeyBytes
  private var words: SortWords
  private var rows: [UInt16] = []

  /// - Parameter order: At least one key.
  init(
    _ tree: ObjectTree, _ order: [SortColumn], _ condition: CompiledPredicate, count: Int
  ) throws(EngineError) {
    self.tree = tree
    self.order = order
    self.condition = condition
    self.count = count
    writer = SortKeyBytes(order)
    type = order[0].type
    words = SortWords(order, order.map { _ in SortRange() })
  }

  /// The rows, in order.
  mutating func find(
    _ keys: ClosedRange<Int64>, _ statistics: inout ScanStatistics
  ) throws(EngineError) -> SortedPlaces {
    let (edges, sequence) = try leaves(keys)
    guard let start = sequence.first else { return SortedPlaces(edges: [], places: []) }
    let selection = Selection()
    var evaluator = LeafEvaluator(try ScanLeaf(edges[start], in: tree.context))
    var narrowed = condition
    var bound: Value?
    for ordinal in sequence {
      try checkCancellation()
      if ordinal != start { try evaluator.move(to: edges[ordinal]) }
      statistics.leavesVisited += 1
      let answer = try evaluator.evaluate(narrowed, into: selection)
      if answer == .none, !evaluator.looksAtRows {
        statistics.leavesSkipped += 1
      } else {
        statistics.rowsExamined += evaluator.leaf.rowCount
      }
      switch answer {
      case .none: break
      case .all:
        selection.reset(rowCount: evaluator.leaf.rowCount, selected: true)
        try offer(&evaluator.leaf, ordinal, selection)
      case .some: try offer(&evaluator.leaf, ordinal, selection)
      }
      if heap.count == count, let worst = heap.first?.value, worst != bound {
        bound = worst
        narrowed = .all([threshold, condition])
      }
    }
    evaluator.leaf.report(to: &statistics)
    let rows = heap.map { OrderedRow(bytes: $0.key, key: Int64(bitPattern: $0.place)) }
    return SortedPlaces(edges: edges, places: rows.ascendingPlaces().map { heap[$0].place })
  }

  /// The leaves, and their visiting order: by the best value that the zone map allows.
  private func leaves(
    _ keys: ClosedRange<Int64>
  ) throws(EngineError) -> (edges: [TreeEdge], sequence: [Int]) {
    var edges: [TreeEdge] = []
    var promises: [UInt64] = []
    var cursor = try LeafEdgeCursor(tree, keys: keys)
    var leaf: ScanLeaf?
    while let edge = try cursor.next() {
      if leaf == nil {
        leaf = try ScanLeaf(edge, in: tree.context)
      } else {
        try leaf?.move(to: edge)
      }
      edges.append(edge)
      promises.append(leaf.map(promise) ?? 0)
    }
    return (edges, places(ofAscending: promises.map { Int(truncatingIfNeeded: $0 ^ 1 << 63) }))
  }

  /// A number that is smaller for leaves with a better possible row.
  private func promise(_ leaf: ScanLeaf) -> UInt64 {
    guard let entry = leaf.entry(order[0].field), entry.type == type,
      entry.flags.contains(.zoneMap)
    else { return 0 }
    let isDescending = order[0].isDescending
    // Null, or NaN, comes first.
    if isDescending ? entry.flags.contains(.nan) : entry.nullCount > 0 { return 0 }
    let bound = isDescending ? entry.maximum : entry.minimum
    let bits: UInt64 =
      switch type {
      case .integer: bound ^ (1 << 63)
      case .double, .float: Double(bitPattern: bound).sortBits
      case .bytes, .uuid: bound
      }
    return isDescending ? ~bits : bits
  }

  /// A necessary condition for a row to be better than the worst of the heap.
  private var threshold: CompiledPredicate {
    guard heap.count == count, let worst = heap.first?.value else { return .constant(true) }
    let field = order[0].field
    if order[0].isDescending {
      if worst == .null || worst.isNaN { return .constant(true) }
      // NaN comes before all numbers, and is not below any.
      return type == .double || type == .float
        ? .not(.test(field, type, .compare(.less, worst)))
        : .test(field, type, .compare(.greaterOrEqual, worst))
    }
    if worst.isNaN { return .constant(true) }
    let isNull = CompiledPredicate.test(field, type, .isNull)
    if worst == .null { return isNull }
    return .any([.test(field, type, .compare(.lessOrEqual, worst)), isNull])
  }

  /// Offers the selected rows of a leaf.
  ///
  /// Makes their words first, column by column: so the texts of many rows are fetched at once, and the words
  /// alone rule out most rows.
  private mutating func offer(
    _ leaf: inout ScanLeaf, _ ordinal: Int, _ selection: Selection
  ) throws(EngineError) {
    rows.removeAll(keepingCapacity: true)
    selection.forEach { rows.append(UInt16(truncatingIfNeeded: $0)) }
    words.removeAll()
    try words.append(&leaf, rows)
    for index in rows.indices {
      // The first word rules out nearly all of them, and takes the fewest steps.
      if let worst, words.firstWord(index) > worst.first { continue }
      let words = words.row(index)
      if let worst, worst.precedes(words) { continue }
      try offer(&leaf, ordinal, Int(rows[index]), words)
    }
  }

  private mutating func offer(
    _ leaf: inout ScanLeaf, _ ordinal: Int, _ row: Int, _ words: SortWords.Row
  ) throws(EngineError) {
    try writer.set(&leaf, row: row)
    let place = SortedPlaces.packed(leaf: ordinal, row: row)
    if heap.count == count, let worst = heap.first {
      let order = writer.bytes.compareBytes(worst.key)
      guard order != 0 ? order < 0 : place < worst.place else { return }
    }
    let row = Row(
      key: writer.bytes, place: place, value: try value(&leaf, row), words: words)
    if heap.count < count {
      heap.append(row)
      siftUp()
    } else {
      heap[0] = row
      siftDown()
    }
    worst = heap.count == count ? heap.first?.words : nil
  }

  private func value(_ leaf: inout ScanLeaf, _ row: Int) throws(EngineError) -> Value {
    let field = order[0].field
    if field == 0 { return .integer(leaf.head.key(row)) }
    let column = try leaf.column(field)
    guard let reference = column.external(row) else { return column.value(row) }
    return .bytes(try leaf.value(reference, of: field))
  }

  private mutating func siftUp() {
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[parent].precedes(heap[child]) else { return }
      heap.swapAt(parent, child)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var worst = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[worst].precedes(heap[child]) {
        worst = child
      }
      if worst == parent { return }
      heap.swapAt(parent, worst)
      parent = worst
    }
  }
}
