/// A fault in a text, and its position.
package struct TextFault: Equatable, Sendable {
  /// The line, from 1.
  package var line: Int
  /// The byte within the line, from 1.
  package var column: Int
  /// The model of the object that has the field; nil for the outermost.
  package var model: String?
  /// The path of the field; empty outside of any field.
  package var field: String
  /// The expected text.
  package var expected: String
  /// The text found.
  package var found: String

  package init(line: Int, column: Int, field: String = "", expected: String, found: String) {
    model = nil
    self.line = line
    self.column = column
    self.field = field
    self.expected = expected
    self.found = found
  }
}

/// Why a text cannot be read.
package indirect enum TextError: Error {
  /// The text itself.
  case malformed(TextFault)
  /// The text's source failed.
  case source(any Error)

  /// The same error, with the field's name before its path.
  func within(_ field: String) -> TextError {
    guard case .malformed(var fault) = self, fault.model == nil else { return self }
    let joint = fault.field.isEmpty || fault.field.hasPrefix("[") ? "" : "."
    fault.field = field + joint + fault.field
    return .malformed(fault)
  }

  /// The same error, in an object of a model, unless it is in one within that.
  func of(model: String) -> TextError {
    guard case .malformed(var fault) = self, fault.model == nil else { return self }
    fault.model = model
    return .malformed(fault)
  }
}
