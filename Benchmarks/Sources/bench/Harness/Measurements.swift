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
}

/// One line of the results: a workload, with what each database took for it.
struct ResultRow {
  let workload: Workload
  private(set) var measurements: [Subject: Measurements] = [:]
  /// Of the answers of all rounds.
  private(set) var checksum = Checksum()

  init(_ workload: Workload) {
    self.workload = workload
  }

  mutating func add(_ sample: Sample, of subject: Subject) {
    measurements[subject, default: Measurements()].add(sample.value)
  }

  mutating func add(_ answer: Answer) {
    answer.add(to: &checksum)
  }

  /// How much better the first database was, by the medians; nil where one of them did not take part.
  func ratio(of subject: Subject, to peer: Subject) -> Double? {
    guard let own = measurements[subject], let other = measurements[peer] else { return nil }
    return workload.unit.ratio(own.median, to: other.median)
  }

  /// How much better the first database was in each round.
  func ratios(of subject: Subject, to peer: Subject) -> [Double] {
    guard let own = measurements[subject], let other = measurements[peer] else { return [] }
    return zip(own.values, other.values).map { workload.unit.ratio($0, to: $1) }
  }

  /// How far the ratios of single rounds lie apart: the highest less the lowest, by the ratio of the medians.
  func spread(of subject: Subject, to peer: Subject) -> Double? {
    guard let ratio = ratio(of: subject, to: peer) else { return nil }
    let ratios = ratios(of: subject, to: peer)
    return ((ratios.max() ?? ratio) - (ratios.min() ?? ratio)) / ratio
  }
}
