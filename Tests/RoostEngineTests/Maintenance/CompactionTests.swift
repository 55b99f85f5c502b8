import Foundation
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// Compaction: when it is done, and what it leaves.
@Suite struct CompactionTests {
  static let limit: UInt64 = 100 * 1024 * 1024

  @Test(arguments: [
    (limit, limit / 4, false),
    (limit + 1, limit / 4, true),
    (limit + 2, limit / 2 + 1, false),
    (limit + 2, limit / 2, true),
    (limit + 1, limit / 2, true),
    (limit + 1, limit / 2 + 1, false),
    (limit - 1, 65_536, false),
    (UInt64.max, 65_536, true),
    (limit + 1, UInt64.max, false),
  ])
  func onlyLargeFilesThatAreLessThanHalfUsedAreCompactedByDefault(
    fileBytes: UInt64, usedBytes: UInt64, isCompacted: Bool
  ) throws {
    #expect(
      EngineOptions.isMostlyUnused(fileBytes: fileBytes, usedBytes: usedBytes) == isCompacted)
    let policy = try #require(EngineOptions().compactsOnOpen)
    #expect(policy(fileBytes, usedBytes) == isCompacted)
  }

  /// A store of which most was deleted.
  private func makeBloated(_ disk: SimulatedDisk) throws -> (digest: UInt64, used: UInt64) {
    let library = try Library(disk)
    try library.fill(books: 4000)
    try library.deleteBooks(0..<4000) { $0 % 10 != 3 }
    return (try library.digest(), library.engine.snapshot().usedBytes)
  }

  @Test func theClosureDecidesFromTheSizeOfTheFileAndTheBytesInUse() throws {
    let disk = SimulatedDisk()
    let before = try makeBloated(disk)
    let size = try #require(disk.contents(of: Library.path)).count
    let asked = Mutex<[[UInt64]]>([])
    for answer in [false, true] {
      let library = try Library(
        disk,
        compactsOnOpen: { file, used in
          asked.withLock { $0.append([file, used]) }
          return answer
        })
      #expect(try library.digest() == before.digest)
      #expect(try library.findings() == [])
      let newSize = try #require(disk.contents(of: Library.path)).count
      if answer {
        #expect(newSize < size / 3)
        #expect(UInt64(newSize) == library.engine.snapshot().usedBytes)
      } else {
        #expect(newSize == size)
      }
    }
    let all = [UInt64(size), before.used]
    #expect(asked.withLock { $0 } == [all, all])
  }

  @Test(arguments: [0, 1]) func oneByteDecides(excess: UInt64) throws {
    let disk = SimulatedDisk()
    let before = try makeBloated(disk)
    let size = try #require(disk.contents(of: Library.path)).count
    // The policy's form, with a limit that lies one byte below the file's size or at it.
    let limit = UInt64(size) - excess
    let library = try Library(disk, compactsOnOpen: { file, _ in file > limit })
    #expect(try library.digest() == before.digest)
    let newSize = try #require(disk.contents(of: Library.path)).count
    #expect((newSize < size) == (excess == 1))
  }

  @Test func nothingIsCompactedWhenOnlyRead() throws {
    let disk = SimulatedDisk()
    _ = try makeBloated(disk)
    let bytes = disk.contents(of: Library.path)
    var options = Library.options { _, _ in true }
    options.isReadOnly = true
    _ = try Engine.open(Library.path, in: disk, options: options)
    #expect(disk.contents(of: Library.path) == bytes)
  }

  @Test func aCompactedStoreGoesOnWhereTheOldOneStopped() throws {
    let disk = SimulatedDisk()
    let version: UInt64
    do {
      let library = try Library(disk)
      try library.fill(books: 500, authors: 40)
      try library.engine.write { (transaction) throws(EngineError) in
        let batch = try transaction.batch(for: library.authors)
        batch.columns[0].append("Ephemeral")
        batch.columns[1].append(.null)
        let key = try transaction.insertRow(into: library.authors, key: nil)
        #expect(key == 41)
        try transaction.delete(from: library.authors, key: key)
      }
      version = library.engine.snapshot().version.transaction
    }
    let library = try Library(disk, compactsOnOpen: { _, _ in true })
    #expect(library.engine.snapshot().version.transaction > version)
    try library.engine.write { (transaction) throws(EngineError) in
      let batch = try transaction.batch(for: library.authors)
      batch.columns[0].append("Lasting")
      batch.columns[1].append(.null)
      #expect(try transaction.insertRow(into: library.authors, key: nil) == 42)
    }
    try library.fill(books: 500, from: 500, seed: 2)
    #expect(try library.findings() == [])
  }

  @Test func aStoreWithoutObjectsAndOneWithoutTablesAreCompacted() throws {
    for withTables in [false, true] {
      let disk = SimulatedDisk()
      if withTables {
        _ = try Library(disk)
      } else {
        _ = try Engine.open(Library.path, in: disk)
      }
      let result = try #require(try Engine.compact(Library.path, in: disk))
      #expect(result.fileBytesAfter <= 1 << 20)
      #expect(try Library(disk).findings() == [])
    }
  }

  @Test func compactingByHandReportsSizesAndProgress() throws {
    let disk = SimulatedDisk()
    let before = try makeBloated(disk)
    let size = try #require(disk.contents(of: Library.path)).count
    #expect(try Engine.compact(Library.path, in: disk, when: { _, _ in false }) == nil)
    var phases: [MaintenanceProgress.Phase] = []
    let result = try #require(
      try Engine.compact(
        Library.path, in: disk,
        progress: { progress in
          #expect(progress.done <= progress.total)
          if phases.last != progress.phase { phases.append(progress.phase) }
        }))
    #expect(phases == [.copying, .verifying])
    #expect(result.fileBytesBefore == UInt64(size))
    #expect(result.fileBytesAfter == UInt64(try #require(disk.contents(of: Library.path)).count))
    #expect(try Library(disk).digest() == before.digest)
  }

  @Test func anOpenStoreIsNotCompacted() throws {
    let disk = SimulatedDisk()
    let library = try Library(disk)
    #expect(throws: EngineError.locked(path: Library.path)) {
      try Engine.compact(Library.path, in: disk)
    }
    _ = library
  }

  @Test func whatACrashLeftBesideTheFileIsRemovedByTheNextWriter() throws {
    let disk = SimulatedDisk()
    _ = try Library(disk)
    let leftovers = [Library.path + ".compacting", Library.path + ".new"]
    for path in leftovers { disk.install([1, 2, 3], at: path) }
    var options = Library.options()
    options.isReadOnly = true
    _ = try Engine.open(Library.path, in: disk, options: options)
    for path in leftovers { #expect(disk.contents(of: path) != nil) }
    _ = try Library(disk)
    for path in leftovers { #expect(disk.contents(of: path) == nil) }
  }

  @Test func aLinkStaysALinkAndPermissionsStay() throws {
    try withTemporaryDirectory { directory in
      let real = directory + "/real.roost"
      let link = directory + "/link.roost"
      _ = try Library(PosixFileSystem(), path: real)
      #expect(unsafe symlink(real, link) == 0)
      #expect(unsafe chmod(real, 0o600) == 0)
      let before = try PosixFileSystem().identity(of: real)
      _ = try #require(try Engine.compact(link))
      #expect(try PosixFileSystem().identity(of: real) != before)
      #expect(try PosixFileSystem().identity(of: link) == PosixFileSystem().identity(of: real))
      var status = stat()
      #expect(unsafe stat(real, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
    }
  }
}
