import RoostDynamic

/// A table of text: the first columns are left-aligned, the others, for figures, right-aligned.
///
/// Pass each row twice, first to measure it and then to print it; no row is kept. A cell longer than
/// ``cellMax`` is cut, because one long text would pad all other rows.
struct TextTable {
  private let header: [String]
  private let leftCount: Int
  private var widths: [Int]
  /// The maximum number of characters in a cell.
  static let cellMax = 100

  init(_ header: [String], leftCount: Int = 1) {
    self.header = header.map(Self.cell)
    self.leftCount = leftCount
    widths = self.header.map(\.count)
  }

  /// Widens the columns to fit a row.
  mutating func measure(_ row: [String]) {
    for (column, cell) in row.enumerated() {
      widths[column] = max(widths[column], Self.cell(cell).count)
    }
  }

  /// The header line, after all rows are measured.
  var headerLine: String { line(header) }

  /// The line of a row, after all rows are measured.
  func line(_ row: [String]) -> String {
    var line = ""
    for (column, cell) in row.map(Self.cell).enumerated() {
      let padding = String(repeating: " ", count: widths[column] - cell.count)
      if column > 0 { line += "  " }
      line += column < leftCount ? cell + padding : padding + cell
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// A text made visible, and cut to the maximum of a cell.
  private static func cell(_ text: String) -> String { cut(cut(text).visible) }

  /// The beginning of a long text. Counts scalars, because a character may have any number of them.
  private static func cut(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard text.utf8.count > cellMax,
      let end = scalars.index(scalars.startIndex, offsetBy: cellMax, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return String(scalars[..<scalars.index(before: end)]) + "…"
  }
}

/// A byte count in readable form: bytes, KB, MB or GB, in powers of 1000.
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
