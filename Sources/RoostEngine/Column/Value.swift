/// One cell of any physical type, as a value of its own.
///
/// For constants of queries, defaults and tools; columns never store it. Equality is Swift's: a NaN
/// equals nothing and −0 equals 0.
public enum Value: Hashable, Sendable {
  case null
  case integer(Int64)
  case double(Double)
  case float(Float)
  case bytes([UInt8])
  /// The 16 bytes of a UUID as two big-endian halves, the first one high.
  case uuid(UInt64, UInt64)

  /// The physical type of the value, nil for null.
  public var type: PhysicalType? {
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
