#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The most bytes of a secret.
private let secretBytesMax = 4096

/// Asks for a text on the terminal that it does not show.
///
/// The standard input is asked if it is a terminal, else the one that the process belongs to.
func readSecret(_ prompt: String) throws(ToolFailure) -> String {
  let isInput = isInputWatched
  let terminal = isInput ? 0 : unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
  var settings = termios()
  guard terminal >= 0, unsafe tcgetattr(terminal, &settings) == 0 else {
    throw ToolFailure("there is no terminal to type the key on: use --key-file.")
  }
  defer { if !isInput { close(terminal) } }
  let old = settings
  // Keys come one by one, so that Ctrl-C cannot end the process before the terminal shows again what is typed.
  settings.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
  guard unsafe tcsetattr(terminal, TCSADRAIN, &settings) == 0 else {
    throw ToolFailure("the terminal does not hide what is typed: use --key-file.")
  }
  defer {
    var old = old
    _ = unsafe tcsetattr(terminal, TCSADRAIN, &old)
  }
  let output = Output(isInput ? 2 : terminal)
  output.buffer.append(contentsOf: prompt.visible.utf8)
  try output.flush()
  defer {
    output.buffer.append(UInt8(ascii: "\n"))
    try? output.flush()
  }
  return String(decoding: try readSecretBytes(terminal), as: UTF8.self)
}

/// The bytes of a line, without what was erased.
private func readSecretBytes(_ terminal: Int32) throws(ToolFailure) -> [UInt8] {
  var bytes: [UInt8] = []
  while bytes.count < secretBytesMax {
    var byte: UInt8 = 0
    let count = unsafe read(terminal, &byte, 1)
    if count < 0, errno == EINTR { continue }
    switch byte {
    case _ where count <= 0, 0x03, 0x04: throw ToolFailure("no key was typed.")
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return bytes
    case 0x08, 0x7F: _ = bytes.popLast()
    default: bytes.append(byte)
    }
  }
  throw ToolFailure("the key is too long.")
}
