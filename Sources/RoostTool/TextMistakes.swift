internal import RoostDynamic

/// The mistakes in a text, with their places: the first ones in words, and how many there are.
struct TextMistakes {
  /// A place in a text: the line and the byte in it, from 1.
  typealias Place = (line: Int, column: Int)

  /// The most mistakes that are listed.
  static let listedMax = 20

  private var lines: [String] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Adds a mistake.
  mutating func add(_ place: Place, _ words: String) {
    count += 1
    guard lines.count < Self.listedMax else { return }
    lines.append("line \(place.line), column \(place.column): \(words)".escapedForTerminal())
  }

  /// The error for all of them: one line for one, else a line for each of the first.
  var error: ExportError {
    if count == 1, let line = lines.first { return ExportError(line) }
    let rest = count > lines.count ? ["and \(count - lines.count) more"] : []
    return ExportError(
      (["\(count) mistakes, and nothing was changed"] + (lines + rest).map { "  " + $0 })
        .joined(separator: "\n"))
  }
}
