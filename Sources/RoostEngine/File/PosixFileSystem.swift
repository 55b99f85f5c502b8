#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The permissions of a file that only its owner may use.
private let privatePermissions: mode_t = 0o600

/// The operating system's files.
package struct PosixFileSystem: FileSystem {
  /// The operating system's files.
  package init() {}

  /// Opens the file at `path`.
  ///
  /// - Throws: `EISDIR` for a directory, `EINVAL` for anything else that is not a regular file.
  package func open(_ path: String, _ mode: FileMode) throws(FileError) -> any StorageFile {
    let access =
      switch mode {
      case .readOnly: O_RDONLY
      case .readWrite: O_RDWR
      case .create: O_RDWR | O_CREAT
      case .createNew: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
      }
    // Without O_NONBLOCK, opening a pipe would wait until its other end is opened.
    let descriptor = systemOpen(
      path, access | O_NONBLOCK, mode == .createNew ? privatePermissions : 0o644)
    guard descriptor >= 0 else { throw FileError(.open, path: path, code: errno) }
    guard let status = systemStatus(descriptor) else {
      let code = errno
      systemClose(descriptor)
      throw FileError(.open, path: path, code: code)
    }
    guard FileKind(status) == .regular else {
      systemClose(descriptor)
      throw FileError(
        .open, path: path, code: FileKind(status) == .directory ? EISDIR : EINVAL)
    }
    return PosixFile(path: path, descriptor: descriptor, status)
  }

  /// The identity of the file at `path`, links followed; nil if there is none.
  package func identity(of path: String) throws(FileError) -> FileIdentity? {
    try status(of: path).map { FileIdentity($0) }
  }

  /// The kind of thing at `path`; nil if there is none.
  package func kind(of path: String, followsLinks: Bool) throws(FileError) -> FileKind? {
    try status(of: path, followsLinks: followsLinks).map { FileKind($0) }
  }

  /// Renames a file atomically, replacing a file that has the new name.
  package func rename(_ from: String, to: String) throws(FileError) {
    guard systemRename(from, to) == 0 else { throw FileError(.rename, path: from, code: errno) }
  }

  /// Removes the name of a file.
  package func remove(_ path: String) throws(FileError) {
    guard systemRemove(path) == 0 else { throw FileError(.remove, path: path, code: errno) }
  }

  /// Makes the names in the directory of `path` durable.
  package func synchronizeDirectory(of path: String) throws(FileError) {
    try PosixDirectory.synchronize(of: path)
  }

  /// The path of the file itself, with all links followed.
  package func resolved(_ path: String) throws(FileError) -> String {
    guard let resolved = systemResolve(path) else {
      throw FileError(.status, path: path, code: errno)
    }
    return resolved
  }

  /// The number of bytes free for this user on the volume of the directory of `path`.
  package func availableBytes(besides path: String) throws(FileError) -> UInt64? {
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { String(path[...$0]) } ?? "."
    guard let bytes = systemAvailableBytes(directory) else {
      throw FileError(.status, path: directory, code: errno)
    }
    return bytes
  }

  private func status(of path: String, followsLinks: Bool = true) throws(FileError) -> stat? {
    if let status = systemStatus(path, followsLinks: followsLinks) { return status }
    guard errno == ENOENT else { throw FileError(.status, path: path, code: errno) }
    return nil
  }
}

extension FileIdentity {
  init(_ status: stat) {
    self.init(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
  }
}

extension FileKind {
  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .directory
    case S_IFLNK: self = .link
    default: self = .other
    }
  }
}
