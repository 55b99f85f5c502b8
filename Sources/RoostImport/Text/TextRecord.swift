/// A record of a text file: an object in JSON, or a line of CSV.
public struct TextRecord {
  /// The values of a record.
  enum Content {
    case members([String: TextValue])
    case fields(CSVHeader, [TextValue])
  }

  /// The class that the record is of.
  public let className: String
  /// The line of the file where the record begins, from 1.
  public let line: Int
  let path: String
  /// Where the record is in that of the file: `address.`; empty for that itself.
  let prefix: String
  let content: Content
  let reader: TextReader

  /// The names of the record's values: of members in alphabetical order, of columns in that of the file.
  public var columns: [String] {
    switch content {
    case .members(let members): members.keys.sorted()
    case .fields(let header, _): header.names
    }
  }

  /// A value as the Swift type that the place asks for: `let name: String? = try record["name"]`.
  ///
  /// A number becomes the Swift type of numbers that is asked for, if it has this value; `Double` and `Float` are the nearest.
  /// Fields of CSV, which have no types, become any type. Otherwise, types are not converted: `"5"` in JSON is no `Int`.
  ///
  /// A member that JSON lacks is nil. It is an error if no record of its class has it, as its name may be wrong then.
  ///
  /// - Throws: If CSV has no such column, or the type cannot hold the value, null included.
  public subscript<Value: TextDecodable>(column: String) -> Value {
    get throws(TextRecordError) { try decoded(try value(column), column) }
  }

  /// A value as the Swift type that the place asks for; nil for null, and where there is no such member or column.
  ///
  /// - Throws: If the type cannot hold the value.
  public subscript<Value: TextDecodable>(ifPresent column: String) -> Value? {
    get throws(TextRecordError) {
      guard let stored = stored(column), stored != .null else { return nil }
      return try decoded(stored, column) as Value?
    }
  }

  /// A value as the file has it.
  ///
  /// - Throws: If CSV has no such column.
  public func value(_ column: String) throws(TextRecordError) -> TextValue {
    let stored = stored(column)
    if prefix.isEmpty { reader.use(of: className).note(column, isThere: stored != nil) }
    if let stored { return stored }
    guard case .members = content else {
      throw .unknownColumn(className: className, column: column, columns: columns)
    }
    return .null
  }

  private func stored(_ column: String) -> TextValue? {
    switch content {
    case .members(let members): members[column]
    case .fields(let header, let fields):
      header.place(of: column).flatMap { $0 < fields.count ? fields[$0] : nil }
    }
  }

  /// A date that does not say by itself how it is written: `try record.date("born", as: .secondsSince1970)`.
  ///
  /// - Returns: A `Date` or a `RealmValue.Timestamp`, also optional.
  /// - Throws: If the value does not have this form.
  public func date<Result: TextDecodable>(
    _ column: String, as form: TextDateForm
  ) throws(TextRecordError) -> Result {
    let stored = try value(column)
    guard !stored.isMissing else { return try decoded(stored, column) }
    guard let reading = TextTime.timestamp(stored, form) else {
      throw mismatch(column, stored, asked: "a date of the form .\(form.rawValue)")
    }
    if reading.isRounded { reader.countRounding(className, prefix + column) }
    return try decoded(.date(reading.time), column)
  }

  /// The object within a member, such as an embedded one; nil for null.
  ///
  /// - Throws: If the value is no object.
  public func object(_ column: String) throws(TextRecordError) -> TextRecord? {
    let stored = try value(column)
    return try stored.isMissing ? nil : object(stored, column)
  }

  /// The objects within a member that is an array; none for null.
  ///
  /// - Throws: If the value is no array of objects.
  public func objects(_ column: String) throws(TextRecordError) -> [TextRecord] {
    var objects: [TextRecord] = []
    for element in try list(column) { objects.append(try object(element, column)) }
    return objects
  }

  /// The elements of an array; none for null.
  func list(_ column: String) throws(TextRecordError) -> [TextValue] {
    let stored = try value(column)
    if stored.isMissing { return [] }
    guard case .list(let elements)? = stored.structure else {
      throw mismatch(column, stored, asked: "an array")
    }
    return elements
  }

  private func object(_ value: TextValue, _ column: String) throws(TextRecordError) -> TextRecord {
    guard case .object(let members)? = value.structure else {
      throw mismatch(column, value, asked: "an object")
    }
    return TextRecord(
      className: className, line: line, path: path, prefix: prefix + column + ".",
      content: .members(members), reader: reader)
  }

  func decoded<Value: TextDecodable>(
    _ stored: TextValue, _ column: String
  ) throws(TextRecordError) -> Value {
    switch Value.decode(text: stored) {
    case .exact(let value): return value
    case .rounded(let value):
      reader.countRounding(className, prefix + column)
      return value
    case .mismatch: throw mismatch(column, stored, asked: Self.words(Value.self))
    }
  }

  func mismatch(_ column: String, _ found: TextValue, asked: String) -> TextRecordError {
    .mismatch(
      TextMismatch(
        path: path, className: className, line: line, column: prefix + column, found: found.words,
        asked: asked))
  }

  /// A type's name, as it is written.
  static func words<Value>(_ type: Value.Type) -> String {
    let name = "\(type)"
    let optional = "Optional<"
    guard name.hasPrefix(optional), name.hasSuffix(">") else { return name }
    return String(name.dropFirst(optional.count).dropLast()) + "?"
  }
}

/// The names of the columns of a CSV.
struct CSVHeader {
  let names: [String]
  private let places: [String: Int]

  /// - Parameter names: The names, which differ.
  init(_ names: [String]) {
    self.names = names
    var places: [String: Int] = [:]
    for (place, name) in names.enumerated() { places[name] = place }
    // `age:int` is also `age`, unless another column is.
    for (place, name) in names.enumerated() {
      guard let bare = Self.withoutType(name), places[bare] == nil else { continue }
      places[bare] = place
    }
    self.places = places
  }

  func place(of name: String) -> Int? { places[name] }

  /// The name before a type; nil where there is none.
  private static func withoutType(_ name: String) -> String? {
    guard let colon = name.lastIndex(of: ":") else { return nil }
    let type = name[name.index(after: colon)...].lowercased().filter { $0 != "?" }
    return types.contains(type) ? String(name[..<colon]) : nil
  }

  private static let types: Set<String> = [
    "bool", "boolean", "int", "integer", "long", "float", "double", "number", "string", "text",
    "data", "binary", "date", "datetime", "timestamp", "decimal", "decimal128", "objectid", "uuid",
    "json",
  ]
}
