#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Reads a whole file, or the standard input where the path is a hyphen.
func readInput(_ path: String) throws(ToolFailure) -> [UInt8] {
  let file = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else {
    throw errno == ENOENT
      ? ToolFailure("there is no file \(path): check the path.")
      : ToolFailure("\(path) cannot be read (error \(errno)): check the path and its permissions.")
  }
  defer { if file != 0 { close(file) } }
  var bytes: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = unsafe part.withUnsafeMutableBytes { buffer in
      unsafe read(file, buffer.baseAddress, buffer.count)
    }
    if count == 0 { return bytes }
    if count > 0 {
      bytes += part.prefix(count)
    } else if errno != EINTR {
      throw ToolFailure(
        "\(path) cannot be read (error \(errno)): check the path and its permissions.")
    }
  }
}
