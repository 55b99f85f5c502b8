import RoostDynamic

/// Rows of text in columns: the first ones to the left, the others, which are figures, to the right.
///
/// Each row is given twice, first to measure it and then for its line, and none is kept. A cell that is longer than
/// ``cellMax`` is cut: one long text would pad all others.
struct TextTable {
  private let header: [String]
  private let leftCount: Int
  private var widths: [Int]
  /// The most characters of a cell.
  static let cellMax = 100

  init(_ header: [String], leftCount: Int = 1) {
    self.header = header.map(Self.cell)
    self.leftCount = leftCount
    widths = self.header.map(\.count)
  }

  /// Makes the columns as wide as a row needs.
  mutating func measure(_ row: [String]) {
    for (column, cell) in row.enumerated() {
      widths[column] = max(widths[column], Self.cell(cell).count)
    }
  }

  /// The line above all others, when all rows are measured.
  var headerLine: String { line(header) }

  /// The line of a row, when all are measured.
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

  /// A text as it is shown, and no longer than a cell may be.
  private static func cell(_ text: String) -> String { cut(cut(text).visible) }

  /// The beginning of a long text. A character may be made of any number of scalars, so these are counted.
  private static func cut(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard text.utf8.count > cellMax,
      let end = scalars.index(scalars.startIndex, offsetBy: cellMax, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return String(scalars[..<scalars.index(before: end)]) + "…"
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
