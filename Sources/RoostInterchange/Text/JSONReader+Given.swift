internal import RoostEngine

/// Objects read from JSON that may lack members, in columns: a value is there only where the text gives it.
final class GivenRows {
  let columns: RecordColumns
  /// For each row, which columns have the text's values; the others have null.
  private var given: [Bool] = []
  private let columnCount: Int

  init(_ columns: RecordColumns) {
    self.columns = columns
    columnCount = columns.columns.count
  }

  func isGiven(_ column: Int, _ row: Int) -> Bool { given[row * columnCount + column] }

  func beginRow() { given.append(contentsOf: repeatElement(false, count: columnCount)) }

  /// Whether the last row has a value of its own in this column.
  func isGiven(_ column: Int) -> Bool { given[given.count - columnCount + column] }

  /// Notes that the last row has a value of its own in this column.
  func markGiven(_ column: Int) { given[given.count - columnCount + column] = true }

  func removeAll() {
    columns.removeAll()
    given.removeAll(keepingCapacity: true)
  }

  /// Removes the last rows, of which the last may have only some columns.
  func removeRows(from row: Int) {
    for column in columns.columns where column.count > row { column.removeRows(from: row) }
    given.removeSubrange(min(row * columnCount, given.count)...)
  }
}

extension JSONReader {
  /// Reads the next object as a new row, in which members may be missing.
  ///
  /// After an error the columns have different lengths.
  /// - Parameters:
  ///   - other: Reads the member whose name is ``text``, unless it is a field's, and returns whether it did.
  ///   - skipUnknown: Skips the value of a member that is none of these.
  mutating func readGiven(
    _ shape: RecordShape, _ form: Form, into rows: GivenRows,
    _ other: (inout JSONReader) throws(TextError) -> Bool,
    skipUnknown: (inout JSONReader) throws(TextError) -> Void = {
      (reader) throws(TextError) in try reader.skipValue()
    }
  ) throws(TextError) {
    let isRead = try readMembers(of: shape, form, other, skipUnknown) {
      (reader, content) throws(TextError) in
      try reader.readGiven(content, form, into: rows)
    }
    for (member, isRead) in zip(shape.members, isRead) where !isRead {
      for column in member.content.columns where !rows.isGiven(column) {
        rows.columns.columns[column].appendNull()
      }
    }
  }

  private mutating func readGiven(
    _ content: RecordShape.Content, _ form: Form, into rows: GivenRows
  ) throws(TextError) {
    switch content {
    case .value(let column, let shape):
      try notePlace(ofValueFor: column, shape)
      try readValue(shape, form, into: rows.columns.columns[column], &rows.columns.identifiers)
      rows.markGiven(column)
    case .record(let record, let presence):
      if let presence {
        let isThere = try peek() != .null
        rows.columns.columns[presence.column].append(isThere ? 1 : 0 as Int64)
        rows.markGiven(presence.column)
        guard isThere else {
          try readNull()
          for column in record.columns {
            rows.columns.columns[column].appendNull()
            rows.markGiven(column)
          }
          return
        }
      }
      try readGiven(record, form, into: rows) { _ in false }
    }
  }
}

extension RecordShape.Content {
  /// All of its columns.
  var columns: [Int] {
    switch self {
    case .value(let column, _): [column]
    case .record(let record, let presence): (presence.map { [$0.column] } ?? []) + record.columns
    }
  }
}

extension RecordShape {
  /// The path to a column, such as `address.city`.
  func path(ofColumn column: Int) -> String {
    for member in members where member.content.columns.contains(column) {
      guard case .record(let record, _) = member.content else { return member.name }
      let rest = record.path(ofColumn: column)
      return rest.isEmpty ? member.name : "\(member.name).\(rest)"
    }
    return ""
  }

  /// The shape of the values in a column.
  func value(inColumn column: Int) -> ValueShape? {
    for member in members {
      switch member.content {
      case .value(let own, let shape): if own == column { return shape }
      case .record(let record, let presence):
        if let presence, presence.column == column { return presence.shape }
        if let shape = record.value(inColumn: column) { return shape }
      }
    }
    return nil
  }
}

extension ValueShape {
  /// The value in a new object whose text lacks the member; nil where it needs one.
  ///
  /// Optionals are nil and collections empty, unless the field has a default.
  var valueWhenMissing: Value? {
    if let defaultValue { return defaultValue }
    if mayBeNil { return .null }
    guard let elements else { return links == nil ? nil : .bytes([]) }
    return .bytes(
      PackedColumns.bytes(
        elements.columns.map { ColumnBuffer(type: $0.type) }, as: elements.columns))
  }
}
