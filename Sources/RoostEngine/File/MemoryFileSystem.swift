internal import Synchronization

/// Files in memory, by name, for as long as the file system is held.
///
/// It has no directories: a name is any text, slashes included.
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

  /// Which file has that name, or nil where none has.
  package func identity(of path: String) throws(FileError) -> FileIdentity? {
    state.withLock { $0.files[path]?.identity }
  }

  /// `regular`, or nil where no file has that name.
  package func kind(of path: String, followsLinks: Bool) throws(FileError) -> FileKind? {
    state.withLock { $0.files[path] == nil ? nil : .regular }
  }

  /// Gives a file another name, taking the place of a file that had it.
  package func rename(_ from: String, to: String) throws(FileError) {
    let isRenamed = state.withLock { state in
      guard let content = state.files.removeValue(forKey: from) else { return false }
      state.files[to] = content
      return true
    }
    guard isRenamed else { throw FileError(.rename, path: from, .missingFile) }
  }

  /// Removes the name of a file; whoever has it open keeps it.
  package func remove(_ path: String) throws(FileError) {
    guard state.withLock({ $0.files.removeValue(forKey: path) }) != nil else {
      throw FileError(.remove, path: path, .missingFile)
    }
  }

  /// Does nothing: memory is as durable as it will ever be.
  package func synchronizeDirectory(of path: String) throws(FileError) {}
}

/// Tells the file systems of one process apart.
private let nextDevice = Atomic<UInt64>(0)
