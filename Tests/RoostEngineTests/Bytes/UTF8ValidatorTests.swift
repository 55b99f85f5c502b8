import RoostEngine
import RoostTestSupport
import Testing

/// Which bytes are text.
@Suite struct UTF8ValidatorTests {
  /// Whether bytes that come in pieces are text.
  private func isText(_ bytes: [UInt8], _ random: inout SeededGenerator) -> Bool {
    var validator = UTF8Validator()
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(Int.random(in: 1...rest.count, using: &random)))
      guard unsafe piece.withUnsafeBytes({ unsafe validator.add(ByteView($0)) }) else {
        return false
      }
      rest = rest.dropFirst(piece.count)
    }
    return validator.isAtEnd
  }

  @Test func agreesWithTheStandardLibraryInWhateverPiecesTheBytesCome() {
    var random = SeededGenerator(seed: 1)
    let scalars: [Unicode.Scalar] = [
      "a", "z", "\u{7F}", "\u{80}", "ß", "\u{7FF}", "\u{800}", "✓", "\u{D7FF}", "\u{E000}",
      "\u{FFFF}", "\u{10000}", "😀", "\u{10FFFF}",
    ]
    var valid = 0
    for _ in 0..<30_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        text.append(scalars[Int.random(in: 0..<scalars.count, using: &random)])
      }
      var bytes = Array(String(text).utf8)
      if random.chance(2, in: 3) {
        for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch random.next() % 3 {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.remove(at: place)
          default: bytes.removeSubrange(place...)
          }
        }
      }
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      valid += isValid ? 1 : 0
      #expect(isText(bytes, &random) == isValid, "\(bytes)")
    }
    #expect(valid > 10_000 && valid < 29_000)
  }
}
