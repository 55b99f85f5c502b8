import Foundation
import RoostEngine
import RoostTestSupport
import Testing

/// Files with a ring that are kept in Tests/FormatTests/golden.
///
/// New ones are made in a folder by `ROOST_GOLDEN_RINGS=FOLDER Scripts/test --filter GoldenRingTests`.
@Suite struct GoldenRingTests {
  /// A file, and what it holds: the version's number, and the digest of its objects.
  struct Golden: Sendable, CustomTestStringConvertible {
    let name: String
    let version: UInt64
    let digest: UInt64
    var testDescription: String { name }
  }

  static let files: [Golden] = [
    Golden(name: "empty", version: 4, digest: 0x822b_4e58_24bd_c859),
    Golden(name: "three-records", version: 10, digest: 0xfac6_f1c3_fb39_f2e0),
    Golden(name: "wrapped", version: 14, digest: 0x0fd3_2b42_3418_d2ff),
    Golden(name: "torn-tail", version: 10, digest: 0xfac6_f1c3_fb39_f2e0),
    Golden(name: "slot-ahead", version: 12, digest: 0x7726_a359_c38f_4faf),
    Golden(name: "used-twice", version: 28, digest: 0x03ae_34ec_fc0e_6497),
    Golden(name: "closed", version: 4, digest: 0x822b_4e58_24bd_c859),
    Golden(name: "many-roots", version: 5, digest: 0xd507_3c2f_65ac_3995),
  ]

  private static var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("FormatTests/golden")
  }

  private func bytes(_ name: String, in folder: String = "") throws -> [UInt8] {
    try [UInt8](
      Data(
        contentsOf: Self.folder.appendingPathComponent(folder)
          .appendingPathComponent("format-1-ring-\(name).roost")))
  }

  @Test(arguments: files)
  func aFileWithARingIsRead(golden: Golden) throws {
    let bytes = try bytes(golden.name)
    let disk = SimulatedDisk()
    disk.install(bytes, at: RingFixture.path)
    let options = EngineOptions(isReadOnly: true)
    let snapshot = try Engine.open(RingFixture.path, in: disk, options: options).snapshot()
    #expect(snapshot.version.transaction == golden.version)
    #expect(try snapshot.contentDigest() == golden.digest)
    #expect(try snapshot.verify() == [])
    #expect(disk.contents(of: RingFixture.path) == bytes)
  }

  @Test(arguments: [false, true])
  func aFileWithRecordsOfRowsIsRead(hasExtentsBehind: Bool) throws {
    let bytes = try bytes(Self.name(hasExtentsBehind))
    let (made, notes) = try Self.rows(hasExtentsBehind: hasExtentsBehind)
    for file in [bytes, made] {
      let disk = SimulatedDisk()
      disk.install(file, at: NoteStore.path)
      let engine = try Engine.open(
        NoteStore.path, in: disk, options: EngineOptions(isReadOnly: true))
      let store = NoteStore(engine)
      #expect(try store.notes() == notes)
      #expect(engine.snapshot().unappliedCommits == 2)
      #expect(try engine.snapshot().verify() == [])
      #expect(disk.contents(of: NoteStore.path) == file)
    }
  }

  private static func name(_ hasExtentsBehind: Bool) -> String {
    hasExtentsBehind ? "rows-and-extents" : "rows"
  }

  /// Commits that leave their rows, in one file behind others that extents followed; and what it holds.
  private static func rows(hasExtentsBehind: Bool) throws -> (bytes: [UInt8], notes: Notes) {
    let disk = SimulatedDisk(seed: 3)
    let store = try NoteStore(disk, smallCommits: .leftRows)
    try store.engine.write { (transaction) throws(EngineError) in
      for key in 0..<40 as Range<Int64> { try store.insertNote(transaction, key: key) }
    }
    var notes = try store.notes()
    func change(_ keys: ClosedRange<Int64>, thenReads: Bool) throws {
      try store.engine.write { (transaction) throws(EngineError) in
        try store.insertNote(transaction, key: keys.lowerBound + 100)
        _ = try transaction.delete(from: store.table, key: keys.lowerBound)
        _ = try transaction.delete(from: store.table, key: keys.upperBound)
        try store.insertNote(transaction, key: keys.upperBound)
        for key in [7, keys.lowerBound + 100] {
          _ = try transaction.update(
            store.table, key: key, field: 2, to: .integer(-keys.lowerBound))
          _ = try transaction.update(store.table, key: key, field: 3, to: .null)
        }
        if thenReads { _ = try transaction.view() }
      }
      notes[keys.lowerBound] = nil
      for key in [7, keys.lowerBound + 100] {
        notes[key] = Note(title: "Note \(key)", rank: -keys.lowerBound, score: nil)
      }
    }
    try change(1...2, thenReads: true)
    if hasExtentsBehind {
      try change(10...11, thenReads: false)
      try change(12...13, thenReads: true)
    }
    try change(20...21, thenReads: false)
    try change(22...24, thenReads: false)
    let image = disk.crashImage(seed: 1, survival: .everything)
    return (image.contents(of: NoteStore.path) ?? [], notes)
  }

  @Test func aChainThatEndsBelowADurableVersionIsRefused() throws {
    let bytes = try bytes("cut", in: "damaged")
    do throws(EngineError) {
      _ = try RingFixture.open(bytes)
      Issue.record("It was opened.")
    } catch {
      guard case .corrupt(let damage) = error else { throw error }
      #expect(damage.reason == .ringCut)
    }
  }

  @Test func filesThatAreMadeNowHoldWhatTheKeptOnesDo() throws {
    let folder = ProcessInfo.processInfo.environment["ROOST_GOLDEN_RINGS"]
    let rows = try [false, true].map {
      (Self.name($0), try Self.rows(hasExtentsBehind: $0).bytes)
    }
    for (name, bytes) in try Self.made() + rows {
      if let folder {
        let file = URL(fileURLWithPath: folder).appendingPathComponent(
          "format-1-ring-\(name).roost")
        try Data(bytes).write(to: file)
      }
      // What is damaged is not opened.
      guard let golden = Self.files.first(where: { $0.name == name }) else { continue }
      let snapshot = try RingFixture.open(bytes, isReadOnly: true).snapshot()
      #expect(snapshot.version.transaction == golden.version)
      #expect(try snapshot.contentDigest() == golden.digest)
    }
  }

  private static func made() throws(EngineError) -> [(name: String, bytes: [UInt8])] {
    let fixture = try RingFixture(books: 40, commits: 12)
    var made: [(String, [UInt8])] = [
      ("closed", fixture.first), ("empty", try fixture.ring(count: 0).bytes),
      ("three-records", try fixture.ring(images: true, count: 3).bytes),
      ("wrapped", try wrapped(fixture)), ("slot-ahead", try slotAhead(fixture)),
    ]
    let whole = try fixture.ring(count: 4)
    var torn = whole
    let tail = torn.records[3].lowerBound + 512 & ~511
    for place in tail..<tail + 512 { torn.set(0, at: place) }
    made.append(("torn-tail", torn.bytes))
    var cut = whole
    cut.set(cut.bytes[cut.records[1].lowerBound + 80] ^ 1, at: cut.records[1].lowerBound + 80)
    made.append(("cut", cut.bytes))
    let many = try RingFixture(books: 40, commits: 12, ringUnits: 32)
    made.append(("used-twice", try many.ring().bytes))
    made.append(("many-roots", try RingFixture.ofManyTables().ring().bytes))
    return made
  }

  /// Records to the end of the ring, with an idle mark between them, and on at its beginning.
  private static func wrapped(_ fixture: RingFixture) throws(EngineError) -> [UInt8] {
    var ring = RingFile(fixture.first, start: 8 * Unit.bytes)
    for (index, file) in fixture.files.prefix(5).enumerated() {
      let record = try ring.makeRecord(of: file)
      ring.append(record, index == 4 ? .start : index == 2 ? .nextUnit : .behind)
    }
    ring.appendIdleMark(durable: ring.transaction)
    return ring.bytes
  }

  /// A direct commit behind two records, then a checkpoint's record and another.
  private static func slotAhead(_ fixture: RingFixture) throws(EngineError) -> [UInt8] {
    var ring = try fixture.ring(count: 2)
    ring.commitDirectly(fixture.files[2])
    ring.append(ring.makeCheckpoint())
    ring.append(try ring.makeRecord(of: fixture.files[3]))
    return ring.bytes
  }
}
