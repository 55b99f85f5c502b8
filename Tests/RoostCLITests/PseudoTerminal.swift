#if Tool && os(Linux)
import Foundation
import Testing

/// A terminal without a screen: what is typed and shown on it are texts.
final class PseudoTerminal {
  /// The screen and the keys.
  private let master: Int32
  /// What programs have.
  private let slave: FileHandle

  init(columns: UInt16 = 80) throws {
    master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (unlocked, number) = (0 as Int32, 0 as Int32)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    // TIOCSPTLCK and TIOCGPTN: Swift does not see unlockpt and ptsname on Linux.
    try #require(
      unsafe ioctl(master, 0x4004_5431, &unlocked) == 0
        && ioctl(master, 0x8004_5430, &number) == 0
        && ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
    let opened = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(opened >= 0)
    slave = FileHandle(fileDescriptor: opened, closeOnDealloc: true)
  }

  deinit { close(master) }

  /// Runs a program, and returns all that the terminal shows until it ends.
  ///
  /// - Parameters:
  ///   - isErrorShown: Whether the terminal is its standard error, too.
  ///   - keys: What is typed,
  ///   - prompt: as soon as this is shown; nil before the program begins.
  func show(
    _ process: Process, isErrorShown: Bool = true, typing keys: String = "",
    after prompt: String? = nil
  ) throws -> String {
    // A terminal that no program has any more is read to an error that may come before the last of what is shown
    // (where the kernel's queue is late). This one is kept, and its end is written to it.
    let end = "\u{0}the program has ended\u{0}"
    let slave = slave
    process.standardInput = slave
    process.standardOutput = slave
    process.standardError = isErrorShown ? slave : Pipe()
    process.terminationHandler = { _ in try? slave.write(contentsOf: Data(end.utf8)) }
    if prompt == nil { try type(keys) }
    try process.run()
    var isTyped = prompt == nil
    var bytes: [UInt8] = []
    var text = ""
    while !text.hasSuffix(end) {
      bytes += try shown()
      text = String(decoding: bytes, as: UTF8.self)
      guard !isTyped, let prompt, text.contains(prompt) else { continue }
      isTyped = true
      try type(keys)
    }
    process.waitUntilExit()
    // Killed, it would have shown a part.
    try #require(process.terminationReason == .exit, "signal \(process.terminationStatus)")
    // The terminal itself adds the carriage returns.
    return text.dropLast(end.count).replacingOccurrences(of: "\r\n", with: "\n")
  }

  private func type(_ keys: String) throws {
    try FileHandle(fileDescriptor: master).write(contentsOf: Data(keys.utf8))
  }

  /// What is shown next.
  private func shown() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe read(master, buffer.baseAddress, buffer.count)
      }
      let error = errno
      if count > 0 { return Array(bytes[..<count]) }
      // A signal alone says nothing of the program.
      try #require(count < 0 && error == EINTR, "error \(error)")
    }
  }
}
#endif
