import RoostEngine
import RoostMaintenance
import RoostTestSupport
import Testing

/// Saving what only records of rows say, where they do not fit the rest of the file.
@Suite struct RingSalvageTests {
  private static let path = "songs.roost"
  private static let copy = "saved.roost"

  /// Songs 1 to 300 and playlists 1, of songs 1 and 2, and 2, of songs 2 and 150, in the trees of a file; and what then
  /// happens, in records of rows.
  private func image(
    _ change: (SongStore) throws -> Void
  ) throws -> (image: FileImage, store: SongStore) {
    let disk = SimulatedDisk(seed: 1)
    var options = EngineOptions()
    options.ringUnits = 16
    options.leaving.unreadCommits = 0
    let store = try SongStore(disk, path: Self.path, options: options)
    try store.engine.write { (transaction) throws(EngineError) in
      try store.insertSongs(1...300, in: transaction)
      try store.insertPlaylist(1, of: [1, 2], in: transaction)
    }
    // The first small commit makes the ring.
    try store.engine.write { (transaction) throws(EngineError) in
      try store.insertPlaylist(2, of: [2, 150], in: transaction)
    }
    try store.engine.checkpoint()
    try change(store)
    #expect(store.engine.snapshot().unappliedCommits > 1)
    let crashed = disk.crashImage(seed: 1, survival: .everything)
    return (FileImage(crashed, path: Self.path), store)
  }

  private func salvage(_ image: FileImage) throws -> (report: SalvageReport, saved: SongStore) {
    let disk = image.disk
    let report = try Engine.salvage(Self.path, to: Self.copy, in: disk)
    let saved = try SongStore(disk, path: Self.copy)
    #expect(try saved.engine.snapshot().verify() == [])
    return (report, saved)
  }

  /// The losses that records of rows have, as table and key.
  private func lostChanges(_ report: SalvageReport) -> [String] {
    report.losses.compactMap { loss in
      guard case .corrupt(let cause) = loss.cause, cause.reason == .ringRecord else { return nil }
      return "\(loss.table) \(loss.keys.lowerBound)"
    }
  }

  /// Damages the root of a table's tree, with which all of its objects are lost that no record has.
  private func damage(_ table: UInt32, of store: SongStore, in image: inout FileImage) throws {
    let tree = try #require(store.engine.snapshot().catalog.table(table)).tree
    let leaf = Int(image.number(UInt32.self, at: image.root(of: tree) + 24))
    image.bytes[leaf * Unit.bytes + 20] ^= 1
  }

  @Test func noRecordMakesALinkToAnObjectThatIsLost() throws {
    var (image, store) = try image { store in
      try store.engine.write { (transaction) throws(EngineError) in
        try store.insertSongs([301], in: transaction)
        try store.insertPlaylist(3, of: [1, 301], in: transaction)
      }
      try store.engine.write { (transaction) throws(EngineError) in
        try store.insertSongs([302], in: transaction)
        try store.insertPlaylist(4, of: [302, 302, 299], in: transaction)
      }
    }
    try damage(store.songs, of: store, in: &image)
    let (report, saved) = try salvage(image)
    #expect(try saved.songKeys() == [301, 302])
    #expect(try saved.lists() == [1: [], 2: [], 3: [301], 4: [302, 302]])
    #expect(report.tables.map(\.objectsBefore) == [302, 4])
    #expect(report.tables.map(\.objectsSaved) == [2, 4])
    #expect(lostChanges(report) == [])
  }

  @Test func changesOfObjectsThatAreLostAreLostWithThem() throws {
    var (image, store) = try image { store in
      try store.engine.write { (transaction) throws(EngineError) in
        _ = try transaction.delete(from: store.playlists, key: 2)
      }
      try store.engine.write { (transaction) throws(EngineError) in
        try store.insertPlaylist(3, of: [300], in: transaction)
      }
    }
    try damage(store.playlists, of: store, in: &image)
    let (report, saved) = try salvage(image)
    #expect(try saved.songKeys() == Array(1...300))
    #expect(try saved.lists() == [3: [300]])
    #expect(report.tables.map(\.objectsBefore) == [300, 2])
    #expect(lostChanges(report) == ["Playlist 2"])
  }

  @Test func aRecordThatDoesNotFitWhatIsSavedIsLeftOutAlone() throws {
    var (image, store) = try image { store in
      try store.engine.write { (transaction) throws(EngineError) in
        try store.insertSongs([301], in: transaction)
      }
      try store.engine.write { (transaction) throws(EngineError) in
        _ = try transaction.delete(from: store.playlists, key: 2)
      }
    }
    // Now it deletes song 2, which both playlists have: nothing was written so.
    let record = try #require(UnappliedRowsTests.recordsOfRows(in: image.bytes).last)
    let table = record.lowerBound + 65
    #expect(UInt32(image.bytes[table]) == store.playlists)
    image.bytes[table] = UInt8(store.songs)
    let key: UInt64 = image.number(at: image.slot + 216)
    let content = Array(image.bytes[record.lowerBound..<record.upperBound - 8])
    image.set(content.withByteView { XXH3.hash($0) } ^ key, at: record.upperBound - 8)
    let engine = try Engine.open(
      Self.path, in: image.disk, options: EngineOptions(isReadOnly: true))
    let findings = try engine.snapshot().verify()
    #expect(findings.map(\.reason).contains(.link))
    let (report, saved) = try salvage(image)
    #expect(try saved.songKeys() == Array(1...301))
    #expect(try saved.lists() == [1: [1, 2], 2: [2, 150]])
    #expect(lostChanges(report) == ["Song 2"])
  }
}
