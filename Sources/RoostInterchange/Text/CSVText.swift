package import RoostEngine

/// Writes objects in columns as CSV (RFC 4180).
///
/// A field without a value is empty, and an empty text is a pair of quotation marks, so both can be read back.
extension [UInt8] {
  /// Adds the header line with the column names.
  package mutating func addCSVHeader(_ shape: RecordShape) {
    var names: [String] = []
    Self.addNames(of: shape, prefix: "", to: &names)
    for (place, name) in names.enumerated() {
      if place > 0 { add(",") }
      addCSVField(Array(name.utf8))
    }
    add("\r\n")
  }

  private static func addNames(
    of shape: RecordShape, prefix: String, to names: inout [String]
  ) {
    for member in shape.members {
      switch member.content {
      case .value: names.append(prefix + member.name)
      case .record(let record, let presence):
        if presence != nil { names.append(prefix + member.name) }
        addNames(of: record, prefix: prefix + member.name + ".", to: &names)
      }
    }
  }

  /// Adds a row of the columns as a line.
  package mutating func addCSVRecord(
    _ shape: RecordShape, _ columns: RecordColumns, row: Int, times: TimeForm
  ) {
    var isFirst = true
    addCSVFields(shape, columns, row, times, &isFirst)
    add("\r\n")
  }

  private mutating func addCSVFields(
    _ shape: RecordShape, _ columns: RecordColumns, _ row: Int, _ times: TimeForm,
    _ isFirst: inout Bool
  ) {
    for member in shape.members {
      switch member.content {
      case .value(let column, let value):
        addCSVField(value, columns, column, row, times, &isFirst)
      case .record(let record, let presence):
        if let presence {
          addCSVField(presence.shape, columns, presence.column, row, times, &isFirst)
        }
        addCSVFields(record, columns, row, times, &isFirst)
      }
    }
  }

  private mutating func addCSVField(
    _ shape: ValueShape, _ columns: RecordColumns, _ place: Int, _ row: Int, _ times: TimeForm,
    _ isFirst: inout Bool
  ) {
    if !isFirst { add(",") }
    isFirst = false
    let column = columns.columns[place]
    guard !column.isNull(row) else { return }
    if shape.type == .string && !shape.isLookedUp { return addCSVField(column.bytes(row).array) }
    var text: [UInt8] = []
    text.addValue(shape, column, row, columns.identifiers, times)
    guard text.first == UInt8(ascii: "\""), shape.isLookedUp || shape.type != .json else {
      return addCSVField(text)
    }
    if shape.isLookedUp && shape.type == .string {
      let identifier = columns.identifiers[Int(truncatingIfNeeded: column.integer(row))]
      if case .bytes(let bytes) = identifier { addCSVField(bytes) }
      return
    }
    // The quoted JSON strings of other types contain no escapes.
    addCSVField(Array(text.dropFirst().dropLast()))
  }

  private mutating func addCSVField(_ text: [UInt8]) {
    let isPlain = text.allSatisfy { byte in
      byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\n")
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
