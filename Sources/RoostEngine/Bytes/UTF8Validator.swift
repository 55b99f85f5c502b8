/// Validates UTF-8 one piece at a time (Unicode 16.0, table 3-7).
package struct UTF8Validator {
  /// The number of bytes still missing from the current character.
  private var missing = 0
  /// The valid range of the next byte.
  private var next: ClosedRange<UInt8> = 0x80...0xBF

  /// No bytes yet.
  package init() {}

  /// Whether the pieces so far end with a complete character.
  package var isAtEnd: Bool { missing == 0 }

  /// Adds the next piece; false if the pieces so far are not the beginning of valid UTF-8.
  package mutating func add(_ bytes: ByteView) -> Bool {
    var place = 0
    while place < bytes.count {
      if missing == 0 {
        while place + 8 <= bytes.count, bytes.uint64(at: place) & 0x8080_8080_8080_8080 == 0 {
          place += 8
        }
        guard place < bytes.count else { break }
      }
      guard add(bytes.uint8(at: place)) else { return false }
      place += 1
    }
    return true
  }

  private mutating func add(_ byte: UInt8) -> Bool {
    guard missing == 0 else {
      guard next.contains(byte) else { return false }
      next = 0x80...0xBF
      missing -= 1
      return true
    }
    switch byte {
    case 0...0x7F: return true
    case 0xC2...0xDF: missing = 1
    case 0xE0...0xEF: missing = 2
    case 0xF0...0xF4: missing = 3
    default: return false
    }
    // The shortest form only, no surrogates, nothing above U+10FFFF.
    switch byte {
    case 0xE0: next = 0xA0...0xBF
    case 0xED: next = 0x80...0x9F
    case 0xF0: next = 0x90...0xBF
    case 0xF4: next = 0x80...0x8F
    default: break
    }
    return true
  }
}

extension ByteView {
  /// Whether the bytes are UTF-8.
  package var isUTF8: Bool {
    var validator = UTF8Validator()
    return validator.add(self) && validator.isAtEnd
  }
}
