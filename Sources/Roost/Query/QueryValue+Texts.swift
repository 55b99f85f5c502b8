internal import RoostEngine

/// A text, or an optional one: a type whose content a query can match.
public protocol TextStorable: Storable {}

extension String: TextStorable {}
extension Optional: TextStorable where Wrapped == String {}

/// Options of text matching: the differences to ignore.
///
/// Texts are folded according to The Unicode Standard, version ``unicodeVersion``, the same on every platform and for
/// every language: decomposed (NFD), so that different spellings of a character are equal; with full case folding, so that
/// `STRASSE` is `straße`; diacritics are the nonspacing marks, so that `é` is `e` but `ø` is not `o`.
///
/// Without any option, texts are compared as UTF-8 bytes, which is faster.
public struct TextOptions: OptionSet, Hashable, Sendable {
  /// The options as bits.
  public let rawValue: UInt8

  /// Options from their bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Upper case, lower case and title case are equal.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// Letters with and without diacritics are equal.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)

  /// The version of Unicode used for folding texts.
  public static var unicodeVersion: String { TextFolding.unicodeVersion }

  /// The engine's form.
  fileprivate var folding: TextFolding { TextFolding(rawValue: rawValue & 3) }
}

extension QueryValue where Value: TextStorable {
  /// Whether the text has no characters; false for nil.
  public var isEmpty: QueryCondition { .equal(handle, ""._constant, Value.self) }

  /// Whether the text contains `text`; false for nil.
  ///
  /// Without options, UTF-8 bytes are compared: a vector search, some 10 ms for a million names. With options, ASCII texts
  /// take little longer; any other text is folded first, some 0.2 µs for a word.
  public func contains(_ text: String, options: TextOptions = []) -> QueryCondition {
    options.isEmpty ? match(.contains, text) : match(.contains, text, options)
  }

  /// Whether the text begins with `prefix`; false for nil.
  ///
  /// Without options, UTF-8 bytes are compared, and an index on the property answers.
  public func hasPrefix(_ prefix: String, options: TextOptions = []) -> QueryCondition {
    options.isEmpty ? match(.prefix, prefix) : match(.prefix, prefix, options)
  }

  /// Whether the text ends with `suffix`; false for nil.
  public func hasSuffix(_ suffix: String, options: TextOptions = []) -> QueryCondition {
    options.isEmpty ? match(.suffix, suffix) : match(.suffix, suffix, options)
  }

  /// Whether the text equals `text` except for ignored differences; false for nil.
  public func equals(_ text: String, options: TextOptions) -> QueryCondition {
    match(.equal, text, options)
  }

  /// Whether the whole text matches `pattern`, in which `*` stands for any number of characters, `?` for one, and a
  /// backslash escapes these and itself; false for nil.
  ///
  /// A character is a Unicode scalar with the nonspacing marks after it; if case is ignored, of the folded
  /// text, in which `ß` is two.
  public func like(_ pattern: String, options: TextOptions = []) -> QueryCondition {
    match(.wildcards, pattern, options)
  }

  /// The text without ignored differences: to order or group by, or to compare with another.
  ///
  /// ```swift
  /// Person.all.order { $0.name.folded(.caseInsensitive) }
  /// ```
  public func folded(_ options: TextOptions) -> QueryValue {
    QueryValue(.folded(options.folding, term.asPart))
  }

  private func match(_ match: TextMatch, _ text: String) -> QueryCondition {
    QueryCondition(filter: .text(term, match, text))
  }

  private func match(
    _ form: TextPattern.Form, _ text: String, _ options: TextOptions
  ) -> QueryCondition {
    QueryCondition(
      filter: .matches(term, TextPattern(form, Array(text.utf8), folding: options.folding)))
  }
}
