package import RoostImport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What an SQLite file defines, and what values its columns have: for who makes models of it.
package struct FileSurvey {
  /// The tables, without those of SQLite and of virtual tables.
  package private(set) var tables: [SurveyedTable] = []
  /// What else the file defines: views, triggers, virtual tables and what belongs to the tables.
  package let definitions: [ImportReport.Definition]

  /// Reads all rows.
  ///
  /// - Parameter valuesMax: The most different values of a column that are kept.
  package init(_ file: CopiedFile, valuesMax: Int) throws {
    let schema = try file.check.whileReading { try FileSchema(file.connection) }
    definitions = schema.definitions
    for table in schema.tables {
      tables.append(
        try file.check.whileReading {
          try SurveyedTable(
            table, file.connection, valuesMax: valuesMax, checkPages: file.check.throwIfDamaged)
        })
    }
    try file.checkUnchanged()
  }
}

/// A table, with what its columns hold.
package struct SurveyedTable {
  /// A foreign key.
  package struct ForeignKey {
    package let columns: [String]
    package let table: String
    /// The columns that they lead to; nil for those of the primary key.
    package let targets: [String?]
    package let onDelete: String
  }

  /// An index of columns, of all rows.
  package struct Index {
    package fileprivate(set) var columns: [String]
    package fileprivate(set) var isUnique: Bool

    package init(columns: [String], isUnique: Bool) {
      self.columns = columns
      self.isUnique = isUnique
    }
  }

  package let name: String
  package private(set) var columns: [SurveyedColumn] = []
  /// The places of the columns of the primary key; empty if the rowid is the key.
  package let key: [Int]
  /// Whether a row has a rowid that can be read.
  package let hasRowID: Bool
  package let foreignKeys: [ForeignKey]
  package private(set) var indexes: [Index] = []
  /// The names of indexes of expressions or of some rows.
  package private(set) var otherIndexes: [String] = []

  /// - Parameter checkPages: Called now and then: damaged pages may have rows without end.
  init(
    _ table: Table, _ connection: Connection, valuesMax: Int,
    checkPages: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    name = table.name
    key = table.key
    hasRowID = table.rowID != nil
    foreignKeys = table.foreignKeys.map {
      ForeignKey(
        columns: $0.columns, table: $0.table, targets: $0.targets, onDelete: $0.onDelete)
    }
    columns = table.columns.map { SurveyedColumn($0) }
    let cursor = try RowCursor(table, connection)
    while let position = try cursor.next() {
      if position.isMultiple(of: 256) { try checkPages() }
      for place in columns.indices where columns[place].isReadable {
        do throws(SQLiteError) {
          if valuesMax > 0 || columns[place].isAskedForForms {
            columns[place].note(try cursor.value(at: place, of: position), valuesMax: valuesMax)
          } else {
            columns[place].note(try cursor.kind(at: place, of: position))
          }
        } catch {
          guard case .notCalculated = error else { throw error }
          columns[place].isReadable = false
        }
      }
    }
    try readIndexes(connection)
  }

  /// The number of the row's own number among the columns of an index.
  private static let rowIDColumn: Int64 = -1

  private mutating func readIndexes(_ connection: Connection) throws(SQLiteError) {
    let list = try connection.prepare("PRAGMA main.index_list(\(name.quotedName))")
    while try list.step() {
      guard let index = try list.text(at: 1), try list.text(at: 3) != "pk" else { continue }
      let isUnique = try list.integer(at: 2) == 1
      let isPartial = try list.integer(at: 4) == 1
      let info = try connection.prepare("PRAGMA main.index_info(\(index.quotedName))")
      var found = Index(columns: [], isUnique: isUnique)
      var isOther = isPartial
      while try info.step() {
        if try info.integer(at: 1) == Self.rowIDColumn {
          // What comes behind the row's number orders nothing, and each number is there once.
          found.isUnique = false
          break
        }
        if let column = try info.text(at: 2) {
          found.columns.append(column)
        } else {
          isOther = true
        }
      }
      if isOther { otherIndexes.append(index) } else { indexes.append(found) }
    }
    otherIndexes.sort()
  }
}

/// A column, with what it holds.
package struct SurveyedColumn {
  package let name: String
  /// The declared type.
  package let declared: String
  /// Whether it cannot be NULL.
  package let isRequired: Bool
  /// Whether it can be read: a generated column may need a function that only the app has.
  package fileprivate(set) var isReadable = true
  package private(set) var hasNull = false
  package private(set) var hasInteger = false
  package private(set) var hasReal = false
  package private(set) var hasText = false
  package private(set) var hasBlob = false
  /// Whether a text is not valid UTF-8.
  package private(set) var hasMalformedText = false
  /// Whether all values can be read as a type; the last one only for a column that declares it.
  package private(set) var areBools = true
  package private(set) var areDoubles = true
  package private(set) var areUUIDs = true
  /// The forms that all values have, without loss, if they are dates as texts and the column declares dates.
  package private(set) var textDates: [SQLiteDateForm] = [.grdbText, .iso8601]
  /// The first text that is no date of the form that those before it have, in words; nil where there is a form of all.
  package private(set) var oddDate: String?
  /// Some of its different values.
  package private(set) var values: Set<SQLiteValue> = []

  /// Whether the values may have a form of texts or bytes that has a type of its own.
  fileprivate let isAskedForForms: Bool

  fileprivate init(_ column: Table.Column) {
    name = column.name
    let declared = column.declared.caseFolded
    self.declared = declared
    isRequired = column.isRequired
    isAskedForForms = Self.formWords.contains { declared.contains($0) }
    guard !isAskedForForms else { return }
    areUUIDs = false
    textDates = []
  }

  /// What the declared types of dates and UUIDs have in them.
  private static let formWords = ["date", "time", "uuid", "guid"]

  /// Notes what a value is.
  fileprivate mutating func note(_ kind: SQLiteKind) {
    switch kind {
    case .null: hasNull = true
    case .integer(let integer): note(.integer(integer), valuesMax: 0)
    case .real(let real): note(.real(real), valuesMax: 0)
    case .text: hasText = true
    case .malformedText: hasMalformedText = true
    case .blob: hasBlob = true
    }
    if kind.isBytes { (areBools, areDoubles) = (false, false) }
  }

  fileprivate mutating func note(_ value: SQLiteValue, valuesMax: Int) {
    switch value {
    case .null:
      hasNull = true
      return
    case .integer: hasInteger = true
    case .real: hasReal = true
    case .text: hasText = true
    case .malformedText: hasMalformedText = true
    case .blob: hasBlob = true
    }
    if areBools { areBools = Self.isRead(Bool.decode(sqlite: value)) }
    if areDoubles { areDoubles = Self.isRead(Double.decode(sqlite: value)) }
    if areUUIDs { areUUIDs = Self.isRead(UUID.decode(sqlite: value)) }
    if !textDates.isEmpty {
      textDates.removeAll { form in
        guard case .text = value, let reading = form.read(value) else { return true }
        return reading.isRounded
      }
      if textDates.isEmpty { oddDate = value.words }
    }
    if values.count < valuesMax { values.insert(value) }
  }

  private static func isRead<Value>(_ reading: SQLiteReading<Value>) -> Bool {
    if case .exact = reading { true } else { false }
  }
}
