/// A file of another file system with private changes: the file itself is only read.
///
/// Written bytes go to a scratch file, whose name is removed as soon as it is open, so that a crash leaves nothing of it.
/// All other names are files in memory.
package final class OverlayFileSystem: FileSystem {
  private let path: String
  private let base: any FileSystem
  private let scratchPath: String
  private let memory = MemoryFileSystem()

  /// An overlay of the file at a path.
  ///
  /// - Parameter scratchPath: Where the scratch file is made, for a moment: in the same file system, under a name that no
  ///   file has.
  package init(of path: String, in base: any FileSystem, scratchPath: String) {
    self.path = path
    self.base = base
    self.scratchPath = scratchPath
  }

  /// Opens a file. Each opening of the overlay's file starts without changes.
  package func open(_ path: String, _ mode: FileMode) throws(FileError) -> any StorageFile {
    guard path == self.path, try memory.kind(of: path) == nil else {
      return try memory.open(path, mode)
    }
    let file = try base.open(path, .readOnly)
    let scratch: any StorageFile
    do throws(FileError) {
      scratch = try base.open(scratchPath, .createNew)
    } catch {
      file.close()
      throw error
    }
    do throws(FileError) {
      try base.remove(scratchPath)
      return try OverlayFile(file, scratch)
    } catch {
      file.close()
      scratch.close()
      try? base.remove(scratchPath)
      throw error
    }
  }

  /// The identity of the file with this name; nil if there is none.
  package func identity(of path: String) throws(FileError) -> FileIdentity? {
    if let identity = try memory.identity(of: path) { return identity }
    return path == self.path ? try base.identity(of: path) : nil
  }

  /// The kind of thing at the path; nil if there is none.
  package func kind(of path: String, followsLinks: Bool) throws(FileError) -> FileKind? {
    if let kind = try memory.kind(of: path) { return kind }
    return path == self.path ? try base.kind(of: path, followsLinks: followsLinks) : nil
  }

  /// Renames a file in memory.
  package func rename(_ from: String, to: String) throws(FileError) {
    try memory.rename(from, to: to)
  }

  /// Removes a file in memory.
  package func remove(_ path: String) throws(FileError) { try memory.remove(path) }

  /// Does nothing: nothing outlasts the file system.
  package func synchronizeDirectory(of path: String) throws(FileError) {}
}
