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
  /// The place, the expected text and the text found.
  public var description: String {
    var place = source ?? "The text"
    if line > 0 { place += ", line \(line), column \(column)" }
    let owner = field.isEmpty ? model : "\(model).\(field)"
    return
      "\(place): \(owner) needs \(expected), but there is \(found). Correct it and read it again."
  }
}
