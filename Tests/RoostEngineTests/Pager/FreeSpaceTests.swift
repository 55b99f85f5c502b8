import RoostEngine
import RoostTestSupport
import Testing

/// What is free and what of it may be written, compared with the rule itself, asked of each extent.
@Suite struct FreeSpaceTests {
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func anExtentMayBeWrittenExactlyWhenNoProtectedVersionSeesIt(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = PlainFile(highWater: seed.isMultiple(of: 2) ? 16 : UInt64(Unit.segmentUnits) - 200)
    for step in 0..<150 {
      model.begin(&random)
      let changes = random.chance(1, in: 8) ? 60 : Int.random(in: 1...6, using: &random)
      for _ in 0..<changes {
        if random.chance(3, in: 5) {
          try model.allocate(PlainUnits.randomLength(&random, max: 90))
        } else {
          model.release(&random)
        }
      }
      model.check("step \(step)")
      model.commit()
    }
  }

  @Test func aSmallTransactionGoesOnWhereTheLastOneEnded() throws {
    var space = FreeSpace(highWater: 1_000)
    for unit in stride(from: 20 as UInt64, to: 900, by: 10) {
      space.makeAvailable(unit..<unit + 6)
    }
    let none = ProtectedVersions(held: [])
    // As many as follow one another.
    for place in [20, 22, 24, 30] as [UInt64] {
      space.reconsider(protected: none)
      for unit in [place, place + 1] { #expect(try space.allocate(1).unit == unit) }
    }
  }

  @Test func aLargeTransactionFillsTheFileFromTheFront() throws {
    var space = FreeSpace(highWater: 1_000)
    for _ in 0..<16 { _ = try space.allocate(1) }
    space.makeAvailable(700..<710)
    space.makeAvailable(50..<52)
    #expect(try space.allocate(1).unit == 50)
    #expect(try space.allocate(4).unit == 700)
    #expect(try space.allocate(1).unit == 51)
    #expect(try space.allocate(8).unit == 1_016)
  }

  @Test func whatIsLeftBeforeASegmentsEndIsFree() throws {
    let end = UInt64(Unit.segmentUnits)
    var space = FreeSpace(highWater: end - 3)
    let place = try space.allocate(5)
    #expect(place.unit == end)
    #expect(!place.wasFree)
    #expect(place.gap == end - 3..<end)
    #expect(space.free.runs(in: 0..<end) == [end - 3..<end])
    #expect(space.available.count == 3)
    #expect(space.highWater == end + 5)
  }

  @Test func theFileEndsAtTheLastUnitThatAPointerCanName() throws {
    var space = FreeSpace(highWater: Unit.limit - 4)
    #expect(try space.allocate(4).unit == Unit.limit - 4)
    #expect(
      throws: EngineError.limit(EngineLimit(.fileBytes, Unit.limit * UInt64(Unit.bytes)))
    ) { try space.allocate(1) }
  }

  @Test func anExtentThatLosesTheOldestNameThatSawItIsKeptForTheNext() {
    let protected = { (named: [UInt64]) in ProtectedVersions(held: [3, 6], named: named) }
    var space = FreeSpace(highWater: 100)
    space.release(
      FreeSpace.Waiting(unit: 40, units: 2, birth: 1, death: 7), protected: protected([3, 5]))
    // Somebody still reads version 3.
    space.reconsider(protected: protected([5]))
    var kept: [Range<UInt64>] = []
    space.forEachKept { kept.append($0.range) }
    #expect(kept == [40..<42])
  }
}

/// A file's extents and versions, with everything that ``FreeSpace`` answers said of each extent by the rule.
private struct PlainFile {
  private var space: FreeSpace
  /// What the newest version has.
  private var extents: [(range: Range<UInt64>, birth: UInt64)] = []
  /// What is free, with who may see it.
  private var freed: [FreeSpace.Waiting] = []
  private var transaction: UInt64 = 1
  private var held: [UInt64] = [1]
  private var named: [UInt64] = []

  init(highWater: UInt64) {
    space = FreeSpace(highWater: highWater)
    extents = [(0..<highWater, 1)]
  }

  private var protected: ProtectedVersions { ProtectedVersions(held: held, named: named) }

  /// Begins a transaction, after snapshots were let go, and names given and dropped.
  mutating func begin(_ random: inout SeededGenerator) {
    let newest = transaction
    transaction += 1
    held.removeAll { $0 != newest && random.chance(1, in: 5) }
    named.removeAll { _ in random.chance(1, in: 12) }
    space.reconsider(protected: protected)
    guard named.last != newest, random.chance(1, in: 6) else { return }
    named.append(newest)
    space.reconsiderAll(protected: protected)
  }

  mutating func commit() { held.append(transaction) }

  mutating func allocate(_ units: Int) throws {
    let available = availableRuns
    let before = space.highWater
    let (unit, wasFree, gap) = try space.allocate(units)
    let range = unit..<unit + UInt64(units)
    #expect(unit / UInt64(Unit.segmentUnits) == (range.upperBound - 1) / UInt64(Unit.segmentUnits))
    if wasFree {
      #expect(available.contains { $0.lowerBound <= unit && range.upperBound <= $0.upperBound })
    } else {
      #expect(unit == gap?.upperBound ?? before)
      #expect(space.highWater == range.upperBound)
      if let gap {
        #expect(gap.lowerBound == before && gap.count < units)
        freed.append(
          FreeSpace.Waiting(unit: before, units: gap.count, birth: transaction, death: transaction))
      }
    }
    take(range)
    extents.append((range, transaction))
  }

  /// Frees an extent, or a part of one.
  mutating func release(_ random: inout SeededGenerator) {
    guard let place = extents.indices.randomElement(using: &random) else { return }
    let (range, birth) = extents.remove(at: place)
    let end = min(range.upperBound, (range.lowerBound / 256 + 1) * 256)
    let freedRange = range.lowerBound..<end
    if end < range.upperBound { extents.append((end..<range.upperBound, birth)) }
    guard range.lowerBound >= Unit.firstExtent else { return }
    let extent = FreeSpace.Waiting(
      unit: range.lowerBound, units: freedRange.count, birth: birth, death: transaction,
      isContent: !random.chance(1, in: 4))
    freed.append(extent)
    if birth == transaction {
      space.makeAvailable(freedRange)
    } else {
      space.release(extent, protected: protected)
    }
  }

  /// Takes units out of what was freed.
  private mutating func take(_ range: Range<UInt64>) {
    freed = freed.flatMap { extent -> [FreeSpace.Waiting] in
      guard extent.range.overlaps(range) else { return [extent] }
      return [
        extent.unit..<max(extent.unit, range.lowerBound),
        min(extent.range.upperBound, range.upperBound)..<extent.range.upperBound,
      ]
      .filter { !$0.isEmpty }
      .map {
        FreeSpace.Waiting(
          unit: $0.lowerBound, units: $0.count, birth: extent.birth, death: extent.death,
          isContent: extent.isContent)
      }
    }
  }

  func check(_ comment: Comment) {
    let all = 0..<space.highWater
    #expect(space.free.runs(in: all) == runs(freed.map(\.range)), comment)
    #expect(space.available.runs(in: all) == availableRuns, comment)
    #expect(space.available.count == availableRuns.reduce(0) { $0 + UInt64($1.count) }, comment)
    var kept: [Range<UInt64>] = []
    space.forEachKept { kept.append($0.range) }
    let keptByNames = freed.filter(isKeptByAName)
    #expect(runs(kept) == runs(keptByNames.map(\.range)), comment)
    var waiting: [UInt64: UInt64] = [:]
    for extent in freed where !isKeptByAName(extent) {
      if let oldest = held.first(where: { extent.isSeen(by: $0) }) {
        waiting[oldest, default: 0] += UInt64(extent.units)
      }
    }
    let oldest = waiting.sorted { $0.key < $1.key }.prefix(3)
    #expect(space.oldestWaiting(3).map(\.version) == oldest.map(\.key), comment)
    #expect(space.oldestWaiting(3).map(\.units) == oldest.map(\.value), comment)
  }

  /// What nobody sees of what is free.
  private var availableRuns: [Range<UInt64>] {
    runs(
      freed.filter { extent in
        !isKeptByAName(extent) && !held.contains { extent.isSeen(by: $0) }
      }.map(\.range))
  }

  private func isKeptByAName(_ extent: FreeSpace.Waiting) -> Bool {
    extent.isContent && named.contains { extent.isSeen(by: $0) }
  }

  /// The runs of some ranges, segment by segment.
  private func runs(_ ranges: [Range<UInt64>]) -> [Range<UInt64>] {
    var runs: [Range<UInt64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = runs.last, last.upperBound == range.lowerBound,
        !range.lowerBound.isMultiple(of: UInt64(Unit.segmentUnits))
      {
        runs[runs.count - 1] = last.lowerBound..<range.upperBound
      } else {
        runs.append(range)
      }
    }
    return runs
  }
}
