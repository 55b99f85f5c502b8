internal import Roost
internal import RoostEngine

/// A text format to read and write objects: JSON, lines of JSON, or CSV.
///
/// Each format reads its own output back without loss. An object is a JSON object whose members have the names of the schema's
/// fields; an ``/Roost/Embedded`` struct is a nested object, in CSV columns such as `address.city`. Fields are:
///
/// - numbers and bools as in JSON; `Int64`, `UInt64` and `Decimal` with all their digits. Non-finite numbers are the strings
///   `nan`, `inf` and `-inf`;
/// - `Date` in the form that ``dates`` selects; `Duration` as a number of seconds;
/// - `String`, `URL`, `UUID` and `Data` (Base64) as strings;
/// - enums and other types with a raw value, and ``/Roost/Converted`` types, in their stored form; ``/Roost/Link`` as its
///   target's id;
/// - a ``/Roost/CompoundKey`` as an object of its parts, in CSV as JSON; Base64 of it is read too;
/// - arrays and sets as arrays; dictionaries as objects, or as arrays of key-value pairs where the keys are optional,
///   collections or ``/Roost/Opaque``;
/// - ``/Roost/Opaque`` types as the JSON that their `Codable` code makes. In CSV, these and collections are JSON too;
/// - nil as `null`, in CSV as an empty field (`""` is the empty text). A missing member is nil, the field's default, or a
///   key that the store assigns.
///
/// The output of `JSONEncoder` for a `Codable` model can be read if it has these forms. With default options it has, with
/// ``DateForm/secondsSince2001`` for ``dates``, except for ``/Roost/Converted`` types and `Duration`, which it writes
/// differently, and non-finite numbers, which it refuses.
public struct TextFormat: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case json, lines, csv
  }

  let kind: Kind

  /// How dates are written, and what a number means where a date is expected. With ``DateForm/iso8601`` a number is an error,
  /// and so is a time without an offset.
  public var dates = DateForm.iso8601

  /// Whether a member or CSV column that matches no field is an error. Otherwise it is ignored.
  public var refusesUnknownFields = false

  /// Words in CSV that mean "no value", besides an empty field: `NA` for example.
  ///
  /// A field in quotation marks always has a value, and a text that may not be nil is taken as written.
  public var missingValues: [String] = []

  /// The names of fields that are called otherwise in the text: `["name": "full_name"]`.
  ///
  /// A part of a struct has its path, `address.city`, also within the elements of an array. In nested texts a name is that of
  /// the field in every model; `Author.name` is that of one model, and takes precedence. An inverse is named like a field. A
  /// CSV column that is read may serve several fields. A text is not read with a name that is of no field there, nor CSV
  /// without a column that is named here, nor a text that has a field's name in another spelling alone: `wind_speed` for
  /// `windSpeed`, or in CSV `city` for `address.city` of an optional struct, where all parts that it requires are called so. To
  /// leave such a member of JSON unread, give the field a name that the text lacks.
  public var names: [String: String] = [:]

  /// The character between the fields of CSV, such as `;` or a tab. ASCII, and none that values have: no letter, digit,
  /// quotation mark or line break, and none of `.`, `+`, `-` and `:`.
  public var separator: Character = ","

  /// The character between the elements of a list in a field of CSV that is read, `sweet|hot` for example, beside that of
  /// ``separator``; nil where lists are JSON alone. A field that begins with `[` is JSON in any case, and lists are written so.
  ///
  /// It is for arrays and sets of single values, and for ``/Roost/Links``. Spaces around an element are none of it, and
  /// an empty field is an empty list.
  public var listSeparator: Character?

  /// The member of the outermost object that has the objects, where JSON has more around them: `items` in
  /// `{"version": 2, "items": [{"id": 1}]}`. A path such as `data.items` leads further in. What stands beside it is passed by.
  public var member: String?

  /// Whether `null` in JSON counts as a missing member: then the field's default applies, and an object that is merged keeps
  /// its value. Otherwise `null` is nil, and an error for a field that is not optional.
  public var nullIsMissing = false

  /// The field that receives the CSV record number, from 1, where the records have no key of their own.
  public var numberedField: String?

  /// An array of objects; also reads a single object.
  public static var json: Self { Self(kind: .json) }

  /// One object per line.
  public static var ndjson: Self { Self(kind: .lines) }

  /// Records of fields as in RFC 4180; the first record names the columns.
  public static var csv: Self { Self(kind: .csv) }
}

/// How dates are written.
public enum DateForm: Hashable, Sendable {
  /// As ISO 8601 text: `2013-01-31T05:00:00Z`.
  ///
  /// Has as many decimals as are needed to read back the same date. Dates that this form cannot express, such as those outside
  /// the years 1 to 9999, are texts with the seconds since 2001: `1e20 s`. A number alone is an error: nothing says since when
  /// it counts.
  case iso8601
  /// As ``iso8601``, and a time without an offset is one in UTC: `2013-01-31 05:00:00`, as spreadsheets and SQLite write it.
  case textInUTC
  /// As the number of seconds since 1970. Fractions below a microsecond may be lost.
  case secondsSince1970
  /// As the number of milliseconds since 1970, as in JavaScript. Fractions below a microsecond may be lost.
  case millisecondsSince1970
  /// As the number of seconds since 2001, the value that a `Date` stores and the default of `JSONEncoder`.
  case secondsSince2001

  var engine: TimeForm {
    switch self {
    case .iso8601: .iso8601
    case .textInUTC: .textInUTC
    case .secondsSince1970: .secondsSince1970
    case .millisecondsSince1970: .millisecondsSince1970
    case .secondsSince2001: .secondsSince2001
    }
  }
}

extension TextFormat {
  /// The members that lead to the objects.
  var memberPath: [String] { member?.split(separator: ".").map(String.init) ?? [] }

  /// The objects of JSON, or of lines of it.
  func objects(_ scanner: TextScanner) throws(TextError) -> JSONObjects {
    try JSONObjects(scanner, isByLine: kind == .lines, in: memberPath)
  }

  var unknownFields: JSONReader.UnknownMembers { refusesUnknownFields ? .refused : .ignored }

  var jsonForm: JSONReader.Form {
    JSONReader.Form(
      times: dates.engine, unknownMembers: unknownFields, nullIsMissing: nullIsMissing)
  }

  func csvForm(of model: String) throws(StoreError) -> CSVRecordReader.Form {
    CSVRecordReader.Form(
      json: jsonForm, missing: missingValues, names: names(of: model), numbered: numberedField,
      separator: try Self.byte(of: separator, "separator"),
      listSeparator: try listSeparator.map { (separator) throws(StoreError) in
        try Self.byte(of: separator, "listSeparator")
      })
  }

  /// The names of a model's fields in the text.
  func names(of model: String) -> TextNames { TextNames(names, of: model) }

  /// Throws if a name is of no field.
  ///
  /// - Parameter paths: By model, the paths of its fields.
  func refuseUnknownNames(_ paths: [String: Set<String>]) throws(StoreError) {
    guard let mistake = TextNames.mistake(in: names, paths) else { return }
    throw .formatInvalid(option: "names", reason: mistake)
  }

  /// The shape of a model's objects in a text whose members have different names.
  func shape(_ shape: RecordShape, of model: String) throws(StoreError) -> RecordShape {
    let shape = names(of: model).shape(shape)
    if let name = TextNames.shared(in: shape) { throw Self.shared(name, model) }
    return shape
  }

  /// The names of the columns of a CSV that is written, which differ.
  func columnNames(of shape: RecordShape, _ model: String) throws(StoreError) -> [String] {
    let columns = names(of: model).columns(of: shape)
    var known: Set<String> = []
    for name in columns where !known.insert(name).inserted { throw Self.shared(name, model) }
    return columns
  }

  private static func shared(_ name: String, _ model: String) -> StoreError {
    .formatInvalid(
      option: "names",
      reason: "two fields of \(model) would be called \"\(name)\". Give each a name of its own.")
  }

  /// The byte between the fields of CSV.
  var separatorByte: UInt8 {
    get throws(StoreError) { try Self.byte(of: separator, "separator") }
  }

  /// The byte of a separator.
  private static func byte(
    of separator: Character, _ option: String
  ) throws(StoreError) -> UInt8 {
    guard let byte = separator.asciiValue, byte == UInt8(ascii: "\t") || 0x20..<0x7F ~= byte,
      !separator.isLetter, !separator.isNumber, !"\".+-:".contains(separator)
    else {
      throw .formatInvalid(
        option: option,
        reason: "\(separator.debugDescription) may stand in a value, or is not ASCII. "
          + "Use a comma, a semicolon, a tab or \"|\".")
    }
    return byte
  }
}
