internal import Roost
internal import RoostDynamic
internal import RoostEngine
internal import RoostTool

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The values of objects as the page gets them.
///
/// Null is null, and what is short is its text. A long text, or a collection's, is an object with its beginning `t` and its number of
/// bytes `n`; data have their first bytes in hexadecimal, `hex`, and `n`; a link has the key `k` and the label `l` of its
/// target, and a list of links their number `links` and the first ones.
struct Cells {
  let snapshot: DynamicSnapshot
  /// How many bytes of a text are shown.
  let textMax: Int
  /// How many of a list's links.
  let linksMax: Int
  private static let labelMax = 80

  /// The value of a field.
  func value(_ field: DynamicField, of object: DynamicObject) throws -> DynamicValue {
    switch field.type {
    case .blob:
      let count = try object.byteCount(of: field.name)
      return Self.binary(try object.bytes(of: field.name, in: 0..<16), count)
    case .link:
      guard let target = try object.targets(of: field.name).first else { return .null }
      return try link(to: target)
    case .links:
      let (targets, count) = try object.targets(of: field.name, in: 0..<linksMax)
      return .members([
        "links": .count(count), "first": .list(try targets.map { try link(to: $0) }),
      ])
    default: return plain(try object[field.name])
    }
  }

  /// A value that is no link.
  func plain(_ value: DynamicValue) -> DynamicValue {
    switch value {
    case .null: return .null
    case .data(let data): return Self.binary(Array(data.prefix(16)), UInt64(data.count))
    default: return short(value.plainText)
    }
  }

  private func short(_ text: String) -> DynamicValue {
    guard text.utf8.count > textMax else { return .string(text) }
    // A character is at most four bytes.
    let beginning = String(text.unicodeScalars.prefix(textMax / 4))
    return .members(["t": .string(beginning), "n": .count(text.utf8.count)])
  }

  private static func binary(_ beginning: [UInt8], _ count: UInt64) -> DynamicValue {
    let digits = beginning.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return .members(["hex": .string(digits.joined()), "n": .count(count)])
  }

  /// The key and the label of a link's target.
  func link(to object: DynamicObject) throws -> DynamicValue {
    .members([
      "k": .string(try object.key.plainText), "l": try label(of: object).map { .string($0) },
    ])
  }

  /// The first text of an object that is not its key.
  func label(of object: DynamicObject) throws -> String? {
    let fields = snapshot.table(object.table)?.fields ?? []
    for field in fields where field.type == .string && !field.isKey {
      if case .string(let text) = try object[field.name], !text.isEmpty {
        return String(text.unicodeScalars.prefix(Self.labelMax))
      }
    }
    return nil
  }
}

extension DynamicValue {
  /// The value as text, without the quotes of JSON; a date in the form of ISO 8601 where one is exact.
  ///
  /// ``value(_:of:in:)`` reads it again.
  var plainText: String {
    switch self {
    case .string(let text), .json(let text): return text
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      return TimeText.text(seconds).map { String(decoding: $0, as: UTF8.self) } ?? unquotedJSON
    default: return unquotedJSON
    }
  }

  private var unquotedJSON: String {
    let text = json
    return text.hasPrefix("\"") ? String(text.dropFirst().dropLast()) : text
  }

  /// The value of a field from a text.
  static func value(
    _ text: String, of field: DynamicField, in tables: [DynamicTable]
  ) throws(BrowseError) -> DynamicValue {
    var field = field
    // The word nil is a text like others here.
    field.isOptional = false
    guard let value = CellValue.value(text, of: field, in: tables) else {
      throw BrowseError("\(text.isEmpty ? "Nothing" : "“\(text)”") is no value of \(field.name).")
    }
    return value
  }
}

extension BrowseSession {
  /// The model with a name.
  func table(_ name: String, in version: Version) throws(BrowseError) -> DynamicTable {
    guard let table = version.snapshot.table(name) else {
      throw BrowseError("There is no model \(name) in this version.")
    }
    return table
  }

  /// A field by its name.
  func field(_ name: String, of table: DynamicTable) throws(BrowseError) -> DynamicField {
    guard let field = table.field(name) else {
      throw BrowseError("\(table.name) has no field \(name) in this version.")
    }
    return field
  }

  /// The key of a model from its text.
  func key(
    _ text: String, of table: DynamicTable, in version: Version
  ) throws(BrowseError) -> DynamicValue {
    guard let field = table.key else { throw BrowseError("\(table.name) has no key.") }
    return try DynamicValue.value(text, of: field, in: version.snapshot.tables)
  }

  /// The object that a request names.
  func found(
    _ arguments: Arguments, in version: Version
  ) throws -> (object: DynamicObject, table: DynamicTable) {
    let table = try table(try arguments.text("model"), in: version)
    let text = try arguments.text("key")
    let key = try key(text, of: table, in: version)
    guard let object = try version.snapshot.object(table.name, key) else {
      throw BrowseError("There is no \(table.name) with the key \(text) in this version.")
    }
    return (object, table)
  }
}
