import RoostEngine

/// Groups, evaluated as simply as can be.
extension QueryOracle {
  /// What each group may be asked for.
  static let aggregates = [
    Aggregate(.count, of: .field(0)), Aggregate(.sum, of: 11), Aggregate(.maximum, of: 1),
    Aggregate(.minimum, of: 5), Aggregate(.average, of: 11), Aggregate(.count, of: 6),
  ]

  /// The groups that a query finds, in order: the keys of each, and what the aggregates give.
  ///
  /// Nil where a sum of integers does not fit, be it that of a group that is not wanted.
  func groups(_ query: GroupQuery) -> [[Value]]? {
    let table = query.objects.table
    let rows = keys(query.objects).compactMap { tables[table]?.places[$0] }
    var groups: [(keys: [Value], rows: [Int])] = []
    var places: [[Value]: Int] = [:]
    if query.keys.isEmpty { groups.append(([], [])) }
    for row in rows {
      let keys = query.keys.map { value($0, table, row) }
      // −0 is 0, and every NaN the same: something that no number is.
      let name = keys.map { value -> Value in
        if isNaN(value) { return .bytes([]) }
        if case .double(let number) = value { return .double(number == 0 ? 0 : number) }
        if case .float(let number) = value { return .float(number == 0 ? 0 : number) }
        return value
      }
      if query.keys.isEmpty {
        groups[0].rows.append(row)
      } else if let place = places[name] {
        groups[place].rows.append(row)
      } else {
        places[name] = groups.count
        groups.append((keys, [row]))
      }
    }
    var result: [[Value]] = []
    for group in groups {
      var columns = group.keys
      for aggregate in query.aggregates {
        let values = group.rows.map { value(aggregate.value, table, $0) }.filter { $0 != .null }
        let whole = self.aggregate(
          aggregate.function, values, of: type(of: aggregate.value, table),
          meaning(aggregate.value, table))
        guard let whole else { return nil }
        columns.append(whole)
      }
      result.append(columns)
    }
    result.removeAll { !holds(query.having, $0) }
    result.sort { first, second in
      for key in query.order {
        guard case .field(let field) = key.value else { continue }
        let values = [first, second].map { row in
          key.collation == nil ? row[Int(field) - 1] : NaiveCollation.place(row[Int(field) - 1])
        }
        let order = compare(values[0], values[1])
        if order != 0 { return key.isDescending ? order > 0 : order < 0 }
      }
      for place in query.keys.indices {
        let order = compare(first[place], second[place])
        if order != 0 { return order < 0 }
      }
      return false
    }
    return Array(result.dropFirst(max(query.offset, 0)).prefix(query.limit ?? .max))
  }
}
