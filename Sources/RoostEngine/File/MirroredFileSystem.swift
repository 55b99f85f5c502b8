internal import Synchronization

/// Files in memory, one of which is also written to a disk as long as the disk accepts it.
///
/// Memory is authoritative. The disk's file gets every write, growth and sync of the file in memory in order, so that it
/// survives a crash like any store's file. After the disk refuses one of them, its file is left alone, in the state that a
/// crash at that moment would have left; ``failure`` holds the reason. The file is brought up to date as a whole: a copy is
/// written beside it, synced and renamed over it.
package final class MirroredFileSystem: FileSystem {
  private struct State {
    /// The file on the disk, which stays locked even while it is not written.
    var file: (any StorageFile)?
    var isLoaded = false
    var failure: FileError?
    /// The time of the next attempt; `pause` is the wait after the next failure.
    var nextTry: ContinuousClock.Instant
    var pause: Duration
  }

  /// The path of the file, in memory and on the disk.
  package let path: String
  private let memory = MemoryFileSystem()
  private let disk: any FileSystem
  private let permissions: UInt16
  private let firstPause: Duration
  private let state: Mutex<State>

  /// A mirror of the file at a path, which is read when it is locked.
  ///
  /// - Parameters:
  ///   - permissions: Who may use a new file: the nine bits of a POSIX mode.
  ///   - pause: How long a disk that failed is left alone, at first; each time twice as long, up to 64 times.
  package init(
    mirroring path: String, on disk: any FileSystem, permissions: UInt16 = 0o600,
    pause: Duration = .seconds(1)
  ) {
    self.path = path
    self.disk = disk
    self.permissions = permissions
    firstPause = pause
    state = Mutex(State(nextTry: .now, pause: pause))
  }

  deinit {
    try? bringUpToDate()
    state.withLock { $0.file?.close() }
  }

  /// The reason why the file on the disk is not up to date; nil if it is.
  package var failure: FileError? { state.withLock { $0.failure } }

  /// Brings the file on the disk up to date, if it is not.
  ///
  /// - Complexity: A copy of the whole file, during which nothing is written.
  package func bringUpToDate() throws(FileError) {
    try state.withLock { (state) throws(FileError) in
      if state.failure != nil { try renew(&state) }
    }
  }

  // MARK: Names

  /// Opens a file; the mirrored file must be locked before it is used.
  package func open(_ path: String, _ mode: FileMode) throws(FileError) -> any StorageFile {
    guard path == self.path else { return try memory.open(path, mode) }
    if try memory.kind(of: path) == nil {
      let file = try disk.open(path, mode)
      state.withLock { state in
        state.file = file
        state.isLoaded = false
      }
    }
    return MirroredFile(try memory.open(path, .create), isWritable: mode != .readOnly, in: self)
  }

  /// The identity of the file with this name; nil if there is none.
  package func identity(of path: String) throws(FileError) -> FileIdentity? {
    try memory.identity(of: path)
  }

  /// The kind of thing at the path; for the mirrored file, on the disk.
  package func kind(of path: String, followsLinks: Bool) throws(FileError) -> FileKind? {
    if let kind = try memory.kind(of: path) { return kind }
    return path == self.path ? try disk.kind(of: path, followsLinks: followsLinks) : nil
  }

  /// Renames a file in memory; a rename to the mirrored file's path also replaces the file on the disk.
  package func rename(_ from: String, to: String) throws(FileError) {
    try state.withLock { (state) throws(FileError) in
      try memory.rename(from, to: to)
      guard to == path else { return }
      state.isLoaded = true
      // A failure of the disk is recorded, not thrown. But if another process has created a file there, or is creating
      // it, the error is thrown: the caller must open that file.
      do throws(FileError) { try renew(&state) } catch {
        guard state.file == nil, error.meaning == .existingFile || error.meaning == .busy else {
          return
        }
        try memory.remove(to)
        state.isLoaded = false
        state.failure = nil
        throw error
      }
    }
  }

  /// Removes a file; the mirrored file also on the disk.
  package func remove(_ path: String) throws(FileError) {
    try memory.remove(path)
    if path == self.path { try disk.remove(path) }
  }

  /// Does nothing: replacing the file on the disk syncs its directory.
  package func synchronizeDirectory(of path: String) throws(FileError) {}

  // MARK: The mirrored file

  /// Locks the file on the disk and reads it, unless it was read already; returns false if another opener holds the lock.
  func lock(exclusive: Bool, _ content: any StorageFile) throws(FileError) -> Bool {
    try state.withLock { (state) throws(FileError) in
      guard !state.isLoaded, let file = state.file else { return true }
      guard try file.lock(exclusive: exclusive) else { return false }
      try FileCopy(from: file, to: content).run()
      state.isLoaded = true
      return true
    }
  }

  /// The lock by which this process had the file on the disk when it was locked last.
  var lockOfThisProcess: FileLock? { state.withLock { $0.file?.lockOfThisProcess } }

  /// Makes a change in memory, and on the disk if its file is up to date.
  func change(
    _ content: any StorageFile, _ change: (any StorageFile) throws(FileError) -> Void
  ) throws(FileError) {
    try state.withLock { (state) throws(FileError) in
      try change(content)
      guard state.failure == nil, let file = state.file else { return }
      do throws(FileError) { try change(file) } catch { note(error, in: &state) }
    }
  }

  /// Records a failure of the disk if the file on the disk is no longer at its path: then it has to be written
  /// again.
  func checkPlace() {
    state.withLock { state in
      guard state.failure == nil, let file = state.file else { return }
      do throws(FileError) {
        let target = try disk.resolved(path)
        guard try disk.identity(of: target) != file.identity() else { return }
        throw FileError(.status, path: path, .stale)
      } catch { note(error, in: &state) }
    }
  }

  /// Syncs the file on the disk; if it is not up to date and the pause is over, first tries to bring it up to date.
  func synchronize() {
    let file = state.withLock { state -> (any StorageFile)? in
      if state.failure != nil, state.nextTry <= .now { try? renew(&state) }
      return state.failure == nil ? state.file : nil
    }
    // Without the lock, so that writes continue meanwhile.
    guard let file else { return }
    do throws(FileError) { try file.synchronize() } catch {
      state.withLock { if $0.file === file { note(error, in: &$0) } }
    }
  }

  /// Makes the name of the file on the disk durable.
  func synchronizeName() {
    state.withLock { state in
      guard state.failure == nil, let file = state.file else { return }
      do throws(FileError) { try file.synchronizeName() } catch { note(error, in: &state) }
    }
  }

  private func note(_ error: FileError, in state: inout State) {
    // The error names an existing file in the way; otherwise it names the path that the caller knows.
    let path = error.meaning == .existingFile ? error.path : path
    state.failure = FileError(error.operation, path: path, code: error.code)
    state.nextTry = .now + state.pause
    state.pause = min(state.pause * 2, firstPause * 64)
  }

  // MARK: A new file on the disk

  /// Replaces the file on the disk by a copy of the file in memory.
  private func renew(_ state: inout State) throws(FileError) {
    do throws(FileError) {
      try replace(&state)
      state.failure = nil
      state.pause = firstPause
    } catch {
      note(error, in: &state)
      throw state.failure ?? error
    }
  }

  private func replace(_ state: inout State) throws(FileError) {
    let target = try disk.kind(of: path) == nil ? path : disk.resolved(path)
    let temporary = unfinishedPath(for: target)
    let copy = try UnfinishedFile(at: temporary, in: disk).create()
    do throws(FileError) {
      // Checked under the lock of the copy: its previous holder may have put a file there.
      try checkIsOurs(target, state.file)
      if let old = state.file {
        try copy.adoptPermissions(of: old)
      } else {
        try copy.setPermissions(permissions)
      }
      try FileCopy(from: try memory.open(path, .readOnly), to: copy).run()
      try copy.synchronize()
      try disk.rename(temporary, to: target)
    } catch {
      copy.close()
      try? disk.remove(temporary)
      throw error
    }
    state.file?.close()
    state.file = copy
    try disk.synchronizeDirectory(of: target)
  }

  /// Throws if the file at the target is not the mirror's own file.
  private func checkIsOurs(
    _ target: String, _ file: (any StorageFile)?
  ) throws(FileError) {
    guard let identity = try disk.identity(of: target) else { return }
    guard let file else { throw FileError(.rename, path: target, .existingFile) }
    guard try file.identity() == identity else {
      throw FileError(.rename, path: target, .stale)
    }
  }
}

/// An open file of a ``MirroredFileSystem``: the mirrored file.
final class MirroredFile: StorageFile {
  private let memory: any StorageFile
  private let isWritable: Bool
  /// Retained: closes the file on the disk when the last of its files is released.
  let fileSystem: MirroredFileSystem

  init(_ memory: any StorageFile, isWritable: Bool, in fileSystem: MirroredFileSystem) {
    self.memory = memory
    self.isWritable = isWritable
    self.fileSystem = fileSystem
  }

  var isDisk: Bool { false }
  var path: String { memory.path }

  func identity() throws(FileError) -> FileIdentity { try memory.identity() }

  func size() throws(FileError) -> UInt64 { try memory.size() }

  func read(into view: MutableByteView, at offset: UInt64) throws(FileError) -> Int {
    try memory.read(into: view, at: offset)
  }

  func write(_ views: [ByteView], at offset: UInt64) throws(FileError) {
    try change(.write) { (file) throws(FileError) in try file.write(views, at: offset) }
  }

  func synchronize() throws(FileError) {
    try memory.synchronize()
    fileSystem.synchronize()
  }

  func synchronizeName() throws(FileError) { fileSystem.synchronizeName() }

  func allocate(_ range: Range<UInt64>) throws(FileError) {
    try change(.allocate) { (file) throws(FileError) in try file.allocate(range) }
  }

  func truncate(to size: UInt64) throws(FileError) {
    try change(.resize) { (file) throws(FileError) in try file.truncate(to: size) }
  }

  func lock(exclusive: Bool) throws(FileError) -> Bool {
    guard try memory.lock(exclusive: exclusive) else { return false }
    return try fileSystem.lock(exclusive: exclusive, memory)
  }

  var lockOfThisProcess: FileLock? { fileSystem.lockOfThisProcess }

  /// Nil: memory is authoritative. A displaced file on the disk is a failure of the mirror.
  func displacement(size: UInt64) throws(FileError) -> FileDisplacement? {
    fileSystem.checkPlace()
    return nil
  }

  func close() { memory.close() }

  private func change(
    _ operation: FileError.Operation, _ body: (any StorageFile) throws(FileError) -> Void
  ) throws(FileError) {
    guard isWritable else { throw FileError(operation, path: path, .notOpen) }
    try fileSystem.change(memory, body)
  }
}
