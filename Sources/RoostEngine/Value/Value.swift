/// One cell of any physical type.
///
/// Used for constants of queries, defaults and tools; columns never store it. Equality is Swift's: a NaN
/// equals nothing and −0 equals 0.
package enum Value: Hashable, Sendable {
  case null
  case integer(Int64)
  case double(Double)
  case float(Float)
  case bytes([UInt8])
  /// The 16 bytes of a UUID as two big-endian halves, the high half first.
  case uuid(UInt64, UInt64)

  /// The physical type of the value; nil for null.
  package var type: PhysicalType? {
    switch self {
    case .null: nil
    case .integer: .integer
    case .double: .double
    case .float: .float
    case .bytes: .bytes
    case .uuid: .uuid
    }
  }
}

extension Value {
  /// Whether the value is a NaN, which equals nothing.
  var isNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .float(let number): number.isNaN
    default: false
    }
  }
}

extension Value: CustomStringConvertible {
  /// The value for display: texts unchanged, a UUID in its usual form.
  package var description: String {
    switch self {
    case .null: return "nil"
    case .integer(let value): return "\(value)"
    case .double(let value): return "\(value)"
    case .float(let value): return "\(value)"
    case .bytes(let bytes):
      return String(validating: bytes, as: UTF8.self) ?? "\(bytes.count) bytes"
    case .uuid(let high, let low):
      var text = ""
      for (place, byte) in [high, low].flatMap(Self.bytes).enumerated() {
        if [4, 6, 8, 10].contains(place) { text += "-" }
        text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
      return text
    }
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
