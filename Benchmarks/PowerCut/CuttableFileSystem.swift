import Foundation
import RoostEngine
import Synchronization

/// The system's files, of which the power can be cut while they are synced: then nothing is written any more.
///
/// What was written before stays as the system has it, synced or not.
final class CuttableFileSystem: FileSystem {
  private let system = PosixFileSystem()
  fileprivate let state = Mutex(State())

  fileprivate struct State {
    /// The next sync takes so long, and fails, and with it everything that is written after it.
    var cutAfter: TimeInterval?
    var isCut = false
    /// Where was written since the last sync.
    var unsynced: [Range<UInt64>] = []
  }

  /// Cuts the power so many seconds after the next sync has begun.
  func cutAtNextSync(after seconds: TimeInterval) { state.withLock { $0.cutAfter = seconds } }

  /// Where was written what no sync has covered, oldest first.
  var unsynced: [Range<UInt64>] { state.withLock { $0.unsynced } }

  func open(_ path: String, _ mode: FileMode) throws(FileError) -> any StorageFile {
    CuttableFile(try system.open(path, mode), in: self)
  }

  func identity(of path: String) throws(FileError) -> FileIdentity? {
    try system.identity(of: path)
  }

  func kind(of path: String, followsLinks: Bool) throws(FileError) -> FileKind? {
    try system.kind(of: path, followsLinks: followsLinks)
  }

  func rename(_ from: String, to: String) throws(FileError) {
    try system.rename(from, to: to)
  }

  func remove(_ path: String) throws(FileError) { try system.remove(path) }

  func synchronizeDirectory(of path: String) throws(FileError) {
    try system.synchronizeDirectory(of: path)
  }
}

/// A file of a ``CuttableFileSystem``.
private final class CuttableFile: StorageFile {
  private let file: any StorageFile
  private let fileSystem: CuttableFileSystem

  init(_ file: any StorageFile, in fileSystem: CuttableFileSystem) {
    self.file = file
    self.fileSystem = fileSystem
  }

  private func check(_ operation: FileError.Operation) throws(FileError) {
    guard !fileSystem.state.withLock({ $0.isCut }) else {
      throw FileError(operation, path: path, code: EIO)
    }
  }

  var path: String { file.path }

  var isDisk: Bool { file.isDisk }

  func identity() throws(FileError) -> FileIdentity { try file.identity() }

  func size() throws(FileError) -> UInt64 { try file.size() }

  func read(into view: MutableByteView, at offset: UInt64) throws(FileError) -> Int {
    try file.read(into: view, at: offset)
  }

  func write(_ views: [ByteView], at offset: UInt64) throws(FileError) {
    try check(.write)
    let end = views.reduce(offset) { $0 + UInt64($1.count) }
    fileSystem.state.withLock { $0.unsynced.append(offset..<end) }
    try file.write(views, at: offset)
  }

  func synchronize() throws(FileError) {
    if let seconds = fileSystem.state.withLock({ $0.cutAfter }) {
      Thread.sleep(forTimeInterval: seconds)
      fileSystem.state.withLock { $0.isCut = true }
    }
    try check(.synchronize)
    fileSystem.state.withLock { $0.unsynced = [] }
    try file.synchronize()
  }

  func allocate(_ range: Range<UInt64>) throws(FileError) {
    try check(.allocate)
    try file.allocate(range)
  }

  func truncate(to size: UInt64) throws(FileError) {
    try check(.resize)
    try file.truncate(to: size)
  }

  func lock(exclusive: Bool) throws(FileError) -> Bool { try file.lock(exclusive: exclusive) }

  func close() { file.close() }
}
