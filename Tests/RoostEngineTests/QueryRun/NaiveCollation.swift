import RoostEngine

/// An order of texts as in Swedish, nearly: å, ä and ö behind z, and neither cases nor other marks count.
enum NaiveCollation {
  static let swedish = TextCollation("sv") { first, second in
    place(first).lexicographicallyPrecedes(place(second))
  }

  /// What sorts, as bytes, where the text does.
  static func place(_ text: String) -> [UInt8] {
    let letters = NaiveFolding.folded(.caseInsensitive, Array(text.utf8))
    var place: [UInt8] = []
    for scalar in String(decoding: letters, as: UTF8.self).unicodeScalars {
      switch (place.last, scalar) {
      case (UInt8(ascii: "a"), "\u{30A}"): place[place.count - 1] = 0xFD
      case (UInt8(ascii: "a"), "\u{308}"): place[place.count - 1] = 0xFE
      case (UInt8(ascii: "o"), "\u{308}"): place[place.count - 1] = 0xFF
      case (_, "\u{300}"..."\u{36F}"): break
      default: place += UTF8.encode(scalar) ?? .init()
      }
    }
    return place
  }

  /// The same of a text in a field.
  static func place(_ value: Value) -> Value {
    guard case .bytes(let bytes) = value else { return value }
    return .bytes(place(String(decoding: bytes, as: UTF8.self)))
  }
}
