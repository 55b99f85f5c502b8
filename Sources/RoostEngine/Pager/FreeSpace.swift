/// The versions whose extents must be kept.
package struct ProtectedVersions: Sendable {
  /// The versions that this process holds, and the confirmed one; ascending.
  let held: [UInt64]
  /// The named versions; ascending.
  let named: [UInt64]

  /// Versions, ascending.
  package init(held: [UInt64], named: [UInt64] = []) {
    self.held = held
    self.named = named
  }
}

/// The units below the high-water mark that are free, and those of them that may be written now.
///
/// An extent that b wrote and f freed is seen by the versions v with b ≤ v < f (Format.md §5). It
/// waits, under one version that sees it, until that version is no longer protected; then it waits
/// under another, or becomes available. Of versions that have names it waits under the oldest, for those stay longest. So a commit looks at what it may have released and at
/// nothing else, however much is free.
///
/// Used under the write lock only.
package struct FreeSpace {
  /// An extent that some protected version may still see.
  package struct Waiting {
    package let unit: UInt64
    package let units: Int
    package let birth: UInt64
    package let death: UInt64
    /// Whether it is part of a version's content; what a file says of itself is not, and no name keeps it.
    package let isContent: Bool

    package init(
      unit: UInt64, units: Int, birth: UInt64, death: UInt64, isContent: Bool = true
    ) {
      self.unit = unit
      self.units = units
      self.birth = birth
      self.death = death
      self.isContent = isContent
    }

    package var range: Range<UInt64> { unit..<unit + UInt64(units) }

    /// Whether a version sees it.
    package func isSeen(by version: UInt64) -> Bool { birth <= version && version < death }
  }

  /// Extents that wait until a version is no longer protected.
  private struct WaitingList {
    let version: UInt64
    /// Whether they wait for its name to be dropped.
    let isNamed: Bool
    /// In pieces, so that adding an extent to a copy of the list copies one piece.
    private(set) var pieces: [[Waiting]] = []
    /// The number of units of these extents.
    private(set) var units: UInt64 = 0

    private static let pieceCount = 256

    init(_ version: UInt64, isNamed: Bool) {
      self.version = version
      self.isNamed = isNamed
    }

    /// A version may have two lists.
    var order: (UInt64, Int) { (version, isNamed ? 1 : 0) }

    mutating func append(_ extent: Waiting) {
      if let count = pieces.last?.count, count < Self.pieceCount {
        pieces[pieces.count - 1].append(extent)
      } else {
        var piece: [Waiting] = []
        // As many as most small transactions free.
        piece.reserveCapacity(16)
        piece.append(extent)
        pieces.append(piece)
      }
      units += UInt64(extent.units)
    }
  }

  /// The units that no extent of the newest version covers.
  package private(set) var free = UnitSet()
  /// The free units that may be written.
  package private(set) var available = UnitSet()
  /// The extents that wait for each version, oldest version first.
  private var waiting: [WaitingList] = []
  /// No extent lies at or above this unit.
  package private(set) var highWater: UInt64
  /// The number of units that the transaction took.
  private var takenUnits = 0
  /// The unit after the last that a small transaction took.
  ///
  /// The next one goes on from there, so that commits that follow one another write units that do, and
  /// no commit looks through all that is free.
  private var next: UInt64 = 0
  /// The number of units that the last small transaction took.
  private var unitsExpected = sideBySideUnits

  /// The first units that a transaction takes go side by side.
  ///
  /// A sync costs by the pieces that it writes, as long as they are small: so a small transaction
  /// should be one piece.
  private static let sideBySideUnits = 16
  /// For that, the file grows as long as less than one unit in so many is free.
  private static let freeShare: UInt64 = 64

  package init(highWater: UInt64) { self.highWater = highWater }

  /// Units for an extent: for a small transaction where they follow one another, else the lowest that
  /// fit, so that the file fills from the front.
  ///
  /// - Returns: The first unit; whether the units were free (or lie beyond the old high-water mark);
  ///   and a range that became free because an extent may not cross a segment's end.
  package mutating func allocate(
    _ units: Int
  ) throws(EngineError) -> (unit: UInt64, wasFree: Bool, gap: Range<UInt64>?) {
    defer { takenUnits += units }
    if let unit = takeAvailable(units) {
      free.remove(unit..<unit + UInt64(units))
      return (unit, true, nil)
    }
    let segment = UInt64(Unit.segmentUnits)
    let room = segment - highWater % segment
    var gap: Range<UInt64>?
    var unit = highWater
    if room < UInt64(units) {
      gap = highWater..<highWater + room
      makeAvailable(highWater..<highWater + room)
      unit += room
    }
    guard unit + UInt64(units) <= Unit.limit else {
      throw .limit(EngineLimit(.fileBytes, Unit.limit * UInt64(Unit.bytes)))
    }
    highWater = unit + UInt64(units)
    if takenUnits < Self.sideBySideUnits { next = highWater }
    return (unit, false, gap)
  }

  private mutating func takeAvailable(_ units: Int) -> UInt64? {
    guard takenUnits < Self.sideBySideUnits else { return available.take(units) }
    guard let unit = takeSideBySide(units) else { return nil }
    next = unit + UInt64(units)
    return unit
  }

  private mutating func takeSideBySide(_ units: Int) -> UInt64? {
    let hasFewGaps = free.count < highWater / Self.freeShare
    if takenUnits > 0 { return takeNext(units, hasFewGaps: hasFewGaps) }
    let wanted = max(units, unitsExpected)
    if available.take(units, at: next, fromRunOf: wanted) { return next }
    if let unit = available.take(units, fromRunsOf: wanted, from: next) { return unit }
    guard hasFewGaps else { return takeGap(units) ?? available.take(units) }
    for shortest in [8, 4, 3] where shortest > units && shortest < wanted {
      if let unit = available.take(units, fromRunsOf: shortest) { return unit }
    }
    // Rather than in the gaps, it goes behind all others.
    return nil
  }

  /// Units for an extent behind the one before it, as far as that can be.
  private mutating func takeNext(_ units: Int, hasFewGaps: Bool) -> UInt64? {
    if available.take(units, at: next) { return next }
    // After the high-water mark the units follow one another anyway.
    if hasFewGaps, next == highWater { return nil }
    if !hasFewGaps, let unit = takeGap(units) { return unit }
    return available.take(units, fromRunsOf: units, from: next)
  }

  /// The units of a gap that an extent fills: that leaves the larger ones to those that need them.
  private mutating func takeGap(_ units: Int) -> UInt64? {
    units < Self.sideBySideUnits ? available.take(exactly: units) : nil
  }

  /// Makes units available immediately.
  package mutating func makeAvailable(_ range: Range<UInt64>) {
    free.insert(range)
    available.insert(range)
  }

  /// Takes units out of the free set, wherever they lie: what a record of the log says.
  mutating func remove(_ range: Range<UInt64>) {
    free.remove(range)
    available.remove(range)
  }

  /// Lets an extent wait until no protected version sees it.
  ///
  /// - Returns: Whether none does: then it is available at once.
  @discardableResult
  package mutating func release(_ extent: Waiting, protected: ProtectedVersions) -> Bool {
    let named = extent.isContent ? FreeSpace.version(seeing: extent, among: protected.named) : nil
    guard let version = named ?? FreeSpace.version(seeing: extent, among: protected.held) else {
      makeAvailable(extent.range)
      return true
    }
    free.insert(extent.range)
    let list = WaitingList(version, isNamed: named != nil)
    // Usually it is the last.
    var place = waiting.count
    while place > 0, waiting[place - 1].order > list.order { place -= 1 }
    if place == 0 || waiting[place - 1].order != list.order {
      waiting.insert(list, at: place)
      place += 1
    }
    waiting[place - 1].append(extent)
    return false
  }

  /// The oldest versions without a name that extents wait for, and how many units each keeps from being used again.
  ///
  /// - Parameter count: How many versions at most.
  package func oldestWaiting(_ count: Int) -> [(version: UInt64, units: UInt64)] {
    waiting.lazy.filter { !$0.isNamed }.prefix(count).map { ($0.version, $0.units) }
  }

  /// Calls `body` with each extent that waits for a named version.
  package func forEachKept(_ body: (Waiting) -> Void) {
    for list in waiting where list.isNamed {
      for piece in list.pieces { piece.forEach(body) }
    }
  }

  /// Checks again the extents that waited for versions which are no longer protected, or lost their names.
  ///
  /// Cost: the extents that waited for them, and one look-up per version that extents wait for.
  /// - Parameter isInTransaction: Whether a transaction goes on; else the next one begins.
  /// - Returns: Those that no protected version sees: they are available now.
  @discardableResult
  package mutating func reconsider(
    protected: ProtectedVersions, isInTransaction: Bool = false
  ) -> [Waiting] {
    if !isInTransaction {
      if takenUnits > 0 { unitsExpected = min(takenUnits, Self.sideBySideUnits) }
      takenUnits = 0
    }
    // Another named version may see the extents that a version kept until it lost its name.
    let isStale = { (list: WaitingList) in
      !FreeSpace.contains(list.isNamed ? protected.named : protected.held, list.version)
    }
    guard var place = waiting.firstIndex(where: isStale) else { return [] }
    // They are mostly one list.
    var stale: [WaitingList] = []
    while place < waiting.count {
      if isStale(waiting[place]) {
        stale.append(waiting.remove(at: place))
      } else {
        place += 1
      }
    }
    return releaseAll(stale, protected: protected)
  }

  /// Checks again all waiting extents.
  ///
  /// Cost: the waiting extents.
  /// - Returns: Those that no protected version sees: they are available now.
  @discardableResult
  package mutating func reconsiderAll(protected: ProtectedVersions) -> [Waiting] {
    let old = waiting
    waiting = []
    return releaseAll(old, protected: protected)
  }

  /// Lets the extents of some lists wait until no protected version sees them; returns those that none sees.
  private mutating func releaseAll(
    _ lists: [WaitingList], protected: ProtectedVersions
  ) -> [Waiting] {
    var released: [Waiting] = []
    for list in lists {
      for piece in list.pieces {
        for extent in piece where release(extent, protected: protected) { released.append(extent) }
      }
    }
    return released
  }

  /// A protected version that sees the extent, if any.
  private static func version(seeing extent: Waiting, among protected: [UInt64]) -> UInt64? {
    let index = protected.partitioningIndex { $0 >= extent.birth }
    guard index < protected.count, protected[index] < extent.death else { return nil }
    return protected[index]
  }

  private static func contains(_ sorted: [UInt64], _ value: UInt64) -> Bool {
    let index = sorted.partitioningIndex { $0 >= value }
    return index < sorted.count && sorted[index] == value
  }
}
