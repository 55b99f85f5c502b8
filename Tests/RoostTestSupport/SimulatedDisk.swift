import Foundation
package import RoostEngine
import Synchronization

/// A disk in memory that can crash, fail and fill up, all of it determined by seeds.
///
/// Writes are visible to readers at once and durable after `synchronize()`. ``crashImage(seed:survival:)``
/// is what a power failure at this moment could leave: see there. Names made, changed and removed are
/// durable after `synchronizeDirectory(of:)`. There is one level of names; slashes in them only say which
/// directory a sync of names covers.
///
/// Locks are between open files, as the system's are, so that two openings stand for two processes.
package final class SimulatedDisk: FileSystem {
  let state: Mutex<State>
  private let device = nextDevice.wrappingAdd(1, ordering: .relaxed).newValue
  private let observer: Mutex<(@Sendable (Call) -> Void)?> = Mutex(nil)

  /// An empty disk; the seed decides what failing writes and syncs leave behind.
  package init(seed: UInt64 = 0) {
    state = Mutex(State(seed: seed))
  }

  init(_ state: sending State) {
    self.state = Mutex(state)
  }

  /// Calls `body` at the start of every call, before it has any effect.
  ///
  /// From within it a crash image shows the disk between two calls. A sync covers what was written
  /// before it began, not what `body` writes.
  package func observeCalls(_ body: (@Sendable (Call) -> Void)?) {
    observer.withLock { $0 = body }
  }

  // MARK: - FileSystem

  /// Opens the file at `path`; a directory is refused with `EISDIR`.
  package func open(_ path: String, _ mode: FileMode) throws(FileError) -> any StorageFile {
    try perform(.open, .open, path)
    let inode = try state.withLock { (state) throws(FileError) -> UInt64 in
      guard !state.directories.contains(path) else {
        throw FileError(.open, path: path, code: EISDIR)
      }
      if let inode = state.names[path] {
        guard mode != .createNew else { throw FileError(.open, path: path, code: EEXIST) }
        return inode
      }
      guard mode == .create || mode == .createNew, !path.isEmpty else {
        throw FileError(.open, path: path, code: ENOENT)
      }
      return state.makeFile(path)
    }
    return SimulatedFile(path: path, inode: inode, isWritable: mode != .readOnly, on: self)
  }

  /// Which file is at `path`, or nil where there is none.
  package func identity(of path: String) throws(FileError) -> FileIdentity? {
    try perform(.status, .status, path)
    return state.withLock { $0.names[path] }.map { identity(ofInode: $0) }
  }

  /// What kind of thing is at `path`, or nil where there is none.
  package func kind(of path: String, followsLinks: Bool) throws(FileError) -> FileKind? {
    try perform(.status, .status, path)
    return state.withLock { state in
      if state.directories.contains(path) { return .directory }
      return state.names[path] == nil ? nil : .regular
    }
  }

  /// Gives a file another name, in one step also for a crash.
  package func rename(_ from: String, to: String) throws(FileError) {
    try perform(.rename, .rename, from)
    try state.withLock { (state) throws(FileError) in
      guard let inode = state.names[from] else {
        throw FileError(.rename, path: from, code: ENOENT)
      }
      guard from != to else { return }
      state.change(.rename(from: from, to: to, inode))
    }
  }

  /// Removes the name of a file; whoever has it open keeps it.
  package func remove(_ path: String) throws(FileError) {
    try perform(.remove, .remove, path)
    try state.withLock { (state) throws(FileError) in
      guard let inode = state.names[path] else {
        throw FileError(.remove, path: path, code: ENOENT)
      }
      state.change(.remove(path, inode))
    }
  }

  /// Makes the names in the directory of `path` durable.
  package func synchronizeDirectory(of path: String) throws(FileError) {
    try perform(.synchronizeDirectory, .synchronize, path)
    state.withLock { $0.synchronizeNames(in: directory(of: path)) }
  }

  /// The bytes up to the capacity; nil without one.
  package func availableBytes(besides path: String) throws(FileError) -> UInt64? {
    try perform(.status, .status, path)
    return state.withLock { $0.capacity == nil ? nil : $0.room }
  }

  // MARK: - For tests

  /// Makes a directory, which cannot be opened.
  package func addDirectory(_ path: String) {
    state.withLock { _ = $0.directories.insert(path) }
  }

  /// The bytes of the file at `path` as a reader sees them, or nil where there is none.
  package func contents(of path: String) -> [UInt8]? {
    state.withLock { state in
      state.names[path].flatMap { state.inodes[$0]?.current.array }
    }
  }

  /// Puts a durable file with these bytes at `path`, in place of the one that is there.
  ///
  /// Files opened before keep the old one.
  package func install(_ bytes: [UInt8], at path: String) {
    state.withLock { state in
      let inode = state.makeFile(path)
      state.synchronizeNames(in: directory(of: path))
      state.inodes[inode] = SimulatedInode(durable: SparseBytes(bytes))
    }
  }

  /// How many bytes all files may have together; nil, as at first, for no limit.
  ///
  /// What exceeds it fails with `ENOSPC`.
  package var capacity: UInt64? {
    get { state.withLock { $0.capacity } }
    set { state.withLock { $0.capacity = newValue } }
  }

  /// Whether `synchronize()` returns at once and makes nothing durable, as some drives do.
  package var isLying: Bool {
    get { state.withLock { $0.isLying } }
    set { state.withLock { $0.isLying = newValue } }
  }

  // MARK: - For open files

  func identity(ofInode inode: UInt64) -> FileIdentity {
    FileIdentity(device: device, inode: inode)
  }

  /// Counts a call, lets the observer see it, and fails it where a fault is due.
  func perform(
    _ call: Call, _ operation: FileError.Operation, _ path: String
  ) throws(FileError) {
    if let observer = observer.withLock({ $0 }) { observer(call) }
    if let code = state.withLock({ $0.count(call) }) {
      throw FileError(operation, path: path, code: code)
    }
  }
}

/// Tells the disks of one process apart, a crash image from the disk it was taken of too.
private let nextDevice = Atomic<UInt64>(1 << 32)
