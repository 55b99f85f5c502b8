package import RoostEngine
import Synchronization

/// A directory of the operating system that keeps what is done to its files, to be done again to a ``SimulatedDisk``.
///
/// Its paths are the names of the files in it.
package final class RecordedDirectory: FileSystem {
  /// Something that was done and changes what a disk holds. Files have the number of their opening.
  enum Event: Sendable {
    case open(Int, String, FileMode)
    case write(Int, [UInt8], at: UInt64)
    case synchronize(Int)
    case allocate(Int, Range<UInt64>)
    case truncate(Int, to: UInt64)
    case close(Int)
    case rename(String, to: String)
    case remove(String)
    case synchronizeDirectory(String)
  }

  private struct State {
    var events: [Event] = []
    var openings = 0
  }

  private let directory: String
  private let system = PosixFileSystem()
  private let state = Mutex(State())

  /// Records what is done in a directory, which must be empty.
  package init(_ directory: String) { self.directory = directory }

  /// What was done so far.
  package var recording: Recording { Recording(events: state.withLock { $0.events }) }

  func record(_ event: Event) { state.withLock { $0.events.append(event) } }

  private func path(_ name: String) -> String { directory + "/" + name }

  // MARK: - FileSystem

  /// Opens the file of this name.
  package func open(_ path: String, _ mode: FileMode) throws(FileError) -> any StorageFile {
    let file = try system.open(self.path(path), mode)
    let number = state.withLock { state in
      state.openings += 1
      state.events.append(.open(state.openings, path, mode))
      return state.openings
    }
    return RecordedFile(path, file, number, of: self)
  }

  /// Which file has this name, or nil where there is none.
  package func identity(of path: String) throws(FileError) -> FileIdentity? {
    try system.identity(of: self.path(path))
  }

  /// What kind of thing has this name, or nil where there is none.
  package func kind(of path: String, followsLinks: Bool) throws(FileError) -> FileKind? {
    try system.kind(of: self.path(path), followsLinks: followsLinks)
  }

  /// Gives a file another name.
  package func rename(_ from: String, to: String) throws(FileError) {
    try system.rename(path(from), to: path(to))
    record(.rename(from, to: to))
  }

  /// Removes the name of a file.
  package func remove(_ path: String) throws(FileError) {
    try system.remove(self.path(path))
    record(.remove(path))
  }

  /// Makes the names in the directory durable.
  package func synchronizeDirectory(of path: String) throws(FileError) {
    try system.synchronizeDirectory(of: self.path(path))
    record(.synchronizeDirectory(path))
  }
}

/// An open file of a ``RecordedDirectory``.
private final class RecordedFile: StorageFile {
  var isDisk: Bool { true }
  let path: String
  private let file: any StorageFile
  private let number: Int
  private let directory: RecordedDirectory
  private let isClosed = Atomic(false)

  init(_ path: String, _ file: any StorageFile, _ number: Int, of directory: RecordedDirectory) {
    self.path = path
    self.file = file
    self.number = number
    self.directory = directory
  }

  deinit { close() }

  func identity() throws(FileError) -> FileIdentity { try file.identity() }
  func size() throws(FileError) -> UInt64 { try file.size() }
  func lock(exclusive: Bool) throws(FileError) -> Bool { try file.lock(exclusive: exclusive) }

  func displacement(size: UInt64) throws(FileError) -> FileDisplacement? {
    try file.displacement(size: size)
  }

  func read(into view: MutableByteView, at offset: UInt64) throws(FileError) -> Int {
    try file.read(into: view, at: offset)
  }

  func write(_ views: [ByteView], at offset: UInt64) throws(FileError) {
    let bytes = views.flatMap(\.array)
    try file.write(views, at: offset)
    directory.record(.write(number, bytes, at: offset))
  }

  func synchronize() throws(FileError) {
    // Before, so that it covers nothing that another thread writes meanwhile.
    directory.record(.synchronize(number))
    try file.synchronize()
  }

  func synchronizeName() throws(FileError) {
    try file.synchronizeName()
    directory.record(.synchronizeDirectory(path))
  }

  func allocate(_ range: Range<UInt64>) throws(FileError) {
    try file.allocate(range)
    directory.record(.allocate(number, range))
  }

  func truncate(to size: UInt64) throws(FileError) {
    try file.truncate(to: size)
    directory.record(.truncate(number, to: size))
  }

  func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    file.close()
    directory.record(.close(number))
  }
}

/// What was done to the files of a ``RecordedDirectory``, in order.
package struct Recording: Sendable {
  let events: [RecordedDirectory.Event]

  /// How many things were done.
  package var count: Int { events.count }

  /// Does everything again to an empty disk.
  ///
  /// - Parameter body: Called before each thing with its number, and once with their count after the last.
  package func replay(
    on disk: SimulatedDisk, _ body: (Int) throws -> Void
  ) throws {
    var files: [Int: any StorageFile] = [:]
    for (place, event) in events.enumerated() {
      try body(place)
      switch event {
      case .open(let number, let path, let mode): files[number] = try disk.open(path, mode)
      case .write(let number, let bytes, let offset): try files[number]?.write(bytes, at: offset)
      case .synchronize(let number): try files[number]?.synchronize()
      case .allocate(let number, let range): try files[number]?.allocate(range)
      case .truncate(let number, let size): try files[number]?.truncate(to: size)
      case .close(let number): files.removeValue(forKey: number)?.close()
      case .rename(let from, let to): try disk.rename(from, to: to)
      case .remove(let path): try disk.remove(path)
      case .synchronizeDirectory(let path): try disk.synchronizeDirectory(of: path)
      }
    }
    try body(events.count)
  }
}
