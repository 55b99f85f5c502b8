import RoostEngine
import RoostTestSupport
import Testing

/// How large a file becomes by commits that change one object each: of 16 MiB by 20,000, in memory, where each writes its
/// extents, and on a disk, where most are records of the ring; and of 64 MiB.
@Suite struct FileGrowthTests {
  /// What a commit does.
  enum Change: CaseIterable {
    /// Gives one field of a random object another value.
    case update
    /// Gives all fields of a random object other values.
    case replace
    /// Deletes an object and inserts one with a greater key, in turn.
    case deleteAndInsert
  }

  /// Where the file lies.
  enum Place: CaseIterable {
    case memory
    case disk
  }

  private static let commits = 20_000

  /// At least the version of the reader and the newest one must be there.
  @Test(arguments: Change.allCases, Place.allCases)
  func besideAPinnedReaderAFileStaysBelowTwiceItsContentAndAThird(
    change: Change, place: Place
  ) throws {
    try withStore(place) { store in
      let pinned = store.engine.snapshot()
      let before = try pinned.contentDigest()
      #expect(pinned.usedBytes > 15 << 20 && pinned.usedBytes < 20 << 20)
      let share = try shareAfterCommits(change, in: store)
      #expect(share <= 2.3)
      let after = try pinned.contentDigest()
      #expect(after == before)
    }
  }

  @Test(arguments: Change.allCases, Place.allCases)
  func withoutAReaderAFileStaysBelowItsContentAndAThird(change: Change, place: Place) throws {
    try withStore(place) { store in
      let share = try shareAfterCommits(change, in: store)
      #expect(share <= 1.3)
    }
  }

  @Test func updatesOfFieldsOfFixedWidthLeaveALargeFileWithinATenthOfItsCompactedSize() throws {
    let disk = SimulatedDisk(seed: 1)
    let path = "person.roost"
    let count = 1_000_000 as Int64
    let table = try PersonStore(disk, path: path, count: Int(count)).table
    let compacted = try #require(try Engine.compact(path, in: disk)).fileBytesAfter
    #expect(compacted >= 64 << 20)
    let engine = try Engine.open(path, in: disk)
    var random = SeededGenerator(seed: 7)
    for commit in 0..<scaled(12_500) {
      let key = Int64.random(in: 1...count, using: &random) * 2
      let isAge = commit.isMultiple(of: 2)
      try engine.write { (transaction) throws(EngineError) in
        _ = try transaction.update(
          table, key: key, field: isAge ? PersonStore.Field.age : PersonStore.Field.score,
          to: isAge
            ? .integer(Int64.random(in: 0..<100, using: &random))
            : .double(.random(in: 0..<1, using: &random)))
      }
    }
    if let finding = try engine.snapshot().verify().first { throw finding }
    #expect(Double(try engine.fileBytes()) / Double(compacted) <= 1.1)
  }

  private func withStore(_ place: Place, _ body: (PersonStore) throws -> Void) throws {
    switch place {
    case .memory:
      try body(PersonStore(MemoryFileSystem(), count: 240_000))
    case .disk:
      try body(PersonStore(SimulatedDisk(seed: 1), count: 240_000))
    }
  }

  /// Commits, and returns how many times as large as its content the file then is.
  private func shareAfterCommits(_ change: Change, in store: PersonStore) throws -> Double {
    var random = SeededGenerator(seed: 7)
    for commit in 0..<Self.commits {
      try store.engine.write { (transaction) throws(EngineError) in
        switch change {
        case .update:
          _ = try transaction.update(
            store.table, key: store.randomKey(&random), field: PersonStore.Field.age,
            to: .integer(Int64(random.next() % 100)))
        case .replace:
          let index = Int.random(in: 0..<store.count, using: &random)
          try store.replace(index, transaction, &random)
        case .deleteAndInsert where commit.isMultiple(of: 2):
          _ = try transaction.delete(from: store.table, key: Int64(commit * 10 + 2))
        case .deleteAndInsert:
          try store.insert(store.count + commit, transaction, &random)
        }
      }
    }
    if let finding = try store.engine.snapshot().verify().first { throw finding }
    let used = store.engine.snapshot().usedBytes
    return Double(try store.engine.fileBytes()) / Double(used)
  }
}
