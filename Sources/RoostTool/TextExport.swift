internal import Roost
package import RoostDynamic
internal import RoostEngine
internal import RoostInterchange

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Writes the objects of models as text.
package struct TextExport {
  /// A form of text.
  package enum Format: String, Sendable, CaseIterable {
    /// An object of arrays by model, or the array of one model.
    case json
    /// A line for each object, which begins with the model where there are several.
    case ndjson
    /// Comma-separated values of one model.
    case csv
  }

  private let snapshot: DynamicSnapshot
  private let tables: [DynamicTable]
  private let format: Format
  /// Whether a text that a spreadsheet would take for a formula gets an apostrophe before it.
  private let quotesFormulas: Bool
  /// Takes bytes.
  private let write: ([UInt8]) throws -> Void

  /// An export of models of a version.
  ///
  /// - Parameters:
  ///   - models: The models; none for all.
  ///   - quotesFormulas: Whether a text in CSV that a spreadsheet would take for a formula gets an apostrophe before it.
  ///   - write: Takes bytes.
  /// - Throws: ``ExportError`` for a model that is not there, and for CSV of several.
  package init(
    _ snapshot: DynamicSnapshot, _ models: [String], as format: Format,
    quotesFormulas: Bool = false, _ write: @escaping ([UInt8]) throws -> Void
  ) throws(ExportError) {
    let all = snapshot.tables.filter { !$0.holdsNamedValue }
    for name in models where !all.contains(where: { $0.name == name }) {
      throw ExportError(
        "there is no model \(name)."
          + NearestName.question(
            name, among: all.map(\.name), else: " `roost schema` lists them."))
    }
    let chosen = models.isEmpty ? all : models.compactMap { snapshot.table($0) }
    if format == .csv, chosen.count != 1 {
      throw ExportError("CSV is of one model: name it with --model.")
    }
    self.snapshot = snapshot
    tables = chosen
    self.format = format
    self.quotesFormulas = quotesFormulas
    self.write = write
  }

  /// Writes all objects.
  ///
  /// - Parameter progress: Called now and then with a model, and how many objects of how many are done, of all models.
  package func run(
    progress: (_ model: String, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
  ) throws {
    let total = try tables.map { try snapshot.count(of: $0.name) }.reduce(0, +)
    var done = 0
    func didWrite(_ count: Int, of table: DynamicTable) {
      done += count
      progress(table.name, done, total)
    }
    switch format {
    case .ndjson: for table in tables { try writeLines(of: table) { didWrite($0, of: table) } }
    case .csv: for table in tables { try writeCSV(of: table) { didWrite($0, of: table) } }
    case .json:
      if tables.count == 1 {
        try writeArray(of: tables[0], end: "\n") { didWrite($0, of: tables[0]) }
      } else {
        try write(Array("{".utf8))
        for (place, table) in tables.enumerated() {
          let name = DynamicValue.string(table.name).json
          try write(Array("\(place > 0 ? ",\n" : "\n")\(name): ".utf8))
          try writeArray(of: table, end: "") { didWrite($0, of: table) }
        }
        try write(Array("\n}\n".utf8))
      }
    }
  }

  // MARK: JSON

  private func writeLines(of table: DynamicTable, _ didWrite: (Int) -> Void) throws {
    var lines = try snapshot.objects(.all(table.name)).lines()
    // With the model the line is that of a dump.
    let start = "{\"table\":\(DynamicValue.string(table.name).json)"
    while let part = try lines.next() {
      defer { didWrite(part.count(where: { $0 == UInt8(ascii: "\n") })) }
      guard tables.count > 1 else {
        try write(part)
        continue
      }
      var text: [UInt8] = []
      for line in part.split(separator: UInt8(ascii: "\n")) {
        text += start.utf8
        if line.count > 2 { text.append(UInt8(ascii: ",")) }
        text += line.dropFirst()
        text.append(UInt8(ascii: "\n"))
      }
      try write(text)
    }
  }

  private func writeArray(
    of table: DynamicTable, end: String, _ didWrite: (Int) -> Void
  ) throws {
    var lines = try snapshot.objects(.all(table.name)).lines()
    var isFirst = true
    try write(Array("[".utf8))
    while let part = try lines.next() {
      var text: [UInt8] = []
      for line in part.split(separator: UInt8(ascii: "\n")) {
        text += (isFirst ? "\n  " : ",\n  ").utf8
        isFirst = false
        text += line
      }
      try write(text)
      didWrite(part.count(where: { $0 == UInt8(ascii: "\n") }))
    }
    try write(Array(((isFirst ? "]" : "\n]") + end).utf8))
  }

  // MARK: CSV

  private func writeCSV(of table: DynamicTable, _ didWrite: (Int) -> Void) throws {
    var text = Self.record(table.fields.map { .string($0.name) })
    var count = 0
    for object in try snapshot.objects(.all(table.name)) {
      count += 1
      let values = try table.fields.map { try value($0, of: object) }
      text += Self.record(values, quotesFormulas: quotesFormulas)
      if text.count > 1 << 16 {
        try write(text)
        text.removeAll(keepingCapacity: true)
        didWrite(count)
        count = 0
      }
    }
    try write(text)
    didWrite(count)
  }

  private func value(_ field: DynamicField, of object: DynamicObject) throws -> DynamicValue {
    guard field.type == .blob else { return try object[field.name] }
    let count = try object.byteCount(of: field.name)
    return .data(Data(try object.bytes(of: field.name, in: 0..<count)))
  }

  /// A line of CSV (RFC 4180); a cell without a value is empty, and an empty text is a pair of quotation marks.
  package static func record(
    _ values: [DynamicValue], quotesFormulas: Bool = false, end: String = "\r\n"
  ) -> [UInt8] {
    var record: [UInt8] = []
    for (place, value) in values.enumerated() {
      if place > 0 { record.append(UInt8(ascii: ",")) }
      if let cell = cell(value, quotesFormulas) { record.addCell(cell) }
    }
    return record + end.utf8
  }

  private static func cell(_ value: DynamicValue, _ quotesFormulas: Bool) -> [UInt8]? {
    switch value {
    case .null: return nil
    case .string(let text):
      let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
      return Array(((quotesFormulas && isFormula ? "'" : "") + text).utf8)
    case .json(let text): return Array(text.utf8)
    case .date(let date):
      return date.isoText.map { Array($0.utf8) }
        ?? unquoted(DynamicValue.double(date.timeIntervalSinceReferenceDate).json)
    default: return unquoted(value.json)
    }
  }

  /// A value in JSON, without the quotes of a text.
  private static func unquoted(_ json: String) -> [UInt8] {
    let bytes = Array(json.utf8)
    return bytes.first == UInt8(ascii: "\"") ? Array(bytes.dropFirst().dropLast()) : bytes
  }
}

extension [UInt8] {
  /// Adds a cell of CSV.
  fileprivate mutating func addCell(_ cell: [UInt8]) {
    let special: Set<UInt8> = [
      UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
    ]
    guard cell.isEmpty || cell.contains(where: special.contains) else {
      self += cell
      return
    }
    append(UInt8(ascii: "\""))
    for byte in cell {
      if byte == UInt8(ascii: "\"") { append(byte) }
      append(byte)
    }
    append(UInt8(ascii: "\""))
  }
}

extension Date {
  /// The point in time as ISO 8601; nil outside of the years 1 to 9999, and where a fraction has too many digits.
  package var isoText: String? {
    TimeText.text(timeIntervalSinceReferenceDate).map { String(decoding: $0, as: UTF8.self) }
  }
}
