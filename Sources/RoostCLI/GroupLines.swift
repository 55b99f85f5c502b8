import RoostEngine
import RoostInterchange
import RoostQueryText

/// Groups as lines: of a table, or of JSON with a member for each column.
struct GroupLines {
  private let columns: [Column]
  private let keyCount: Int
  private let table: ValueTable

  private struct Column {
    let name: String
    let cell: ElementColumn
    let targets: LinkTargets?
  }

  /// The lines of the groups of a query of a version.
  init(_ table: ValueTable, of query: GroupQuery, in snapshot: Snapshot) throws(EngineError) {
    self.table = table
    keyCount = query.keys.count
    var columns: [Column] = []
    for (column, values) in zip(query.columns(in: snapshot.catalog), table.columns) {
      let field = column.field
      var targets: LinkTargets?
      if let field, field.type == .link { targets = try LinkTargets(of: field, in: snapshot) }
      var type = field?.type ?? column.type ?? values.type.plain
      // What is calculated has the type that it is stored as, whatever it was made of.
      if type.physical != values.type { type = values.type.plain }
      columns.append(
        Column(
          name: column.name,
          cell: ElementColumn(
            name: column.name, type: type, isOptional: true, parts: field?.parts ?? []),
          targets: targets))
    }
    self.columns = columns
  }

  /// Writes the lines of a table, the names of the columns first.
  func writeTable(of file: String, to output: Output) throws(ToolFailure) {
    var lines = TextTable(columns.map(\.name), leftCount: max(keyCount, 1))
    func cells(_ row: Int) throws(ToolFailure) -> [String] {
      try working(on: file) { () throws(EngineError) in try tableCells(row) }
    }
    for row in 0..<table.count { lines.measure(try cells(row)) }
    try output.line(lines.headerLine)
    for row in 0..<table.count { try output.line(lines.line(try cells(row))) }
  }

  private func tableCells(_ row: Int) throws(EngineError) -> [String] {
    var cells: [String] = []
    for place in columns.indices {
      var cell: [UInt8] = []
      try add(place, row, to: &cell)
      var text = cell[...]
      if text.first == UInt8(ascii: "\"") { text = text.dropFirst().dropLast() }
      cells.append(
        table.columns[place].isNull(row) ? "nil" : String(decoding: text, as: UTF8.self))
    }
    return cells
  }

  /// Adds a group as a line of JSON.
  func addLine(_ row: Int, to text: inout [UInt8]) throws(EngineError) {
    text.add("{")
    for (place, column) in columns.enumerated() {
      if place > 0 { text.add(",") }
      text.addString(column.name)
      text.add(":")
      try add(place, row, to: &text)
    }
    text.add("}\n")
  }

  private func add(_ place: Int, _ row: Int, to text: inout [UInt8]) throws(EngineError) {
    let values = table.columns[place]
    if let targets = columns[place].targets, !values.isNull(row) {
      return try targets.add(values.integer(row), to: &text)
    }
    text.addValue(columns[place].cell, values, row)
  }
}

extension PhysicalType {
  /// What values mean of which nothing else is known.
  fileprivate var plain: FieldType {
    switch self {
    case .integer: .int
    case .double: .double
    case .float: .float
    case .uuid: .uuid
    case .bytes: .data
    }
  }
}
