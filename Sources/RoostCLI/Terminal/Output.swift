import RoostDynamic

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
  /// Whether it is a terminal.
  let isTerminal: Bool
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

  /// Adds a line in bold, where colours are shown.
  func heading(_ text: String) throws(ToolFailure) {
    guard showsColours else { return try line(text) }
    try flush()
    buffer.append(contentsOf: "\u{1B}[1m\(text.visible)\u{1B}[0m\n".utf8)
    try send()
  }

  /// Whether it is a terminal and nobody said NO_COLOR, or somebody said FORCE_COLOR.
  private var showsColours: Bool {
    let words = ProcessInfo.processInfo.environment
    if let force = words["FORCE_COLOR"], !force.isEmpty { return force != "0" }
    return isTerminal && (words["NO_COLOR"] ?? "").isEmpty && words["TERM"] != "dumb"
  }

  /// How many columns the terminal has; nil where it is none.
  var columns: Int? {
    guard isTerminal else { return nil }
    var size = winsize()
    if unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      return Int(size.ws_col)
    }
    return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) } ?? 80
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
        // The reader of the pipe has closed it, as `head` does: no error.
        if errno == EPIPE { throw .quiet }
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

/// Whether the standard input is a terminal.
var isInputWatched: Bool { isatty(0) == 1 }
