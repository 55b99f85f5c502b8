import Foundation
import RoostEngine
import RoostTestSupport
import Testing

/// What a commit that changes little asks of the disk.
@Suite struct SmallCommitTests {
  @Test func aChangeOfOneFieldIsWrittenInFewPieces() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try NoteStore(disk, cacheBytes: 64 << 20, ringUnits: 0)
    // Long titles make many leaves of few rows, and so a tree of three levels.
    let title = String(repeating: "x", count: 900)
    try store.engine.write { (transaction) throws(EngineError) in
      for key in Int64(0)..<12_000 {
        let batch = try transaction.batch(for: store.table)
        batch.columns[0].append(title)
        batch.columns[1].append(key % 50)
        batch.columns[2].append(Value.double(0))
        try transaction.insertRow(into: store.table, key: key)
      }
    }
    let fileBytes = try store.engine.fileBytes()
    var random = SeededGenerator(seed: 2)
    func change(_ count: Int) throws {
      for _ in 0..<count {
        try store.engine.write { (transaction) throws(EngineError) in
          _ = try transaction.update(
            store.table, key: Int64.random(in: 0..<12_000, using: &random), field: 3,
            to: .double(Double(Int.random(in: 0..<1000, using: &random))))
        }
      }
    }
    for commits in [100, 300, 1000] {
      disk.resetCounters()
      try change(commits)
      let counters = disk.counters
      #expect(counters.synchronizations <= commits)
      // A leaf's head and two nodes, mostly in two pieces, the slot and the mark.
      #expect(counters[.write] <= commits * 9 / 2)
      #expect(counters.bytesWritten <= UInt64(commits) * (24 << 10))
    }
    #expect(try store.engine.fileBytes() <= fileBytes + fileBytes / 8 + (2 << 20))
    try store.verify()
  }

  @Test func anObjectThatChangesAsAWholeSharesItsLeafWithFewOthers() throws {
    let disk = SimulatedDisk(seed: 3)
    let store = try NoteStore(disk, cacheBytes: 64 << 20, ringUnits: 0)
    var random = SeededGenerator(seed: 4)
    func title() -> [UInt8] { random.bytes(900).map { 97 + $0 % 26 } }
    try store.engine.write { (transaction) throws(EngineError) in
      for key in Int64(0)..<3000 {
        let batch = try transaction.batch(for: store.table)
        batch.columns[0].append(.bytes(title()))
        batch.columns[1].append(key % 50)
        batch.columns[2].append(Value.double(0))
        try transaction.insertRow(into: store.table, key: key)
      }
    }
    disk.resetCounters()
    let commits = 200
    for _ in 0..<commits {
      try store.engine.write { (transaction) throws(EngineError) in
        let key = Int64.random(in: 0..<3000, using: &random)
        _ = try transaction.update(store.table, key: key, field: 1, to: .bytes(title()))
        _ = try transaction.update(
          store.table, key: key, field: 3, to: .double(Double(random.next() % 1000)))
      }
    }
    #expect(disk.counters.bytesWritten <= UInt64(commits) * (36 << 10))
    try store.verify()
  }

  /// Where the record that fails goes to another unit of the ring than the one before it, too.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func aRecordThatCannotBeWrittenTakesNoneBeforeItAway(seed: UInt64) throws {
    let disk = SimulatedDisk(seed: seed)
    let store = try NoteStore(disk, ringUnits: 4, smallCommits: .leftRows)
    var random = SeededGenerator(seed: seed)
    var keys: [Int64] = []
    var next: Int64 = 0
    var failures = 0
    for round in 0..<100 {
      var pending: [PendingCommit] = []
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        // A record of some 4 KiB, which fits behind few others, or a short one.
        let isLong = random.chance(1, in: 2)
        let added = next..<next + Int64.random(in: isLong ? 25...40 : 1...2, using: &random)
        next = added.upperBound
        let transaction = try store.engine.beginWrite()
        try store.insertMany(transaction, keys: added, &random)
        if isLong, random.chance(1, in: 2) {
          disk.inject(.init(.only(.write), call: 1, .failOnce(SystemError.ioError.rawValue)))
        }
        defer { disk.removeFaults() }
        do {
          guard let commit = try transaction.stage(.grouped) else { continue }
          pending.append(commit)
          keys += added
        } catch EngineError.file { failures += 1 }
      }
      for commit in pending { try commit.makeDurable() }
      let image = disk.crashImage(seed: seed, survival: .nothing)
      let recovered = try NoteStore(image, smallCommits: .leftRows)
      #expect(try recovered.notes().keys.sorted() == keys, "round \(round)")
    }
    #expect(failures > 10)
  }

  @Test func aLargeTransactionBehindASmallOneTakesTheSpaceThatASnapshotKept() throws {
    let disk = SimulatedDisk(seed: 6)
    let store = try NoteStore(disk, cacheBytes: 64 << 20, ringUnits: 64)
    func fill(_ letter: String) throws {
      try store.engine.write { (transaction) throws(EngineError) in
        for key in Int64(0)..<3000 {
          let batch = try transaction.batch(for: store.table)
          batch.columns[0].append(String(repeating: letter, count: 900))
          batch.columns[1].append(key % 50)
          batch.columns[2].append(Value.double(0))
          if try !transaction.replaceRow(in: store.table, key: key) {
            batch.columns[0].append(String(repeating: letter, count: 900))
            batch.columns[1].append(key % 50)
            batch.columns[2].append(Value.double(0))
            try transaction.insertRow(into: store.table, key: key)
          }
        }
      }
    }
    func change(_ number: Double) throws {
      try store.engine.write { (transaction) throws(EngineError) in
        _ = try transaction.update(store.table, key: 7, field: 3, to: .double(number))
      }
    }
    try fill("a")
    var held: EngineSnapshot? = store.engine.snapshot()
    try fill("b")
    for number in 1...4 { try change(Double(number)) }
    let fileBytes = try store.engine.fileBytes()
    withExtendedLifetime(held) {}
    held = nil
    // It keeps nothing any more, but the small commits looked before.
    try fill("c")
    #expect(try store.engine.fileBytes() <= fileBytes + (256 << 10))
    try store.verify()
  }

  @Test func aVersionsRecordsOfFreeUnitsStayAsTheyAreWhateverFollowsIt() {
    func records(_ units: ClosedRange<UInt64>) -> [FreeRecord] {
      units.map { FreeRecord(unit: $0, units: 1, isFree: true, birth: 1, death: 2) }
    }
    func units(_ records: FreeRecords) -> [UInt64] { records.all.map(\.unit) }
    var first = FreeRecords()
    first.append(records(10...11))
    var second = first
    second.append(records(12...14))
    // Behind a commit that failed, another one follows the first.
    var other = first
    other.append(records(20...21))
    second.append(records(15...15))
    #expect(units(first) == [10, 11])
    #expect(units(second) == [10, 11, 12, 13, 14, 15])
    #expect(units(other) == [10, 11, 20, 21])
    #expect(other.count == 4)
  }

  @Test func aStoreWithLittleInItIsSmall() throws {
    let disk = SimulatedDisk(seed: 5)
    let store = try NoteStore(disk)
    #expect(try store.engine.fileBytes() <= 72 << 10)
    try store.engine.write { (transaction) throws(EngineError) in
      for key in Int64(0)..<100 {
        let batch = try transaction.batch(for: store.table)
        batch.columns[0].append("a title")
        batch.columns[1].append(key)
        batch.columns[2].append(Value.null)
        try transaction.insertRow(into: store.table, key: key)
      }
    }
    // With a ring of 64 KiB.
    #expect(try store.engine.fileBytes() <= 256 << 10)
  }

  @Test func aStoreWithoutObjectsTakesAtMost36KiBOfTheDisk() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/store"
      let table = TableDraft(
        name: "Note", fields: [FieldDefinition(name: "id", type: .int, isIdentifier: true)])
      do {
        let engine = try Engine.open(path, options: EngineOptions())
        try engine.write { (transaction) throws(EngineError) in
          try transaction.addTables([table])
        }
      }
      var status = stat()
      #expect(unsafe stat(path, &status) == 0)
      #expect(status.st_blocks * 512 <= 36 << 10)
    }
  }

  /// The next opening reads no ring then.
  @Test(arguments: [1, 3000]) func aFileIsClosedInOrderWhateverItsLastCommitWrote(
    books: Int
  ) throws {
    let disk = SimulatedDisk(seed: 9)
    do {
      let library = try Library(disk, ringUnits: 16)
      for key in 0..<5 as Range<Int64> {
        try library.fill(books: 1, authors: 1, from: key, seed: UInt64(key))
      }
      try library.fill(books: books, authors: 1, from: 1000, seed: 9)
    }
    let closed = disk.contents(of: Library.path) ?? []
    let image = StoreImage(closed)
    let (ring, flags): (UInt64, UInt64) = (
      image.number(at: image.slot + 200), image.number(at: image.slot + 24)
    )
    #expect(ring != 0 && flags & 4 != 0)
    // Opening it to read writes nothing.
    do { _ = try Library(disk, ringUnits: 16).digest() }
    #expect(disk.contents(of: Library.path) == closed)
  }

  @Test func aCheckpointWritesWhatWaitsAndNothingAgain() throws {
    let disk = SimulatedDisk(seed: 8)
    let library = try Library(disk, ringUnits: 256)
    try library.fill(books: 300)
    func add(_ key: Int64) throws {
      try library.fill(books: 1, authors: 1, from: key, seed: UInt64(key))
    }
    // The number of bytes that only records have, and the content.
    func recovered() throws -> (recordedBytes: UInt64, digest: UInt64) {
      let library = try Library(disk.crashImage(seed: 1))
      // Before it is closed.
      defer { withExtendedLifetime(library) {} }
      #expect(try library.findings() == [])
      return (library.engine.snapshot().recordedBytes, try library.digest())
    }
    for key in 1000..<1005 as Range<Int64> { try add(key) }
    #expect(try recovered().recordedBytes > 0)
    let digest = try library.digest()
    try library.engine.checkpoint()
    #expect(library.engine.snapshot().recordedBytes == 0)
    #expect(try recovered() == (0, digest))
    disk.resetCounters()
    try library.engine.checkpoint()
    #expect(disk.counters.bytesWritten == 0)
    // Records may follow.
    try add(1005)
    #expect(library.engine.snapshot().recordedBytes > 0)
    #expect(try recovered().digest == library.digest())
  }

  @Test func whatWaitsInMemoryHasABound() throws {
    func most(_ bound: Int) throws -> UInt64 {
      var options = Library.options()
      options.waitingBytesMax = bound
      options.ringUnits = 256
      let disk = SimulatedDisk(seed: 9)
      try Library(disk, ringUnits: 256).fill(books: 3000)
      let engine = try Engine.open(Library.path, in: disk, options: options)
      let books = try #require(engine.snapshot().catalog.table(named: "Book")).id
      var random = SeededGenerator(seed: 10)
      var most: UInt64 = 0
      for _ in 0..<60 {
        let key = Int64.random(in: 0..<3000, using: &random)
        try engine.write { (transaction) throws(EngineError) in
          _ = try transaction.delete(from: books, key: key)
        }
        most = max(most, engine.snapshot().recordedBytes)
      }
      return most
    }
    #expect(try most(128 << 10) < 256 << 10)
    #expect(try most(1 << 20) > 256 << 10)
  }

  /// What only held versions see is written to its place too, so that it does not wait as long as they are held.
  @Test func whatWaitsInMemoryHasABoundWhateverIsHeld() throws {
    let commits =
      ProcessInfo.processInfo.environment["ROOST_HELD_COMMITS"].flatMap { Int($0) } ?? 2000
    let bound = 256 << 10
    let disk = SimulatedDisk(seed: 11)
    let store = try NoteStore(disk, waitingBytesMax: bound)
    var random = SeededGenerator(seed: 12)
    var notes: Notes = [:]
    try store.run(&notes, &random, operations: 4000)
    var held: [(snapshot: EngineSnapshot, notes: Notes)] = []
    var most: UInt64 = 0
    for commit in 0..<commits {
      if commit.isMultiple(of: 20) { held.append((store.engine.snapshot(), notes)) }
      try store.run(&notes, &random, operations: 1)
      most = max(most, store.engine.snapshot().recordedBytes)
    }
    // It is passed by one commit at most.
    #expect(most > bound / 2)
    #expect(most < UInt64(2 * bound))
    for version in held { #expect(try store.notes(in: version.snapshot) == version.notes) }
    try store.verify()
  }

  @Test(arguments: [0, 16])
  func aFullDiskLetsOneDeleteWithoutALargerRing(ringUnits: Int) throws {
    let disk = SimulatedDisk(seed: 13)
    do { try Library(disk, ringUnits: ringUnits).fill(books: 5, authors: 2) }
    disk.capacity = UInt64(try #require(disk.contents(of: Library.path)).count)
    let library = try Library(disk, ringUnits: 256)
    for key in 0..<3 as Range<Int64> { try library.deleteBooks(key..<key + 1) { _ in true } }
    #expect(try library.engine.snapshot().view.objects(library.books).count == 2)
    #expect(try library.findings() == [])
  }

  /// Never syncs: each commit finds the file as if all followed one another within some milliseconds.
  private struct PatientTimer: SyncTimer {
    func schedule(afterMilliseconds delay: Int, _ sync: @escaping @Sendable () -> Void) {}
  }

  @Test(arguments: [0, 16, nil])
  func aFullDiskLetsManyDeletesFollowOneAnotherWithoutWaiting(ringUnits: Int?) throws {
    let disk = SimulatedDisk(seed: 14)
    let count: Int64 = 3000
    do { try Library(disk, ringUnits: ringUnits).fill(books: Int(count), authors: 2) }
    disk.capacity = UInt64(try #require(disk.contents(of: Library.path)).count)
    var options = Library.options()
    options.ringUnits = ringUnits
    options.syncTimer = PatientTimer()
    let engine = try Engine.open(Library.path, in: disk, options: options)
    let books = try #require(engine.snapshot().catalog.table(named: "Book")).id
    // Each in another leaf than the one before.
    for number in 0..<count / 2 {
      let key = number * 701 % count
      _ = try engine.write(.relaxed) { (transaction) throws(EngineError) in
        try transaction.delete(from: books, key: key)
      }
    }
    #expect(try engine.snapshot().view.objects(books).count == UInt64(count - count / 2))
    #expect(try engine.snapshot().verify().isEmpty)
  }

  @Test func openingReadsWhatIsFreeOnlyWhenSomethingIsWritten() throws {
    let disk = SimulatedDisk(seed: 6)
    do {
      let store = try NoteStore(disk)
      var random = SeededGenerator(seed: 7)
      var notes: Notes = [:]
      for _ in 0..<400 { try store.run(&notes, &random, operations: 3) }
    }
    disk.resetCounters()
    let store = try NoteStore(disk)
    // The header, three slots with their marks, the ring, and the catalog.
    #expect(disk.counters[.read] <= 9)
    disk.resetCounters()
    let transaction = try store.engine.beginWrite()
    transaction.rollback()
    #expect(disk.counters[.read] >= 1)
    try store.verify()
  }
}
