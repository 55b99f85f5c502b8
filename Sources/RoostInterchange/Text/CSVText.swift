package import RoostEngine

/// Writes objects in columns as CSV (RFC 4180).
///
/// A field without a value is empty, and an empty text is a pair of quotation marks, so both can be read back.
extension [UInt8] {
  /// Adds the header line with the column names.
  package mutating func addCSVHeader(_ names: [String], separator: UInt8) {
    for (place, name) in names.enumerated() {
      if place > 0 { append(separator) }
      addCSVField(Array(name.utf8), separator)
    }
    add("\r\n")
  }

  /// Adds a row of the columns as a line.
  package mutating func addCSVRecord(
    _ shape: RecordShape, _ columns: RecordColumns, row: Int, times: TimeForm, separator: UInt8
  ) {
    var isFirst = true
    addCSVFields(shape, columns, row, times, separator, &isFirst)
    add("\r\n")
  }

  private mutating func addCSVFields(
    _ shape: RecordShape, _ columns: RecordColumns, _ row: Int, _ times: TimeForm,
    _ separator: UInt8, _ isFirst: inout Bool
  ) {
    for member in shape.members {
      switch member.content {
      case .value(let column, let value):
        addCSVField(value, columns, column, row, times, separator, &isFirst)
      case .record(let record, let presence):
        if let presence {
          addCSVField(presence.shape, columns, presence.column, row, times, separator, &isFirst)
        }
        addCSVFields(record, columns, row, times, separator, &isFirst)
      }
    }
  }

  private mutating func addCSVField(
    _ shape: ValueShape, _ columns: RecordColumns, _ place: Int, _ row: Int, _ times: TimeForm,
    _ separator: UInt8, _ isFirst: inout Bool
  ) {
    if !isFirst { append(separator) }
    isFirst = false
    let column = columns.columns[place]
    guard !column.isNull(row) else { return }
    if shape.type == .string && !shape.isLookedUp {
      return addCSVField(column.bytes(row).array, separator)
    }
    var text: [UInt8] = []
    text.addValue(shape, column, row, columns.identifiers, times)
    guard text.first == UInt8(ascii: "\""), shape.isLookedUp || shape.type != .json else {
      return addCSVField(text, separator)
    }
    if shape.isLookedUp && shape.type == .string {
      let identifier = columns.identifiers[Int(truncatingIfNeeded: column.integer(row))]
      if case .bytes(let bytes) = identifier { addCSVField(bytes, separator) }
      return
    }
    // The quoted JSON strings of other types contain no escapes.
    addCSVField(Array(text.dropFirst().dropLast()), separator)
  }

  private mutating func addCSVField(_ text: [UInt8], _ separator: UInt8) {
    let isPlain = text.allSatisfy { byte in
      byte != separator && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\n")
        && byte != UInt8(ascii: "\r")
    }
    if isPlain && !text.isEmpty { return append(contentsOf: text) }
    append(UInt8(ascii: "\""))
    for byte in text {
      if byte == UInt8(ascii: "\"") { append(byte) }
      append(byte)
    }
    append(UInt8(ascii: "\""))
  }
}
