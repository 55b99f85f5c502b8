#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value as SQLite stores it: its own type, whatever the column declares.
public enum SQLiteValue: Hashable, Sendable {
  /// NULL.
  case null
  /// An integer.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A text.
  case text(String)
  /// The bytes of a text that is not valid UTF-8.
  case malformedText(Data)
  /// Bytes.
  case blob(Data)

  /// The value in words, for errors: what type it is, and the beginning of it.
  var words: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "the integer \(integer)"
    case .real(let real): "the real \(real)"
    case .text(let text):
      "the text \"\(text.prefix(Self.lengthMax))\(text.count > Self.lengthMax ? "…" : "")\""
    case .malformedText(let bytes):
      "a text that is not UTF-8, of \(bytes.count) bytes (\(Self.hexadecimal(bytes)))"
    case .blob(let bytes): "a blob of \(bytes.count) bytes (\(Self.hexadecimal(bytes)))"
    }
  }

  /// The value as part of a key in an error.
  var literal: String {
    switch self {
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): "\"\(text.prefix(Self.lengthMax))\""
    case .null: "NULL"
    case .malformedText, .blob: words
    }
  }

  /// The most characters that are shown of a text.
  private static let lengthMax = 40

  private static func hexadecimal(_ bytes: Data) -> String {
    let digits = Array("0123456789abcdef")
    var text = ""
    for byte in bytes.prefix(16) {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text + (bytes.count > 16 ? "…" : "")
  }
}

/// What a value is: its own type, and the value of a number.
enum SQLiteKind {
  case null
  case integer(Int64)
  case real(Double)
  case text
  case malformedText
  case blob

  /// Whether it is of bytes.
  var isBytes: Bool {
    switch self {
    case .text, .malformedText, .blob: true
    case .null, .integer, .real: false
    }
  }
}

extension String {
  /// The text as a literal in Swift, for the lines that errors have to be pasted.
  var swiftLiteral: String {
    var literal = "\""
    for character in self {
      if character == "\"" || character == "\\" { literal.append("\\") }
      literal.append(character)
    }
    return literal + "\""
  }
}
