import RoostEngine

/// Groups, evaluated as simply as can be.
extension QueryOracle {
  /// What each group is asked for, where the random queries group.
  static let aggregates = [
    Aggregate(.count, of: .field(0)), Aggregate(.sum, of: 11), Aggregate(.maximum, of: 1),
    Aggregate(.minimum, of: 5), Aggregate(.average, of: 11), Aggregate(.count, of: 6),
  ]

  /// The groups that a query finds, in order: the keys of each, and what ``aggregates`` give.
  ///
  /// A condition on groups is that they have more objects than a number.
  func groups(_ query: GroupQuery) -> [[Value]] {
    let table = query.objects.table
    let rows = keys(query.objects).compactMap { tables[table]?.places[$0] }
    var groups: [(keys: [Value], rows: [Int])] = []
    var places: [[String]: Int] = [:]
    if query.keys.isEmpty { groups.append(([], [])) }
    for row in rows {
      let keys = query.keys.map { value($0, table, row) }
      // −0 is 0, and every NaN the same.
      let name = keys.map { value -> String in
        if value != value { return "nan" }
        if case .double(let number) = value { return "\(number == 0 ? 0 : number)" }
        if case .float(let number) = value { return "\(number == 0 ? 0 : number)" }
        if case .bytes(let bytes) = value { return "\(bytes)" }
        return "\(value)"
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
    var result = groups.map { group -> [Value] in
      let prices = group.rows.compactMap { row -> Double? in
        if case .double(let price) = value(table, row, 11) { price } else { nil }
      }
      func values(_ field: FieldID) -> [Value] {
        group.rows.map { value(table, $0, field) }.filter { $0 != .null }
      }
      return group.keys + [
        .integer(Int64(group.rows.count)), .double(prices.reduce(0, +)),
        values(1).max { compare($0, $1) < 0 } ?? .null,
        values(5).min { compare($0, $1) < 0 } ?? .null,
        prices.isEmpty ? .null : .double(prices.reduce(0, +) / Double(prices.count)),
        .integer(Int64(values(6).count)),
      ]
    }
    if case .compare(let field, _, .integer(let least)) = query.having {
      result.removeAll { values in
        guard case .integer(let count) = values[Int(field) - 1] else { return true }
        return count <= least
      }
    }
    result.sort { first, second in
      for key in query.order {
        guard case .field(let field) = key.value else { continue }
        let order = compare(first[Int(field) - 1], second[Int(field) - 1])
        if order != 0 { return key.isDescending ? order > 0 : order < 0 }
      }
      for place in query.keys.indices {
        let order = compare(first[place], second[place])
        if order != 0 { return order < 0 }
      }
      return false
    }
    return Array(result.dropFirst(query.offset).prefix(query.limit ?? .max))
  }
}
