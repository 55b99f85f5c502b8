extension [UInt8] {
  /// Appends bytes as Base64 with padding (RFC 4648, section 4).
  package mutating func addBase64(_ bytes: ByteView) {
    append(UInt8(ascii: "\""))
    reserveCapacity(count + bytes.count / 3 * 4 + 6)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let length = Swift.min(3, bytes.count - start)
      var word: UInt32 = 0
      for place in 0..<3 {
        word = word << 8 | (place < length ? UInt32(bytes.uint8(at: start + place)) : 0)
      }
      for place in 0..<4 {
        guard place <= length else {
          append(UInt8(ascii: "="))
          continue
        }
        append(Self.base64[Int(word >> UInt32(18 - 6 * place) & 63)])
      }
    }
    append(UInt8(ascii: "\""))
  }

  private static let base64 = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
