import RoostEngine
import RoostTestSupport
import Testing

/// A set of units, compared with an array that has a boolean for each.
@Suite struct UnitSetTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func itHoldsWhatAPlainArrayHolds(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var set = UnitSet()
    var model = PlainUnits()
    for step in 0..<1_500 {
      switch Int.random(in: 0..<9, using: &random) {
      case 0...3:
        let range = model.randomRange(&random)
        // It fills, and empties, in turns.
        let isIn = random.chance(step / 200 % 2 == 0 ? 5 : 1, in: 6)
        if isIn { set.insert(range) } else { set.remove(range) }
        model.set(range, to: isIn)
      case 4, 5:
        let (units, shortest) = Self.randomLengths(&random)
        let found = model.firstRun(of: max(units, shortest))
        #expect(set.take(units, fromRunsOf: shortest) == found, "step \(step)")
        model.take(units, at: found)
      case 6:
        let units = min(PlainUnits.randomLength(&random, max: 63), 63)
        let found = model.firstRun(ofExactly: units)
        #expect(set.take(exactly: units) == found, "step \(step)")
        model.take(units, at: found)
      case 7:
        let (units, shortest) = Self.randomLengths(&random)
        let start = model.randomUnit(&random)
        let found =
          model.firstRun(of: max(units, shortest), from: start)
          ?? model.firstRun(of: max(units, shortest))
        #expect(set.take(units, fromRunsOf: shortest, from: start) == found, "step \(step)")
        model.take(units, at: found)
      default:
        let (units, shortest) = Self.randomLengths(&random)
        let unit = model.randomUnit(&random)
        let isThere = model.hasRun(of: max(units, shortest), at: unit)
        #expect(set.take(units, at: unit, fromRunOf: shortest) == isThere, "step \(step)")
        model.take(units, at: isThere ? unit : nil)
      }
      #expect(set.count == model.count, "step \(step)")
      let range = model.randomRange(&random)
      #expect(set.runs(in: range) == model.runs(in: range), "step \(step)")
      let unit = model.randomUnit(&random) / 64 * 64
      #expect(set.word(at: unit) == model.word(at: unit), "step \(step)")
      for segment in 0..<PlainUnits.segments {
        if let isIn = set.isUniform(segment: segment) {
          #expect(model.isUniform(segment: segment) == isIn, "step \(step)")
        }
      }
    }
    #expect(set.runs(in: PlainUnits.all) == model.runs(in: PlainUnits.all))
  }

  @Test func unitsBehindTheLastSegmentAreInNoSet() {
    var set = UnitSet()
    set.insert(3..<5)
    let far = UInt64(Unit.segmentUnits) * 7
    set.remove(far..<far + 9)
    #expect(set.count == 2)
    #expect(set.word(at: far) == 0)
    #expect(set.runs(in: far..<far + 9) == [])
    #expect(set.isUniform(segment: 7) == false)
    #expect(set.take(1, at: far) == false)
    // The search goes on from the front.
    #expect(set.take(2, fromRunsOf: 1, from: far) == 3)
    #expect(set.take(1) == nil)
  }

  @Test func aWholeSegmentIsUniformUntilAUnitOfItIsTaken() {
    var set = UnitSet()
    set.insert(PlainUnits.segment(1))
    #expect(set.isUniform(segment: 0) == false)
    #expect(set.isUniform(segment: 1) == true)
    #expect(set.take(1) == UInt64(Unit.segmentUnits))
    #expect(set.isUniform(segment: 1) == nil)
  }

  @Test(arguments: [1, 2, 5, 63, 64, 65, 130])
  func theLongestRunsAreFoundAfterALongerOneWasNot(length: Int) {
    var set = UnitSet()
    let half = UInt64(length) + 1
    let starts = stride(from: 100 as UInt64, to: 16_000, by: 777)
    for start in starts {
      set.insert(start..<start + 2 * half)
      for end in [start + half, start + 2 * half] { set.remove(end - 1..<end) }
    }
    for start in starts {
      #expect(set.take(length + 1) == nil)
      #expect(set.take(length) == start)
      #expect(set.take(length) == start + half)
    }
    #expect(set.count == 0)
  }

  @Test func noRunCrossesTheEndOfASegment() {
    var set = UnitSet()
    let end = UInt64(Unit.segmentUnits)
    set.insert(end - 3..<end + 4)
    #expect(set.take(5) == nil)
    #expect(set.take(4, at: end - 3) == false)
    #expect(set.take(4) == end)
  }

  /// How many units to take, and of how many a run must be for that; mostly few.
  private static func randomLengths(_ random: inout SeededGenerator) -> (units: Int, shortest: Int)
  {
    let units = PlainUnits.randomLength(&random, max: Unit.extentUnitsMax)
    guard random.chance(1, in: 2) else { return (units, 1) }
    return (units, PlainUnits.randomLength(&random, max: Unit.extentUnitsMax))
  }
}
