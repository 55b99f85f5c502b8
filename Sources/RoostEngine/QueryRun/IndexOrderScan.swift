/// Finds the first few matches in the order of an indexed field by traversing its index in that order.
///
/// Reads no objects if the index alone decides which match, and sorts only objects that the index
/// cannot distinguish: those of one value if more fields decide, or of one long prefix.
struct IndexOrderScan {
  let tree: ObjectTree
  private let index: IndexTree
  /// The indexed field; nil for a table index.
  private let field: FieldID?
  private let tableIndex: TableIndex?
  /// The entries that may match.
  private let range: IndexRange
  private let order: [SortColumn]
  /// The number of sort keys that the entry order covers.
  private let answeredCount: Int
  /// The types of an entry's first values, if entries that agree in them are equal in the order.
  private let groupTypes: [PhysicalType]?
  /// The conditions that the index does not answer.
  private let condition: CompiledPredicate
  private let limit: Int

  /// The scan that reads the least for the first matches; nil if no index has the order.
  static func best(
    _ condition: CompiledPredicate, of table: TableDefinition, _ tree: ObjectTree,
    _ order: [SortColumn],
    limit: Int, in view: ReadView
  ) throws(EngineError) -> IndexOrderScan? {
    let order = order.deciding
    guard !order.isEmpty else { return nil }
    var best: (walk: IndexOrderScan, equalCount: Int, isOfSome: Bool)?
    for index in table.indexes {
      guard
        let (walk, equalCount) = try ofTable(
          index, condition, of: table, tree, order, limit: limit, in: view)
      else { continue }
      let isOfSome = !index.condition.isEmpty
      if let best, (best.equalCount, best.isOfSome ? 1 : 0) >= (equalCount, isOfSome ? 1 : 0) {
        continue
      }
      best = (walk, equalCount, isOfSome)
    }
    if let best, best.equalCount > 0 || best.isOfSome { return best.walk }
    return try IndexOrderScan(condition, of: table, tree, order, limit: limit, in: view)
      ?? best?.walk
  }

  /// A scan of the first sort key's index.
  private init?(
    _ condition: CompiledPredicate, of table: TableDefinition, _ tree: ObjectTree,
    _ order: [SortColumn],
    limit: Int, in view: ReadView
  ) throws(EngineError) {
    guard let first = order.first, first.field != 0, let field = table.field(first.field),
      field.indexTree != 0, field.type != .links
    else { return nil }
    let conjuncts = condition.conjuncts
    // Conditions on single values are looked up instead.
    for case .field(let test) in conjuncts where test.field == field.id && test.namesValues {
      return nil
    }
    let bounds = IndexBounds(of: field.id, conjuncts)
    self.tree = tree
    index = try view.index(field)
    self.field = field.id
    tableIndex = nil
    range = bounds.range
    self.order = order
    answeredCount = 1
    groupTypes = nil
    self.condition =
      bounds.isExact
      ? .all(conjuncts.indices.filter { !bounds.used.contains($0) }.map { conjuncts[$0] })
      : condition
    self.limit = limit
  }

  /// A scan of a table index: entries with one value in each of the first fields, in the order
  /// of the next fields.
  private static func ofTable(
    _ tableIndex: TableIndex, _ condition: CompiledPredicate, of table: TableDefinition,
    _ tree: ObjectTree, _ order: [SortColumn], limit: Int, in view: ReadView
  ) throws(EngineError) -> (IndexOrderScan, equalCount: Int)? {
    let conjuncts = condition.conjuncts
    let bounds = TableIndexBounds(tableIndex, of: table, conjuncts, valuesMax: 1)
    guard bounds != nil || tableIndex.condition.isEmpty else { return nil }
    let equalCount = bounds?.equalCount ?? 0
    // Sort keys with a single value do not affect the order.
    let order = order.filter { !tableIndex.fields.prefix(equalCount).contains($0.field) }
    let answered = zip(order, tableIndex.fields.dropFirst(equalCount)).prefix { key, field in
      key.field == field && key.isDescending == order[0].isDescending
    }
    let answeredCount = answered.count
    let wholeRange = bounds == nil ? IndexRange() : nil
    guard answeredCount > 0, let range = bounds?.ranges.first ?? wholeRange else { return nil }
    let groupCount = equalCount + answeredCount
    let types = tableIndex.fields.prefix(groupCount).compactMap { table.field($0)?.type.physical }
    let used = bounds.map { $0.isExact ? $0.used : [] } ?? []
    let walk = IndexOrderScan(
      tree: tree, index: try view.index(tree: tableIndex.tree), field: nil,
      tableIndex: tableIndex, range: range, order: order, answeredCount: answeredCount,
      groupTypes: groupCount < tableIndex.fields.count ? types : nil,
      condition: .all(conjuncts.indices.filter { !used.contains($0) }.map { conjuncts[$0] }),
      limit: limit)
    return (walk, equalCount)
  }

  private init(
    tree: ObjectTree, index: IndexTree, field: FieldID?, tableIndex: TableIndex?,
    range: IndexRange, order: [SortColumn], answeredCount: Int, groupTypes: [PhysicalType]?,
    condition: CompiledPredicate, limit: Int
  ) {
    self.tree = tree
    self.index = index
    self.field = field
    self.tableIndex = tableIndex
    self.range = range
    self.order = order
    self.answeredCount = answeredCount
    self.groupTypes = groupTypes
    self.condition = condition
    self.limit = limit
  }

  /// Whether objects are read, and not only entries.
  var looksAtObjects: Bool {
    !isAnswered || order.count > answeredCount || groupTypes != nil
  }

  /// Whether the index alone determines the matching objects.
  private var isAnswered: Bool { if case .constant(true) = condition { true } else { false } }

  /// The keys of the matching objects in order; nil if the matches are so rare that another path is cheaper.
  ///
  /// - Parameter objectsMax: The number of single objects that can be tested for the cost of that path.
  func find(
    objectsMax: Int, _ statistics: inout ScanStatistics
  ) throws(EngineError) -> [Int64]? {
    if !looksAtObjects, !order[0].isDescending, let keys = try firstKeys() {
      note(in: &statistics)
      statistics.rowsMatched += keys.count
      return keys
    }
    guard objectsMax > 0 else { return nil }
    var search = IndexOrderSearch(limit: limit, objectsMax: objectsMax)
    guard try find(&search, &statistics) else {
      statistics.steps.append(.gaveUp(field, tableIndex, entries: search.testedCount))
      return nil
    }
    note(in: &statistics)
    statistics.rowsMatched += search.found.count
    return search.found
  }

  /// Finds the first matches; false if they are too rare.
  private func find(
    _ search: inout IndexOrderSearch, _ statistics: inout ScanStatistics
  ) throws(EngineError) -> Bool {
    let isDescending = order[0].isDescending
    let cursor = index.cursor(over: range, descending: isDescending)
    // The last value that was taken with all of its keys.
    var taken = PlainBuffer<UInt8>()
    while !search.isFull, try cursor.next() {
      try checkCancellation()
      guard let value = group(of: cursor.value) else { return false }
      if needsSorting(value) {
        guard !taken.view(0, taken.count).bytesEqual(value) else { continue }
        taken.removeAll()
        taken.append(value)
        guard try test(&search, &statistics), !search.isFull else { return search.isFull }
        guard try takeSorted(value, &search, &statistics) else { return false }
      } else if isDescending {
        // The last run of a value comes first, but its objects are needed in key order.
        guard !taken.view(0, taken.count).bytesEqual(value) else { continue }
        taken.removeAll()
        taken.append(value)
        var isWhole = true
        try index.visit(equal: value) { (run) throws(EngineError) in
          isWhole = try take(run, &search, &statistics)
          return isWhole && !search.isFull
        }
        guard isWhole else { return false }
      } else {
        guard try take(cursor.keys, &search, &statistics) else { return false }
      }
    }
    // Whatever is found, these are all.
    _ = try test(&search, &statistics)
    return true
  }

  private func firstKeys() throws(EngineError) -> [Int64]? {
    try range.lower.withLowerPosition { (lower) throws(EngineError) in
      try range.upper.withUpperPosition { (upper) throws(EngineError) in
        index.firstKeys(limit, from: lower ?? IndexPosition(before: ByteView()), to: upper)
      }
    }
  }

  private func note(in statistics: inout ScanStatistics) {
    statistics.index = field
    statistics.tableIndex = tableIndex
    statistics.steps.append(.inOrder(field, tableIndex))
  }

  /// The shared bytes of entries that are equal in the order; nil if they exceed the key length.
  private func group(of value: ByteView) -> ByteView? {
    guard let groupTypes else { return value }
    guard value.count < IndexKey.byteCountMax else { return nil }
    return CompoundBytes.end(of: groupTypes, in: value).map { value.slice(0, $0) }
  }

  /// Whether objects with a value can differ in the order: by further fields, or beyond the maximum key length.
  private func needsSorting(_ value: ByteView) -> Bool {
    order.count > answeredCount || groupTypes != nil || value.count >= IndexKey.byteCountMax
  }

  /// Takes the keys of a run up to the limit; false if matches are too rare.
  private func take(
    _ run: IndexKeyRun, _ search: inout IndexOrderSearch, _ statistics: inout ScanStatistics
  ) throws(EngineError) -> Bool {
    if isAnswered {
      for place in 0..<min(run.count, limit - search.found.count) {
        search.found.append(run.key(place))
      }
      return true
    }
    var place = 0
    while place < run.count, !search.isFull {
      let end = min(run.count, place + search.batchCount - search.untested.count)
      for place in place..<end { search.untested.append(run.key(place)) }
      place = end
      guard search.untested.count == search.batchCount else { continue }
      guard try test(&search, &statistics) else { return false }
    }
    return true
  }

  /// Tests the keys that were taken since the last test; false if matches are too rare.
  ///
  /// In key order, so that each leaf is visited once.
  private func test(
    _ search: inout IndexOrderSearch, _ statistics: inout ScanStatistics
  ) throws(EngineError) -> Bool {
    guard !search.untested.isEmpty else { return true }
    let visited = statistics.leavesVisited
    let matching = try tree.fulfilling(
      condition, search.untested.ascending(), areEntries: true, &statistics)
    return search.take(matching, visits: statistics.leavesVisited - visited)
  }

  /// Takes the keys of a value in object order.
  private func takeSorted(
    _ value: ByteView, _ search: inout IndexOrderSearch, _ statistics: inout ScanStatistics
  ) throws(EngineError) -> Bool {
    let group = groupTypes == nil ? nil : IndexRange(prefix: value.array)
    let count: UInt64
    if let group {
      count = try index.count(in: group)
    } else {
      count = try index.count(equal: value)
    }
    guard search.mayTest(count) else { return false }
    var keys: [Int64] = []
    if let group {
      try index.scan(group) { (_, run) throws(EngineError) in
        run.append(to: &keys)
        return true
      }
      keys.sort()
    } else {
      try index.keys(equal: value, into: &keys)
    }
    let visited = statistics.leavesVisited
    if !isAnswered {
      keys = try tree.fulfilling(condition, keys, areEntries: true, &statistics)
    }
    let mayDiffer = order.count > answeredCount || value.count >= IndexKey.byteCountMax
    var visits = statistics.leavesVisited - visited
    if keys.count > 1, mayDiffer { keys = try sorted(keys, &visits) }
    search.found += keys.prefix(limit - search.found.count)
    return search.didTest(Int(count), visits: visits)
  }

  /// Sorts objects by all of their sort keys; adds the leaves that it visits.
  private func sorted(_ keys: [Int64], _ visits: inout Int) throws(EngineError) -> [Int64] {
    var rows: [OrderedRow] = []
    rows.reserveCapacity(keys.count)
    var writer = SortKeyBytes(order)
    var candidates = CandidateLeaf(tree)
    for key in keys {
      guard let row = try candidates.row(of: key) else { throw tree.missing(key) }
      try candidates.write(&writer, row: row)
      rows.append(OrderedRow(bytes: writer.bytes, key: key))
    }
    visits += candidates.visited
    return rows.ascendingPlaces().map { rows[$0].key }
  }
}

extension FieldTest {
  /// Whether the field must have one of some values, or null.
  fileprivate var namesValues: Bool {
    switch kind {
    case .compare(.equal, _), .isNull, .oneOf, .keys: true
    case .compare, .compareColumns, .isNotNull, .text, .pattern, .links, .hasNaN: false
    }
  }
}

extension [SortColumn] {
  /// The keys that affect the order: the object key is unique, and ascending by default.
  var deciding: [SortColumn] {
    var keys = self
    if let place = keys.firstIndex(where: { $0.field == 0 }) { keys.removeSubrange((place + 1)...) }
    if let last = keys.last, last.field == 0, !last.isDescending { keys.removeLast() }
    return keys
  }
}
