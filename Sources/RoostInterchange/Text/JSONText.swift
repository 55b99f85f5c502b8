package import RoostEngine

/// JSON, written straight into bytes.
extension [UInt8] {
  /// Adds ASCII text as it is.
  package mutating func add(_ text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds a string with its quotation marks.
  package mutating func addString(_ text: String) {
    var text = text
    text.withUTF8 { unsafe addString(valid: UnsafeRawBufferPointer($0)) }
  }

  /// Adds a string, given as UTF-8; replaces invalid UTF-8 with U+FFFD.
  package mutating func addString(_ text: ByteView) {
    unsafe text.withUnsafeBytes { bytes in
      if unsafe bytes.allSatisfy({ $0 < 0x80 })
        || String(validating: bytes, as: UTF8.self) != nil
      {
        return unsafe addString(valid: bytes)
      }
      unsafe addString(String(decoding: bytes, as: UTF8.self))
    }
  }

  private mutating func addString(valid bytes: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    var start = 0
    for place in 0..<bytes.count {
      let byte = unsafe bytes[place]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        continue
      }
      unsafe append(contentsOf: bytes[start..<place])
      addEscape(byte)
      start = place + 1
    }
    unsafe append(contentsOf: bytes[start...])
    append(UInt8(ascii: "\""))
  }

  private mutating func addEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): add("\\\"")
    case UInt8(ascii: "\\"): add("\\\\")
    case UInt8(ascii: "\n"): add("\\n")
    case UInt8(ascii: "\r"): add("\\r")
    case UInt8(ascii: "\t"): add("\\t")
    default:
      add("\\u00")
      addHex(byte)
    }
  }

  /// Adds an integer.
  package mutating func addNumber(_ number: some FixedWidthInteger) {
    var rest = UInt64(number.magnitude)
    if number < 0 { append(UInt8(ascii: "-")) }
    let start = count
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    } while rest > 0
    self[start...].reverse()
  }

  /// Adds a stored integer.
  package mutating func addInteger(_ stored: Int64, _ type: FieldType) {
    switch type {
    case .bool: if stored != 0 { add("true") } else { add("false") }
    case .uint: addNumber(UInt64(bitPattern: stored) ^ FieldType.signBit)
    default: addNumber(stored)
    }
  }

  /// Adds a number in its shortest decimal form; non-finite numbers become strings.
  package mutating func addNumber(_ number: some BinaryFloatingPoint & LosslessStringConvertible) {
    let text = number.description
    guard !number.isFinite else { return append(contentsOf: text.utf8) }
    append(UInt8(ascii: "\""))
    append(contentsOf: text.utf8)
    append(UInt8(ascii: "\""))
  }

  /// Adds a UUID as text, given as two halves, in upper case as Swift writes it.
  package mutating func addUUID(_ high: UInt64, _ low: UInt64) {
    append(UInt8(ascii: "\""))
    for place in 0..<16 {
      if place == 4 || place == 6 || place == 8 || place == 10 { append(UInt8(ascii: "-")) }
      let half = place < 8 ? high : low
      addHex(UInt8(truncatingIfNeeded: half >> UInt64(56 - place % 8 * 8)))
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func addHex(_ byte: UInt8) {
    append(Self.hex[Int(byte >> 4)])
    append(Self.hex[Int(byte & 15)])
  }

  private static let hex = Array("0123456789ABCDEF".utf8)
}
