/// Gathers the misfits of an import, column by column.
final class MisfitList {
  private struct Place: Hashable {
    var table: String
    var column: String
  }

  private struct Found {
    var count = 0
    var isRead: Bool
    var first: SQLiteError
    var lines: [String]
  }

  private var found: [Place: Found] = [:]
  private var order: [Place] = []
  /// How many values were added.
  private(set) var total = 0

  /// Adds an error if it says that a value does not fit; false for another.
  ///
  /// - Parameter isRead: Whether it is the mapping's.
  func add(_ error: SQLiteError, isRead: Bool) -> Bool {
    let place: Place
    let lines: [String]
    switch error {
    case .mismatch(let table, let column, _, _, _, _, let line):
      (place, lines) = (Place(table: table, column: column), [line])
    case .dateWithoutForm(let table, let column, _, _, let several):
      (place, lines) = (Place(table: table, column: column), several)
    case .dangling(let table, let column, _, _, _, let line):
      (place, lines) = (Place(table: table, column: column), [line])
    default: return false
    }
    total += 1
    if found[place] == nil { order.append(place) }
    found[place, default: Found(isRead: isRead, first: error, lines: lines)].count += 1
    return true
  }

  /// All of them, in the order in which they were found.
  func list(_ reader: TableReader) -> [SQLiteMisfit] {
    order.compactMap { place in
      guard let found = found[place] else { return nil }
      let mixed = Self.lineForMixedTypes(found.first, reader)
      return SQLiteMisfit(
        table: place.table, column: place.column, count: found.count, isRead: found.isRead,
        first: found.first, lines: mixed.map { [$0] } ?? found.lines)
    }
  }

  /// What reads a column whose values have several types; nil for others, and where the Swift type cannot be made of them.
  private static func lineForMixedTypes(_ error: SQLiteError, _ reader: TableReader) -> String? {
    guard case .mismatch(let table, let column, _, _, _, let asked, _) = error else { return nil }
    let type = asked.hasSuffix("?") ? String(asked.dropLast()) : asked
    let cases = (try? types(of: column, in: table, reader))?.compactMap { stored in
      conversion(of: stored, to: type).map { found in
        let mayFail = found.isPartial ? " ?? row.omitted(\(column.swiftLiteral))" : ""
        return "case .\(stored)(let value): \(found.text)" + mayFail
      }
    }
    guard let cases, cases.count > 1 else { return nil }
    return "`let \(identifier(column)): \(type)? = switch try row.value(\(column.swiftLiteral)) "
      + "{ \(cases.joined(separator: "; ")); case .null: nil; default: row.omitted(\(column.swiftLiteral)) }`"
  }

  /// The types that values of a column have, NULL included, as the cases of ``SQLiteValue`` are named.
  private static func types(
    of column: String, in table: String, _ reader: TableReader
  ) throws(SQLiteError) -> [String] {
    let table = try reader.table(table)
    guard let place = table.place(of: column) else { return [] }
    let name = table.columns[place].name.quotedName
    let statement = try reader.connection.prepare(
      "SELECT DISTINCT typeof(\(name)) FROM main.\(table.name.quotedName) NOT INDEXED ORDER BY 1")
    var types: [String] = []
    while try statement.step() {
      if let type = try statement.text(at: 0) { types.append(type) }
    }
    return types
  }

  /// What makes a Swift type of `value`, a stored one, and whether that is nil for some; nil if nothing does without a loss, and
  /// for NULL.
  private static func conversion(
    of stored: String, to type: String
  ) -> (text: String, isPartial: Bool)? {
    let isInteger = ["Int", "UInt"].contains { type.hasPrefix($0) }
    switch (stored, type) {
    case ("integer", _) where isInteger, ("real", _) where isInteger:
      return ("\(type)(exactly: value)", true)
    case ("text", _) where isInteger || type == "Double" || type == "Bool":
      return ("\(type)(value)", true)
    case ("integer", "Double"): return ("Double(exactly: value)", true)
    case ("real", "Double"), ("text", "String"), ("blob", "Data"): return ("value", false)
    case ("integer", "String"), ("real", "String"): return ("\"\\(value)\"", false)
    case ("blob", "String"): return ("String(data: value, encoding: .utf8)", true)
    case ("integer", "Bool"): return ("value != 0", false)
    case ("integer", "Decimal"): return ("Decimal(value)", false)
    case ("real", "Decimal"): return ("Decimal(exactly: \"\\(value)\")", true)
    case ("text", "Decimal"): return ("Decimal(exactly: value)", true)
    case ("text", "Data"): return ("Data(value.utf8)", false)
    default: return nil
    }
  }

  /// A name in Swift for what is read of a column.
  private static func identifier(_ column: String) -> String {
    let letters = column.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
    return (letters.first?.isNumber == true ? "_" : "") + String(letters) + "Value"
  }
}
