/// The part of an index that contains every object for which a conjunct is true.
struct IndexAccess {
  /// The indexed field; nil for a table index.
  let field: FieldID?
  /// The table index; nil for a field's index.
  let tableIndex: TableIndex?
  let tree: IndexTree
  private let entries: Entries
  /// The number of entries in the ranges.
  let count: UInt64
  /// Whether every entry's object meets the used conjuncts; otherwise they are candidates.
  let isExact: Bool
  /// The conjuncts that the ranges answer, by index.
  let used: [Int]

  /// The selected entries.
  private enum Entries {
    /// Entries with these values, as index key bytes.
    case values([[UInt8]])
    case range(IndexRange)
    /// Ranges of a table index, which may overlap for long values.
    case ranges([IndexRange])
  }

  /// At most this many values are looked up one by one; in a field's index also up to a sixteenth of the entries.
  private static let valuesMax = 256

  /// The access that the conjuncts on an indexed field allow; nil if they allow none.
  init?(
    _ field: FieldDefinition, _ tree: IndexTree, conjuncts: [CompiledPredicate]
  ) throws(EngineError) {
    let valuesMax = max(Self.valuesMax, Int(clamping: tree.count / 16))
    var listed: (place: Int, values: [[UInt8]])?
    for (place, conjunct) in conjuncts.enumerated() where listed == nil {
      guard case .field(let test) = conjunct, test.field == field.id else { continue }
      // The entries are the links of lists, and do not represent a whole list.
      if field.type == .links, !test.isOfOneLink { continue }
      listed = test.values(atMost: valuesMax).map { (place, $0) }
    }
    let bounds = IndexBounds(of: field.id, field.type == .links ? [] : conjuncts)
    self.field = field.id
    tableIndex = nil
    self.tree = tree
    used = listed.map { [$0.place] } ?? bounds.used
    guard !used.isEmpty else { return nil }
    if let values = listed?.values {
      entries = .values(values)
      isExact = values.allSatisfy { $0.count < IndexKey.byteCountMax }
      var sum: UInt64 = 0
      for value in values {
        let count = try value.withByteView { view throws(EngineError) in
          try tree.count(equal: view)
        }
        let (next, overflow) = sum.addingReportingOverflow(count)
        sum = overflow ? .max : next
      }
      count = sum
    } else {
      let range = bounds.range
      entries = .range(range)
      isExact = bounds.isExact
      count = try tree.count(in: range)
    }
  }

  /// The access that the conjuncts on a table index allow; nil if they allow none.
  init?(
    _ index: TableIndex, of table: TableDefinition, _ tree: IndexTree,
    conjuncts: [CompiledPredicate]
  ) throws(EngineError) {
    guard
      let bounds = TableIndexBounds(index, of: table, conjuncts, valuesMax: Self.valuesMax)
    else { return nil }
    field = nil
    tableIndex = index
    self.tree = tree
    entries = .ranges(bounds.ranges)
    used = Array(bounds.used).ascending { $0 }
    isExact = bounds.isExact
    var sum: UInt64 = 0
    for range in bounds.ranges {
      let (next, overflow) = sum.addingReportingOverflow(try tree.count(in: range))
      sum = overflow ? .max : next
    }
    count = sum
  }

  /// Records that this index found the candidates.
  func note(in statistics: inout ScanStatistics) {
    statistics.index = field
    statistics.tableIndex = tableIndex
    if let field { statistics.steps.append(.index(field, entries: count)) }
    if let tableIndex { statistics.steps.append(.tableIndex(tableIndex, entries: count)) }
  }

  /// The object keys of all entries, ascending.
  func keys() throws(EngineError) -> [Int64] {
    var keys: [Int64] = []
    keys.reserveCapacity(Int(clamping: min(count, 1 << 20)))
    switch entries {
    case .values(let values):
      for value in values {
        try checkCancellation()
        try value.withByteView { view throws(EngineError) in
          try tree.keys(equal: view, into: &keys)
        }
      }
      if values.count > 1 { keys.sort() }
    case .range(let range):
      if try !append(range, to: &keys) { keys.sort() }
    case .ranges(let ranges):
      var isAscending = true
      for range in ranges where try !append(range, to: &keys) { isAscending = false }
      if !isAscending { keys.sort() }
      if !isExact, ranges.count > 1 { keys = keys.withoutRepetitions }
    }
    return keys
  }

  /// Appends the object keys of a range; false if the keys then do not ascend.
  private func append(
    _ range: IndexRange, to keys: inout [Int64]
  ) throws(EngineError) -> Bool {
    if let value = range.onlyValue {
      let end = keys.count
      try value.withByteView { (view) throws(EngineError) in
        try tree.keys(equal: view, into: &keys)
      }
      return end == 0 || end == keys.count || keys[end - 1] < keys[end]
    }
    var isAscending = true
    try tree.scan(range) { (_, run) throws(EngineError) in
      if let last = keys.last, run.count > 0, run[0] <= last { isAscending = false }
      // Most runs have few keys.
      if keys.count & 1023 + run.count > 1023 { try checkCancellation() }
      run.append(to: &keys)
      return true
    }
    return isAscending
  }
}

extension FieldTest {
  /// All values that the condition allows, including null, as index bytes; nil if they cannot be listed, or are too
  /// many.
  func values(atMost valuesMax: Int, asParts: Bool = false) -> [[UInt8]]? {
    func bytes(_ value: Value) -> [UInt8] { asParts ? value.part : value.indexKey }
    switch kind {
    case .compare(.equal, let value): return [bytes(value)]
    case .isNull: return [bytes(.null)]
    case .oneOf(let values) where values.count <= valuesMax:
      // Long values, and the two zeros, can share their bytes, which must not be counted twice.
      var seen: Set<[UInt8]> = []
      return values.map(bytes).filter { seen.insert($0).inserted }
    case .links(let key): return [bytes(.integer(key))]
    case .keys(let keys) where keys.count <= valuesMax: return keys.keys.map { bytes(.integer($0)) }
    default: return nil
    }
  }
}

extension [Int64] {
  /// The numbers that another ascending list also contains.
  func common(with other: [Int64]) -> [Int64] {
    var result: [Int64] = []
    var place = 0
    for key in self {
      while place < other.count, other[place] < key { place += 1 }
      guard place < other.count else { break }
      if other[place] == key { result.append(key) }
    }
    return result
  }

  /// An ascending list without duplicates.
  var withoutRepetitions: [Int64] {
    guard count > 1 else { return self }
    var result: [Int64] = []
    result.reserveCapacity(count)
    for key in self where key != result.last { result.append(key) }
    return result
  }
}

extension Value {
  /// The index key bytes of the value.
  var indexKey: [UInt8] {
    var key = IndexKey()
    key.set(self)
    return key.bytes
  }
}
