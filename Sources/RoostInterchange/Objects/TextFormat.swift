internal import Roost
internal import RoostEngine

/// A form of text that objects are read from and written to: JSON, lines of JSON, or CSV.
///
/// What one of them writes it reads again, each value as it was. An object is a JSON object whose members are called as the
/// schema's fields, an ``Embedded`` struct one within it; in CSV its parts are columns called `address.city`. Fields are:
///
/// - numbers and bools as JSON's; `Int64` and `UInt64` with all digits, a `Decimal` with all of its own. For what JSON has no
///   number for stand the strings `nan`, `inf` and `-inf`;
/// - `Date` as ``dates`` says; `Duration` as a number of seconds;
/// - `String`, `URL`, `UUID` and `Data`, which is Base64, as strings;
/// - enums and other types with a raw value, and ``Converted`` ones, as what they are stored as; ``Link`` as its target's id;
/// - arrays and sets as arrays; dictionaries as objects, or as arrays of a key and a value where the keys are optional,
///   collections or ``Opaque``;
/// - ``Opaque`` types as the JSON that their `Codable` code makes. Within CSV collections and these are JSON as well;
/// - nil as `null`, in CSV as nothing (`""` is the empty text). A member that is missing is nil, the field's default, or a
///   key that the store gives.
///
/// What `JSONEncoder` writes of a `Codable` model can be read where its forms are these: they are by its own defaults, but
/// for ``Converted`` types and `Duration`, which it writes otherwise, and numbers that are none, which it refuses.
public struct TextFormat: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case json, lines, csv
  }

  let kind: Kind

  /// How points in time are written, and what a number in the place of one means.
  public var dates = DateForm.iso8601

  /// Whether a member, or a column of CSV, that no field has is an error. Otherwise it is left out.
  public var refusesUnknownFields = false

  /// Words in CSV that mean no value, besides an empty field: `NA` for example.
  ///
  /// A field in quotation marks always has a value, and a text that may not be nil is what is written.
  public var missingValues: [String] = []

  /// The columns of CSV for fields that are called otherwise. One column may serve several fields.
  public var columnNames: [String: String] = [:]

  /// The field that gets the numbers of CSV's records, from 1, where the records have no key of their own.
  public var numberedField: String?

  /// An array of objects; a single object is read too.
  public static var json: Self { Self(kind: .json) }

  /// An object on each line.
  public static var ndjson: Self { Self(kind: .lines) }

  /// Records of fields as RFC 4180 has them, of which the first names the columns.
  public static var csv: Self { Self(kind: .csv) }
}

/// How points in time are written.
public enum DateForm: Hashable, Sendable {
  /// As text of ISO 8601: `2013-01-31T05:00:00Z`.
  ///
  /// With as many decimals as give the date back. Dates for which that cannot be done, outside of the years from 1 to 9999
  /// for example, are numbers of seconds since 2001.
  case iso8601
  /// As the number of seconds since 1970. Parts of a second below a millionth may be lost.
  case secondsSince1970
  /// As the number of seconds since 2001, which a `Date` is: what `JSONEncoder` does by default.
  case secondsSince2001

  var engine: TimeForm {
    switch self {
    case .iso8601: .iso8601
    case .secondsSince1970: .secondsSince1970
    case .secondsSince2001: .secondsSince2001
    }
  }
}

extension TextFormat {
  var unknownFields: JSONReader.UnknownMembers { refusesUnknownFields ? .refused : .ignored }

  var jsonForm: JSONReader.Form {
    JSONReader.Form(times: dates.engine, unknownMembers: unknownFields)
  }

  var csvForm: CSVRecordReader.Form {
    CSVRecordReader.Form(
      times: dates.engine, unknownColumns: unknownFields, missing: missingValues,
      names: columnNames, numbered: numberedField)
  }
}
