import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// Files with a ring: what their records make of the slot's version is what ordinary commits made of it.
@Suite struct RingReadingTests {
  @Test(
    arguments: [(30, 12, false), (30, 12, true), (3000, 9, false)], [1, 2, 3] as [UInt64])
  func theRecordsMakeTheVersionsThatOrdinaryCommitsMade(
    store: (books: Int, commits: Int, images: Bool), seed: UInt64
  ) throws {
    let fixture = try RingFixture(
      books: store.books, commits: store.commits, ringUnits: 256, seed: seed)
    for count in 0...store.commits {
      let ring = try fixture.ring(images: store.images, seed: seed, count: count)
      let engine = try RingFixture.open(ring.bytes)
      let snapshot = engine.snapshot()
      #expect(!engine.isReadOnly)
      #expect(StoreReading(snapshot) == fixture.readings[count])
      #expect(try snapshot.verify() == [])
    }
  }

  @Test(arguments: [0, 16, 256, nil])
  func aFileWithRecordsIsWrittenOn(ringUnits: Int?) throws {
    let fixture = try RingFixture(books: 300, commits: 5, ringUnits: 64)
    for count in 0...5 {
      let disk = SimulatedDisk()
      disk.install(try fixture.ring(count: count).bytes, at: RingFixture.path)
      var expected: [StoreReading] = []
      for round in 0..<3 {
        let library = try Library(disk, ringUnits: ringUnits)
        if round > 0 { #expect(StoreReading(library.engine.snapshot()) == expected.last) }
        for step in 0..<4 as Range<Int64> {
          let key = 10_000 + Int64(round) * 10 + step
          try library.fill(books: 1, authors: 1, from: key, seed: UInt64(key))
          let snapshot = library.engine.snapshot()
          #expect(try snapshot.verify() == [])
          expected.append(StoreReading(snapshot))
          let image = try Library(disk.crashImage(seed: UInt64(key)), ringUnits: ringUnits)
          #expect(try image.findings() == [])
          #expect(StoreReading(image.engine.snapshot()) == expected.last)
        }
      }
      let findings = try Library(disk).findings()
      #expect(findings == [])
    }
  }

  @Test func anExtentOfARecordMayLieWhereAnEarlierOnesLay() throws {
    let fixture = try RingFixture(books: 30, commits: 40, ringUnits: 256)
    let ring = try fixture.ring()
    #expect(ring.reusedUnits > 10)
    let statistics = try RingFixture.open(ring.bytes).statistics()
    let first = try RingFixture.open(fixture.first).snapshot().version.transaction
    #expect(statistics.ring?.bytes == 256 * 4096)
    #expect(statistics.ring?.slotVersion == first)
    #expect(statistics.ring?.recordedBytes ?? 0 > 16_384)
    let snapshot = try RingFixture.open(ring.bytes).snapshot()
    #expect(StoreReading(snapshot) == fixture.readings[40])
    #expect(try snapshot.verify() == [])
  }

  @Test(arguments: [RingFile.Place.behind, .nextUnit, .start])
  func aRecordLiesBehindTheLastOneInTheNextUnitOrAtTheRingsBeginning(
    place: RingFile.Place
  ) throws {
    let fixture = try RingFixture(books: 30, commits: 3, ringUnits: 64)
    // Before the first record there is room for the last one.
    var ring = RingFile(fixture.first, start: 8 * Unit.bytes)
    for file in fixture.files.prefix(2) { ring.append(try ring.makeRecord(of: file)) }
    ring.append(try ring.makeRecord(of: fixture.files[2]), place)
    let snapshot = try RingFixture.open(ring.bytes).snapshot()
    #expect(StoreReading(snapshot) == fixture.readings[3])
  }

  @Test func damageOfTheLastRecordIsATornTailAndOfAnEarlierOneAnError() throws {
    let fixture = try RingFixture(books: 30, commits: 4)
    let whole = try fixture.ring()
    for (index, record) in whole.records.enumerated() {
      for offset in [0, 9, 63, 70, record.count - 1] {
        var ring = whole
        ring.set(ring.bytes[record.lowerBound + offset] ^ 0x10, at: record.lowerBound + offset)
        guard index < 3 else {
          let snapshot = try RingFixture.open(ring.bytes).snapshot()
          #expect(StoreReading(snapshot) == fixture.readings[3])
          #expect(try snapshot.verify() == [])
          continue
        }
        #expect(reason(opening: ring.bytes) == .ringCut)
      }
    }
  }

  @Test func aRecordOfAnotherKeyOrChainDoesNotCount() throws {
    let fixture = try RingFixture(books: 30, commits: 3)
    var ring = try fixture.ring(count: 2)
    var record = try ring.makeRecord(of: fixture.files[2])
    record.chain ^= 1
    ring.append(record)
    let snapshot = try RingFixture.open(ring.bytes).snapshot()
    #expect(StoreReading(snapshot) == fixture.readings[2])
    // With another key nothing is whole, so that nothing says that more was durable.
    var image = StoreImage(ring.bytes)
    image.set(7 as UInt64, at: image.slot + 216)
    image.setTransaction(image.transaction)
    let before = try RingFixture.open(image.bytes).snapshot()
    #expect(StoreReading(before) == fixture.readings[0])
  }

  @Test func anIdleMarkIsPassedOverAndWhatItSaysCounts() throws {
    let fixture = try RingFixture(books: 30, commits: 3)
    func marked(durable: UInt64) throws -> RingFile {
      var ring = try fixture.ring(count: 1)
      ring.appendIdleMark(durable: ring.transaction + durable)
      ring.append(try ring.makeRecord(of: fixture.files[1]), .nextUnit)
      return ring
    }
    let snapshot = try RingFixture.open(try marked(durable: 0).bytes).snapshot()
    #expect(StoreReading(snapshot) == fixture.readings[2])
    let more = try marked(durable: 5).bytes
    #expect(throws: EngineError.self) { _ = try RingFixture.open(more) }
  }

  @Test func aRecordMayHaveTheRootsExtentOfItsVersion() throws {
    let fixture = try RingFixture.ofManyTables()
    for count in 0...3 {
      let snapshot = try RingFixture.open(try fixture.ring(count: count).bytes).snapshot()
      #expect(StoreReading(snapshot) == fixture.readings[count])
      #expect(try snapshot.verify() == [])
    }
  }

  @Test func aChainGoesThroughTheRecordOfACheckpoint() throws {
    let fixture = try RingFixture(books: 30, commits: 3)
    var ring = try fixture.ring(count: 2)
    ring.append(ring.makeCheckpoint())
    let checkpoint = try RingFixture.open(ring.bytes).snapshot()
    #expect(checkpoint.version.transaction == ring.transaction + 1)
    #expect(StoreReading(checkpoint) == fixture.readings[2])
    #expect(try checkpoint.verify() == [])
    ring.append(try ring.makeRecord(of: fixture.files[2]))
    let snapshot = try RingFixture.open(ring.bytes).snapshot()
    #expect(StoreReading(snapshot) == fixture.readings[3])
    #expect(try snapshot.verify() == [])
  }

  @Test func aDirectCommitBehindRecordsBeginsItsOwnChain() throws {
    let fixture = try RingFixture(books: 30, commits: 6)
    var ring = try fixture.ring(count: 2)
    ring.commitDirectly(fixture.files[2])
    let direct = try RingFixture.open(ring.bytes).snapshot()
    #expect(StoreReading(direct) == fixture.readings[3])
    #expect(try direct.verify() == [])
    for file in fixture.files[3...] { ring.append(try ring.makeRecord(of: file)) }
    let snapshot = try RingFixture.open(ring.bytes).snapshot()
    #expect(StoreReading(snapshot) == fixture.readings[6])
    #expect(try snapshot.verify() == [])
    // Without its mark the slot is walked, in the file alone.
    var image = StoreImage(ring.bytes)
    let mark = (image.slot == 49_152 ? 16_384 : image.slot + 16_384) + 4096
    for place in mark..<mark + 32 { image.bytes[place] = 0 }
    let walked = try RingFixture.open(image.bytes).snapshot()
    #expect(StoreReading(walked) == fixture.readings[6])
  }

  @Test func aSlotThatARecordCallsConfirmedIsNotSteppedBackFrom() throws {
    let fixture = try RingFixture(books: 30, commits: 4)
    var ring = try fixture.ring(count: 2)
    ring.commitDirectly(fixture.files[2])
    ring.append(try ring.makeRecord(of: fixture.files[3]))
    var image = StoreImage(ring.bytes)
    for place in [ring.slot, 16_384 + 4096, 32_768 + 4096, 49_152 + 4096] {
      for offset in place..<place + 32 { image.bytes[offset] = 0 }
    }
    #expect(reason(opening: image.bytes) == .confirmedVersionLost)
  }

  /// A record that one recovery passed over and a later one took would hide what was committed in between.
  @Test func aRecordCountsHoweverMuchOfTheFilesGrowthACrashTook() throws {
    let fixture = try RingFixture(books: 30, commits: 8)
    let ring = try fixture.ring().bytes
    let first = try fixture.ring(count: 0).bytes.count
    #expect(first < ring.count)
    for size in stride(from: first, through: ring.count, by: Unit.bytes) {
      let disk = SimulatedDisk()
      disk.install(Array(ring.prefix(size)), at: RingFixture.path)
      let library = try Library(disk)
      let snapshot = library.engine.snapshot()
      #expect(StoreReading(snapshot) == fixture.readings[8])
      #expect(try snapshot.verify() == [])
      for key in [10_000, 10_001] as [Int64] {
        try library.fill(books: 1, authors: 1, from: key, seed: UInt64(key))
        #expect(try disk.open(RingFixture.path, .readOnly).size() >= ring.count)
        let image = try Library(disk.crashImage(seed: UInt64(key)))
        #expect(try image.findings() == [])
        #expect(
          StoreReading(image.engine.snapshot()) == StoreReading(library.engine.snapshot()))
      }
    }
  }

  @Test func aRecordRaisesTheHighWaterMarkByNoMoreThanAWriterMay() throws {
    let fixture = try RingFixture(books: 30, commits: 1)
    for (units, isAllowed) in [(65_536, true), (65_537, false)] as [(UInt64, Bool)] {
      var ring = try fixture.ring(count: 0)
      var record = ring.makeCheckpoint()
      let segment = UInt64(Unit.segmentUnits)
      var unit = record.highWater
      let end = unit + units
      while unit < end {
        let next = min(end, (unit / segment + 1) * segment)
        record.free.append(
          FreeRecord(
            unit: unit, units: Int(next - unit), isFree: true, birth: record.transaction,
            death: record.transaction))
        unit = next
      }
      record.highWater += units
      record.freeUnits += units
      ring.append(record)
      #expect(reason(opening: ring.bytes) == (isAllowed ? nil : .ringRecord))
    }
  }

  @Test func theRingOfAFileThatWasClosedInOrderIsNotLookedAt() throws {
    let fixture = try RingFixture(books: 30, commits: 1)
    var ring = try fixture.ring(count: 0)
    ring.appendIdleMark(durable: 1000)
    #expect(reason(opening: ring.bytes) == .ringCut)
    var image = StoreImage(ring.bytes)
    image.bytes[image.slot + 24] |= 4
    image.setTransaction(image.transaction)
    let engine = try RingFixture.open(image.bytes)
    #expect(!engine.isReadOnly)
    #expect(StoreReading(engine.snapshot()) == fixture.readings[0])
    // Without its mark the slot may not be durable, nor be the newest.
    let mark = (image.slot == 49_152 ? 16_384 : image.slot + 16_384) + 4096
    image.bytes[mark + 16] ^= 1
    #expect(reason(opening: image.bytes) == .ringCut)
  }

  /// The kind of damage that opening a file finds; nil where it is opened.
  private func reason(opening bytes: [UInt8]) -> Corruption.Reason? {
    do throws(EngineError) {
      _ = try RingFixture.open(bytes)
      return nil
    } catch {
      if case .corrupt(let damage) = error { return damage.reason }
      return .header
    }
  }

  @Test func verifyingReadsTheRecordsAnew() throws {
    let fixture = try RingFixture(books: 30, commits: 3)
    let ring = try fixture.ring()
    let disk = SimulatedDisk()
    disk.install(ring.bytes, at: RingFixture.path)
    let engine = try Engine.open(RingFixture.path, in: disk)
    let snapshot = engine.snapshot()
    let file = try disk.open(RingFixture.path, .readWrite)
    try file.write([0xFF], at: UInt64(ring.records[2].lowerBound + 100))
    #expect(try snapshot.verify().map(\.reason) == [.ringCut])
    withExtendedLifetime(engine) {}
  }

  @Test func aFileThatWasClosedInOrderIsWrittenOn() throws {
    let fixture = try RingFixture(books: 30, commits: 1)
    let engine = try RingFixture.open(fixture.first)
    #expect(!engine.isReadOnly)
    #expect(try engine.snapshot().verify() == [])
    #expect(StoreReading(engine.snapshot()) == fixture.readings[0])
  }

  @Test func damageBelowTheRecordsKeepsNoCommitBack() throws {
    let fixture = try RingFixture(books: 30, commits: 4)
    let ring = try fixture.ring()
    var writtenOn = 0
    for unit in Int(Unit.firstExtent)..<ring.bytes.count / Unit.bytes {
      var damaged = ring
      damaged.set(ring.bytes[unit * Unit.bytes + 40] ^ 0x10, at: unit * Unit.bytes + 40)
      let disk = SimulatedDisk()
      disk.install(damaged.bytes, at: RingFixture.path)
      // A store whose catalog is damaged is not opened.
      guard let library = try? Library(disk, ringUnits: 0) else { continue }
      let catalog = library.engine.snapshot().catalog
      let trees = Set(try library.findings().map(\.tree))
      guard trees == [catalog.table(library.books)?.tree] else { continue }
      writtenOn += 1
      let authors = try library.engine.snapshot().view.objects(library.authors).count
      try library.fill(books: 0, authors: 1, seed: 99)
      #expect(try library.engine.snapshot().view.objects(library.authors).count == authors + 1)
    }
    #expect(writtenOn > 0)
  }

  @Test func salvageSavesTheVersionThatTheRecordsMake() throws {
    let fixture = try RingFixture(books: 300, commits: 7)
    var ring = try fixture.ring()
    let disk = SimulatedDisk()
    disk.install(ring.bytes, at: RingFixture.path)
    let digest = try RingFixture.open(ring.bytes).snapshot().contentDigest()
    let report = try Engine.salvage(RingFixture.path, to: "saved.roost", in: disk)
    #expect(report.losses.isEmpty)
    let saved = try Engine.open("saved.roost", in: disk)
    #expect(try saved.snapshot().contentDigest() == digest)
    // A store whose chain of records is cut off cannot be opened; salvage saves what the records before the cut say.
    let second = ring.records[1].lowerBound
    ring.set(ring.bytes[second + 70] ^ 1, at: second + 70)
    disk.install(ring.bytes, at: RingFixture.path)
    #expect(throws: EngineError.self) { _ = try Engine.open(RingFixture.path, in: disk) }
    _ = try Engine.salvage(RingFixture.path, to: "cut.roost", in: disk)
    let expected = try fixture.ring(count: 1)
    let cut = try Engine.open("cut.roost", in: disk)
    #expect(
      try cut.snapshot().contentDigest()
        == RingFixture.open(expected.bytes).snapshot().contentDigest())
    #expect(!cut.isReadOnly)
  }
}
