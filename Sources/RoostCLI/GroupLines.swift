import RoostDynamic

/// Groups as the lines of a table, or as JSON objects with a member per column.
struct GroupLines {
  private let groups: DynamicGroups

  /// The lines of the groups of a query.
  init(_ groups: DynamicGroups) { self.groups = groups }

  /// Writes the lines of a table, column names first.
  func writeTable(of file: String, to output: Output) throws(ToolFailure) {
    var lines = TextTable(groups.columns, leftCount: max(groups.keyCount, 1))
    for row in 0..<groups.count { lines.measure(try cells(row, of: file)) }
    try output.line(lines.headerLine)
    for row in 0..<groups.count { try output.line(lines.line(try cells(row, of: file))) }
  }

  private func cells(_ row: Int, of file: String) throws(ToolFailure) -> [String] {
    try working(on: file) { try groups.row(row) }.map { value in
      guard value != .null else { return "nil" }
      let text = value.json
      return text.hasPrefix("\"") ? String(text.dropFirst().dropLast()) : text
    }
  }

  /// Writes the groups as lines of JSON.
  func writeJSON(of file: String, to output: Output) throws(ToolFailure) {
    for row in 0..<groups.count {
      var line = JSONObject()
      for (name, value) in zip(groups.columns, try working(on: file, { try groups.row(row) })) {
        line[name] = value
      }
      output.buffer.append(contentsOf: line.text.utf8)
      output.buffer.append(UInt8(ascii: "\n"))
      try output.flushIfFull()
    }
  }
}
