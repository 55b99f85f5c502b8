import AllocationCounter

/// What is taken of a round: its time, or how often its thread asked for memory.
enum Meter {
  case time
  case allocations

  /// Runs the body; `unit` is the workload's, for a time.
  @inline(__always)
  func measure<Result>(
    in unit: Unit, _ body: () throws -> Result
  ) rethrows -> (value: Double, result: Result) {
    switch self {
    case .time:
      let start = ContinuousClock.now
      let result = try body()
      return (unit.value(ContinuousClock.now - start), result)
    case .allocations:
      let before = allocation_count()
      let result = try body()
      return (Double(allocation_count() - before), result)
    }
  }
}

extension Workload {
  /// The same work, of which allocations are counted, for each of its operations.
  var countingAllocations: Workload {
    Workload(
      name: "allocations-\(name)", title: "allocations: \(title)", unit: .allocations,
      objects: objects, isDeterministic: true
    ) { [measure, operations] subject, round in
      var round = round
      round.meter = .allocations
      return try measure(subject, round).map {
        Sample(value: $0.value / Double(operations), answer: $0.answer)
      }
    }
  }
}
