extension String {
  /// The text with everything that a terminal would interpret rather than show, written like `\u001B`: control characters
  /// (below U+0020, U+007F to U+009F) and those that change the text direction (U+202A to U+202E, U+2066 to U+2069).
  ///
  /// For texts from a file that are shown to people. In a JSON string, such an escape denotes the same character.
  package var visible: String { visible(keepsLineFeeds: false) }

  /// The same, but may keep line feeds, for texts of several lines.
  package func visible(keepsLineFeeds: Bool) -> String {
    func isShown(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x0A: keepsLineFeeds
      case ..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: false
      default: true
      }
    }
    guard !unicodeScalars.allSatisfy(isShown) else { return self }
    var shown = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      guard !isShown(scalar) else {
        shown.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let padding = String(repeating: "0", count: 4 - digits.utf8.count)
      shown.append(contentsOf: "\\u\(padding)\(digits)".unicodeScalars)
    }
    return String(shown)
  }
}
