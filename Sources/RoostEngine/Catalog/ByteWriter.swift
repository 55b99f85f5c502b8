/// Writes the catalog's bytes.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ value: UInt8) { bytes.append(value) }

  mutating func append(_ value: UInt32) {
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
    }
  }

  mutating func append(_ value: UInt64) {
    append(UInt32(truncatingIfNeeded: value))
    append(UInt32(truncatingIfNeeded: value >> 32))
  }

  mutating func append(_ text: String) {
    let utf8 = Array(text.utf8)
    append(UInt32(utf8.count))
    bytes += utf8
  }

  mutating func append(_ value: Value) {
    switch value {
    case .null:
      append(UInt8(0))
    case .integer(let number):
      append(UInt8(1))
      append(UInt64(bitPattern: number))
    case .double(let number):
      append(UInt8(2))
      append(number.bitPattern)
    case .float(let number):
      append(UInt8(3))
      append(number.bitPattern)
    case .bytes(let content):
      append(UInt8(4))
      append(UInt32(content.count))
      bytes += content
    case .uuid(let high, let low):
      append(UInt8(5))
      append(high.byteSwapped)
      append(low.byteSwapped)
    }
  }
}

/// Reads the bytes of a ``ByteWriter``; throws if they are damaged.
struct ByteParser {
  private let bytes: [UInt8]
  private var position = 0

  static let damaged = EngineError.corrupt(Corruption(.catalog))

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func uint8() throws(EngineError) -> UInt8 {
    guard position < bytes.count else { throw Self.damaged }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func uint32() throws(EngineError) -> UInt32 {
    var value: UInt32 = 0
    for shift in stride(from: 0, to: 32, by: 8) { value |= UInt32(try uint8()) << UInt32(shift) }
    return value
  }

  mutating func uint64() throws(EngineError) -> UInt64 {
    let low = try uint32()
    return UInt64(low) | UInt64(try uint32()) << 32
  }

  private mutating func content(atMost limit: Int) throws(EngineError) -> [UInt8] {
    let count = Int(try uint32())
    guard count <= limit, count <= bytes.count - position else { throw Self.damaged }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  mutating func string() throws(EngineError) -> String {
    let utf8 = try content(atMost: Catalog.nameBytesMax)
    guard !utf8.isEmpty,
      let text = String(validating: utf8, as: UTF8.self)
    else { throw Self.damaged }
    return text
  }

  mutating func value() throws(EngineError) -> Value {
    switch try uint8() {
    case 0: return .null
    case 1: return .integer(Int64(bitPattern: try uint64()))
    case 2: return .double(Double(bitPattern: try uint64()))
    case 3: return .float(Float(bitPattern: try uint32()))
    case 4: return .bytes(try content(atMost: Catalog.defaultBytesMax))
    case 5:
      let high = try uint64().byteSwapped
      return .uuid(high, try uint64().byteSwapped)
    default: throw Self.damaged
    }
  }
}
