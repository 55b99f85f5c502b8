import Foundation
import RoostEngine
import RoostTestSupport

/// Changes objects of a benchmark's file and cuts the power: its last commits are as that leaves them.
///
/// usage: power-cut torn|relaxed FILE
///   torn     in a commit of one object, a page of which does not reach the disk as a whole, when the ring is as full as it gets
///   relaxed  after a second of commits that wait for no sync, during a slow sync
@main
struct PowerCut {
  /// The number of the file's one table, and of the integer in it that is changed.
  private static let table: UInt32 = 1
  private static let field: UInt32 = 2
  /// What lies before all pages: the header and the slots.
  private static let slotBytes: UInt64 = 65_536

  private let path: String
  private let fileSystem = CuttableFileSystem()
  private let engine: Engine
  private let objects: Int
  private var random: SeededGenerator

  static func main() throws {
    let arguments = CommandLine.arguments
    switch (arguments.count, arguments.dropFirst().first) {
    case (3, "torn"): try tear(arguments[2])
    case (3, "relaxed"):
      var cut = try PowerCut(arguments[2], seed: 3)
      try cut.commitRelaxed()
    default:
      FileHandle.standardError.write(Data("usage: power-cut torn|relaxed FILE\n".utf8))
      exit(2)
    }
  }

  private init(_ path: String, seed: UInt64) throws {
    self.path = path
    engine = try Engine.open(path, in: fileSystem)
    objects = try engine.snapshot().view.count(ObjectQuery(table: Self.table))
    guard objects > 0 else { throw Failure.noObjects }
    random = SeededGenerator(seed: seed)
  }

  /// Whether the ring has room for only one more record of a unit before its pages are written to their places.
  private var isRingFull: Bool {
    let snapshot = engine.snapshot()
    let records = snapshot.version.transaction - snapshot.slotVersion
    return records > 0 && (records + 2) * UInt64(Unit.bytes) > snapshot.ringBytes / 2
  }

  /// Changes a field of an object.
  private mutating func change(_ durability: SyncPolicy) throws(EngineError) {
    let key = Int64.random(in: 0..<Int64(objects), using: &random)
    let value = Int64.random(in: 0..<100, using: &random)
    try engine.write(durability) { (transaction) throws(EngineError) in
      _ = try transaction.update(Self.table, key: key, field: Self.field, to: .integer(value))
    }
  }

  /// Cuts the power in the last of some commits, and takes a sector of what it wrote.
  private static func tear(_ path: String) throws {
    let fileSystem: CuttableFileSystem
    do {
      var cut = try PowerCut(path, seed: 2)
      fileSystem = cut.fileSystem
      while !cut.isRingFull { try cut.change(.full) }
      fileSystem.cutAtNextSync(after: 0)
      try? cut.change(.full)
    }
    guard let page = fileSystem.unsynced.first(where: { $0.lowerBound >= slotBytes }) else {
      throw Failure.nothingWritten
    }
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: page.lowerBound + 512)
    try file.write(contentsOf: Data(repeating: 0xAA, count: 512))
    try file.close()
  }

  /// Commits for a second without waiting, and cuts the power.
  private mutating func commitRelaxed() throws {
    let end = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < end { try change(.relaxed) }
    fileSystem.cutAtNextSync(after: 0.3)
    // Until one has to wait.
    while (try? change(.relaxed)) != nil {}
    let bytes = fileSystem.unsynced.reduce(0) { $0 + $1.count }
    guard bytes > 2 << 20 else { throw Failure.nothingWritten }
  }

  /// A file is not in the state that is to be measured.
  private enum Failure: Error {
    case noObjects, nothingWritten
  }
}
