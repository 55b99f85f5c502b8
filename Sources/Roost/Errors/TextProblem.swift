internal import RoostEngine

/// A mistake in a text that objects were read from, and its place.
public struct TextProblem: Equatable, Sendable {
  /// The path of the file, or another name of the text; nil if it has no name.
  public let source: String?
  /// The line, from 1; 0 if the values came from no text.
  public let line: Int
  /// The byte within the line, from 1; for a whole object, the byte at which it begins.
  public let column: Int
  /// The model whose objects were read.
  public let model: String
  /// The path to the field, such as `address.city` or `tags[3]`; empty if it is in no field.
  public let field: String
  /// The expected text.
  public let expected: String
  /// The text that was found.
  public let found: String
  /// Mistakes in other objects of the same text, in its order; at most 19, however many there are.
  public package(set) var others: [TextProblem] = []
  /// How many objects of the text have a mistake, with this one.
  ///
  /// After a mistake in the grammar, such as a missing bracket, the rest of the text is not read.
  public package(set) var count = 1

  package init(
    source: String?, line: Int, column: Int, model: String, field: String, expected: String,
    found: String
  ) {
    self.source = source
    self.line = line
    self.column = column
    self.model = model
    self.field = field
    self.expected = expected
    self.found = found
  }
}

extension TextProblem: CustomStringConvertible {
  /// The place, the expected text and the text found; a line for each mistake if there are several.
  public var description: String { text(isEscaped: false) }

  /// The description, with the control characters of each line escaped or not.
  @inline(never)
  func text(isEscaped: Bool) -> String {
    var text = words
    if count == 1 { text += ". Correct it and read it again." }
    if isEscaped { text = text.visible }
    guard count > 1 else { return text }
    for other in others {
      let words = other.words
      text += "\n"
      text += isEscaped ? words.visible : words
    }
    let untold = count - others.count - 1
    if untold > 0 { text += "\nand \(untold) more" }
    return "There are \(count) mistakes. Correct them and read the text again:\n" + text
  }

  private var words: String {
    var place = source ?? "The text"
    if line > 0 { place += ", line \(line), column \(column)" }
    let owner = field.isEmpty ? model : "\(model).\(field)"
    return "\(place): \(owner) needs \(expected), but there is \(found.isEmpty ? "\"\"" : found)"
  }
}
