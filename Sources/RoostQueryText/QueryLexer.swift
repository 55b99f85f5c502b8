internal import RoostEngine
internal import RoostInterchange

/// A token of a query's text.
struct QueryToken: Equatable {
  enum Kind: Equatable {
    /// A word without quotation marks: a name, or a keyword where the grammar expects a keyword.
    case word(String)
    /// A name in backquotes, which is never a keyword.
    case name(String)
    /// A field or a value by number: `$3`.
    case place(UInt32)
    /// An object of a subquery: `$task`.
    case variable(String)
    /// Digits as written, with an optional fraction or exponent.
    case number(String)
    case string([UInt8])
    /// Bytes as Base64: `b"AAE="`.
    case bytes([UInt8])
    /// An operator or a bracket.
    case sign(String)
    case end
  }

  let kind: Kind
  let offset: Int
}

/// Splits a query's text into tokens.
struct QueryLexer {
  private let text: [UInt8]
  private var place = 0

  init(_ text: String) { self.text = Array(text.utf8) }

  /// Signs; a sign comes before its own prefixes.
  private static let signs = [
    "...", "==", "!=", "<=", ">=", "<>", "=<", "=>", "&&", "||", "??", "<", ">", "=", "!", "+", "-",
    "*", "/", "%", "@", "(", ")", "[", "]", "{", "}", ",", ".",
  ].map { (text: $0, bytes: Array($0.utf8)) }

  /// All tokens, followed by an end token.
  static func tokens(_ text: String) throws(QueryTextError) -> [QueryToken] {
    var lexer = QueryLexer(text)
    var tokens: [QueryToken] = []
    while true {
      let token = try lexer.next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private mutating func next() throws(QueryTextError) -> QueryToken {
    while let byte = peek(), byte == 32 || (9...13).contains(byte) { place += 1 }
    let start = place
    return QueryToken(kind: try kind(), offset: start)
  }

  private mutating func kind() throws(QueryTextError) -> QueryToken.Kind {
    guard let byte = peek() else { return .end }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try quoted(by: byte))
    case UInt8(ascii: "`"): return .name(try backquoted())
    case UInt8(ascii: "$"):
      place += 1
      guard let first = peek(), QueryWord.isPart(first) else {
        throw error("A number or a name follows $.")
      }
      guard QueryWord.isDigit(first) else { return .variable(take(QueryWord.isPart)) }
      guard let number = UInt32(take(QueryWord.isDigit)) else {
        throw error("A number of 32 bits follows $.")
      }
      return .place(number)
    case UInt8(ascii: "b") where peek(1) == UInt8(ascii: "\""):
      let start = place
      place += 1
      guard let bytes = BinaryText.base64(try quoted(by: UInt8(ascii: "\""))[...]) else {
        throw QueryTextError(message: "Base64 follows b.", offset: start)
      }
      return .bytes(bytes)
    case 48...57: return .number(number())
    case _ where QueryWord.isPart(byte): return .word(take(QueryWord.isPart))
    default:
      for sign in Self.signs where text[place...].starts(with: sign.bytes) {
        place += sign.bytes.count
        return .sign(sign.text)
      }
      // The rest of a time, as 05:00, in a date without quotation marks.
      let isTime =
        byte == UInt8(ascii: ":") && place > 0 && QueryWord.isDigit(text[place - 1])
      throw error(
        "There is no sign \(sign) in a query"
          + (isTime
            ? ": a date is written in quotation marks, as in \(FieldType.dateExample)." : "."))
    }
  }

  /// The character at the place, for errors.
  private var sign: Character {
    String(decoding: text[place...].prefix(32), as: UTF8.self).first ?? " "
  }

  private func peek(_ ahead: Int = 0) -> UInt8? {
    place + ahead < text.count ? text[place + ahead] : nil
  }

  private mutating func take(_ isWanted: (UInt8) -> Bool) -> String {
    let start = place
    while let byte = peek(), isWanted(byte) { place += 1 }
    return String(decoding: text[start..<place], as: UTF8.self)
  }

  private mutating func number() -> String {
    var written = take(QueryWord.isDigit)
    // A dot without a digit after it belongs to a range or a member.
    if peek() == UInt8(ascii: "."), let digit = peek(1), QueryWord.isDigit(digit) {
      place += 1
      written += "." + take(QueryWord.isDigit)
    }
    guard let byte = peek(), byte | 32 == UInt8(ascii: "e") else { return written }
    let hasSign = peek(1) == UInt8(ascii: "-") || peek(1) == UInt8(ascii: "+")
    guard let digit = peek(hasSign ? 2 : 1), QueryWord.isDigit(digit) else { return written }
    written += hasSign && peek(1) == UInt8(ascii: "-") ? "e-" : "e"
    place += hasSign ? 2 : 1
    return written + take(QueryWord.isDigit)
  }

  private mutating func backquoted() throws(QueryTextError) -> String {
    place += 1
    var name: [UInt8] = []
    while let byte = peek() {
      place += 1
      if byte == UInt8(ascii: "`") {
        guard peek() == byte else { return String(decoding: name, as: UTF8.self) }
        place += 1
      }
      name.append(byte)
    }
    throw error("The name has no second backquote.")
  }

  private mutating func quoted(by mark: UInt8) throws(QueryTextError) -> [UInt8] {
    place += 1
    var bytes: [UInt8] = []
    while let byte = peek() {
      place += 1
      switch byte {
      case mark: return bytes
      case UInt8(ascii: "\\"): bytes += try escaped()
      default: bytes.append(byte)
      }
    }
    throw error("The text has no second quotation mark.")
  }

  private mutating func escaped() throws(QueryTextError) -> [UInt8] {
    guard let byte = peek() else { throw error("Something follows a backslash.") }
    place += 1
    switch byte {
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "0"): return [0]
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): return [byte]
    case UInt8(ascii: "u") where peek() == UInt8(ascii: "{"):
      place += 1
      let digits = take { QueryWord.isDigit($0) || (97...102).contains($0 | 32) }
      guard peek() == UInt8(ascii: "}"), digits.count <= 6,
        let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
      else { throw error(#"A code point is \u{…}, with up to six hexadecimal digits."#) }
      place += 1
      return Array(String(scalar).utf8)
    default: throw error(#"After a backslash come n, r, t, 0, ", ', \ or u{…}."#)
    }
  }

  private func error(_ message: String) -> QueryTextError {
    QueryTextError(message: message, offset: min(place, text.count))
  }
}
