internal import Synchronization

/// Files in memory, of which one is written to a disk as well for as long as the disk takes it.
///
/// Memory is the truth. The disk's file gets every write, growth and sync of the one in memory in their order, so that a
/// crash leaves of it what a crash leaves of any store's file. When the disk refuses one of them, its file is not touched
/// any more, and stays what a crash at that moment would have left; ``failure`` says why. It is brought up to date as
/// a whole: a copy is written beside it, synced and renamed over it.
package final class MirroredFileSystem: FileSystem {
  private struct State {
    /// The file on the disk, which stays locked, also while it is not written.
    var file: (any StorageFile)?
    var isLoaded = false
    var failure: FileError?
    /// When the disk is tried again, and how long to wait after the next failure.
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

  /// A mirror of the file at a path, which is read when it is opened.
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

  /// Why the file on the disk is not up to date; nil where it is.
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

  /// Opens a file; the one that is mirrored must be locked before it is used.
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

  /// Which file has that name, or nil where none has.
  package func identity(of path: String) throws(FileError) -> FileIdentity? {
    try memory.identity(of: path)
  }

  /// What kind of thing is at the path; for the one that is mirrored, on the disk.
  package func kind(of path: String, followsLinks: Bool) throws(FileError) -> FileKind? {
    if let kind = try memory.kind(of: path) { return kind }
    return path == self.path ? try disk.kind(of: path, followsLinks: followsLinks) : nil
  }

  /// Gives a file in memory another name; one that takes the mirrored file's place does so on the disk too.
  package func rename(_ from: String, to: String) throws(FileError) {
    try state.withLock { (state) throws(FileError) in
      try memory.rename(from, to: to)
      guard to == path else { return }
      state.isLoaded = true
      // What the disk refuses is noted, and not the caller's concern; but a file that another process has made there,
      // or is making, is the one to open.
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

  /// Removes a file, the mirrored one on the disk too.
  package func remove(_ path: String) throws(FileError) {
    try memory.remove(path)
    if path == self.path { try disk.remove(path) }
  }

  /// Does nothing: a file that takes its place on the disk has its name for sure.
  package func synchronizeDirectory(of path: String) throws(FileError) {}

  // MARK: The mirrored file

  /// Locks the file on the disk, and reads it if that was not done yet; returns false where somebody else has it.
  func lock(exclusive: Bool, _ content: any StorageFile) throws(FileError) -> Bool {
    try state.withLock { (state) throws(FileError) in
      guard !state.isLoaded, let file = state.file else { return true }
      guard try file.lock(exclusive: exclusive) else { return false }
      try FileCopy(from: file, to: content).run()
      state.isLoaded = true
      return true
    }
  }

  /// Makes a change in memory, and on the disk if that is up to date.
  func change(
    _ content: any StorageFile, _ change: (any StorageFile) throws(FileError) -> Void
  ) throws(FileError) {
    try state.withLock { (state) throws(FileError) in
      try change(content)
      guard state.failure == nil, let file = state.file else { return }
      do throws(FileError) { try change(file) } catch { note(error, in: &state) }
    }
  }

  /// Notes it as the disk's failure where somebody has taken the file on the disk from its place: then it has to be made
  /// anew.
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

  /// Syncs the file on the disk; where that is not up to date, and it is time, tries to bring it there.
  func synchronize() {
    let file = state.withLock { state -> (any StorageFile)? in
      if state.failure != nil, state.nextTry <= .now { try? renew(&state) }
      return state.failure == nil ? state.file : nil
    }
    // Not under the lock: writes go on meanwhile.
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
    // What is in the way must be named; else who asked for the file knows its own path only.
    let path = error.meaning == .existingFile ? error.path : path
    state.failure = FileError(error.operation, path: path, code: error.code)
    state.nextTry = .now + state.pause
    state.pause = min(state.pause * 2, firstPause * 64)
  }

  // MARK: A new file on the disk

  /// Puts a copy of what is in memory in the place of the file on the disk.
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
      // Under its lock: whoever had it before may have put a file there.
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

  /// Refuses to take the place of a file that is another than the mirror was.
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

/// An open file of a ``MirroredFileSystem``: the one that is on a disk, too.
final class MirroredFile: StorageFile {
  private let memory: any StorageFile
  private let isWritable: Bool
  /// Closes the file on the disk when the last of its files is gone.
  let fileSystem: MirroredFileSystem

  init(_ memory: any StorageFile, isWritable: Bool, in fileSystem: MirroredFileSystem) {
    self.memory = memory
    self.isWritable = isWritable
    self.fileSystem = fileSystem
  }

  var path: String { memory.path }

  func identity() throws(FileError) -> FileIdentity { try memory.identity() }

  func size() throws(FileError) -> UInt64 { try memory.size() }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileError) -> Int
  {
    try unsafe memory.read(into: buffer, at: offset)
  }

  func write(_ buffers: [UnsafeRawBufferPointer], at offset: UInt64) throws(FileError) {
    try change(.write) { (file) throws(FileError) in try unsafe file.write(buffers, at: offset) }
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

  /// Nil: memory is the truth. A file on the disk that was taken from its place is a mirror that failed.
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
