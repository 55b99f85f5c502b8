internal import Roost
package import RoostDynamic
internal import RoostEngine
internal import RoostInterchange

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads objects from text into models that a store has.
package struct TextImport {
  private let transaction: DynamicTransaction
  private let tables: [String: DynamicTable]
  private let cells: JSONCell
  /// The model of all objects; nil where the text says it.
  private let model: String?
  /// Whether objects that are there are changed, and not an error.
  private let updates: Bool
  /// How many objects were new, and how many were there.
  package private(set) var inserted = 0
  package private(set) var updated = 0

  /// An import within a transaction.
  ///
  /// - Parameters:
  ///   - model: The model of all objects; nil where the text says it.
  ///   - updates: Whether objects that are there are changed, and not an error.
  /// - Throws: ``ExportError`` for a model that is not there.
  package init(
    _ transaction: DynamicTransaction, into model: String?, updates: Bool
  ) throws {
    self.transaction = transaction
    let all = try transaction.tables.filter { !$0.holdsNamedValue }
    tables = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    cells = JSONCell(tables: tables)
    if let model, tables[model] == nil {
      throw ExportError("there is no model \(model); `roost schema` lists them.")
    }
    self.model = model
    self.updates = updates
  }

  /// Reads a text.
  ///
  /// - Throws: ``ExportError`` with the line, or the number of the object; the store's errors.
  package mutating func read(_ bytes: [UInt8], as format: TextExport.Format) throws {
    switch format {
    case .ndjson: try readLines(bytes)
    case .json: try readJSON(bytes)
    case .csv: try readCSV(bytes)
    }
  }

  private func table(_ name: String, _ place: String) throws(ExportError) -> DynamicTable {
    guard let table = tables[name] else {
      throw ExportError("\(place): there is no model \(name); `roost schema` lists them.")
    }
    return table
  }

  // MARK: JSON

  private mutating func readLines(_ bytes: [UInt8]) throws {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      guard line.contains(where: { !" \t\r".utf8.contains($0) }) else { continue }
      let place = "line \(number + 1)"
      guard case .object(var members) = try json(Array(line), place) else {
        throw ExportError("\(place): an object was expected.")
      }
      guard let model else {
        guard case .string(let name) = members.removeValue(forKey: "table") else {
          throw ExportError(
            "\(place): there is no member \"table\" that names the model; say --model.")
        }
        try insert(members, into: try table(name, place), isBesideName: true, place)
        continue
      }
      try insert(members, into: try table(model, place), isBesideName: false, place)
    }
  }

  private mutating func readJSON(_ bytes: [UInt8]) throws {
    switch (try json(bytes, "the text"), model) {
    case (.array(let objects), let model?): try insert(objects, into: model)
    case (.array, nil):
      throw ExportError("an array does not say which model its objects are of: say --model.")
    case (.object(let models), nil):
      for (name, objects) in models.sorted(by: { $0.key < $1.key }) {
        guard case .array(let objects) = objects else {
          throw ExportError("\(name): an array of objects was expected.")
        }
        try insert(objects, into: name)
      }
    default: throw ExportError("an array of objects was expected.")
    }
  }

  private mutating func insert(_ objects: [JSONValue], into model: String) throws {
    for (number, object) in objects.enumerated() {
      let place = "\(model), object \(number + 1)"
      guard case .object(let members) = object else {
        throw ExportError("\(place): an object was expected.")
      }
      try insert(members, into: try table(model, place), isBesideName: false, place)
    }
  }

  private func json(_ bytes: [UInt8], _ place: String) throws(ExportError) -> JSONValue {
    do { return try JSONValue(bytes) } catch {
      guard case .malformed(let fault) = error else { throw ExportError("\(place): no JSON.") }
      throw ExportError(
        "\(place), line \(fault.line), column \(fault.column): \(fault.expected) was expected, "
          + "and \(fault.found) found.")
    }
  }

  private mutating func insert(
    _ members: [String: JSONValue], into table: DynamicTable, isBesideName: Bool, _ place: String
  ) throws {
    var values: [String: DynamicValue] = [:]
    for (name, member) in members {
      // The name of the model pushes fields that are called so.
      let isTable = isBesideName && name.hasPrefix("_") && name.drop { $0 == "_" } == "table"
      let field = try field(isTable ? String(name.dropFirst()) : name, of: table, place)
      guard let value = cells.value(member, field.type) else {
        throw mismatch(field, of: table, place)
      }
      values[field.name] = value
    }
    try insert(values, into: table, place)
  }

  private func field(
    _ name: String, of table: DynamicTable, _ place: String
  ) throws(ExportError) -> DynamicField {
    guard let field = table.field(name) else {
      throw ExportError("\(place): \(table.name) has no field \(name).")
    }
    return field
  }

  private func mismatch(
    _ field: DynamicField, of table: DynamicTable, _ place: String
  ) -> ExportError {
    ExportError("\(place): the value of \(table.name).\(field.name) is not of its type.")
  }

  private mutating func insert(
    _ values: [String: DynamicValue], into table: DynamicTable, _ place: String
  ) throws {
    // What a field that needs a value does not have, it gets by its default.
    let values = values.filter { name, value in
      value != .null || table.field(name)?.isOptional == true
    }
    do {
      if updates, let key = table.key, let value = values[key.name],
        try transaction.update(value, of: table.name, values)
      {
        updated += 1
      } else {
        try transaction.insert(values, into: table.name)
        inserted += 1
      }
    } catch {
      throw ExportError("\(place): \(error.message)")
    }
  }

  // MARK: CSV

  private mutating func readCSV(_ bytes: [UInt8]) throws {
    guard let model else { throw ExportError("CSV is of one model: name it with --model.") }
    let table = try table(model, "line 1")
    do throws(TextError) {
      var scanner = TextScanner(bytes)
      try scanner.passByteOrderMark()
      var reader = CSVReader(scanner, separator: UInt8(ascii: ","))
      guard try reader.next() else { return }
      let names = (0..<reader.count).map { String(decoding: reader.field($0), as: UTF8.self) }
      var records: [(line: Int, cells: [[UInt8]?])] = []
      while try reader.next() {
        records.append(
          (
            reader.place.line,
            (0..<reader.count).map { place in
              let bytes = Array(reader.field(place))
              return bytes.isEmpty && !reader.isQuoted(place) ? nil : bytes
            }
          ))
      }
      do { try insert(names, records, into: table) } catch { throw .source(error) }
    } catch {
      switch error {
      case .malformed(let fault):
        throw ExportError(
          "line \(fault.line), column \(fault.column): \(fault.expected) was expected, and "
            + "\(fault.found) found.")
      case .source(let error): throw error
      }
    }
  }

  private mutating func insert(
    _ names: [String], _ records: [(line: Int, cells: [[UInt8]?])], into table: DynamicTable
  ) throws {
    let fields = try names.map { try field($0, of: table, "line 1") }
    for record in records {
      let place = "line \(record.line)"
      guard record.cells.count == fields.count else {
        throw ExportError("\(place): \(fields.count) cells were expected, as in the first line.")
      }
      var values: [String: DynamicValue] = [:]
      for (field, cell) in zip(fields, record.cells) {
        guard let value = cell.map({ CellValue.value($0, field.type, cells) }) ?? .null else {
          throw mismatch(field, of: table, place)
        }
        values[field.name] = value
      }
      try insert(values, into: table, place)
    }
  }
}
