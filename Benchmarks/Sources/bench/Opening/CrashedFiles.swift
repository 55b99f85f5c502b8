import Foundation
import Roost

/// A file of a gigabyte that was closed, and copies of it whose power was cut.
final class CrashedFiles {
  /// What happened to a file last.
  enum End: String, CaseIterable {
    /// It was closed.
    case closed
    /// The power was cut in a commit of one object, a page of which did not reach the disk as a whole; the ring has as many
    /// records as it ever has.
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
      if end != .closed { try cutPower(end, path) }
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      slots[end] = try file.read(upToCount: Self.slotBytes)
      try file.close()
    }
  }

  private func path(_ end: End) -> String {
    folder.appending(path: "crashed-\(end.rawValue)").path
  }

  /// Opens a store as its file's end has left it: how long that took, and how many objects it has.
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
    let store = try Store(.file(path), models: Person.self)
    let time = ContinuousClock.now - start
    return (time, try store.snapshot().count(Person.all))
  }

  // MARK: Making them

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

  /// Lets the program `power-cut`, which lies beside this one, do it: what it uses of the engine no other package sees.
  private func cutPower(_ end: End, _ path: String) throws {
    let process = Process()
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent()
      .appending(path: "power-cut")
    process.arguments = [end.rawValue, path]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure.notCut }
  }

  /// A file is not in the state that is to be measured.
  enum Failure: Error {
    /// The program `power-cut` says why on standard error; `Scripts/bench` builds it.
    case notCut
  }
}
