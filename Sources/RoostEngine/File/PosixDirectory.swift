#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The directory that contains a file's name.
enum PosixDirectory {
  /// Makes the names in the directory of `path` durable.
  static func synchronize(of path: String) throws(FileError) {
    let directory = Self.path(of: path)
    let descriptor = systemOpen(directory, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { throw FileError(.open, path: directory, code: errno) }
    defer { systemClose(descriptor) }
    guard systemSynchronizeDirectory(descriptor) == 0 else {
      throw FileError(.synchronize, path: directory, code: errno)
    }
  }

  /// The path of the directory that holds `path`.
  private static func path(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
