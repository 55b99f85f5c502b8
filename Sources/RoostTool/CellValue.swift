package import RoostDynamic
internal import RoostInterchange

/// Reads values from cells of CSV, and from the command line.
package enum CellValue {
  /// The value of a text for a field; nil if it is none, and null for the word nil, where that is no text.
  package static func value(
    _ text: String, of field: DynamicField, in tables: [DynamicTable]
  ) -> DynamicValue? {
    if text == "nil", field.isOptional { return .null }
    let tables = Dictionary(tables.map { ($0.name, $0) }) { first, _ in first }
    return value(Array(text.utf8), field.type, JSONCell(tables: tables))
  }

  /// The value of a text on the command line: as `value`, but null is nil in an optional field, and a text may be in quotes.
  ///
  /// A text within double quotes is a JSON string, so that the words nil and null and the quotes themselves can be stored.
  package static func assigned(
    _ text: String, of field: DynamicField, in tables: [DynamicTable]
  ) -> DynamicValue? {
    if text == "null", field.isOptional { return .null }
    let isQuoted = text.utf8.count > 1 && text.utf8.first == 0x22 && text.utf8.last == 0x22
    guard isQuoted, isText(field.type, tables) else { return value(text, of: field, in: tables) }
    guard case .string(let unquoted)? = json(Array(text.utf8)) else { return nil }
    return .string(unquoted)
  }

  /// Whether the values of a type are texts as they are: also links to a model whose key is a text.
  private static func isText(_ type: DynamicType, _ tables: [DynamicTable]) -> Bool {
    guard case .link(let target) = type else { return type == .string }
    return tables.first { $0.name == target }?.key?.type == .string
  }

  /// The value of a cell: a text as it is, anything else as the JSON of its type, whose texts need no quotes.
  static func value(
    _ cell: [UInt8], _ type: DynamicType, _ cells: JSONCell
  ) -> DynamicValue? {
    let text = String(decoding: cell, as: UTF8.self)
    switch type {
    case .string: return .string(text)
    case .json: return .json(text)
    case .bool where bools[text.lowercased()] != nil:
      return bools[text.lowercased()].map { .bool($0) }
    case .link(let target):
      return cells.tables[target]?.key.flatMap { value(cell, $0.type, cells) }
    case .data, .blob, .uuid, .duration, .decimal, .date, .double, .float:
      return cells.value(.string(text), type) ?? json(cell).flatMap { cells.value($0, type) }
    default: return json(cell).flatMap { cells.value($0, type) }
    }
  }

  /// What bools are in CSV, whatever the case of the letters.
  private static let bools = ["true": true, "1": true, "false": false, "0": false]

  private static func json(_ cell: [UInt8]) -> JSONValue? { try? JSONValue(cell) }
}
