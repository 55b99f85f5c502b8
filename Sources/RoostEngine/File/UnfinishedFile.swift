/// A file that is created beside the path of another, filled, and renamed to that path.
///
/// Its creator holds its lock until the rename. So nobody takes, truncates or removes a file that another
/// process or thread is filling, and a leftover of a crash is a file whose lock nobody holds.
package struct UnfinishedFile {
  /// The path of the file until the rename.
  package let path: String
  private let fileSystem: any FileSystem

  /// The number of attempts that others may thwart before `create()` throws `EBUSY`.
  private static let triesMax = 100

  package init(at path: String, in fileSystem: any FileSystem) {
    self.path = path
    self.fileSystem = fileSystem
  }

  /// Creates the file, empty, locked, and usable only by its owner, after removing a leftover of a crash.
  ///
  /// - Throws: `EBUSY` where another process, or another thread, is making it; `EEXIST` where something is in its place
  ///   that is none of ours, such as a link or a directory.
  package func create() throws(FileError) -> any StorageFile {
    for _ in 0..<Self.triesMax {
      guard try removeLeftover() else { break }
      guard let file = try createNew() else { continue }
      do throws(FileError) {
        if try file.lock(exclusive: true) { return file }
      } catch {
        file.close()
        // Another process or thread removed it as a leftover before it was locked.
        guard error.meaning == .stale else { throw error }
        continue
      }
      file.close()
    }
    throw FileError(.open, path: path, .busy)
  }

  private func createNew() throws(FileError) -> (any StorageFile)? {
    do throws(FileError) { return try fileSystem.open(path, .createNew) } catch {
      // Another process or thread was faster.
      guard error.meaning == .existingFile else { throw error }
      return nil
    }
  }

  /// Removes the file, unless another process or thread is filling it; then returns false.
  ///
  /// - Throws: `EEXIST` where something is in its place that is none of ours, such as a link or a directory. Removing a
  ///   link here could remove a file: between the look and the removal, another process may have removed the link and
  ///   begun to fill a file of that name.
  @discardableResult
  package func removeLeftover() throws(FileError) -> Bool {
    switch try fileSystem.kind(of: path, followsLinks: false) {
    case nil: return true
    case .regular: break
    case .link, .directory, .other: throw FileError(.open, path: path, .existingFile)
    }
    do throws(FileError) {
      let file = try fileSystem.open(path, .readWrite)
      defer { file.close() }
      guard try file.lock(exclusive: true) else { return false }
      try remove()
    } catch {
      // The file is gone: it was renamed, or another process or thread has removed it.
      guard error.meaning == .missingFile || error.meaning == .stale else { throw error }
    }
    return true
  }

  /// Removes a link at the file's path, but not the link's target.
  ///
  /// Requires the lock of the store beside it, under which nobody else creates the file.
  package func removeLink() throws(FileError) {
    if try fileSystem.kind(of: path, followsLinks: false) == .link { try remove() }
  }

  private func remove() throws(FileError) {
    do throws(FileError) { try fileSystem.remove(path) } catch {
      guard error.meaning == .missingFile else { throw error }
    }
  }
}

/// The path of an unfinished file until it is complete and renamed.
package func unfinishedPath(for path: String) -> String { path + ".new" }
