/// A file that is made beside the place of another, filled, and put there by a rename.
///
/// Who makes one holds its lock until it has its name. So nobody takes, cuts off or removes what somebody
/// else is filling, and what a crash left is known by nobody holding its lock.
package struct UnfinishedFile {
  /// Where it lies until it takes its place.
  package let path: String
  private let fileSystem: any FileSystem

  /// How often somebody else may come between before it is said to be busy.
  private static let triesMax = 100

  package init(at path: String, in fileSystem: any FileSystem) {
    self.path = path
    self.fileSystem = fileSystem
  }

  /// Makes the file, empty, locked, and for its owner alone; what a crash left of another one goes first.
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
        // Somebody took it for a leftover before it was locked.
        guard error.meaning == .stale else { throw error }
        continue
      }
      file.close()
    }
    throw FileError(.open, path: path, .busy)
  }

  private func createNew() throws(FileError) -> (any StorageFile)? {
    do throws(FileError) { return try fileSystem.open(path, .createNew) } catch {
      // Somebody was faster.
      guard error.meaning == .existingFile else { throw error }
      return nil
    }
  }

  /// Removes the file unless somebody is filling it; returns false where somebody is.
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
      // It is gone: it has its place now, or somebody else has removed it.
      guard error.meaning == .missingFile || error.meaning == .stale else { throw error }
    }
    return true
  }

  /// Removes a link that lies in the file's place, and leaves what it leads to alone.
  ///
  /// Only for who has the lock of the store beside it, under which nobody makes the file.
  package func removeLink() throws(FileError) {
    if try fileSystem.kind(of: path, followsLinks: false) == .link { try remove() }
  }

  private func remove() throws(FileError) {
    do throws(FileError) { try fileSystem.remove(path) } catch {
      guard error.meaning == .missingFile else { throw error }
    }
  }
}

/// Where a file that is being made lies until it is whole and takes its place.
package func unfinishedPath(for path: String) -> String { path + ".new" }
