import RoostDynamic

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Buffered output to a file descriptor, written 256 KiB at a time.
///
/// A file's names and texts cannot control a terminal: their control characters are escaped, see ``Swift/String/visible``. JSON
/// that goes elsewhere has the form of Format.md §12.
final class Output {
  /// The bytes to write; append to it, then call ``flushIfFull()``.
  var buffer: [UInt8] = []
  private let descriptor: Int32
  private let isTerminal: Bool
  private static let bytesMax = 256 << 10

  /// An output to a file descriptor; 1 is the standard output.
  init(_ descriptor: Int32 = 1) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    buffer.reserveCapacity(Self.bytesMax + (16 << 10))
  }

  /// Adds a line; a text with several lines becomes one.
  func line(_ text: String) throws(ToolFailure) {
    buffer.append(contentsOf: text.visible.utf8)
    buffer.append(UInt8(ascii: "\n"))
    try flushIfFull()
  }

  /// Writes the buffer if it is full.
  @inline(__always)
  func flushIfFull() throws(ToolFailure) {
    if buffer.count >= Self.bytesMax { try flush() }
  }

  /// Writes everything.
  func flush() throws(ToolFailure) {
    if isTerminal {
      // Only whole lines are buffered, so that no character is cut.
      buffer = Array(
        String(decoding: buffer, as: UTF8.self).escapedForTerminal(keepsLineFeeds: true).utf8)
    }
    try send()
  }

  /// Writes the buffer unchanged.
  fileprivate func send() throws(ToolFailure) {
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

/// Writes lines to the standard error. Names in them must be ``Swift/String/visible``, to stay on one line.
func complain(_ text: String) {
  let output = Output(2)
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    try? output.line(String(line))
  }
  try? output.flush()
}

extension Output {
  /// Overwrites the last line of the terminal on the standard error.
  static func replaceLine(_ text: String) {
    let output = Output(2)
    output.buffer.append(contentsOf: "\r\u{1B}[K\(text.visible)".utf8)
    try? output.send()
  }
}

/// Whether the standard error is a terminal.
var isWatched: Bool { isatty(2) == 1 }
