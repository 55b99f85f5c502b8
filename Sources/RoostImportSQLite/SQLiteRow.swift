#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A row of a table, whose values are read when they are asked for.
///
/// It can be read until the mapping that it was given to returns.
public struct SQLiteRow {
  let reader: TableReader
  let cursor: RowCursor
  let position: Int

  /// The table's name.
  public var table: String { cursor.table.name }

  /// The names of the columns, generated ones included, in the order of the table.
  public var columns: [String] { cursor.table.columns.map(\.name) }

  /// A column's value as the Swift type that the place asks for: `let name: String? = try row["name"]`.
  ///
  /// What counts is the value's own type, not the one that the column declares. Integers of any width are read from an integer
  /// that fits, a `Bool` from 0 and 1, a `Double` also from an integer, a `Decimal` from an integer, a text or a real of up to 15
  /// digits, a `UUID` from 16 bytes or a text, a `Duration` from a number of seconds, a `URL` from a text, `Data` also from a
  /// text. Otherwise, types are not converted, and nothing is rounded. The case of letters in the column's name does not matter.
  ///
  /// - Throws: If the table has no such column, or the type cannot hold the value, NULL included. The error names the row, and
  ///   what reads the value.
  public subscript<Value: SQLiteDecodable>(column: String) -> Value {
    @inlinable
    get throws(SQLiteError) {
      let stored = try value(column)
      return try decoded(stored, column)
    }
  }

  /// A column's value as the Swift type that the place asks for; nil for NULL, and for a value that the type cannot hold.
  ///
  /// The report's `omissions` count the values for which it is nil without their being NULL.
  ///
  /// - Throws: If the table has no such column.
  public subscript<Value: SQLiteDecodable>(ifReadable column: String) -> Value? {
    get throws(SQLiteError) {
      let stored = try value(column)
      if case .exact(let value) = Value.decode(sqlite: stored) { return value }
      if stored != .null { reader.countOmission(table, column) }
      return nil
    }
  }

  /// Nil, for a value that the object does not have: the report's `omissions` count it.
  ///
  /// ```swift
  /// let age: Int? = switch try row.value("age") {
  /// case .integer(let value): Int(exactly: value) ?? row.omitted("age")
  /// case .text(let value): Int(value) ?? row.omitted("age")
  /// case .null: nil
  /// default: row.omitted("age")
  /// }
  /// ```
  public func omitted<Value>(_ column: String) -> Value? {
    reader.countOmission(table, column)
    return nil
  }

  /// A column's value as the file has it.
  ///
  /// - Throws: If the table has no such column, or it is a generated one that cannot be calculated.
  public func value(_ column: String) throws(SQLiteError) -> SQLiteValue {
    guard let place = cursor.place(ofNext: column) else { throw unknownColumn(column) }
    return try cursor.value(at: place, of: position)
  }

  /// The primary key; of a table that has none, the rowid.
  ///
  /// The rowid of a table without a primary key is not always kept: `VACUUM` may give others.
  ///
  /// - Throws: If the key has several columns, of which the mapping makes a `CompoundKey`, or the type cannot hold it.
  @inlinable
  public func id<Key: SQLiteDecodable>(as type: Key.Type = Key.self) throws(SQLiteError) -> Key {
    let (column, value) = try ownKey()
    return try decoded(value, column)
  }

  /// The number that SQLite gives each row of a table that is not `WITHOUT ROWID`.
  ///
  /// For an id where the primary key can be none, as one of reals. `VACUUM` may give other numbers, except where the primary key
  /// is an integer.
  ///
  /// - Throws: ``SQLiteError/unknownColumn(table:column:columns:)`` if the rows have none.
  public func rowID() throws(SQLiteError) -> Int {
    guard case .integer(let number) = try cursor.rowID(of: position), let id = Int(exactly: number)
    else { throw .unknownColumn(table: table, column: "rowid", columns: columns) }
    return id
  }

  /// A time, in the form that the column has it in: `try row.date("born", as: .grdbText)`.
  ///
  /// - Returns: A `Date`, or a `Date?` that is nil for NULL.
  /// - Throws: If the value does not have this form. Fractions of a second that a `Date` does not hold are counted in the
  ///   report's `roundings`.
  @inlinable
  public func date<Result: SQLiteDate>(
    _ column: String, as form: SQLiteDateForm
  ) throws(SQLiteError) -> Result {
    if let result = Result._make(try foundDate(column, form)) { return result }
    throw nullDate(column, form)
  }

  /// What a column has as JSON, in a text or a blob; nil for NULL if the type is optional.
  ///
  /// To keep it as it is, read the column as a `String` or `Data`.
  ///
  /// - Throws: If the table has no such column, or the value is not JSON of this type.
  public func json<Value: Decodable>(
    _ column: String, as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
  ) throws(SQLiteError) -> Value {
    let stored = try value(column)
    if stored == .null, let optional = Value.self as? any ExpressibleByNilLiteral.Type,
      let none = optional.init(nilLiteral: ()) as? Value
    {
      return none
    }
    let asked = "JSON of \(Self.words(Value.self))"
    guard case .exact(let bytes) = Data.decode(sqlite: stored) else {
      throw mismatch(
        column, stored, asked: asked,
        line: stored == .null
          ? "`try row.json(\(column.swiftLiteral)) as \(Self.words(Value.self))?`"
          : "`try row.value(\(column.swiftLiteral))`")
    }
    do { return try decoder.decode(Value.self, from: bytes) } catch {
      throw mismatch(
        column, stored, asked: asked + " (\(error))",
        line: "`try row[\(column.swiftLiteral)] as String`")
    }
  }
}

extension SQLiteRow {
  /// A column's time; nil for NULL.
  @usableFromInline
  func foundDate(_ column: String, _ form: SQLiteDateForm) throws(SQLiteError) -> Date? {
    guard let place = cursor.place(ofNext: column) else { throw unknownColumn(column) }
    // Most values have the form, and are read in place.
    if let reading = try cursor.date(at: place, of: position, as: form) {
      if reading.isRounded { reader.countRounding(table, column) }
      return reading.date
    }
    let stored = try cursor.value(at: place, of: position)
    guard stored != .null else { return nil }
    guard let reading = form.read(stored) else {
      let lines = dateLines(column, stored)
      throw mismatch(
        column, stored, asked: "a Date of the form .\(form.rawValue)",
        line: lines.isEmpty
          ? "`try row.value(\(column.swiftLiteral))`" : lines.joined(separator: "; "))
    }
    if reading.isRounded { reader.countRounding(table, column) }
    return reading.date
  }

  /// The error for a time that is NULL, and must not be.
  @usableFromInline
  func nullDate(_ column: String, _ form: SQLiteDateForm) -> SQLiteError {
    mismatch(
      column, .null, asked: "a Date",
      line: "`try row.date(\(column.swiftLiteral), as: .\(form.rawValue)) as Date?`")
  }

  func place(of column: String) throws(SQLiteError) -> Int {
    guard let place = cursor.table.place(of: column) else { throw unknownColumn(column) }
    return place
  }

  private func unknownColumn(_ name: String) -> SQLiteError {
    .unknownColumn(table: table, column: name, columns: columns)
  }

  /// The key where it is one value, and the name of its column.
  @usableFromInline
  func ownKey() throws(SQLiteError) -> (column: String, value: SQLiteValue) {
    let key = cursor.table.key
    if let place = key.first, key.count == 1 {
      let name = cursor.table.columns[place].name
      return (name, try value(name))
    }
    guard key.isEmpty else { throw Self.compoundKey(cursor.table) }
    return ("rowid", try cursor.rowID(of: position))
  }

  static func compoundKey(_ table: Table) -> SQLiteError {
    let key = table.key.map { table.columns[$0].name }
    let parts = key.map { "\($0): try row[\($0.swiftLiteral)]" }.joined(separator: ", ")
    return .compoundKey(table: table.name, columns: key, line: "`ID(\(parts))`")
  }

  /// The row's key in words, for errors.
  var keyInWords: String {
    let table = cursor.table
    guard !table.key.isEmpty else {
      let rowID = (try? cursor.rowID(of: position)) ?? .null
      return rowID == .null ? "\(position) of the table" : "rowid \(rowID.literal)"
    }
    return table.key.map {
      "\(table.columns[$0].name) \((try? cursor.value(at: $0, of: position))?.literal ?? "?")"
    }.joined(separator: ", ")
  }

  // Compiled with the program: a mapping calls it for each value.
  @inlinable
  func decoded<Value: SQLiteDecodable>(
    _ stored: SQLiteValue, _ column: String
  ) throws(SQLiteError) -> Value {
    let reading = Value.decode(sqlite: stored)
    if case .exact(let value) = reading { return value }
    throw refusal(of: stored, column, reading)
  }

  /// The error for a value that a type cannot hold.
  @usableFromInline
  func refusal<Value: SQLiteDecodable>(
    of stored: SQLiteValue, _ column: String, _ reading: SQLiteReading<Value>
  ) -> SQLiteError {
    if case .ambiguous = reading {
      return .dateWithoutForm(
        table: table, column: column, row: keyInWords, found: stored.words,
        lines: dateLines(column, stored))
    }
    return mismatch(
      column, stored, asked: Self.words(Value.self), line: Self.line(column, stored, Value.self))
  }

  func mismatch(
    _ column: String, _ stored: SQLiteValue, asked: String, line: String
  ) -> SQLiteError {
    let place = cursor.table.place(of: column)
    return .mismatch(
      table: table, column: column, row: keyInWords,
      declared: place.map { cursor.table.columns[$0].declared } ?? "", found: stored.words,
      asked: asked, line: line)
  }

  /// The lines that read a value as a date, each with what it would be.
  private func dateLines(_ column: String, _ stored: SQLiteValue) -> [String] {
    SQLiteDateForm.allCases.compactMap { form in
      // A day alone is the same in both forms of texts.
      if form == .iso8601, SQLiteDateForm.grdbText.read(stored) != nil { return nil }
      guard let reading = form.read(stored), let text = SQLiteDateText.text(of: reading.date) else {
        return nil
      }
      return "`try row.date(\(column.swiftLiteral), as: .\(form.rawValue))` is \(text) UTC"
    }
  }

  /// What reads a value that the type which was asked for cannot hold.
  static func line<Value>(
    _ column: String, _ stored: SQLiteValue, _ type: Value.Type
  ) -> String {
    let name = column.swiftLiteral
    let asked = words(type)
    let bare = asked.hasSuffix("?") ? String(asked.dropLast()) : asked
    let isNumber =
      bare.hasPrefix("Int") || bare.hasPrefix("UInt") || bare == "Double" || bare == "Float"
    let ifReadable = ", or, for nil in such rows, `try row[ifReadable: \(name)]`"
    switch stored {
    case .null: return "`try row[\(name)] as \(bare)?`"
    case .malformedText: return "`try row[\(name)] as Data`" + ifReadable
    case .blob where bare == "String":
      return "`String(decoding: try row[\(name)] as Data, as: UTF8.self)`" + ifReadable
    case .text("") where bare == "URL":
      return "`try row[ifReadable: \(name)]`, which is nil for an empty text"
    case .text where bare == "URL": return "`try row[\(name)] as String`" + ifReadable
    case .text where isNumber: return "`\(bare)(try row[\(name)] as String)`" + ifReadable
    case .integer where bare == "Bool": return "`try row[\(name)] as Int != 0`" + ifReadable
    case .integer where bare == "String":
      return "`String(try row[\(name)] as Int)`" + ifReadable
    case .integer where isNumber: return "`try row[\(name)] as Int64`" + ifReadable
    case .real where bare == "Decimal":
      return "`Decimal(string: \"\\(try row[\(name)] as Double)\")`, with all of its digits"
        + ifReadable
    case .real where bare == "Float":
      return "`\(bare)(try row[\(name)] as Double)`, which rounds" + ifReadable
    case .real where isNumber:
      return "`\(bare)(exactly: try row[\(name)] as Double)`" + ifReadable
    default: return "`try row.value(\(name))`, a SQLiteValue" + ifReadable
    }
  }

  /// A type's name, as it is written.
  static func words<Value>(_ type: Value.Type) -> String {
    let name = "\(type)"
    let optional = "Optional<"
    guard name.hasPrefix(optional), name.hasSuffix(">") else { return name }
    return String(name.dropFirst(optional.count).dropLast()) + "?"
  }
}
