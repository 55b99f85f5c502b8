import RoostDynamic

/// A table of text: the first columns are left-aligned, the others, for figures, right-aligned.
///
/// Pass each row twice, first to measure it and then to print it; no row is kept. A cell longer than
/// ``cellMax`` is cut, because one long text would pad all other rows.
struct TextTable {
  private let header: [String]
  private let leftCount: Int
  private var widths: [Int]
  /// The columns that are shown: fewer than all where a terminal is too narrow.
  private var shownCount: Int
  /// The maximum number of columns of a terminal that a cell takes.
  static let cellMax = 100
  /// What a cell takes at least, where a terminal is too narrow.
  private static let cellMin = 8

  init(_ header: [String], leftCount: Int = 1) {
    self.header = header.map(Self.cell)
    self.leftCount = leftCount
    widths = self.header.map(\.columns)
    shownCount = widths.count
  }

  /// Widens the columns to fit a row.
  mutating func measure(_ row: [String]) {
    for (column, cell) in row.enumerated() {
      widths[column] = max(widths[column], Self.cell(cell).columns)
    }
  }

  /// Makes the widest columns narrower, and leaves out the last ones, until the table fits into a terminal.
  mutating func fit(_ columnsMax: Int) {
    func total() -> Int { widths[..<shownCount].reduce(2 * (shownCount - 1), +) }
    while total() > columnsMax, let widest = widths[..<shownCount].max(), widest > Self.cellMin,
      let place = widths[..<shownCount].firstIndex(of: widest)
    {
      let next = widths[..<shownCount].filter { $0 < widest }.max() ?? Self.cellMin
      widths[place] = max(Self.cellMin, next, widest - (total() - columnsMax))
      if widths[place] == widest { widths[place] -= 1 }
    }
    // Behind the last column stands that there are more.
    while shownCount > 1, total() + (shownCount < widths.count ? 3 : 0) > columnsMax {
      shownCount -= 1
    }
  }

  /// The header line, after all rows are measured.
  var headerLine: String { line(header) }

  /// The line of a row, after all rows are measured.
  func line(_ row: [String]) -> String {
    var line = ""
    for (column, cell) in row.prefix(shownCount).map(Self.cell).enumerated() {
      let cell = cell.fitting(widths[column])
      let padding = String(repeating: " ", count: widths[column] - cell.columns)
      if column > 0 { line += "  " }
      line += column < leftCount ? cell + padding : padding + cell
    }
    if shownCount < widths.count { line += "  …" }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// A text made visible, and cut to the maximum of a cell.
  private static func cell(_ text: String) -> String { cut(cut(text).visible) }

  /// The beginning of a long text.
  private static func cut(_ text: String) -> String {
    // Counts scalars first, because a character may have any number of them.
    let scalars = text.unicodeScalars
    guard text.utf8.count > cellMax,
      let end = scalars.index(scalars.startIndex, offsetBy: cellMax, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text.fitting(cellMax) }
    return (String(scalars[..<scalars.index(before: end)]) + "…").fitting(cellMax)
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
