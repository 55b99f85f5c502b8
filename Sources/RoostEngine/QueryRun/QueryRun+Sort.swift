/// Finding the matching objects in an order other than that of their keys.
extension QueryRun {
  /// At most this many results are kept in a heap; for more, all matches are sorted.
  private static let topCountMax = 2048

  /// The places of the matching objects in the requested order, and their number.
  ///
  /// - Parameter limit: Only so many of the first are wanted.
  func findSorted(
    _ order: [SortColumn], limit: Int?, _ statistics: inout ScanStatistics
  ) throws(EngineError) -> (ResultSet.Storage, count: Int) {
    let order = order.deciding
    guard !order.isEmpty else { return try find(limit: limit, &statistics) }
    if limit == 0 { return (.keys([]), 0) }
    switch path {
    case .nothing:
      note(in: &statistics)
      return (.keys([]), 0)
    case .positions(_, let keys), .scan(let keys, _):
      if let limit, limit <= Self.topCountMax {
        var top = try TopRows(tree, order, condition, count: limit)
        note(in: &statistics)
        statistics.steps.append(.top(limit))
        let places = try top.find(keys, &statistics)
        statistics.rowsMatched += places.count
        return (.sorted(places), places.count)
      }
      return try sort(order, ranges: try ranges(of: order, keys), &statistics)
    case .index, .lookup, .union, .intersection:
      return try sort(order, ranges: order.map { _ in SortRange() }, &statistics)
    }
  }

  /// The bounds of each key's values from the zone maps.
  private func ranges(
    of order: [SortColumn], _ keys: ClosedRange<Int64>
  ) throws(EngineError) -> [SortRange] {
    var known: [SortRange?] = order.map { _ in nil }
    var cursor = try LeafEdgeCursor(tree, keys: keys)
    guard var edge = try cursor.next() else { return order.map { _ in SortRange() } }
    var leaf = try ScanLeaf(edge, in: tree.context)
    while true {
      for (place, key) in order.enumerated() {
        let range = leaf.entry(key.field).map { SortRange($0, rowCount: leaf.rowCount) }
        known[place] = known[place]?.union(range ?? SortRange()) ?? range ?? SortRange()
      }
      guard let next = try cursor.next() else { break }
      edge = next
      try leaf.move(to: edge)
    }
    return known.map { $0 ?? SortRange() }
  }

  /// Sorts all matches.
  private func sort(
    _ order: [SortColumn], ranges: [SortRange], _ statistics: inout ScanStatistics
  ) throws(EngineError) -> (ResultSet.Storage, count: Int) {
    var words = SortWords(order, ranges)
    var edges: [TreeEdge] = []
    var places: [UInt64] = []
    var rows: [UInt16] = []
    try forEachLeaf(&statistics) { (leaf, answer, selection) throws(EngineError) in
      rows.removeAll(keepingCapacity: true)
      if answer == .all {
        for row in 0..<leaf.rowCount { rows.append(UInt16(truncatingIfNeeded: row)) }
      } else {
        selection.forEach { rows.append(UInt16(truncatingIfNeeded: $0)) }
      }
      for row in rows { places.append(SortedPlaces.packed(leaf: edges.count, row: Int(row))) }
      edges.append(leaf.edge)
      try words.append(&leaf, rows)
      return true
    }
    guard places.count <= UInt32.max else {
      throw .limit(EngineLimit(.sortedObjects, UInt32.max))
    }
    statistics.steps.append(.sort(places.count))
    var sorted = try WordSort.order(words)
    if !words.isExact {
      try TieBreaker(tree: tree, order: order, edges: edges, places: places)
        .settle(&sorted, words)
    }
    statistics.rowsMatched += places.count
    let result = SortedPlaces(edges: edges, places: sorted.map { places[Int($0)] })
    return (.sorted(result), result.count)
  }
}

extension SortRange {
  /// The bounds from a leaf's zone map.
  init(_ entry: ColumnEntry, rowCount: Int) {
    hasNulls = entry.nullCount > 0
    hasExternals = entry.flags.contains(.external)
    guard entry.type == .integer else { return }
    if Int(entry.nullCount) == rowCount {
      // Only nulls: any range is valid, and most ranges contain zero.
      minimum = 0
      maximum = 0
    } else if entry.flags.contains(.zoneMap) {
      minimum = Int64(bitPattern: entry.minimum)
      maximum = max(minimum, Int64(bitPattern: entry.maximum))
    }
  }

  func union(_ other: SortRange) -> SortRange {
    var union = self
    union.hasNulls = hasNulls || other.hasNulls
    union.hasExternals = hasExternals || other.hasExternals
    union.minimum = min(minimum, other.minimum)
    union.maximum = max(maximum, other.maximum)
    return union
  }
}
