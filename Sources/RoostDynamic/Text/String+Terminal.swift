internal import RoostEngine

extension String {
  /// The text with all characters that would control a terminal written as `\u001B` is: control characters
  /// (below U+0020, U+007F to U+009F) and those that change the direction of text (U+202A to U+202E, U+2066 to U+2069).
  ///
  /// For names and texts from a file, shown to people. Within a JSON string, the escape denotes the same character.
  /// - Parameter keepsLineFeeds: Whether line feeds stay, for texts of several lines.
  public func escapedForTerminal(keepsLineFeeds: Bool = false) -> String {
    visible(keepsLineFeeds: keepsLineFeeds)
  }
}
