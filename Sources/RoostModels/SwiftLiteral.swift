internal import Roost

extension String {
  /// The text as a literal in Swift, without a character that controls a terminal.
  var swiftLiteral: String {
    var literal = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case _ where Self.isHidden(scalar):
        literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// Whether a scalar controls a terminal, or turns the text around.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

/// Lines of Swift.
struct SwiftText {
  private(set) var text = ""
  private var depth = 0
  /// The length that lines have at most, where they can be broken.
  private static let columnsMax = 100

  /// Adds a line; an empty text is an empty line.
  mutating func line(_ line: String = "") {
    if !line.isEmpty { text += String(repeating: "  ", count: depth) + line }
    text += "\n"
  }

  /// Adds lines that are indented.
  mutating func indented(_ body: (inout SwiftText) -> Void) {
    depth += 1
    body(&self)
    depth -= 1
  }

  /// Adds lines between braces.
  mutating func block(_ head: String, _ body: (inout SwiftText) -> Void) {
    line(head + " {")
    indented(body)
    line("}")
  }

  /// Adds a call, with each argument on a line of its own.
  mutating func call(_ head: String, _ arguments: [String], end: String = "") {
    line(head + "(")
    indented { text in
      for (place, argument) in arguments.enumerated() {
        text.line(argument + (place < arguments.count - 1 ? "," : ")" + end))
      }
    }
  }

  /// Adds a call on one line, or with as many arguments on a line as fit.
  ///
  /// - Parameter end: What follows; the beginning of a closure stands on a line of its own behind several others.
  mutating func filledCall(_ head: String, _ arguments: [String], end: String = "") {
    let whole = head + "(" + arguments.joined(separator: ", ") + ")" + end
    if whole.count + 2 * depth <= Self.columnsMax { return line(whole) }
    line(head + "(")
    indented { text in
      var current = ""
      for (place, argument) in arguments.enumerated() {
        let last = end.hasSuffix("{") ? "" : ")" + end
        let next = argument + (place < arguments.count - 1 ? "," : last)
        if current.isEmpty {
          current = next
        } else if current.count + 1 + next.count + 2 * text.depth <= Self.columnsMax {
          current += " " + next
        } else {
          text.line(current)
          current = next
        }
      }
      text.line(current)
    }
    if end.hasSuffix("{") { line(")" + end) }
  }

  /// Adds a comment of one line; line breaks become spaces.
  mutating func comment(_ comment: String, _ sign: String = "///") {
    line(sign + " " + comment.split(whereSeparator: \.isNewline).joined(separator: " "))
  }
}
