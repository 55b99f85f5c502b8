internal import Synchronization

/// Files in memory by name, for as long as the file system is held.
///
/// It has no directories: a name is any text, including slashes.
package final class MemoryFileSystem: FileSystem {
  private struct State {
    var files: [String: MemoryContent] = [:]
    var lastInode: UInt64 = 0
  }

  private let state = Mutex(State())
  private let device = nextDevice.wrappingAdd(1, ordering: .relaxed).newValue

  /// A file system without files.
  package init() {}

  /// Opens the file of that name.
  package func open(_ path: String, _ mode: FileMode) throws(FileError) -> any StorageFile {
    let content = try state.withLock { (state) throws(FileError) -> MemoryContent? in
      if let content = state.files[path] {
        guard mode != .createNew else { throw FileError(.open, path: path, .existingFile) }
        return content
      }
      guard mode == .create || mode == .createNew, !path.isEmpty else { return nil }
      state.lastInode += 1
      let content = MemoryContent(FileIdentity(device: device, inode: state.lastInode))
      state.files[path] = content
      return content
    }
    guard let content else { throw FileError(.open, path: path, .missingFile) }
    return MemoryFile(path: path, content: content, isWritable: mode != .readOnly, in: self)
  }

  /// The identity of the file with this name; nil if there is none.
  package func identity(of path: String) throws(FileError) -> FileIdentity? {
    state.withLock { $0.files[path]?.identity }
  }

  /// `regular`; nil if no file has this name.
  package func kind(of path: String, followsLinks: Bool) throws(FileError) -> FileKind? {
    state.withLock { $0.files[path] == nil ? nil : .regular }
  }

  /// Renames a file, replacing a file that has the new name.
  package func rename(_ from: String, to: String) throws(FileError) {
    let isRenamed = state.withLock { state in
      guard let content = state.files.removeValue(forKey: from) else { return false }
      state.files[to] = content
      return true
    }
    guard isRenamed else { throw FileError(.rename, path: from, .missingFile) }
  }

  /// Removes the name of a file; open files stay usable.
  package func remove(_ path: String) throws(FileError) {
    guard state.withLock({ $0.files.removeValue(forKey: path) }) != nil else {
      throw FileError(.remove, path: path, .missingFile)
    }
  }

  /// Does nothing: memory needs no sync.
  package func synchronizeDirectory(of path: String) throws(FileError) {}
}

/// Distinguishes the file systems of one process.
private let nextDevice = Atomic<UInt64>(0)

/// An open file of a ``MemoryFileSystem``.
final class MemoryFile: StorageFile {
  var isDisk: Bool { false }
  let path: String
  private let content: MemoryContent
  private let isWritable: Bool
  private let isClosed = Atomic(false)
  private let fileSystem: MemoryFileSystem

  init(
    path: String, content: MemoryContent, isWritable: Bool, in fileSystem: MemoryFileSystem
  ) {
    self.path = path
    self.content = content
    self.isWritable = isWritable
    self.fileSystem = fileSystem
  }

  deinit { close() }

  func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    content.unlock(owner: ObjectIdentifier(self))
  }

  func identity() throws(FileError) -> FileIdentity {
    try check(.status)
    return content.identity
  }

  func size() throws(FileError) -> UInt64 {
    try check(.status)
    return content.size
  }

  func read(into view: MutableByteView, at offset: UInt64) throws(FileError) -> Int {
    try check(.read, end: offset, plus: view.count)
    return content.read(into: view, at: offset)
  }

  func write(_ views: [ByteView], at offset: UInt64) throws(FileError) {
    var position = offset
    for view in views where view.count > 0 {
      try checkWritable(.write, .notOpen)
      try check(.write, end: position, plus: view.count)
      content.write(view, at: position)
      position += UInt64(view.count)
    }
  }

  /// Does nothing: reserved bytes are zero, and take no memory until they are written.
  func writeZeros(_ range: Range<UInt64>) throws(FileError) {}

  func synchronize() throws(FileError) {
    try check(.synchronize)
  }

  func allocate(_ range: Range<UInt64>) throws(FileError) {
    guard !range.isEmpty else { return }
    try checkWritable(.allocate, .notOpen)
    try check(.allocate, end: range.upperBound)
    content.grow(to: range.upperBound)
  }

  func truncate(to size: UInt64) throws(FileError) {
    try checkWritable(.resize, .invalid)
    try check(.resize, end: size)
    content.resize(to: size)
  }

  func lock(exclusive: Bool) throws(FileError) -> Bool {
    try check(.lock)
    if exclusive { try checkWritable(.lock, .notOpen) }
    guard content.lock(exclusive: exclusive, owner: ObjectIdentifier(self)) else { return false }
    guard try fileSystem.identity(of: path) == content.identity else {
      throw FileError(.lock, path: path, .stale)
    }
    return true
  }

  /// Throws for a closed file, and for offsets that a file of the operating system cannot have.
  private func check(
    _ operation: FileError.Operation, end offset: UInt64 = 0, plus count: Int = 0
  ) throws(FileError) {
    guard !isClosed.load(ordering: .relaxed) else {
      throw FileError(operation, path: path, .notOpen)
    }
    guard offset <= UInt64(Int64.max) - UInt64(count) else {
      throw FileError(operation, path: path, .tooLarge)
    }
  }

  /// Throws the operating system's error if the file was opened for reading only.
  private func checkWritable(
    _ operation: FileError.Operation, _ meaning: FileError.Meaning
  ) throws(FileError) {
    try check(operation)
    guard isWritable else { throw FileError(operation, path: path, meaning) }
  }
}
