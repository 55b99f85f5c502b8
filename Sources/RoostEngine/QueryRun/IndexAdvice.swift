/// An index that is not there, and with which a query would have read much less.
package struct IndexAdvice: Equatable, Sendable {
  /// How the index would be used.
  package enum Use: Equatable, Sendable {
    /// Its entries would have been the candidates, this many of the rows that were looked at.
    case candidates(Int, of: Int)
    /// The first results would have been its first entries, this many at most, instead of the best of this many rows.
    case order(Int, of: Int)
    /// No index has the elements of the field. If they were objects of their own, their index would have led to this many of
    /// the rows that were looked at.
    case elements(Int, of: Int)
  }

  /// The fields of the index, the most significant first.
  package let fields: [FieldID]
  /// What it is for.
  package let use: Use
  /// The value that its objects have, if it is of a bool.
  package let flag: Bool?

  package init(fields: [FieldID], use: Use, flag: Bool? = nil) {
    self.fields = fields
    self.use = use
    self.flag = flag
  }
}

extension IndexAdvice {
  /// In a query that looks at fewer rows than this, or sorts fewer, no index is missing.
  private static let rowsMin = 4096
  private static let sortedMin = 1024
  /// An index is advised if it makes a part of a query this many times cheaper.
  private static let gainMin = 2.0
  private static let orderGainMin = 8
  /// Up to this many objects of an index are found and sorted about as fast as the first in their order are read.
  private static let fewCandidates = 128

  /// The index that would have helped most to answer a query; nil if none would have.
  ///
  /// Whether it would is decided by counting its entries, and by the costs by which the planner would choose it.
  ///
  /// - Parameter statistics: How the query was answered.
  /// - Complexity: Only where rows were scanned or sorted: compiles the query again, and counts the matches of its conditions.
  init?(
    _ query: ObjectQuery, answeredAs statistics: ScanStatistics, in view: ReadView
  ) throws(EngineError) {
    let effort = Effort(statistics)
    guard effort.scannedCount >= Self.rowsMin || effort.sortedCount >= Self.sortedMin else {
      return nil
    }
    let compiler = try PredicateCompiler(view, table: query.table)
    let order = try compiler.columns(query.order, of: nil).deciding
    let conjuncts = try compiler.condition(query.predicate).conjuncts
    let search = IndexAdviceSearch(compiler: compiler, conjuncts: conjuncts, effort: effort)
    let found = try search.ofCandidates(rowsMin: Self.rowsMin, gainMin: Self.gainMin)
    if let found, case .candidates(let count, _) = found.use, count <= Self.fewCandidates {
      self = found
      return
    }
    let isPlain = query.order.allSatisfy { $0.collation == nil }
    let limit = query.neededCount ?? .max
    let (least, overflow) = limit.multipliedReportingOverflow(by: Self.orderGainMin)
    if isPlain, !overflow, effort.orderedCount >= max(least, Self.sortedMin),
      let fields = search.ofOrder(order)
    {
      self.init(fields: fields, use: .order(limit, of: effort.orderedCount))
      return
    }
    if let found {
      self = found
    } else {
      let ofElements = try search.ofElements(query, in: view, rowsMin: Self.rowsMin)
      guard let ofElements else { return nil }
      self = ofElements
    }
  }

  /// What to declare in a model, and why.
  ///
  /// An index of a bool has an entry of each object, for two values: one of some objects does as well.
  ///
  /// - Parameter property: The property of a field, if the model is known; otherwise the field's name stands for it.
  func words(_ table: TableDefinition, _ property: (FieldID) -> String?) -> String {
    let names = fields.map { table.field($0)?.name ?? "field \($0)" }
    let properties = zip(fields, names).map { property($0) ?? $1 }
    let last = names.first?.split(separator: ".").last ?? ""
    let isKind =
      names.count == 1
      && table.fields.contains { FieldDefinition.kindName(of: $0.name) == names[0] }
    let declaration =
      if let flag {
        "Index<\(table.name)>(\\.\(properties[0]), where: { $0.\(properties[0].filter { $0 != "?" }) == \(flag) }) "
          + "among the indexes of \(table.name)"
      } else if names.count > 1 || isKind {
        "Index<\(table.name)>(" + properties.map { "\\.\($0)" }.joined(separator: ", ")
          + ") among the indexes of \(table.name)"
      } else if names[0].contains(".") {
        ".indexed in Part(\"\(last)\", …) of \(names[0])"
      } else {
        ".indexed in Field(\"\(names[0])\", …) of \(table.name)"
      }
    return switch use {
    case .candidates(let count, let scanned):
      "advice: \(declaration) would leave \(count) of the \(scanned) rows looked at"
    case .order(let limit, let ordered):
      "advice: \(declaration) would give the first \(limit) without sorting \(ordered) rows"
    case .elements(let count, let scanned):
      "advice: no index has the elements of \(properties[0]); a model of them, with an index and "
        + "a link to \(table.name), would leave \(count) of the \(scanned) rows looked at"
    }
  }
}

/// The rows that a query looked at.
private struct Effort {
  /// The rows that a scan looked at, and the leaves.
  var scannedCount = 0
  var leavesVisited = 0
  /// The matches that were sorted.
  var sortedCount = 0
  /// Whether a heap kept the first results of the scan.
  var hasHeap = false

  init(_ statistics: ScanStatistics) {
    for step in statistics.steps {
      switch step {
      case .scan, .positions:
        scannedCount = statistics.rowsExamined
        leavesVisited = statistics.leavesVisited
      case .sort(let count): sortedCount = count
      case .top: hasHeap = true
      case .nothing, .keys, .index, .tableIndex, .union, .intersection, .inOrder, .gaveUp: break
      }
    }
  }

  /// The rows from which the first in the order were taken.
  var orderedCount: Int { hasHeap ? scannedCount : sortedCount }
}

/// The search for a missing index.
private struct IndexAdviceSearch {
  let compiler: PredicateCompiler
  let conjuncts: [CompiledPredicate]
  let effort: Effort

  /// An index with more fields is not advised.
  private static let fieldsMax = 4
  /// At most this many values of a field are looked up.
  private static let valuesMax = 256
  /// A model of their own is advised for elements that lead to one of this many objects at most.
  private static let elementsGainMin = 64

  /// The index whose entries are the fewest candidates of a query that scanned.
  func ofCandidates(
    rowsMin: Int, gainMin: Double
  ) throws(EngineError) -> IndexAdvice? {
    let scanned = effort.scannedCount
    guard scanned >= rowsMin else { return nil }
    let cost = AccessPath.scanCost(
      of: .all(conjuncts), rows: scanned, leaves: effort.leavesVisited)
    var singles: [(field: FieldID, isOfOneValue: Bool, count: Int)] = []
    for field in compiler.table.fields where field.canBeInTableIndex {
      let tests = tests(of: [field.id])
      guard !tests.isEmpty else { continue }
      let isOfOneValue = tests.contains { $0.isOfOneValue }
      singles.append((field.id, isOfOneValue, try count(tests)))
    }
    func isCheap(_ fields: [FieldID], _ count: Int) -> Bool {
      let isWhole = tests(of: fields).count == conjuncts.count
      return AccessPath.indexCost(entries: count, isWhole: isWhole) * gainMin < cost
    }
    singles = singles.ascending(by: \.count)
    if let best = singles.first(where: { compiler.table.field($0.field)?.indexTree == 0 }),
      isCheap([best.field], best.count)
    {
      return IndexAdvice(
        fields: [best.field], use: .candidates(best.count, of: scanned), flag: flag(best.field))
    }
    // Together: single values of some fields, then a range of another.
    var fields = singles.filter(\.isOfOneValue).map(\.field)
    if let range = singles.first(where: { !$0.isOfOneValue }) { fields.append(range.field) }
    guard fields.count > 1 else { return nil }
    for length in 2...max(2, min(fields.count, Self.fieldsMax)) {
      let fields = Array(fields.prefix(length))
      let count = try count(tests(of: fields))
      if isCheap(fields, count) {
        return IndexAdvice(fields: fields, use: .candidates(count, of: scanned))
      }
    }
    return nil
  }

  /// The fields of an index that answers all conditions, and whose entries are in an order; nil if there is none, or if another
  /// index would be preferred to it.
  func ofOrder(_ order: [SortColumn]) -> [FieldID]? {
    let table = compiler.table
    var single: [FieldID] = []
    for field in table.fields where field.canBeInTableIndex {
      if tests(of: [field.id]).contains(where: \.isOfOneValue) { single.append(field.id) }
    }
    let order = order.filter { !single.contains($0.field) }
    guard let first = order.first,
      order.allSatisfy({ $0.isDescending == first.isDescending }),
      order.allSatisfy({ table.field($0.field)?.canBeInTableIndex == true })
    else { return nil }
    let fields = single + order.map(\.field)
    guard Set(fields).count == fields.count, fields.count <= Self.fieldsMax,
      case let tests = tests(of: single + [first.field]), tests.count == conjuncts.count,
      tests.allSatisfy({ $0.isOfOneValue || $0.values(atMost: Self.valuesMax) == nil })
    else { return nil }
    // Without single values, the first field's own index is preferred: it was not good enough.
    if single.isEmpty, table.field(first.field)?.indexTree != 0 { return nil }
    return fields
  }

  /// The collection with elements that few of the objects have.
  ///
  /// - Complexity: A scan for each condition on elements.
  func ofElements(
    _ query: ObjectQuery, in view: ReadView, rowsMin: Int
  ) throws(EngineError) -> IndexAdvice? {
    guard effort.scannedCount >= rowsMin else { return nil }
    let parts = if case .and(let parts) = query.predicate { parts } else { [query.predicate] }
    for part in parts {
      guard case .comparison(.elements(let field, _, _, let condition), _, _) = part,
        condition != .always(true)
      else { continue }
      let count = try view.count(ObjectQuery(table: query.table, predicate: part))
      if count <= effort.scannedCount / Self.elementsGainMin {
        return IndexAdvice(fields: [field], use: .elements(count, of: effort.scannedCount))
      }
    }
    return nil
  }

  /// The conditions on some fields that their index would answer.
  private func tests(of fields: [FieldID]) -> [FieldTest] {
    fields.flatMap { field in
      let tests = conjuncts.compactMap { conjunct -> FieldTest? in
        guard case .field(let test) = conjunct, test.field == field, test.isOfStoredColumn
        else { return nil }
        return test
      }
      // Values are looked up, and then a range of the same field is asked of the objects.
      if let listed = tests.first(where: { $0.values(atMost: Self.valuesMax) != nil }) {
        return [listed]
      }
      let bounds = IndexBounds(of: field, tests.map { .field($0) })
      return bounds.used.map { tests[$0] }
    }
  }

  /// The value that a bool must have; nil if it may have several.
  private func flag(_ field: FieldID) -> Bool? {
    guard compiler.table.field(field)?.type == .bool else { return nil }
    for test in tests(of: [field]) {
      if case .compare(.equal, .integer(let value)) = test.kind { return value != 0 }
    }
    return nil
  }

  private func count(_ tests: [FieldTest]) throws(EngineError) -> Int {
    var statistics = ScanStatistics()
    return try QueryRun(compiler, .all(tests.map { .field($0) })).count(&statistics)
  }
}

extension FieldTest {
  /// Whether the field must have a single value.
  fileprivate var isOfOneValue: Bool { values(atMost: 1)?.count == 1 }
}
