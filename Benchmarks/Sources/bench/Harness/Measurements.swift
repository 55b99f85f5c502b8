/// What one database took for one workload, round by round.
struct Measurements {
  private(set) var values: [Double] = []

  mutating func add(_ value: Double) {
    values.append(value)
  }

  /// The middle of all rounds, or the mean of the two in the middle.
  var median: Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  var fastest: Double { values.min() ?? .nan }
  var slowest: Double { values.max() ?? .nan }
}

/// One line of the results: a workload, with the measurements of each database in the order they were named.
struct ResultRow {
  let title: String
  let unit: String
  var measurements: [Measurements]
}
