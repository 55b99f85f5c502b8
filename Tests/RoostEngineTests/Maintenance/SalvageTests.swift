import Foundation
import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// Saving what can be read of a damaged store.
@Suite struct SalvageTests {
  private static let copy = "saved.roost"

  /// A library of some leaves, as an image to be damaged.
  private func makeImage() throws -> (image: FileImage, digest: UInt64) {
    let disk = SimulatedDisk()
    let library = try Library(disk, ringUnits: 0)
    try library.fill(books: 3000, authors: 40)
    return (FileImage(disk), try library.digest())
  }

  private func salvage(_ disk: SimulatedDisk) throws -> (report: SalvageReport, saved: Library) {
    let before = disk.contents(of: Library.path)
    let report = try Engine.salvage(Library.path, to: Self.copy, in: disk)
    #expect(disk.contents(of: Library.path) == before)
    let saved = try Library(disk, path: Self.copy)
    #expect(try saved.findings() == [])
    return (report, saved)
  }

  private func tree(_ name: String) throws -> UInt32 {
    try #require(try Library(SimulatedDisk()).engine.snapshot().catalog.table(named: name)).tree
  }

  @Test func ofASoundStoreNothingIsLost() throws {
    let (image, digest) = try makeImage()
    let (report, saved) = try salvage(image.disk)
    #expect(report.isComplete)
    #expect(report.tables.map(\.objectsSaved) == [40, 3000])
    #expect(try saved.digest() == digest)
  }

  @Test func aFileThatIsThereIsNotWrittenOver() throws {
    let (image, _) = try makeImage()
    let disk = image.disk
    disk.install([1, 2, 3], at: Self.copy)
    #expect(throws: EngineError.file(FileError(.open, path: Self.copy, code: EEXIST))) {
      try Engine.salvage(Library.path, to: Self.copy, in: disk)
    }
    #expect(disk.contents(of: Self.copy) == [1, 2, 3])
  }

  @Test func withTheAuthorsGoneTheBooksLinksAreNull() throws {
    var (image, _) = try makeImage()
    let leaf = Int(image.number(UInt32.self, at: image.root(of: try tree("Author")) + 24))
    image.bytes[leaf * Unit.bytes + 20] ^= 1
    let (report, saved) = try salvage(image.disk)
    #expect(report.tables.map(\.objectsSaved) == [0, 3000])
    #expect(report.tables.map(\.objectsBefore) == [40, 3000])
    #expect(report.losses.map(\.table) == ["Author", "Book"])
    #expect(report.losses.map(\.field) == [nil, "author"])
    guard case .corrupt(let cause) = report.losses.first?.cause else {
      Issue.record("The cause is not named.")
      return
    }
    #expect(cause.unit == UInt64(leaf))
    // The keys that were given out are not given out again.
    let next = try saved.engine.write { (transaction) throws(EngineError) in
      let columns = try transaction.batch(for: saved.authors).columns
      columns[0].append("New")
      columns[1].append(.null)
      return try transaction.insertRow(into: saved.authors, key: nil)
    }
    #expect(next == 41)
  }

  @Test func withoutTheNewestSlotTheOneBeforeIsSaved() throws {
    let disk = SimulatedDisk()
    let library = try Library(disk, ringUnits: 0)
    try library.fill(books: 100, authors: 3)
    let before = try library.digest()
    try library.deleteBooks(0..<100) { $0 % 2 == 0 }
    var image = FileImage(disk)
    let slot = image.slot
    for place in slot..<slot + Unit.bytes { image.bytes[place] = 0 }
    #expect(throws: EngineError.corrupt(Corruption(.confirmedVersionLost))) {
      try Engine.open(Library.path, in: image.disk)
    }
    let (report, saved) = try salvage(image.disk)
    #expect(report.isFromUnconfirmedVersion && !report.isComplete)
    #expect(try saved.digest() == before)
  }

  /// Random damage: what was saved is right, and what was not is in the report.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func whatIsNotSavedIsReported(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sample = try SampleStore(kind: Int(seed % 4) + 1, seed: seed)
    var image = sample.image
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      guard let extent = image.extents.randomElement(using: &random) else { continue }
      image.bytes[Int.random(in: extent.range, using: &random)] ^= 0x10
    }
    let disk = SimulatedDisk()
    disk.install(image.bytes, at: SampleStore.path)
    let report: SalvageReport
    do throws(EngineError) {
      report = try Engine.salvage(SampleStore.path, to: Self.copy, in: disk)
    } catch {
      // The catalog is one extent, without which nothing has a name.
      #expect(error == .corrupt(Corruption(.noValidSlot)))
      return
    }
    let saved = try Engine.open(Self.copy, in: disk).snapshot()
    #expect(try saved.verify() == [])
    let right = try #require(sample.versions[image.transaction])
    let reading = StoreReading(saved)
    #expect(reading.errors == 0)
    for definition in reading.catalog.tables {
      let losses = report.losses.filter { $0.table == definition.name }
      let rightRows = try #require(right.tables[definition.id]).rows
      let found = Dictionary(
        uniqueKeysWithValues: (reading.tables[definition.id]?.rows ?? []).map { ($0.key, $0.hash) })
      #expect(found.keys.allSatisfy { key in rightRows.contains { $0.key == key } })
      for row in rightRows where found[row.key] != row.hash {
        let isNull = found[row.key] != nil
        #expect(
          losses.contains { $0.keys.contains(row.key) && (($0.field == nil) != isNull) },
          "object \(row.key) of \(definition.name)")
      }
    }
    let isWhole = right.tables.allSatisfy { reading.tables[$0.key]?.rows == $0.value.rows }
    #expect(report.isComplete == isWhole)
  }
}
