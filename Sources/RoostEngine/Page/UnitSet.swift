/// A set of units of the whole file, stored by segment.
package struct UnitSet: Sendable {
  private var segments: [UnitBitmap?] = []
  /// No segment below this one contains a unit of the set.
  private var firstSegment = 0
  /// The number of units in the set.
  package private(set) var count: UInt64 = 0

  /// An empty set.
  package init() {}

  /// Adds units; units already in the set are ignored.
  package mutating func insert(_ range: Range<UInt64>) {
    UnitSet.forEachPart(of: range) { index, part in
      while segments.count <= index { segments.append(nil) }
      if segments[index] == nil { segments[index] = UnitBitmap() }
      count += UInt64(segments[index]?.insert(part) ?? 0)
      firstSegment = min(firstSegment, index)
    }
  }

  /// Removes units; units not in the set are ignored.
  package mutating func remove(_ range: Range<UInt64>) {
    UnitSet.forEachPart(of: range) { index, part in
      guard index < segments.count else { return }
      count -= UInt64(segments[index]?.remove(part) ?? 0)
    }
  }

  /// Removes the lowest run of `units` units from the set and returns its first unit.
  ///
  /// - Parameter shortest: Runs of fewer units are passed by.
  package mutating func take(_ units: Int, fromRunsOf shortest: Int = 1) -> UInt64? {
    guard count >= UInt64(max(units, shortest)) else { return nil }
    var isEmptySoFar = true
    for index in firstSegment..<segments.count {
      if let first = segments[index]?.take(units, fromRunsOf: shortest) {
        count -= UInt64(units)
        return UInt64(index * Unit.segmentUnits + first)
      }
      isEmptySoFar = isEmptySoFar && (segments[index]?.count ?? 0) == 0
      if isEmptySoFar { firstSegment = index + 1 }
    }
    return nil
  }

  /// Removes the lowest run of exactly `units` units, at most 63, from the set and returns its first unit. Looks for it in the
  /// first segment that has any units.
  package mutating func take(exactly units: Int) -> UInt64? {
    guard let index = segments.indices.dropFirst(firstSegment).first(where: { has(segment: $0) })
    else { return nil }
    firstSegment = index
    guard let first = segments[index]?.take(exactly: units) else { return nil }
    count -= UInt64(units)
    return UInt64(index * Unit.segmentUnits + first)
  }

  private func has(segment index: Int) -> Bool { (segments[index]?.count ?? 0) > 0 }

  /// Removes the next run of `units` units at or after `start` from the set, or else the lowest, and
  /// returns its first unit.
  ///
  /// - Parameter shortest: Runs of fewer units are passed by.
  package mutating func take(_ units: Int, fromRunsOf shortest: Int, from start: UInt64) -> UInt64?
  {
    let segment = UInt64(Unit.segmentUnits)
    for index in Int(start / segment)..<max(segments.count, Int(start / segment)) {
      let first = index == Int(start / segment) ? Int(start % segment) : 0
      if let unit = segments[index]?.take(units, fromRunsOf: shortest, from: first) {
        count -= UInt64(units)
        return UInt64(index) * segment + UInt64(unit)
      }
    }
    return take(units, fromRunsOf: shortest)
  }

  /// Removes the units from `first` on from the set if all of them, and as many more as make a run of `shortest`, are in
  /// the set and lie in one segment.
  package mutating func take(_ units: Int, at first: UInt64, fromRunOf shortest: Int = 1) -> Bool {
    let index = Int(first / UInt64(Unit.segmentUnits))
    let start = Int(first % UInt64(Unit.segmentUnits))
    let part = start..<start + units
    guard index < segments.count, start + max(units, shortest) <= Unit.segmentUnits,
      segments[index]?.contains(start..<start + max(units, shortest)) == true
    else { return false }
    count -= UInt64(segments[index]?.remove(part) ?? 0)
    return true
  }

  /// True if the set contains all units of a segment, false if none; nil if it contains or may contain only some.
  package func isUniform(segment: UInt64) -> Bool? {
    guard segment < UInt64(segments.count), let units = segments[Int(segment)] else { return false }
    return units.isUniform
  }

  /// The bits of 64 units, from a multiple of 64 on.
  package func word(at unit: UInt64) -> UInt64 {
    let segment = unit / UInt64(Unit.segmentUnits)
    guard segment < UInt64(segments.count) else { return 0 }
    return segments[Int(segment)]?.word(at: Int(unit % UInt64(Unit.segmentUnits))) ?? 0
  }

  /// The runs of a range that are in the set, in order.
  package func runs(in range: Range<UInt64>) -> [Range<UInt64>] {
    var runs: [Range<UInt64>] = []
    UnitSet.forEachPart(of: range) { index, part in
      guard index < segments.count else { return }
      var position = part.lowerBound
      while let run = segments[index]?.nextRun(from: position), run.lowerBound < part.upperBound {
        let start = UInt64(index * Unit.segmentUnits)
        let clipped = run.clamped(to: part)
        runs.append(start + UInt64(clipped.lowerBound)..<start + UInt64(clipped.upperBound))
        position = run.upperBound
      }
    }
    return runs
  }

  /// Calls `body` with the parts of a range, segment by segment.
  @inline(__always)
  private static func forEachPart(
    of range: Range<UInt64>, _ body: (_ index: Int, _ part: Range<Int>) -> Void
  ) {
    let segment = UInt64(Unit.segmentUnits)
    var position = range.lowerBound
    while position < range.upperBound {
      let index = position / segment
      let end = min(range.upperBound, (index + 1) * segment)
      body(Int(index), Int(position - index * segment)..<Int(end - index * segment))
      position = end
    }
  }
}
