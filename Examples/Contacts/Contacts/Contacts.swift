import ContactBook
import Foundation

/// A list of contacts in the terminal that follows its store while another task inserts, changes and deletes.
@main
struct Contacts {
  private static let usage = """
    usage: Contacts [--changes N] [--pause MILLISECONDS]
      --changes N            so many writes are made; 60 by default
      --pause MILLISECONDS   between two of them; 200 by default

    """

  static func main() async throws {
    var (changes, pause) = (60, 200)
    var arguments = CommandLine.arguments.dropFirst()
    while let option = arguments.popFirst() {
      guard let number = arguments.popFirst().flatMap({ Int($0) }), number >= 0 else { fail() }
      switch option {
      case "--changes": changes = number
      case "--pause": pause = number
      default: fail()
      }
    }
    let book = try ContactBook(count: 12)
    let isTerminal = isatty(STDOUT_FILENO) == 1
    // What is on the screen when the last write was shown is what is in the store.
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [changes, pause] in
        var random = SystemRandomNumberGenerator()
        try await book.change(times: changes, waiting: .milliseconds(pause), using: &random)
      }
      let (states, state) = AsyncStream.makeStream(of: ContactList.self)
      group.addTask {
        defer { state.finish() }
        try await ContactList.follow(book) { list, words in
          print(isTerminal ? drawing(of: list, words) : words)
          state.yield(list)
        }
      }
      try await group.next()
      let expected = try book.list()
      var isShown = false
      for await list in states where list.sections == expected {
        isShown = true
        break
      }
      group.cancelAll()
      guard isShown else {
        try await group.waitForAll()
        fatalError("The list ended, and did not show what is in the store.")
      }
      let count = expected.reduce(0) { $0 + $1.rows.count }
      print("\(expected.count) sections, \(count) contacts: as in the store")
    }
  }

  /// The list, on an empty screen.
  private static func drawing(of list: ContactList, _ words: String) -> String {
    var text = "\u{1B}[2J\u{1B}[H"
    for section in list.sections {
      text += "\u{1B}[1m\(section.letter)\u{1B}[0m\n"
      for row in section.rows { text += "  \(row)\n" }
    }
    return text + "\n\(words)"
  }

  private static func fail() -> Never {
    FileHandle.standardError.write(Data(usage.utf8))
    exit(2)
  }
}
