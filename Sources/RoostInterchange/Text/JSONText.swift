package import RoostEngine

/// JSON, written straight into bytes.
extension [UInt8] {
  /// Adds ASCII text as it is.
  package mutating func add(_ text: StaticString) {
    append(ByteView(text))
  }

  /// Adds a string with its quotation marks.
  package mutating func addString(_ text: String) {
    text.withByteView { addString(valid: $0) }
  }

  /// Adds a string, given as UTF-8; replaces invalid UTF-8 with U+FFFD.
  package mutating func addString(_ text: ByteView) {
    if text.isUTF8 { addString(valid: text) } else { addString(text.string) }
  }

  private mutating func addString(valid bytes: ByteView) {
    append(UInt8(ascii: "\""))
    var start = 0
    for place in 0..<bytes.count {
      let byte = bytes.uint8(at: place)
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        continue
      }
      append(bytes.slice(start, place - start))
      addEscape(byte)
      start = place + 1
    }
    append(bytes.slice(start, bytes.count - start))
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
