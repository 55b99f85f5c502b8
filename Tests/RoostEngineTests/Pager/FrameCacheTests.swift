import RoostEngine
import RoostTestSupport
import Testing

/// Which frames stay in memory, by how many extents are read again.
@Suite struct FrameCacheTests {
  @Test func aLoopOverALittleMoreThanTheCacheHoldsIsMostlyReadFromMemory() throws {
    let pages = try Pages(count: Pages.cached * 11 / 10)
    for page in pages.all { try pages.read(page) }
    let loads = try pages.loads {
      for _ in 0..<8 { for page in pages.all { try pages.read(page) } }
    }
    #expect(loads < pages.all.count * 8 * 3 / 10)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func pagesAtRandomAreForgottenNoMoreThanTheyMust(seed: UInt64) throws {
    let pages = try Pages(count: Pages.cached * 11 / 10)
    var random = SeededGenerator(seed: seed)
    for page in pages.all { try pages.read(page) }
    let loads = try pages.loads {
      for _ in 0..<10_000 { try pages.read(.random(in: pages.all, using: &random)) }
    }
    // One of eleven is not there.
    #expect(loads < 10_000 * 12 / 100)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func whatIsAskedForOftenStaysBesideWhatIsReadOnce(seed: UInt64) throws {
    let pages = try Pages(count: Pages.cached * 12)
    var random = SeededGenerator(seed: seed)
    let often = 0..<Pages.cached / 2
    for page in often { try pages.read(page) }
    var cold = often.upperBound
    let loads = try pages.loads {
      while cold < pages.all.upperBound {
        for _ in 0..<8 { try pages.read(.random(in: often, using: &random)) }
        try pages.read(cold)
        cold += 1
      }
    }
    let once = cold - often.upperBound
    #expect(loads - once < once * 8 / 100)
  }

  @Test func whatNobodyAsksForAnyMoreGoesWhereverItLies() throws {
    let pages = try Pages(count: Pages.cached * 11)
    let first = 0..<Pages.cached * 8 / 10
    for page in first { try pages.read(page) }
    for page in first.upperBound..<pages.all.upperBound { try pages.read(page) }
    let loads = try pages.loads { for page in first { try pages.read(page) } }
    #expect(loads > first.count * 95 / 100)
  }
}

/// A file of pages of one unit each, behind a cache.
private struct Pages {
  /// How many the cache holds.
  static let cached = (1 << 20) / Unit.bytes

  private let reader: PageReader
  private let pointers: [ExtentPointer]

  var all: Range<Int> { pointers.indices }

  init(count: Int) throws {
    let file = try MemoryFileSystem().open("pages", .create)
    let pager = StandalonePager(file: file, cacheBytes: 1 << 20)
    pointers = try pager.write(protected: []) { (writer) throws(EngineError) in
      var pointers: [ExtentPointer] = []
      for _ in 0..<count {
        pointers.append(
          try writer.write(kind: .leafHead, units: 1) { (bytes) throws(EngineError) in
            bytes.zero()
          })
      }
      return pointers
    }
    // Nothing of what was written is in the cache of another reader.
    reader = PageReader(file: file, cacheBytes: 1 << 20)
  }

  func read(_ page: Int) throws { _ = try reader.frame(pointers[page]) }

  /// How many pages `body` reads from the file.
  func loads(_ body: () throws -> Void) rethrows -> Int {
    let before = reader.statistics.loads
    try body()
    return reader.statistics.loads - before
  }
}
