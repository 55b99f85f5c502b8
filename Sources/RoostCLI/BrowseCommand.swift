#if Tool
import ArgumentParser
import RoostBrowse
import RoostDynamic

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// `roost browse`: a page to look into a file.
struct BrowseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Shows a file on a page in your browser.",
    discussion: """
      Prints the address of a page that this machine alone can open, and answers it until Ctrl-C is pressed, or the terminal is closed. \
      Whoever has the address can read the file, and with --write change it; a new one is made each time. No other process may have \
      the file open.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Flag(help: "Lets the page change, add and delete objects.")
  var write = false

  func run() throws {
    unblockSignals()
    let store = try working(on: file) { try DynamicStore(file, access: write ? .write : .read) }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let session = BrowseSession(store, name: name, isWritable: write)
    let (path, isWritable) = (file.visible, write)
    Task.detached {
      do {
        try await BrowseServer(session).run { address in
          complain("\(path), \(isWritable ? "to read and write" : "only read"); Ctrl-C ends it.")
          let output = Output()
          try? output.line(address)
          try? output.flush()
        }
      } catch {
        complain("roost: the page cannot be served: \("\(error)".visible)")
        endProcess(.failed)
      }
    }
    waitForEndOfInput()
  }

  /// Takes the signals of a terminal that ends, also where the program that started the tool has blocked them.
  private func unblockSignals() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGHUP, SIGTERM] { unsafe sigaddset(&signals, signal) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Returns when the standard input is closed: its terminal was closed, or the other end of its pipe.
  ///
  /// Nothing is read, so that a shell's other programs keep the terminal's input.
  private func waitForEndOfInput() {
    var input = pollfd(fd: 0, events: 0, revents: 0)
    while true {
      guard unsafe poll(&input, 1, -1) > 0 else { continue }
      if Int32(input.revents) & (POLLHUP | POLLERR) != 0 { return }
      // There is no input to be closed.
      while true { pause() }
    }
  }
}

/// Ends the program from another thread than the command's.
private func endProcess(_ code: ToolFailure.Code) -> Never { exit(code.rawValue) }
#endif
