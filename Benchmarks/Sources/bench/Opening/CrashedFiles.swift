import Foundation
import Roost
import RoostEngine

/// A file of a gigabyte that was closed, and copies of it whose power was cut.
final class CrashedFiles {
  /// What happened to a file last.
  enum End: String, CaseIterable {
    /// It was closed.
    case closed
    /// The power was cut in a commit of one object, a page of which did not reach the disk as a whole.
    case torn
    /// The power was cut after a second of commits that wait for no sync, during a slow sync.
    case relaxed
  }

  static let objects = 2_600_000

  private let folder: URL
  /// What the header and the slots of each file were at its end: opening a file changes nothing else.
  private var slots: [End: Data] = [:]

  private static let slotBytes = 65_536

  init(in folder: URL) throws {
    self.folder = folder
    try make()
    for end in End.allCases {
      let path = path(end)
      if end != .closed {
        try FileManager.default.copyItem(atPath: self.path(.closed), toPath: path)
      }
      switch end {
      case .closed: break
      case .torn: try tear(path)
      case .relaxed: try commitRelaxed(path)
      }
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      slots[end] = try file.read(upToCount: Self.slotBytes)
      try file.close()
    }
  }

  private func path(_ end: End) -> String {
    folder.appending(path: "crashed-\(end.rawValue)").path
  }

  /// Opens a file as its end has left it: how long that took, and how many objects it has.
  ///
  /// - Parameter isCold: Whether the file is not in the system's cache.
  func open(_ end: End, isCold: Bool) throws -> (time: Duration, objects: Int) {
    let path = path(end)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.write(contentsOf: slots[end] ?? Data())
    try file.synchronize()
    try file.close()
    #if os(Linux)
    if isCold { try DatabaseFiles.evict([path]) }
    #endif
    let start = ContinuousClock.now
    let engine = try Engine.open(path)
    let time = ContinuousClock.now - start
    return (time, try engine.snapshot().view.count(ObjectQuery(table: Self.table)))
  }

  // MARK: Making them

  /// The number of the one table.
  private static let table: UInt32 = 1

  /// What the file holds.
  private struct Person: Model {
    let id: Int
    var name: String
    var age: Int
    var photo: Data
    static let schema = Schema(
      Person.init, Key("id", \.id), Field("name", \.name, .indexed), Field("age", \.age),
      Field("photo", \.photo))
  }

  private func make() throws {
    let store = try Store(.file(path(.closed)), models: Person.self)
    var random = SplitMix64(seed: 1)
    var photo = Data(count: 360)
    for first in stride(from: 0, to: Self.objects, by: 100_000) {
      try store.write { transaction in
        try transaction.insert(
          contentsOf: (first..<first + 100_000).map { id in
            for place in stride(from: 0, to: photo.count, by: 8) {
              var word = random.next()
              for byte in 0..<8 {
                photo[place + byte] = UInt8(truncatingIfNeeded: word)
                word >>= 8
              }
            }
            return Person(id: id, name: "person \(random.next())", age: id % 100, photo: photo)
          })
      }
    }
    store.close()
  }

  /// Changes a field of an object.
  private func change(
    _ engine: Engine, _ random: inout SplitMix64, _ durability: RoostEngine.Durability
  ) throws(EngineError) {
    try engine.write(durability) { (transaction) throws(EngineError) in
      _ = try transaction.update(
        Self.table, key: Int64(random.below(Self.objects)), field: 2,
        to: .integer(Int64(random.below(100))))
    }
  }

  /// Cuts the power in the last of some commits, and takes a sector of what it wrote.
  private func tear(_ path: String) throws {
    let fileSystem = CuttableFileSystem()
    var random = SplitMix64(seed: 2)
    do {
      let engine = try Engine.open(path, in: fileSystem)
      for _ in 0..<100 { try change(engine, &random, .full) }
      fileSystem.cutAtNextSync(after: 0)
      try? change(engine, &random, .full)
    }
    guard let page = fileSystem.unsynced.first(where: { $0.lowerBound >= Self.slotBytes }) else {
      throw Failure.nothingWritten
    }
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: page.lowerBound + 512)
    try file.write(contentsOf: Data(repeating: 0xAA, count: 512))
    try file.close()
  }

  /// Commits for a second without waiting, and cuts the power.
  private func commitRelaxed(_ path: String) throws {
    let fileSystem = CuttableFileSystem()
    var random = SplitMix64(seed: 3)
    let engine = try Engine.open(path, in: fileSystem)
    let end = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < end { try change(engine, &random, .relaxed) }
    fileSystem.cutAtNextSync(after: 0.3)
    // Until one has to wait.
    while (try? change(engine, &random, .relaxed)) != nil {}
    let bytes = fileSystem.unsynced.reduce(0) { $0 + $1.count }
    guard bytes > 2 << 20 else { throw Failure.nothingWritten }
  }

  /// A file is not in the state that is to be measured.
  enum Failure: Error {
    case nothingWritten
  }
}
