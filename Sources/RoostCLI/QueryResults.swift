#if Tool
import RoostDynamic
import RoostTool

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a query has found: objects or groups, as rows with names.
protocol QueryResults {
  /// The names of the columns.
  var columns: [String] { get }
  /// How many of the first columns are texts and not figures.
  var leftCount: Int { get }
  /// How many rows there are.
  var count: Int { get }
  /// The values of a row, for JSON and CSV.
  func values(_ row: Int) throws -> [DynamicValue]
  /// The values of a row, for people.
  func texts(_ row: Int) throws -> [String]
}

extension QueryResults {
  func texts(_ row: Int) throws -> [String] { try values(row).map(\.shown) }
}

extension DynamicValue {
  /// The value for people: a text without quotes.
  var shown: String {
    switch self {
    case .null: return "nil"
    case .string(let text), .json(let text): return text
    case .date(let date): return date.isoText ?? json
    default:
      let text = json
      return text.hasPrefix("\"") ? String(text.dropFirst().dropLast()) : text
    }
  }
}

extension DynamicValue {
  /// The value as one of several on a line, for people: JSON, but dates as dates.
  func listed(fitting length: Int) -> String {
    if case .date(let date) = self, let text = date.isoText { return text }
    return json.fitting(length)
  }
}

/// Objects as the rows of a table.
struct ObjectResults: QueryResults {
  private let objects: DynamicObjects
  private let fields: [DynamicField]
  let columns: [String]

  init(_ objects: DynamicObjects, of table: DynamicTable) {
    self.objects = objects
    fields = table.fields
    columns = table.fields.map(\.name)
  }

  /// All but the last columns of numbers would need to know what is right of them.
  var leftCount: Int { columns.count }
  var count: Int { objects.count }

  func values(_ row: Int) throws -> [DynamicValue] {
    let object = objects[row]
    return try fields.map { field in
      guard field.type == .blob else { return try object[field.name] }
      let count = try object.byteCount(of: field.name)
      return .data(Data(try object.bytes(of: field.name, in: 0..<count)))
    }
  }

  func texts(_ row: Int) throws -> [String] {
    let object = objects[row]
    return try fields.map { field in
      // A film is not for a terminal.
      field.type == .blob
        ? "\(ByteCount(try object.byteCount(of: field.name)))" : try object[field.name].shown
    }
  }
}

/// Groups as the rows of a table.
struct GroupResults: QueryResults {
  private let groups: DynamicGroups

  init(_ groups: DynamicGroups) { self.groups = groups }

  var columns: [String] { groups.columns }
  var leftCount: Int { max(groups.keyCount, 1) }
  var count: Int { groups.count }

  func values(_ row: Int) throws -> [DynamicValue] { try groups.row(row) }
}

/// Prints rows in a format.
struct ResultsWriter {
  let results: any QueryResults
  /// The most rows that are shown; nil for all.
  let limit: Int?
  let output: Output

  private var rows: Range<Int> { 0..<min(results.count, limit ?? .max) }

  func write(as format: QueryFormat) throws {
    switch format {
    case .table: try writeTable()
    case .json: try writeJSON()
    case .ndjson:
      for row in rows {
        output.buffer.append(contentsOf: try object(row).utf8)
        output.buffer.append(UInt8(ascii: "\n"))
        try output.flushIfFull()
      }
    case .csv: try writeCSV()
    }
  }

  private func writeTable() throws {
    var table = TextTable(results.columns, leftCount: results.leftCount)
    for row in rows { table.measure(try results.texts(row)) }
    if let columns = output.columns { table.fit(columns) }
    try output.heading(table.headerLine)
    for row in rows { try output.line(table.line(try results.texts(row))) }
    let more = results.count - rows.count
    if more > 0 { try output.line("and \(more) more") }
  }

  private func object(_ row: Int) throws -> String {
    var object = JSONObject()
    for (name, value) in zip(results.columns, try results.values(row)) { object[name] = value }
    return object.text
  }

  private func writeJSON() throws {
    output.buffer.append(contentsOf: "[".utf8)
    for row in rows {
      output.buffer.append(contentsOf: (row > 0 ? ",\n  " : "\n  ").utf8)
      output.buffer.append(contentsOf: try object(row).utf8)
      try output.flushIfFull()
    }
    output.buffer.append(contentsOf: (rows.isEmpty ? "]\n" : "\n]\n").utf8)
  }

  private func writeCSV() throws {
    try add(results.columns.map { .string($0) })
    for row in rows { try add(try results.values(row)) }
  }

  private func add(_ record: [DynamicValue]) throws {
    // A carriage return controls a terminal.
    output.buffer.append(
      contentsOf: TextExport.record(record, end: output.isTerminal ? "\n" : "\r\n"))
    try output.flushIfFull()
  }
}
#endif
