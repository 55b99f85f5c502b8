internal import RoostEngine

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A query as text, for objects of a table or for groups.
///
/// ```swift
/// let adults: DynamicQuery = "Person where age >= 18 && owner.city == \(city) sort name limit 20"
/// let moods: DynamicQuery = "Person group mood select count, max(age) sort count desc"
/// ```
///
/// Interpolated values are constants of the query, whatever characters they have; `\(name: …)` is the name of a
/// table or a field. For text from elsewhere, use ``init(_:)``. The article “Queries” describes the language.
public struct DynamicQuery: Hashable, Sendable {
  /// The query's text.
  public let text: String

  /// A query from text, which is parsed when the query runs.
  public init(_ text: String) { self.text = text }

  /// All objects of a table, in storage order.
  public static func all(_ table: String) -> DynamicQuery { "\(name: table)" }
}

extension DynamicQuery: ExpressibleByStringInterpolation {
  /// The query of a literal.
  public init(stringLiteral text: String) { self.text = text }

  /// The query of a literal with interpolated constants and names.
  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Interpolates constants and names into a query's text.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// An empty text.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity)
    }

    /// Adds the literal's own text.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Adds the name of a table or a field, in backquotes.
    public mutating func appendInterpolation(name: String) {
      // Compares bytes, because a backquote with a combining mark is another character.
      var bytes = [UInt8(ascii: "`")]
      for byte in name.utf8 {
        if byte == UInt8(ascii: "`") { bytes.append(byte) }
        bytes.append(byte)
      }
      text += String(decoding: bytes + [UInt8(ascii: "`")], as: UTF8.self)
    }

    /// Adds a constant; a list adds its elements in brackets, as `in` takes them. A dictionary or a record is not a
    /// constant: a text with one is not a valid query.
    public mutating func appendInterpolation(_ value: DynamicValue) { text += value.literal }

    /// Adds a text as a constant.
    public mutating func appendInterpolation(_ value: String) {
      appendInterpolation(DynamicValue.string(value))
    }

    /// Adds an integer.
    public mutating func appendInterpolation(_ value: Int) {
      appendInterpolation(DynamicValue.int(Int64(value)))
    }

    /// Adds a number.
    public mutating func appendInterpolation(_ value: Double) {
      appendInterpolation(DynamicValue.double(value))
    }

    /// Adds a truth value.
    public mutating func appendInterpolation(_ value: Bool) {
      appendInterpolation(DynamicValue.bool(value))
    }

    /// Adds a point in time.
    public mutating func appendInterpolation(_ value: Date) {
      appendInterpolation(DynamicValue.date(value))
    }

    /// Adds a UUID.
    public mutating func appendInterpolation(_ value: UUID) {
      appendInterpolation(DynamicValue.uuid(value))
    }
  }
}

extension DynamicValue {
  /// The value as a constant in a query's text, beside a field of its type.
  fileprivate var literal: String {
    switch self {
    case .list(let elements): "[" + elements.map(\.literal).joined(separator: ", ") + "]"
    case .dictionary, .record: "{}"
    case .null: "nil"
    case .bool(let holds): "\(holds)"
    case .int(let number): "\(number)"
    case .uint(let number): "\(number)"
    case .double(let number): number.isNaN ? "nan" : "\(number)"
    case .float(let number): number.isNaN ? "nan" : "\(number)"
    case .date(let date): Self.literal(.double(date.timeIntervalSinceReferenceDate), .date)
    case .string(let text), .json(let text): Self.literal(.bytes(Array(text.utf8)), .string)
    case .data(let data): Self.literal(.bytes(Array(data)), .data)
    case .uuid(let uuid): "\"\(uuid.uuidString)\""
    case .duration, .decimal: json.filter { $0 != "\"" }
    }
  }

  private static func literal(_ value: Value, _ type: FieldType) -> String {
    QueryPrinter(catalog: Catalog()).value(.constant(value), .elements([]), type)
  }
}
