/// Finds the first few matches in an order, without sorting the others.
///
/// A heap contains the best rows so far. The worst of them narrows the search: leaves whose zone map rules out
/// a better row are skipped, and columns are filtered by it before any key is built. The most promising leaves
/// come first.
struct TopRows {
  private struct Row {
    /// The words of the row's keys: a row with later words sorts after this row.
    let words: SortWords.Row
    let place: UInt64
    /// The place of the row's ``Content``.
    let slot: Int
  }

  /// What is looked at of few rows.
  private struct Content {
    /// The bytes of its keys, if the words may not decide.
    let key: [UInt8]
    /// The value of the first sort key.
    let value: Value
  }

  private let tree: ObjectTree
  private let order: [SortColumn]
  private let type: PhysicalType
  private let condition: CompiledPredicate
  private let count: Int
  /// Whether rows with the same words may have different keys.
  private let needsKeys: Bool
  private var heap: BoundedHeap<Row>
  private var contents: [Content] = []
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
    needsKeys = !words.isExact || order.contains { $0.type == .bytes }
    heap = BoundedHeap(countMax: count)
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
      if let worst = worstValue, worst != bound {
        bound = worst
        narrowed = .all([threshold, condition])
      }
    }
    evaluator.leaf.report(to: &statistics)
    let rows = heap.elements.sorted { Self.precedes($0, $1, contents) }
    return SortedPlaces(edges: edges, places: rows.map(\.place))
  }

  private static func precedes(_ row: Row, _ other: Row, _ contents: [Content]) -> Bool {
    if row.words != other.words { return row.words.precedes(other.words) }
    let order = contents[row.slot].key.compareBytes(contents[other.slot].key)
    return order != 0 ? order < 0 : row.place < other.place
  }

  /// The value of the first key of the last row that counts, once there are enough rows.
  private var worstValue: Value? { heap.last.map { contents[$0.slot].value } }

  /// The leaves, and their visiting order: by the best value that the zone map allows.
  private func leaves(
    _ keys: ClosedRange<Int64>
  ) throws(EngineError) -> (edges: [TreeEdge], sequence: [Int]) {
    var edges: [TreeEdge] = []
    var promises: [UInt64] = []
    var cursor = try LeafEdgeCursor(tree, keys: keys)
    guard let first = try cursor.next() else { return ([], []) }
    var leaf = try ScanLeaf(first, in: tree.context)
    edges.append(first)
    promises.append(promise(leaf))
    while let edge = try cursor.next() {
      try leaf.move(to: edge)
      edges.append(edge)
      promises.append(promise(leaf))
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
    guard let worst = worstValue else { return .constant(true) }
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
    // Of the leaf's rows, no other can be among the first ones.
    let last = rows.count > 2 * count ? words.firstWord(ofRank: count) : .max
    for index in rows.indices {
      // The first word rules out nearly all of them, and takes the fewest steps.
      let first = words.firstWord(index)
      if first > last { continue }
      if let worst = heap.last,
        first > worst.words.first || worst.words.precedes(words.row(index))
      {
        continue
      }
      try offer(&leaf, ordinal, Int(rows[index]), words.row(index))
    }
  }

  private mutating func offer(
    _ leaf: inout ScanLeaf, _ ordinal: Int, _ row: Int, _ words: SortWords.Row
  ) throws(EngineError) {
    if needsKeys { try writer.set(&leaf, row: row) }
    let place = SortedPlaces.packed(leaf: ordinal, row: row)
    if let worst = heap.last, words == worst.words {
      let order = writer.bytes.compareBytes(contents[worst.slot].key)
      guard order != 0 ? order < 0 : place < worst.place else { return }
    }
    let content = Content(key: writer.bytes, value: try value(&leaf, row))
    let slot = heap.last?.slot ?? contents.count
    if slot < contents.count { contents[slot] = content } else { contents.append(content) }
    let contents = contents
    heap.insert(Row(words: words, place: place, slot: slot)) { Self.precedes($0, $1, contents) }
  }

  private func value(_ leaf: inout ScanLeaf, _ row: Int) throws(EngineError) -> Value {
    let field = order[0].field
    if field == 0 { return .integer(leaf.head.key(row)) }
    let column = try leaf.column(field)
    guard let reference = column.external(row) else { return column.value(row) }
    return .bytes(try leaf.value(reference, of: field))
  }
}
