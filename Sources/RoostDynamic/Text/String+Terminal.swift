internal import RoostEngine

extension String {
  /// The text with everything that a terminal would obey rather than show written as `\u001B` is: control characters
  /// (below U+0020, U+007F to U+009F) and those that change the direction of text (U+202A to U+202E, U+2066 to U+2069).
  ///
  /// For names and texts of a file that are shown to people. In JSON such a character within a string stays the same one.
  /// - Parameter keepsLineFeeds: Whether line feeds stay, for texts of several lines.
  public func escapedForTerminal(keepsLineFeeds: Bool = false) -> String {
    visible(keepsLineFeeds: keepsLineFeeds)
  }
}
