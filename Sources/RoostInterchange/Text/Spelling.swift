/// Compares names by their letters and digits alone: `wind_speed`, `Wind speed` and `windSpeed` are spellings of one.
package enum Spelling {
  /// What all spellings of a name have in common.
  package static func letters(of name: String) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  /// Whether two names in UTF-8, of which some letters are in ASCII, are spellings of one.
  ///
  /// Compares letters beyond ASCII as they are, and allocates nothing: it is asked for each member of an object that is no
  /// field.
  static func isLike(_ name: [UInt8], _ other: [UInt8]) -> Bool {
    var (place, otherPlace) = (0, 0)
    var isEmpty = true
    while true {
      let letter = nextLetter(of: name, &place)
      guard letter == nextLetter(of: other, &otherPlace) else { return false }
      guard letter != nil else { return !isEmpty }
      isEmpty = false
    }
  }

  @inline(__always)
  private static func nextLetter(of name: [UInt8], _ place: inout Int) -> UInt8? {
    while place < name.count {
      let byte = name[place]
      place += 1
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): return byte | 0x20
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
        return byte
      default: continue
      }
    }
    return nil
  }
}
