import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// Commits that leave their changes to be applied to the trees later: what is read, recovered and checked is what was
/// committed.
@Suite struct UnappliedRowsTests {
  private func open(_ disk: SimulatedDisk) throws(EngineError) -> NoteStore {
    try NoteStore(disk, ringUnits: 256, smallCommits: .leftRows)
  }

  private func insert(
    _ keys: some Sequence<Int64>, into store: NoteStore, _ durability: SyncPolicy = .full
  ) throws(EngineError) {
    for key in keys {
      try store.engine.write(durability) { (transaction) throws(EngineError) in
        try store.insertNote(transaction, key: key)
      }
    }
  }

  @Test func commitsThatNobodyReadsChangeNoTreeAndAreReadAllTheSame() throws {
    let store = try open(SimulatedDisk(seed: 1))
    try insert(1...20, into: store)
    #expect(store.engine.snapshot().unappliedCommits >= 19)
    #expect(try store.notes().keys.sorted() == Array(1...20))
    // Who has read it has trees of its own; the next transaction goes on from where it was.
    try insert(21...25, into: store)
    #expect(store.engine.snapshot().unappliedCommits >= 24)
    #expect(try store.notes().keys.sorted() == Array(1...25))
    #expect(try store.engine.snapshot().verify() == [])
  }

  @Test func objectsAreLookedUpBehindCommitsWithoutTheirTrees() throws {
    let store = try open(SimulatedDisk(seed: 18))
    try insert(1...20, into: store)
    try store.engine.checkpoint()
    var notes = try store.notes()
    func update(_ key: Int64, _ field: UInt32, to value: Value) throws(EngineError) {
      try store.engine.write { (transaction) throws(EngineError) in
        _ = try transaction.update(store.table, key: key, field: field, to: value)
      }
    }
    for rank in [7, 8] as [Int64] {
      try update(3, 2, to: .integer(rank))
      notes[3]?.rank = rank
    }
    try update(3, 1, to: .bytes(Array("three".utf8)))
    notes[3]?.title = "three"
    for key in [4, 5] as [Int64] {
      try store.engine.write { (transaction) throws(EngineError) in
        _ = try transaction.delete(from: store.table, key: key)
      }
      notes[key] = nil
    }
    for key in [5, 30] as [Int64] {
      try insert([key], into: store)
      notes[key] = Note(title: "Note \(key)", rank: key % 5, score: nil)
    }
    let before = store.engine.snapshot()
    try update(30, 3, to: .double(0.5))
    notes[30]?.score = 0.5
    let snapshot = store.engine.snapshot()
    func check() throws {
      for key in 1...31 as ClosedRange<Int64> {
        #expect(try store.note(key, in: snapshot) == notes[key], "\(key)")
      }
    }
    try check()
    #expect(try store.note(30, in: before)?.score == nil)
    #expect(snapshot.version.knownTrees == nil && before.version.knownTrees == nil)
    // Many lookups have them made.
    for _ in 0..<5 { try check() }
    #expect(snapshot.version.knownTrees != nil)
    #expect(try store.notes() == notes)
  }

  @Test func whoReadsEachVersionHasItsTreesChangedByTheCommit() throws {
    let disk = SimulatedDisk(seed: 2)
    let store = try NoteStore(disk, ringUnits: 256, smallCommits: nil)
    for key in 1...40 as ClosedRange<Int64> {
      try insert([key], into: store)
      #expect(try store.notes().count == Int(key))
      #expect(store.engine.snapshot().unappliedCommits == 0)
    }
    try insert(41...80, into: store)
    #expect(store.engine.snapshot().unappliedCommits > 0)
    #expect(try store.notes().count == 80)
  }

  @Test func aVersionThatIsReadWhileATransactionWritesIsTheOneBefore() throws {
    let store = try open(SimulatedDisk(seed: 3))
    try insert(1...10, into: store)
    let transaction = try store.engine.beginWrite()
    try store.insertNote(transaction, key: 11)
    _ = try transaction.delete(from: store.table, key: 3)
    let before = store.engine.snapshot()
    #expect(try store.notes(in: before).keys.sorted() == Array(1...10))
    try transaction.commit()
    let after = [1, 2] + Array(4...11 as ClosedRange<Int64>)
    #expect(try store.notes().keys.sorted() == after)
    #expect(try store.notes(in: before).keys.sorted() == Array(1...10))
  }

  @Test func aTransactionThatIsGivenUpLeavesWhatOthersLeft() throws {
    let store = try open(SimulatedDisk(seed: 4))
    try insert(1...10, into: store)
    for _ in 0..<3 {
      let transaction = try store.engine.beginWrite()
      try store.insertNote(transaction, key: 11)
      _ = try transaction.delete(from: store.table, key: 5)
      transaction.rollback()
    }
    try insert([12], into: store)
    #expect(store.engine.snapshot().unappliedCommits >= 10)
    #expect(try store.notes().keys.sorted() == Array(1...10) + [12])
  }

  @Test func aTransactionThatReadsItsTreesAppliesAllOfThem() throws {
    let store = try open(SimulatedDisk(seed: 5))
    try insert(1...10, into: store)
    try store.engine.write { (transaction) throws(EngineError) in
      try store.insertNote(transaction, key: 11)
      _ = try transaction.view()
    }
    #expect(store.engine.snapshot().unappliedCommits == 0)
    #expect(try store.notes().keys.sorted() == Array(1...11))
  }

  @Test func whatChangesBackBeforeItIsAppliedIsNotLost() throws {
    let disk = SimulatedDisk(seed: 6)
    do {
      let store = try open(disk)
      try insert([1], into: store)
      try store.engine.checkpoint()
      func setRank(_ rank: Int64, thenReads: Bool) throws(EngineError) {
        try store.engine.write { (transaction) throws(EngineError) in
          _ = try transaction.update(store.table, key: 1, field: 2, to: .integer(rank))
          if thenReads { _ = try transaction.view() }
        }
      }
      let first = try #require(try store.notes()[1]).rank
      try setRank(first + 1, thenReads: false)
      #expect(try store.notes()[1]?.rank == first + 1)
      try setRank(first, thenReads: true)
      #expect(try store.notes()[1]?.rank == first)
      #expect(try store.notes().values.map(\.rank) == [first])
      let image = disk.crashImage(seed: 1, survival: .everything)
      #expect(try NoteStore(image).notes()[1]?.rank == first)
    }
    #expect(try NoteStore(disk).notes().count == 1)
  }

  @Test func aValueThatARowHasAlreadyMakesNoVersion() throws {
    let store = try open(SimulatedDisk(seed: 7))
    try insert(1...3, into: store)
    let before = store.engine.snapshot()
    let title = try #require(try store.notes()[2]).title
    try store.engine.write { (transaction) throws(EngineError) in
      _ = try transaction.update(
        store.table, key: 2, field: 1, to: .bytes(Array(title.utf8)))
    }
    #expect(store.engine.snapshot().version === before.version)
  }

  @Test func aCheckpointAndAClosingApplyThem() throws {
    let disk = SimulatedDisk(seed: 8)
    do {
      let store = try open(disk)
      try insert(1...10, into: store)
      try store.engine.checkpoint()
      #expect(store.engine.snapshot().unappliedCommits == 0)
      try insert(11...20, into: store)
    }
    do {
      let engine = try Engine.open(
        NoteStore.path, in: disk, options: EngineOptions(isReadOnly: true))
      #expect(engine.snapshot().unappliedCommits == 0)
      #expect(try engine.snapshot().verify() == [])
    }
    #expect(try NoteStore(disk).notes().keys.sorted() == Array(1...20))
  }

  @Test func whatACrashLeavesUnappliedIsReadWithoutWriting() throws {
    let disk = SimulatedDisk(seed: 9)
    let store = try open(disk)
    try insert(1...12, into: store)
    let image = disk.crashImage(seed: 4)
    let engine = try Engine.open(
      NoteStore.path, in: image, options: EngineOptions(isReadOnly: true))
    let snapshot = engine.snapshot()
    #expect(snapshot.unappliedCommits >= 11)
    #expect(try store.notes(in: snapshot).keys.sorted() == Array(1...12))
    #expect(try snapshot.verify() == [])
    // Salvage reads the records, too.
    let report = try Engine.salvage(NoteStore.path, to: "saved.roost", in: image)
    #expect(report.tables.map(\.objectsSaved) == [12])
    let saved = try NoteStore(image, path: "saved.roost")
    #expect(try saved.notes().keys.sorted() == Array(1...12))
  }

  /// Songs 1 to 4 and a playlist 1 of the first two, all of them left unapplied.
  private func songs(_ disk: SimulatedDisk) throws -> SongStore {
    var options = EngineOptions()
    options.ringUnits = 256
    options.leaving.unreadCommits = 0
    let store = try SongStore(disk, path: "songs.roost", options: options)
    // The first small commit makes the ring.
    for key in 1...4 as ClosedRange<Int64> { try insertSong(key, into: store) }
    try store.engine.write { (transaction) throws(EngineError) in
      try store.insertPlaylist(1, of: [1, 2], in: transaction)
    }
    return store
  }

  private func insertSong(_ key: Int64, into store: SongStore) throws(EngineError) {
    try store.engine.write { (transaction) throws(EngineError) in
      try store.insertSongs([key], in: transaction)
    }
  }

  @Test func anEditOfAListThatIsGivenUpLeavesNoEntryOfIt() throws {
    let store = try songs(SimulatedDisk(seed: 11))
    let engine = store.engine
    #expect(engine.snapshot().unappliedCommits > 0)
    for adds in [true, false] {
      let transaction = try engine.beginWrite()
      if adds {
        try transaction.insertLinks([3], at: 0, store.playlists, key: 1, field: store.list.id)
      } else {
        try transaction.removeLinks(in: 0..<1, store.playlists, key: 1, field: store.list.id)
      }
      transaction.rollback()
      try insertSong(adds ? 5 : 6, into: store)
    }
    try engine.checkpoint()
    #expect(try engine.snapshot().verify() == [])
    // Nothing links to it; something does to the first.
    try engine.write { (transaction) throws(EngineError) in
      #expect(try transaction.delete(from: store.songs, key: 3))
    }
    #expect(throws: EngineError.self) {
      try engine.write { (transaction) throws(EngineError) in
        _ = try transaction.delete(from: store.songs, key: 1)
      }
    }
  }

  @Test func numbersThatAreTakenLieBehindThoseOfRowsThatAreLeft() throws {
    let store = try songs(SimulatedDisk(seed: 12))
    try store.engine.checkpoint()
    try insertSong(1000, into: store)
    #expect(store.engine.snapshot().unappliedCommits > 0)
    try store.engine.write { (transaction) throws(EngineError) in
      #expect(try transaction.takeNumbers(1, in: store.songs, max: .max) == 1001)
    }
  }

  @Test func changesOfOneRowAgainAndAgainAreAppliedLikeThoseOfMany() throws {
    let store = try open(SimulatedDisk(seed: 13))
    // The second is a row that was left itself.
    try insert([1, 2], into: store)
    var most = 0
    for rank in 0..<300 as Range<Int64> {
      try store.engine.write { (transaction) throws(EngineError) in
        _ = try transaction.update(store.table, key: 2, field: 2, to: .integer(rank))
      }
      most = max(most, store.engine.snapshot().unappliedCommits)
    }
    #expect(most > 100 && most <= 130)
    #expect(try store.notes()[2]?.rank == 299)
  }

  @Test func aCommitThatMustBeOnItsTreesLeavesNothing() throws {
    let store = try open(SimulatedDisk(seed: 14))
    try insert(1...5, into: store)
    #expect(store.engine.snapshot().unappliedCommits > 0)
    let transaction = try store.engine.beginWrite(onTrees: true)
    try store.insertNote(transaction, key: 6)
    try transaction.commit()
    #expect(store.engine.snapshot().unappliedCommits == 0)
    #expect(try store.notes().keys.sorted() == Array(1...6))
  }

  @Test func thousandsOfRecordsOfRowsAreReadAtOpeningAndLetGo() throws {
    let disk = SimulatedDisk(seed: 15)
    var options = EngineOptions()
    options.ringUnits = 256
    options.leaving.unreadCommits = 0
    options.leaving.commits = .max
    options.leaving.values = .max
    options.leaving.rows = .max
    let store = try SongStore(disk, path: "songs.roost", options: options)
    let count: Int64 = 4000
    for key in 1...count {
      try store.engine.write(.relaxed) { (transaction) throws(EngineError) in
        try store.insertSongs([key], in: transaction)
      }
    }
    try store.engine.synchronize()
    #expect(store.engine.snapshot().unappliedCommits > 3900)
    let again = try SongStore(
      disk.crashImage(seed: 1), path: "songs.roost", options: options)
    #expect(again.engine.snapshot().unappliedCommits > 3900)
    #expect(try again.songKeys() == Array(1...count))
  }

  @Test func afterASlotThatFailsATransactionBeginsWithTheRowsOfTheVersionBefore() throws {
    let disk = SimulatedDisk(seed: 17)
    let store = try open(disk)
    try insert(1...5, into: store)
    // It writes a slot; the next one leaves its row behind that.
    let first = try store.engine.beginWrite()
    try store.insertNote(first, key: 1000)
    let slot = try first.stage(.paranoid)
    let last = try store.engine.beginWrite()
    try store.insertNote(last, key: 6)
    let row = try last.stage(.full)
    disk.inject(.init(.only(.write), call: 1, .failOnce(SystemError.noSpace.rawValue)))
    #expect(throws: EngineError.self) { try slot?.makeDurable() }
    #expect(throws: EngineError.self) { try row?.makeDurable() }
    disk.removeFaults()
    try insert([7], into: store)
    #expect(store.engine.snapshot().unappliedCommits >= 5)
    #expect(try store.notes().keys.sorted() == [1, 2, 3, 4, 5, 7])
    try store.engine.checkpoint()
    #expect(try store.engine.snapshot().verify() == [])
    #expect(try store.notes().keys.sorted() == [1, 2, 3, 4, 5, 7])
  }

  @Test func onAFullDiskLongValuesThatAreLeftHaveRoomToBeApplied() throws {
    let disk = SimulatedDisk(seed: 16)
    let store = try open(disk)
    try insert(1...5, into: store)
    try store.engine.checkpoint()
    disk.capacity = UInt64(disk.contents(of: NoteStore.path)?.count ?? 0) + 600_000
    var random = SeededGenerator(seed: 3)
    var last: Int64 = 5
    var error: EngineError?
    while error == nil, last < 1000 {
      let title = (0..<7000).map { _ in UInt8.random(in: 32..<127, using: &random) }
      do throws(EngineError) {
        try store.engine.write { (transaction) throws(EngineError) in
          let columns = try transaction.batch(for: store.table).columns
          columns[0].append(.bytes(title))
          columns[1].append(.integer(1))
          columns[2].append(.null)
          try transaction.insertRow(into: store.table, key: last + 1)
        }
        last += 1
      } catch let refused { error = refused }
    }
    guard case .file(let cause) = error else {
      Issue.record("The disk is not full after \(last) notes: \(String(describing: error))")
      return
    }
    #expect(cause.meaning == .outOfSpace)
    #expect(last > 20)
    try store.engine.checkpoint()
    #expect(try store.notes().keys.sorted() == Array(1...last))
    for key in 1...last {
      try store.engine.write { (transaction) throws(EngineError) in
        #expect(try transaction.delete(from: store.table, key: key))
      }
    }
    try store.engine.checkpoint()
    #expect(try store.engine.snapshot().verify() == [])
    #expect(try store.notes().isEmpty)
  }

  /// 40 workloads of 60 transactions.
  @Test(arguments: 0..<40)
  func manyTransactionsLeaveWhatTheyCommitted(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &* 31 &+ 5)
    let disk = SimulatedDisk(seed: seed)
    var store = try open(disk)
    var notes: Notes = [:]
    for _ in 0..<scaled(60) {
      let many = random.chance(1, in: 12)
      let count = many ? 200 : Int.random(in: 1..<6, using: &random)
      var attempted = notes
      try store.run(&attempted, &random, operations: count, keys: 60)
      notes = attempted
      for _ in 0..<8 {
        let key = Int64.random(in: 0..<62, using: &random)
        let found = try store.note(key, in: store.engine.snapshot())
        #expect(found == notes[key], "seed \(seed)")
      }
      if random.chance(1, in: 5) { #expect(try store.notes() == notes, "seed \(seed)") }
      if random.chance(1, in: 9) {
        let transaction = try store.engine.beginWrite()
        try store.insertNote(transaction, key: 1000)
        _ = try transaction.delete(from: store.table, key: notes.keys.min() ?? 0)
        if random.chance(1, in: 2) { _ = try transaction.view() }
        transaction.rollback()
      }
      if random.chance(1, in: 20) {
        store = try open(disk.crashImage(seed: random.next()))
        #expect(try store.notes() == notes, "seed \(seed)")
        store = try open(disk)
      }
      if random.chance(1, in: 20) { try store.engine.checkpoint() }
    }
    #expect(try store.notes() == notes, "seed \(seed)")
    #expect(try store.engine.snapshot().verify() == [])
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func aRecordOfRowsThatSaysOtherThingsIsRefusedOrReadAndNeverTraps(seed: UInt64) throws {
    let disk = SimulatedDisk(seed: seed)
    let store = try open(disk)
    try insert(1...3, into: store)
    try store.engine.checkpoint()
    try store.engine.write { (transaction) throws(EngineError) in
      try store.insertNote(transaction, key: 4)
      _ = try transaction.delete(from: store.table, key: 1)
      _ = try transaction.update(store.table, key: 2, field: 2, to: .integer(9))
    }
    let whole = try #require(
      disk.crashImage(seed: 1, survival: .everything).contents(of: NoteStore.path))
    let image = StoreImage(whole)
    let key: UInt64 = image.number(at: image.slot + 216)
    let record = try #require(Self.recordsOfRows(in: whole).last)
    var random = SeededGenerator(seed: seed)
    var refused = 0
    for _ in 0..<60 {
      var changed = image
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let place = Int.random(in: record.lowerBound + 64..<record.upperBound - 8, using: &random)
        let byte = changed.bytes[place]
        changed.bytes[place] =
          [byte ^ 1 << UInt8(random.next() % 8), 0, 255, byte &+ 1][Int(random.next() % 4)]
      }
      let content = Array(changed.bytes[record.lowerBound..<record.upperBound - 8])
      changed.set(content.withByteView { XXH3.hash($0) } ^ key, at: record.upperBound - 8)
      let other = SimulatedDisk(seed: 1)
      other.install(changed.bytes, at: NoteStore.path)
      _ = try? Engine.salvage(NoteStore.path, to: "saved.roost", in: other)
      do throws(EngineError) {
        let store = try NoteStore(other)
        _ = try store.engine.snapshot().view
        _ = try store.engine.snapshot().verify()
        try store.engine.write { (transaction) throws(EngineError) in
          try store.insertNote(transaction, key: 77)
        }
      } catch {
        guard case .corrupt = error else { throw error }
        refused += 1
      }
    }
    #expect(refused > 10)
  }

  /// Where the records of rows lie in a file.
  static func recordsOfRows(in file: [UInt8]) -> [Range<Int>] {
    stride(from: 0, to: file.count - 72, by: 8).compactMap { place in
      guard Array(file[place..<place + 4]) == Array("RsRc".utf8), file[place + 62] == 8 else {
        return nil
      }
      let length = (0..<4).reduce(0) { $0 | Int(file[place + 4 + $1]) << (8 * $1) }
      return place..<min(place + length, file.count)
    }
  }
}
