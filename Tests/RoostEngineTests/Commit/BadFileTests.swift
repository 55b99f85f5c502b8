import Foundation
import RoostEngine
import RoostTestSupport
import Testing

/// Files that are no store, or cannot be used now: each its own error, and none is changed.
@Suite struct BadFileTests {
  private let path = "store.roost"

  private func error(opening disk: SimulatedDisk) -> EngineError? {
    do throws(EngineError) {
      _ = try Engine.open(path, in: disk)
      return nil
    } catch { return error }
  }

  @Test func aDirectoryIsRefused() {
    let disk = SimulatedDisk()
    disk.addDirectory(path)
    #expect(error(opening: disk) == .file(FileError(.open, path: path, code: EISDIR)))
  }

  @Test(arguments: [[], Array("SQLite format 3\0 and more, but nothing of ours".utf8)])
  func anEmptyFileAndOneOfAnotherFormatAreRefusedAndLeftAlone(bytes: [UInt8]) {
    let disk = SimulatedDisk()
    disk.install(bytes, at: path)
    #expect(error(opening: disk) == .notARoostFile(path: path))
    #expect(disk.contents(of: path) == bytes)
  }

  @Test(arguments: [40, 4096, 20_000, 65_535])
  func aFileThatEndsTooEarlyIsTruncated(length: Int) throws {
    let whole = SimulatedDisk()
    do { _ = try NoteStore(whole, path: path) }
    let bytes = try #require(whole.contents(of: path))
    let disk = SimulatedDisk()
    disk.install(Array(bytes.prefix(length)), at: path)
    #expect(error(opening: disk) == .truncated(path: path))
  }

  @Test func aFileWithoutPermissionIsRefusedWithTheSystemsReason() throws {
    let disk = SimulatedDisk()
    do { _ = try NoteStore(disk, path: path) }
    disk.inject(.init(.only(.open), call: 1, .failForGood(EACCES)))
    #expect(error(opening: disk) == .file(FileError(.open, path: path, code: EACCES)))
  }

  @Test func aFullDiskIsAnOrdinaryErrorAndWritingGoesOnWhenThereIsRoom() throws {
    var random = SeededGenerator(seed: 8)
    let disk = SimulatedDisk(seed: 8)
    let store = try NoteStore(disk)
    var notes: Notes = [:]
    try store.run(&notes, &random, operations: 500)
    disk.capacity = try store.engine.fileBytes()
    var attempted = notes
    var refusal: EngineError?
    for _ in 0..<40 where refusal == nil {
      do throws(EngineError) {
        try store.run(&attempted, &random, operations: 2000, keys: 1 << 40)
        notes = attempted
      } catch { refusal = error }
    }
    guard case .file(let cause) = refusal else {
      Issue.record("The disk did not fill up.")
      return
    }
    #expect(cause.meaning == .outOfSpace)
    #expect(try store.notes() == notes)
    disk.capacity = nil
    try store.run(&notes, &random, operations: 500)
    #expect(try store.notes() == notes)
  }
}
