/// Objects gathered into groups, leaf by leaf.
struct GroupRun {
  private let keys: [SortColumn]
  private var aggregates: [GroupedValues]
  /// The groups by the bytes of their keys.
  private var groups: [[UInt8]: Int] = [:]
  /// The groups of a single integer key.
  private var integerGroups: [Int64: Int] = [:]
  private var nullGroup: Int?
  /// The keys of the groups, in order of first occurrence.
  private let keyColumns: [ColumnBuffer]
  private var writer: SortKeyBytes
  /// The group of each row of a leaf.
  private var places: [Int] = []

  private var count: Int { keyColumns.first?.count ?? 0 }

  init(_ query: GroupQuery, _ compiler: PredicateCompiler) throws(EngineError) {
    keys = try compiler.columns(query.keys.map { SortKey($0) }, of: nil)
    keyColumns = keys.map { ColumnBuffer(type: $0.type) }
    writer = SortKeyBytes(keys)
    aggregates = []
    for aggregate in query.aggregates {
      aggregates.append(try GroupedValues(aggregate, compiler))
    }
  }

  /// Adds some rows of a leaf.
  mutating func add(_ leaf: inout ScanLeaf, _ rows: LeafRows) throws(EngineError) {
    guard !rows.isEmpty else { return }
    places.removeAll(keepingCapacity: true)
    if keys.count == 1, keys[0].type == .integer {
      try placeByInteger(&leaf, rows)
    } else if keys.count == 1, keys[0].type == .bytes {
      try placeByText(&leaf, rows)
    } else {
      for row in rows { places.append(try group(&leaf, row)) }
    }
    for place in aggregates.indices {
      try aggregates[place].add(&leaf, rows, places, groupCount: max(count, 1))
    }
  }

  private mutating func placeByInteger(
    _ leaf: inout ScanLeaf, _ rows: LeafRows
  ) throws(EngineError) {
    let column = keys[0].field == 0 ? leaf.head.keys : try leaf.column(keys[0].field)
    guard column.type == .integer else {
      throw .corrupt(Corruption(.directory, unit: leaf.edge.pointer.unit))
    }
    var last: (value: Int64, group: Int)?
    for row in rows {
      if column.isNull(row) {
        let group = nullGroup ?? count
        if nullGroup == nil {
          keyColumns[0].appendNull()
          nullGroup = group
        }
        places.append(group)
        continue
      }
      let value = column.integer(row)
      if let last, last.value == value {
        places.append(last.group)
        continue
      }
      let group = integerGroups[value] ?? count
      if group == count {
        keyColumns[0].append(value)
        integerGroups[value] = group
      }
      last = (value, group)
      places.append(group)
    }
  }

  /// Finds the groups of texts; looks up each text of a leaf's dictionary once.
  private mutating func placeByText(
    _ leaf: inout ScanLeaf, _ rows: LeafRows
  ) throws(EngineError) {
    let column = try leaf.column(keys[0].field)
    guard column.type == .bytes else {
      throw .corrupt(Corruption(.directory, unit: leaf.edge.pointer.unit))
    }
    guard column.entry.encoding == .dictionary, !column.hasExternals else {
      for row in rows { places.append(try group(&leaf, row)) }
      return
    }
    var known: [Int] = []
    for row in rows {
      let code = column.isNull(row) ? 0 : column.code(row) + 1
      while known.count <= code { known.append(-1) }
      if known[code] < 0 { known[code] = try group(&leaf, row) }
      places.append(known[code])
    }
  }

  /// The group of a row, found by the bytes of its keys.
  private mutating func group(_ leaf: inout ScanLeaf, _ row: Int) throws(EngineError) -> Int {
    try writer.set(&leaf, row: row)
    if let known = groups[writer.bytes] { return known }
    let group = groups.count
    groups[writer.bytes] = group
    for (key, column) in zip(keys, keyColumns) {
      column.append(try leaf.value(of: key.field, row: row))
    }
    // Without keys, all objects are one group.
    return group
  }

  /// The requested groups, in order.
  func result(_ query: GroupQuery) throws(EngineError) -> ValueTable {
    var columns = keyColumns
    let groupCount = keys.isEmpty ? 1 : count
    for aggregate in aggregates { columns.append(try aggregate.column(groupCount: groupCount)) }
    var chosen: [Int] = []
    for group in 0..<groupCount {
      if group & 1023 == 0 { try checkCancellation() }
      let holds = try query.having.holds { (field) throws(EngineError) in
        guard field > 0, Int(field) <= columns.count else {
          throw .malformedQuery(table: "groups", .groupColumn)
        }
        return columns[Int(field) - 1].value(group)
      }
      if holds { chosen.append(group) }
    }
    let order = try self.order(query.order, columns)
    var cancellation = SortCancellation()
    chosen.sort { first, second in
      if cancellation.isDue() { return false }
      for (column, isDescending) in order {
        let order = column.value(first).sorting(before: column.value(second))
        if order != 0 { return isDescending ? order > 0 : order < 0 }
      }
      return first < second
    }
    try checkCancellation()
    let start = min(max(query.offset, 0), chosen.count)
    let end = query.limit.map { start + min(max($0, 0), chosen.count - start) } ?? chosen.count
    let rows = chosen[start..<end].map { Int32(truncatingIfNeeded: $0) }
    let result = columns.map { column in
      let target = ColumnBuffer(type: column.type)
      target.append(column, gathering: rows[...])
      return target
    }
    return ValueTable(columns: result, count: rows.count)
  }

  /// The columns that order the groups, followed by their keys.
  private func order(
    _ order: [SortKey], _ columns: [ColumnBuffer]
  ) throws(EngineError) -> [(column: ColumnBuffer, isDescending: Bool)] {
    var ordering: [(column: ColumnBuffer, isDescending: Bool)] = []
    for key in order {
      guard case .field(let field) = key.value, field > 0, Int(field) <= columns.count else {
        throw .malformedQuery(table: "groups", .groupColumn)
      }
      var column = columns[Int(field) - 1]
      if let collation = key.collation {
        guard column.type == .bytes else {
          throw .wrongType(table: "the groups", field: "collation")
        }
        column = try TextRanks(column, collation).column(column)
      }
      ordering.append((column, key.isDescending))
    }
    return ordering + keys.indices.map { (columns[$0], false) }
  }
}

/// An aggregate for each group.
private struct GroupedValues {
  private let function: AggregateFunction
  private let table: String
  private let column: QueryColumn
  /// The storage type of the results.
  private let type: PhysicalType
  private var groups: [AggregateAccumulator] = []

  init(_ aggregate: Aggregate, _ compiler: PredicateCompiler) throws(EngineError) {
    function = aggregate.function
    table = compiler.table.name
    column = try compiler.column(aggregate.value)
    guard let result = function.result(of: column.type, column.form) else {
      throw .wrongType(table: table, field: column.name)
    }
    type = result.type
  }

  mutating func add(
    _ leaf: inout ScanLeaf, _ rows: LeafRows, _ places: [Int], groupCount: Int
  ) throws(EngineError) {
    grow(to: groupCount)
    let chunk = column.field == 0 ? leaf.head.keys : try leaf.column(column.field)
    guard chunk.type == column.type else {
      throw .corrupt(Corruption(.directory, unit: leaf.edge.pointer.unit))
    }
    for (place, row) in zip(places, rows) where !chunk.isNull(row) {
      switch chunk.type {
      case .integer: groups[place].add(chunk.integer(row))
      case .double: groups[place].add(chunk.double(row))
      default:
        groups[place].add(
          function == .count ? .integer(0) : try leaf.value(of: column.field, row: row))
      }
    }
  }

  private mutating func grow(to count: Int) {
    while groups.count < count {
      groups.append(AggregateAccumulator(function, column.type, column.form))
    }
  }

  func column(groupCount: Int) throws(EngineError) -> ColumnBuffer {
    var all = self
    all.grow(to: groupCount)
    let result = ColumnBuffer(type: type)
    for group in all.groups {
      guard let value = group.result else { throw .overflow(table: table, field: column.name) }
      result.append(value)
    }
    return result
  }
}

extension Value {
  /// Negative, zero or positive as the value sorts before, with or after another of its type: null first, NaN last.
  func sorting(before other: Value) -> Int {
    switch (self, other) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    default:
      isNaN || other.isNaN
        ? (isNaN ? 1 : 0) - (other.isNaN ? 1 : 0)
        : precedes(other) ? -1 : other.precedes(self) ? 1 : 0
    }
  }
}

extension Predicate {
  /// Whether the predicate holds for some values.
  ///
  /// - Throws: `.malformedQuery` for what is asked of links or is to be computed: values have neither.
  fileprivate func holds(
    _ value: (FieldID) throws(EngineError) -> Value
  ) throws(EngineError) -> Bool {
    switch self {
    case .always(let holds): return holds
    case .compare(let field, let comparison, let constant):
      let value = try value(field)
      guard value.type == nil || constant.type == nil || value.type == constant.type else {
        throw .malformedQuery(table: "groups", .groupComparison)
      }
      return comparison.holds(value, constant)
    case .comparison(.field(let field), let comparison, .field(let other)):
      let (first, second) = (try value(field), try value(other))
      guard first.type == nil || second.type == nil || first.type == second.type else {
        throw .malformedQuery(table: "groups", .groupComparison)
      }
      return comparison.holds(first, second)
    case .isNull(let field): return try value(field) == .null
    case .oneOf(let field, let constants):
      let value = try value(field)
      return constants.contains {
        $0.type == value.type && Comparison.equal.holds(value, $0)
      }
    case .and(let parts):
      for part in parts where try !part.holds(value) { return false }
      return true
    case .or(let parts):
      for part in parts where try part.holds(value) { return true }
      return false
    case .not(let part): return try !part.holds(value)
    case .text(let field, let match, let pattern):
      guard case .bytes(let bytes) = try value(field) else { return false }
      return FieldTest(field, .bytes, .text(match, pattern)).holds(.bytes(bytes))
    case .matches(.field(let field), let pattern):
      guard case .bytes(let bytes) = try value(field) else { return false }
      return FieldTest(field, .bytes, .pattern(TextMatcher(pattern))).holds(.bytes(bytes))
    case .comparison, .membership, .textMatch, .matches, .link, .links, .inverse:
      throw .malformedQuery(table: "groups", .groupCondition)
    }
  }
}
