#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Bytes on their way to a file descriptor, written 256 KiB at a time.
final class Output {
  /// What was not written yet; append to it, then call ``flushIfFull()``.
  var buffer: [UInt8] = []
  private let descriptor: Int32
  private static let bytesMax = 256 << 10

  /// An output to a file descriptor; 1 is the standard output.
  init(_ descriptor: Int32 = 1) {
    self.descriptor = descriptor
    buffer.reserveCapacity(Self.bytesMax + (16 << 10))
  }

  /// Adds a line.
  func line(_ text: String) throws(ToolFailure) {
    buffer.append(contentsOf: text.utf8)
    buffer.append(UInt8(ascii: "\n"))
    try flushIfFull()
  }

  /// Writes what has gathered when it is much.
  @inline(__always)
  func flushIfFull() throws(ToolFailure) {
    if buffer.count >= Self.bytesMax { try flush() }
  }

  /// Writes everything.
  func flush() throws(ToolFailure) {
    var start = 0
    while start < buffer.count {
      let written = unsafe buffer.withUnsafeBytes { bytes in
        unsafe write(
          descriptor, UnsafeRawBufferPointer(rebasing: bytes[start...]).baseAddress,
          bytes.count - start)
      }
      if written < 0 {
        if errno == EINTR { continue }
        throw ToolFailure("the output cannot be written (error \(errno)): is its disk full?")
      }
      start += written
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// Writes a line to the standard error.
func complain(_ text: String) {
  let output = Output(2)
  try? output.line(text)
  try? output.flush()
}

/// Whether somebody sees the standard error on a terminal.
var isWatched: Bool { isatty(2) == 1 }
