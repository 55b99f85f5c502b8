import RoostEngine
import RoostTestSupport

/// The units of a few segments, each with a boolean: what a ``UnitSet`` is compared with.
struct PlainUnits {
  static let segments: UInt64 = 3
  static let all = 0..<segments * UInt64(Unit.segmentUnits)

  private var isIn = [Bool](repeating: false, count: Int(all.upperBound))
  private(set) var count: UInt64 = 0

  static func segment(_ index: UInt64) -> Range<UInt64> {
    index * UInt64(Unit.segmentUnits)..<(index + 1) * UInt64(Unit.segmentUnits)
  }

  mutating func set(_ range: Range<UInt64>, to isIn: Bool) {
    for unit in range where self.isIn[Int(unit)] != isIn {
      self.isIn[Int(unit)] = isIn
      count = isIn ? count + 1 : count - 1
    }
  }

  mutating func take(_ units: Int, at unit: UInt64?) {
    if let unit { set(unit..<unit + UInt64(units), to: false) }
  }

  /// Whether so many units follow one another in the set, in one segment.
  func hasRun(of units: Int, at unit: UInt64) -> Bool {
    let end = unit + UInt64(units)
    guard end <= Self.all.upperBound, (unit..<end).allSatisfy({ isIn[Int($0)] }) else {
      return false
    }
    return unit / UInt64(Unit.segmentUnits) == (end - 1) / UInt64(Unit.segmentUnits)
  }

  /// The first unit, at or after `start`, from which on so many are in the set, in one segment.
  func firstRun(of units: Int, from start: UInt64 = 0) -> UInt64? {
    var count = 0
    for unit in start..<Self.all.upperBound {
      if unit.isMultiple(of: UInt64(Unit.segmentUnits)) { count = 0 }
      count = isIn[Int(unit)] ? count + 1 : 0
      if count == units { return unit + 1 - UInt64(units) }
    }
    return nil
  }

  /// The first unit of a run of exactly so many, in the first segment of which any are in the set.
  func firstRun(ofExactly units: Int) -> UInt64? {
    let segment = (0..<Self.segments).first { isUniform(segment: $0) != false }
    guard let segment else { return nil }
    return runs(in: Self.segment(segment)).first { $0.count == units }?.lowerBound
  }

  /// The runs of a range that are in the set, segment by segment.
  func runs(in range: Range<UInt64>) -> [Range<UInt64>] {
    var runs: [Range<UInt64>] = []
    for unit in range where isIn[Int(unit)] {
      if let last = runs.last, last.upperBound == unit,
        !unit.isMultiple(of: UInt64(Unit.segmentUnits))
      {
        runs[runs.count - 1] = last.lowerBound..<unit + 1
      } else {
        runs.append(unit..<unit + 1)
      }
    }
    return runs
  }

  /// 64 units from `unit` on, the first one in the lowest bit.
  func word(at unit: UInt64) -> UInt64 {
    (0..<64).reduce(0) { $0 | (isIn[Int(unit + $1)] ? 1 << $1 : 0) }
  }

  /// Whether all units of a segment are in the set, or none; nil where some are.
  func isUniform(segment: UInt64) -> Bool? {
    let count = Self.segment(segment).count { isIn[Int($0)] }
    return count == 0 ? false : count == Unit.segmentUnits ? true : nil
  }

  // MARK: Random places, mostly where words and segments meet

  func randomUnit(_ random: inout SeededGenerator) -> UInt64 {
    let unit = UInt64.random(in: Self.all, using: &random)
    let near = UInt64.random(in: 0...2, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return min(unit / 64 * 64 + near, Self.all.upperBound - 1)
    case 1:
      let end = (unit / UInt64(Unit.segmentUnits) + 1) * UInt64(Unit.segmentUnits)
      return min(end + near - 2, Self.all.upperBound - 1)
    default: return unit
    }
  }

  func randomRange(_ random: inout SeededGenerator) -> Range<UInt64> {
    if random.chance(1, in: 32) {
      return Self.segment(.random(in: 0..<Self.segments, using: &random))
    }
    let start = randomUnit(&random)
    let length = Self.randomLength(&random, max: 3_000)
    return start..<min(start + UInt64(length), Self.all.upperBound)
  }

  static func randomLength(_ random: inout SeededGenerator, max: Int) -> Int {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: 1
    case 1: .random(in: 60...68, using: &random)
    case 2: .random(in: 1...max, using: &random)
    default: .random(in: 1...8, using: &random)
    }
  }
}
