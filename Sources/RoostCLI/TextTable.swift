/// Rows of text in columns: the first ones to the left, the others, which are figures, to the right.
struct TextTable {
  private var rows: [[String]]

  private let leftCount: Int

  init(_ header: [String], leftCount: Int = 1) {
    rows = [header]
    self.leftCount = leftCount
  }

  mutating func add(_ row: [String]) { rows.append(row) }

  /// The lines, the header's first.
  var lines: [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        if column > 0 { line += "  " }
        line += column < leftCount ? cell + padding : padding + cell
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

/// A number of bytes as people read it: in bytes, KB, MB or GB of 1000.
struct ByteCount: CustomStringConvertible {
  private let bytes: UInt64

  init(_ bytes: UInt64) { self.bytes = bytes }

  var description: String {
    var value = Double(bytes)
    guard value >= 1000 else { return "\(bytes) bytes" }
    for unit in ["KB", "MB", "GB"] {
      value /= 1000
      if value < 999.95 || unit == "GB" { return "\((value * 10).rounded() / 10) \(unit)" }
    }
    return "\(bytes) bytes"
  }
}
