#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value of a record in a text file.
///
/// JSON names the types of its values, CSV does not: a ``field(_:)`` becomes what the mapping asks for. In JSON, values in the
/// notation of MongoDB's Extended JSON, such as `{"$numberLong": "5"}`, are what they stand for.
public indirect enum TextValue: Hashable, Sendable {
  /// No value: `null` in JSON.
  case null
  /// A field of CSV that is empty, or a word that means "no value": the word.
  case blank(String)
  /// A field of CSV.
  case field(String)
  /// `true` or `false`.
  case bool(Bool)
  /// A number, as it is written.
  case number(String)
  /// A text, also an ObjectId's digits.
  case string(String)
  /// Bytes: `{"$binary": …}`.
  case data(Data)
  /// A point in time: `{"$date": …}`.
  case date(RealmValue.Timestamp)
  /// A link to an object of a class, by its key: `{"$link": …}`.
  case link(className: String, key: TextValue)
  /// An array.
  case list([TextValue])
  /// An object.
  case object([String: TextValue])
}

extension TextValue {
  /// Whether it stands for no value.
  var isMissing: Bool {
    switch self {
    case .null, .blank: true
    default: false
    }
  }

  /// The value in words, for messages.
  var words: String {
    switch self {
    case .null: "null"
    case .blank: "nothing"
    case .field(let text), .string(let text): "\"\(Self.beginning(of: text))\""
    case .bool(let bool): "\(bool)"
    case .number(let number): Self.beginning(of: number)
    case .data(let data): "\(data.count) bytes"
    case .date: "a date"
    case .link(let className, _): "a link to \(Self.beginning(of: className))"
    case .list: "an array"
    case .object: "an object"
    }
  }

  private static func beginning(of text: String) -> String {
    let lengthMax = 60
    return text.count > lengthMax ? text.prefix(lengthMax) + "…" : text
  }
}
