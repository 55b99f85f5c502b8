/// Goes through the rows of a table in the order of its key.
final class RowCursor {
  let table: Table
  private let statement: Statement
  /// Where the statement has each column of the table; nil for one that cannot be calculated.
  private let places: [Int?]
  private let reason: String
  private var position = 0
  private var reading = Reading()

  /// Which columns the mapping reads: mostly the same of each row, in the same order.
  private struct Reading {
    /// The columns in the order in which rows were read before, with their names.
    var order: [(name: String, column: Int)] = []
    /// How often the mapping has read a column of the current row.
    var reads = 0
    /// The columns that were read of any row.
    var reached: Set<Int> = []

    /// The next column, if it has this name.
    mutating func next(_ name: String) -> Int? {
      guard reads < order.count, order[reads].name == name else { return nil }
      defer { reads += 1 }
      return order[reads].column
    }

    /// Notes that the next column is another one than before.
    mutating func note(_ name: String, _ column: Int) {
      reached.insert(column)
      if reads == order.count {
        order.append((name, column))
      } else {
        order[reads] = (name, column)
      }
      reads += 1
    }
  }

  /// - Parameters:
  ///   - condition: What is true of the rows; nil for all. It may have a parameter, and an order may follow.
  ///   - usesIndex: Whether the rows are found by an index, and not in the order of the table.
  init(
    _ table: Table, _ connection: Connection, where condition: String? = nil,
    usesIndex: Bool = false
  ) throws(SQLiteError) {
    self.table = table
    do throws(SQLiteError) {
      let all = Array(table.columns.indices)
      statement = try connection.prepare(Self.select(all, of: table, condition, usesIndex))
      places = all
      reason = ""
    } catch {
      // A generated column may need a function that only the app has.
      let stored = table.columns.indices.filter { !table.columns[$0].isVirtual }
      guard stored.count < table.columns.count, case .failed(_, let words) = error else {
        throw error
      }
      statement = try connection.prepare(Self.select(stored, of: table, condition, usesIndex))
      var places = [Int?](repeating: nil, count: table.columns.count)
      for (place, column) in stored.enumerated() { places[column] = place }
      self.places = places
      reason = words
    }
  }

  private static func select(
    _ columns: [Int], of table: Table, _ condition: String?, _ usesIndex: Bool
  ) -> String {
    var names = columns.map { table.columns[$0].name.quotedName }
    // Last, so that the columns have their places without it.
    names.append(table.rowID ?? "NULL")
    return "SELECT \(names.joined(separator: ", ")) FROM main.\(table.name.quotedName)"
      + (usesIndex ? "" : " NOT INDEXED") + (condition.map { " WHERE " + $0 } ?? "")
  }

  /// Begins again, with another value for the condition's parameter.
  func begin(with value: SQLiteValue) throws(SQLiteError) { try statement.begin(with: value) }

  /// Goes to the next row; its position, or nil after the last one.
  func next() throws(SQLiteError) -> Int? {
    position += 1
    reading.reads = 0
    return try statement.step() ? position : nil
  }

  /// The place of a column, which the mapping reads next; nil if there is none.
  func place(ofNext name: String) -> Int? {
    if let known = reading.next(name) { return known }
    guard let place = table.place(of: name) else { return nil }
    reading.note(name, place)
    return place
  }

  /// How often the mapping has read a column of the current row.
  var reads: Int { reading.reads }

  /// The columns that the mapping has read of no row.
  var unread: [Int] { table.columns.indices.filter { !reading.reached.contains($0) } }

  /// The bytes of the texts and blobs that were read.
  var bytesRead: Int { statement.bytesRead }

  /// The value of a column in a row, if it is still the current one.
  func value(at column: Int, of position: Int) throws(SQLiteError) -> SQLiteValue {
    try statement.value(at: try place(of: column, position))
  }

  /// What the value of a column is, without making it.
  func kind(at column: Int, of position: Int) throws(SQLiteError) -> SQLiteKind {
    try statement.kind(at: try place(of: column, position))
  }

  /// The time in a column whose value is a text of a form; nil for another value.
  func date(
    at column: Int, of position: Int, as form: SQLiteDateForm
  ) throws(SQLiteError) -> SQLiteDateReading? {
    try statement.date(at: try place(of: column, position), as: form)
  }

  private func place(of column: Int, _ position: Int) throws(SQLiteError) -> Int {
    guard position == self.position else { throw .rowIsGone(table: table.name) }
    guard let place = places[column] else {
      throw .notCalculated(
        table: table.name, column: table.columns[column].name, reason: reason)
    }
    return place
  }

  /// The rowid; NULL where there is none.
  func rowID(of position: Int) throws(SQLiteError) -> SQLiteValue {
    guard position == self.position else { throw .rowIsGone(table: table.name) }
    return try statement.value(at: places.count { $0 != nil })
  }
}
