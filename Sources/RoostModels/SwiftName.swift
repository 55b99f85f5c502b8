/// Names in Swift for names of a file.
enum SwiftName {
  /// Whether a text is an identifier, or a keyword, which backquotes make one.
  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, text != "_", isHead(first) else { return false }
    return text.unicodeScalars.allSatisfy { isHead($0) || isTail($0) }
  }

  /// The name of a type: the text itself if it can be one, else its words together.
  static func type(_ text: String, keepsIdentifiers: Bool) -> String {
    if keepsIdentifiers, isIdentifier(text), !unusableTypes.contains(text) { return text }
    var name = words(text).map(capitalized).joined()
    if name.isEmpty { name = "Unnamed" }
    if let first = name.unicodeScalars.first, !isHead(first) { name = "T" + name }
    return unusableTypes.contains(name) ? name + "Model" : name
  }

  /// The name of a property or of a case: the text itself if it can be one, else its words together, the first one in lower case.
  static func property(_ text: String, keepsIdentifiers: Bool) -> String {
    if keepsIdentifiers, isIdentifier(text) {
      return unusableProperties.contains(text) ? text + "_" : text
    }
    let words = words(text)
    var name = (words.prefix(1).map(lowered) + words.dropFirst().map(capitalized)).joined()
    if name.isEmpty { name = "unnamed" }
    if let first = name.unicodeScalars.first, !isHead(first) { name = "_" + name }
    return unusableProperties.contains(name) ? name + "_" : name
  }

  /// An identifier as it is declared: a keyword in backquotes.
  static func declared(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// An identifier as a label of an argument.
  static func label(_ name: String) -> String {
    ["inout", "var", "let"].contains(name) ? "`\(name)`" : name
  }

  /// The plural of the name of a type, as the name of a property.
  static func plural(_ name: String) -> String {
    let name = lowered(name)
    let vowels = "aeiou"
    if name.hasSuffix("y"), let before = name.dropLast().last, !vowels.contains(before) {
      return name.dropLast() + "ies"
    }
    let takesE = ["s", "x", "z", "ch", "sh"].contains { name.hasSuffix($0) }
    return name + (takesE ? "es" : "s")
  }

  /// A name with its first letter in upper case.
  static func capitalized(_ word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }

  /// A name that begins in lower case: `URLString` is `urlString`, `ID` is `id`.
  static func lowered(_ word: String) -> String {
    let capitals = word.prefix { $0.isUppercase }
    if capitals.count == word.count { return word.lowercased() }
    let begins = capitals.count > 1 ? capitals.dropLast() : capitals
    return begins.lowercased() + word.dropFirst(begins.count)
  }

  /// The parts of a text that are identifiers when they are put together; words are in one case.
  private static func words(_ text: String) -> [String] {
    let parts = text.unicodeScalars.split { scalar in
      scalar == "_" || !(isHead(scalar) || isTail(scalar))
    }
    return parts.map { part in
      let word = String(String.UnicodeScalarView(part))
      // A name in capitals, as of a constant.
      let isLoud = parts.count > 1 && word.count > 1 && word == word.uppercased()
      return isLoud ? word.lowercased() : word
    }
  }

  /// Names of types that Swift, or the protocol of models, has another meaning for, and modules, which must stay reachable.
  private static let unusableTypes: Set<String> = [
    "Self", "Any", "Type", "Protocol", "ID", "Swift", "Foundation", "Roost", "RoostImport",
    "RoostImportSQLite",
  ]

  /// Names of what each type or each model has; the schema's key paths cannot name a property that is called like it.
  private static let unusableProperties: Set<String> = [
    "self", "Self", "init", "Type", "Protocol", "hashValue", "subscript", "deinit", "schema",
    "indexes", "fields", "parts",
  ]

  private static let keywords: Set<String> = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// Whether an identifier may begin with a scalar (The Swift Programming Language, "Identifiers"). Those that nobody sees, or
  /// that turn the text around, are left out.
  private static func isHead(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x41...0x5A, 0x61...0x7A, 0x5F: true
    case 0x00...0x7F: false
    default: !isTailOnly(scalar) && headRanges.contains { $0.contains(scalar.value) }
    }
  }

  /// Whether a scalar may stand within an identifier, but not begin it.
  private static func isTail(_ scalar: Unicode.Scalar) -> Bool {
    (0x30...0x39).contains(scalar.value) || isTailOnly(scalar)
  }

  private static func isTailOnly(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }

  private static let headRanges: [ClosedRange<UInt32>] =
    [
      0xA8...0xA8, 0xAA...0xAA, 0xAF...0xAF, 0xB2...0xB5, 0xB7...0xBA, 0xBC...0xBE,
      0xC0...0xD6, 0xD8...0xF6, 0xF8...0xFF, 0x0100...0x02FF, 0x0370...0x167F, 0x1681...0x180D,
      0x180F...0x1DBF, 0x1E00...0x1FFF, 0x203F...0x2040, 0x2054...0x2054, 0x2070...0x20CF,
      0x2100...0x218F, 0x2460...0x24FF, 0x2776...0x2793, 0x2C00...0x2DFF, 0x2E80...0x2FFF,
      0x3004...0x3007, 0x3021...0x302F,
      0x3031...0x303F, 0x3040...0xD7FF, 0xF900...0xFD3D, 0xFD40...0xFDCF, 0xFDF0...0xFE1F,
      0xFE30...0xFE44, 0xFE47...0xFFFD,
    ] + (1...14).map { $0 << 16...($0 << 16 | 0xFFFD) }
}
