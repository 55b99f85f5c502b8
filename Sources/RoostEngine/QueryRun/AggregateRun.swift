/// Several aggregates, accumulated leaf by leaf.
struct AggregateRun {
  fileprivate struct Part {
    let function: AggregateFunction
    /// The field, stored or computed.
    let field: FieldID
    let type: PhysicalType
    let form: NumberForm
    /// The names of the table and the field, for errors.
    let names: (table: String, field: String)
    var count = 0
    /// The sum of the stored integers.
    var storedSum: Int128 = 0
    var doubleSum = 0.0
    var decimalSum = DecimalSum()
    /// The smallest or largest value so far.
    var extreme = Value.null
  }

  private var parts: [Part] = []

  init(_ aggregates: [Aggregate], _ compiler: PredicateCompiler) throws(EngineError) {
    for aggregate in aggregates {
      let value = try compiler.column(aggregate.value)
      guard aggregate.function.result(of: value.type, value.form) != nil else {
        throw .wrongType(table: compiler.table.name, field: value.name)
      }
      parts.append(
        Part(
          function: aggregate.function, field: value.field, type: value.type,
          form: value.form,
          names: (compiler.table.name, value.name)))
    }
  }

  /// Adds the selected rows of a leaf, or all.
  mutating func add(_ leaf: inout ScanLeaf, _ selection: Selection?) throws(EngineError) {
    for place in parts.indices {
      let field = parts[place].field
      if selection == nil, let entry = leaf.entry(field),
        parts[place].addZoneMap(entry, rowCount: leaf.rowCount)
      {
        continue
      }
      let column = field == 0 ? leaf.head.keys : try leaf.column(field)
      guard column.type == parts[place].type else {
        throw .corrupt(Corruption(.directory, unit: leaf.edge.pointer.unit))
      }
      try parts[place].add(column, selection, leaf)
    }
  }

  /// Adds all rows of a table, using node columns.
  mutating func addAll(
    of tree: ObjectTree, _ statistics: inout ScanStatistics
  ) throws(EngineError) {
    var nodeColumns = NodeColumnScan(tree, parts.map(\.field))
    let scan = TableScan(tree: tree, condition: .constant(true), keys: .min ... .max)
    try tree.nodes.forEachSpan(of: scan.keys, in: tree) { (span) throws(EngineError) in
      switch span {
      case .uncached(let edge): try addAll(below: edge, scan, &statistics)
      case .cached(let node, let children):
        guard nodeColumns.move(to: node) else {
          return try addAll(below: node.edge, scan, &statistics)
        }
        for child in children {
          if child & 15 == 0 { try checkCancellation() }
          guard try add(&nodeColumns, child, rowCount: node.count(child)) else {
            try addAll(below: node.edge(child), scan, &statistics)
            continue
          }
          statistics.leavesVisited += 1
        }
      }
    }
    nodeColumns.report(to: &statistics)
    statistics.rowsMatched += Int(clamping: tree.count)
  }

  /// Adds all rows below an edge, without the cache.
  private mutating func addAll(
    below edge: TreeEdge, _ scan: TableScan, _ statistics: inout ScanStatistics
  ) throws(EngineError) {
    try scan.forEachLeaf(below: edge, &statistics) { (leaf, _, _) throws(EngineError) in
      try add(&leaf, nil)
      return true
    }
  }

  /// Adds all rows of a leaf; false if the cache has no room for it.
  private mutating func add(
    _ nodeColumns: inout NodeColumnScan, _ child: Int, rowCount: Int
  ) throws(EngineError) -> Bool {
    for place in parts.indices {
      // A leaf known to the first node column is in the cache, and so has an entry in all of them.
      guard try nodeColumns.loadEntry(place, child) else { return false }
      let places = nodeColumns.places[place]
      if parts[place].addZoneMap(places.entries[child], rowCount: rowCount) { continue }
      try nodeColumns.loadColumn(place, child)
      nodeColumns.countBytes(place, child)
      parts[place].addNumbers(places.columns[child], nil)
    }
    return true
  }

  /// Whether the columns suffice: texts may lie outside of leaves.
  var readsOnlyColumns: Bool {
    parts.allSatisfy { part in
      guard part.field < ComputedFields.first else { return false }
      return part.function == .count || part.type != .bytes && part.type != .uuid
    }
  }

  /// The results, in the order of the aggregates.
  func values() throws(EngineError) -> [Value] {
    var values: [Value] = []
    for part in parts { values.append(try part.value()) }
    return values
  }
}

extension AggregateRun.Part {
  /// Adds all rows of a leaf from its directory alone; false if that does not suffice.
  @inline(__always)
  fileprivate mutating func addZoneMap(_ entry: ColumnEntry, rowCount: Int) -> Bool {
    guard entry.type == type else { return false }
    switch function {
    case .count:
      count += rowCount - Int(entry.nullCount)
      return true
    case .minimum, .maximum:
      guard type == .integer || type == .double, entry.flags.contains(.zoneMap) else {
        return false
      }
      let bits = function == .minimum ? entry.minimum : entry.maximum
      offer(
        type == .integer
          ? .integer(Int64(bitPattern: bits)) : .double(Double(bitPattern: bits)))
      return true
    case .sum, .average: return false
    }
  }

  /// Adds the selected rows of a column, or all.
  fileprivate mutating func add(
    _ column: ColumnChunk, _ selection: Selection?, _ leaf: borrowing ScanLeaf
  ) throws(EngineError) {
    switch (function, type) {
    case (.sum, .bytes), (.average, .bytes):
      for row in 0..<column.rowCount
      where !column.isNull(row) && selection?.contains(row) ?? true {
        if let reference = column.external(row) {
          try leaf.value(reference, of: field).withByteView { decimalSum.add($0) }
        } else {
          decimalSum.add(column.bytes(row))
        }
      }
    case (.minimum, .bytes), (.minimum, .uuid), (.maximum, .bytes), (.maximum, .uuid):
      let isMinimum = function == .minimum
      let row = isMinimum ? column.rowOfMinimum(selection) : column.rowOfMaximum(selection)
      if let row, form == .decimal, DecimalBytes.isNaN(column.bytes(row)) {
        // NaN sorts last, and is no extreme: every value is NaN, or any other may be the largest.
        offerDecimals(column, selection)
      } else if let row {
        offer(column.value(row))
      }
      guard column.hasExternals else { return }
      for row in 0..<column.rowCount where selection?.contains(row) ?? true {
        guard let reference = column.external(row) else { continue }
        offer(.bytes(try leaf.value(reference, of: field)))
      }
    default: addNumbers(column, selection)
    }
  }

  /// Offers the selected values of a column of decimal numbers, or all, except NaN.
  private mutating func offerDecimals(_ column: ColumnChunk, _ selection: Selection?) {
    for row in 0..<column.rowCount where selection?.contains(row) ?? true {
      guard !column.isNull(row), column.external(row) == nil,
        case let bytes = column.bytes(row), !DecimalBytes.isNaN(bytes)
      else { continue }
      offer(.bytes(bytes.array))
    }
  }

  /// Adds the selected rows of a column, or all, except for the extremes of texts and UUIDs.
  fileprivate mutating func addNumbers(_ column: ColumnChunk, _ selection: Selection?) {
    switch function {
    case .count: count += column.presentCount(selection)
    case .sum, .average:
      if function == .average || form == .unsigned { count += column.presentCount(selection) }
      if type == .integer {
        storedSum += column.sum(selection)
      } else {
        doubleSum += column.sumOfDoubles(selection)
      }
    case .minimum, .maximum:
      let isMinimum = function == .minimum
      switch type {
      case .integer:
        guard let range = column.integerExtremes(selection) else { return }
        offer(.integer(isMinimum ? range.lowerBound : range.upperBound))
      case .double:
        guard let range = column.doubleExtremes(selection) else { return }
        offer(.double(isMinimum ? range.lowerBound : range.upperBound))
      default:
        guard let range = column.doubleExtremes(selection) else { return }
        offer(.float(Float(isMinimum ? range.lowerBound : range.upperBound)))
      }
    }
  }

  private mutating func offer(_ value: Value) {
    guard extreme != .null else {
      extreme = value
      return
    }
    let isBelow = value.precedes(extreme)
    if function == .minimum ? isBelow : extreme.precedes(value) { extreme = value }
  }

  /// The sum of integers: each unsigned integer is stored as its value minus 2⁶³.
  private var integerSum: Int128 {
    form == .unsigned ? storedSum + Int128(count) << 63 : storedSum
  }

  private var sumOverflow: EngineError { .overflow(table: names.table, field: names.field) }

  fileprivate func value() throws(EngineError) -> Value {
    switch function {
    case .count: return .integer(Int64(count))
    case .minimum, .maximum: return extreme
    case .average where form == .decimal:
      guard decimalSum.count > 0 else { return .null }
      guard let average = decimalSum.average else { throw sumOverflow }
      return .bytes(average.bytes)
    case .sum where form == .decimal:
      guard let sum = decimalSum.sum else { throw sumOverflow }
      return .bytes(sum.bytes)
    case .average:
      guard count > 0 else { return .null }
      return .double((type == .integer ? Double(integerSum) : doubleSum) / Double(count))
    case .sum:
      guard type == .integer else { return .double(doubleSum) }
      if form == .unsigned {
        guard let sum = UInt64(exactly: integerSum) else { throw sumOverflow }
        return .integer(Int64(bitPattern: sum ^ FieldType.signBit))
      }
      guard let sum = Int64(exactly: integerSum) else { throw sumOverflow }
      return .integer(sum)
    }
  }
}
