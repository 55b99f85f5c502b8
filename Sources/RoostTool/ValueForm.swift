package import RoostDynamic
internal import RoostInterchange

extension DynamicType {
  /// How values of the type are written in texts, for errors.
  package var writtenForm: String {
    switch self {
    case .bool: "true or false"
    case .int: "a whole number of 64 bits"
    case .uint: "a whole number of 64 bits without a sign"
    case .double, .float: "a number"
    case .string: "a text"
    case .json: "a text of JSON"
    case .data, .blob: "Base64"
    case .date: "a date, such as 2013-01-31T05:00:00Z"
    case .uuid: "a UUID, such as E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    case .duration: "seconds with at most 18 decimals"
    case .decimal: "a decimal number of at most 38 digits"
    case .list, .set: "an array"
    case .links(let target): "an array of ids of \(target)"
    case .link(let target): "the id of an object of \(target)"
    case .dictionary: "an array of pairs, each a key and a value in brackets"
    case .compound(let parts), .record(let parts):
      "an object with \(parts.map(\.name).joined(separator: ", "))"
    }
  }
}

extension JSONValue {
  /// The most characters that are shown of a text.
  private static let lengthMax = 40

  /// The value in few words, for errors.
  var words: String {
    switch self {
    case .null: "null"
    case .bool(let holds): "\(holds)"
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .number(let number): "\(number)"
    case .string(let text): Self.words(text)
    case .array: "an array of another form"
    case .object: "an object of another form"
    }
  }

  /// A text in quotation marks, or its beginning.
  static func words(_ text: String) -> String {
    text.count > lengthMax ? "\"\(text.prefix(lengthMax))…\"" : "\"\(text)\""
  }
}
