#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A file that is read once, or the standard input.
final class InputFile {
  private let path: String
  private let file: Int32
  /// How many bytes it has; nil where it does not say.
  let byteCount: UInt64?
  /// How many were read.
  private(set) var bytesRead: UInt64 = 0
  private static let partBytes = 256 << 10

  /// Opens a file; a hyphen is the standard input.
  init(_ path: String) throws(ToolFailure) {
    self.path = path
    file = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw errno == ENOENT
        ? ToolFailure("there is no file \(path): check the path.") : Self.failure(path)
    }
    var status = stat()
    let isFile = unsafe fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    byteCount = isFile ? UInt64(clamping: status.st_size) : nil
  }

  deinit { if file > 0 { close(file) } }

  private static func failure(_ path: String) -> ToolFailure {
    ToolFailure("\(path) cannot be read (error \(errno)): check the path and its permissions.")
  }

  /// The next bytes, as they come; nil at the end.
  func next() throws(ToolFailure) -> [UInt8]? {
    while true {
      var result = 0
      let part = unsafe [UInt8](unsafeUninitializedCapacity: Self.partBytes) { buffer, count in
        result = unsafe read(file, buffer.baseAddress, buffer.count)
        count = max(0, result)
      }
      if result > 0 {
        bytesRead += UInt64(result)
        return part
      }
      if result == 0 { return nil }
      guard errno == EINTR else { throw Self.failure(path) }
    }
  }
}

/// Reads a whole file, or the standard input where the path is a hyphen.
func readInput(_ path: String) throws(ToolFailure) -> [UInt8] {
  let file = try InputFile(path)
  var bytes: [UInt8] = []
  while let part = try file.next() { bytes += part }
  return bytes
}
