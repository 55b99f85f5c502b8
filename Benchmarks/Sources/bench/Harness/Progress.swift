import Foundation

/// Says on standard error what is going on: on a terminal in one line that changes, elsewhere a line per workload.
final class Progress {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var total = 0
  private var done = 0
  private var lastTitle = ""

  /// So many workloads come now.
  func begin(_ total: Int) {
    self.total = total
    done = 0
  }

  func show(_ title: String, _ subject: Subject, _ round: Int, of rounds: Int) {
    let isNew = title != lastTitle
    lastTitle = title
    if isNew { done += 1 }
    if isTerminal {
      write(
        "\r\u{1B}[K[\(done)/\(total)] \(title): \(subject.rawValue), round \(round + 1) of \(rounds)"
      )
    } else if isNew {
      write("[\(done)/\(total)] \(title)\n")
    }
  }

  /// Says something that takes a while and is no workload.
  func say(_ text: String) {
    write(isTerminal ? "\r\u{1B}[K\(text)" : "\(text)\n")
  }

  /// Makes room for other output.
  func clear() {
    if isTerminal { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
