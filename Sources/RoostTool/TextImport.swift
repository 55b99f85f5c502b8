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

  /// Reads a text, object by object.
  ///
  /// - Parameter next: The next bytes of the text; nil at its end.
  /// - Throws: ``ExportError`` with the line, or the number of the object; the store's errors; those of `next`.
  package mutating func read(
    as format: TextExport.Format, _ next: @escaping () throws -> [UInt8]?
  ) throws {
    do {
      var scanner = TextScanner(next)
      try scanner.passByteOrderMark()
      switch format {
      case .ndjson: try readLines(scanner)
      case .json: try readJSON(scanner)
      case .csv: try readCSV(scanner)
      }
    } catch let error as TextError {
      switch error {
      case .malformed(let fault):
        throw ExportError(
          "line \(fault.line), column \(fault.column): \(fault.expected) was expected, and "
            + "\(fault.found) found.")
      case .source(let error): throw error
      }
    }
  }

  private func table(_ name: String, _ place: String) throws(ExportError) -> DynamicTable {
    guard let table = tables[name] else {
      throw ExportError("\(place): there is no model \(name); `roost schema` lists them.")
    }
    return table
  }

  // MARK: JSON

  private mutating func readLines(_ scanner: TextScanner) throws {
    var lines = try JSONObjects(scanner, isByLine: true)
    while try lines.hasNext() {
      let place = "line \(lines.json.valuePlace.line)"
      let line = try lines.json.readAny()
      try lines.endObject()
      guard case .object(var members) = line else {
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

  private mutating func readJSON(_ scanner: TextScanner) throws {
    var json = JSONReader(scanner)
    switch (try json.peek(), model) {
    case (.array, let model?): try readArray(&json, into: model)
    case (.array, nil):
      throw ExportError("an array does not say which model its objects are of: say --model.")
    case (.object, nil):
      try json.beginObject()
      var isFirst = true
      while try json.nextMember(isFirst: isFirst) {
        isFirst = false
        let name = String(decoding: json.text, as: UTF8.self)
        guard try json.peek() == .array else {
          throw ExportError("\(name): an array of objects was expected.")
        }
        try readArray(&json, into: name)
      }
    default: throw ExportError("an array of objects was expected.")
    }
    try json.endValue()
  }

  private mutating func readArray(_ json: inout JSONReader, into model: String) throws {
    try json.beginArray()
    var number = 0
    while try json.nextElement(isFirst: number == 0) {
      number += 1
      let place = "\(model), object \(number)"
      guard case .object(let members) = try json.readAny() else {
        throw ExportError("\(place): an object was expected.")
      }
      try insert(members, into: try table(model, place), isBesideName: false, place)
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

  private mutating func readCSV(_ scanner: TextScanner) throws {
    guard let model else { throw ExportError("CSV is of one model: name it with --model.") }
    let table = try table(model, "line 1")
    var reader = CSVReader(scanner, separator: UInt8(ascii: ","))
    guard try reader.next() else { return }
    let fields = try (0..<reader.count).map { place in
      try field(String(decoding: reader.field(place), as: UTF8.self), of: table, "line 1")
    }
    while try reader.next() {
      let place = "line \(reader.place.line)"
      guard reader.count == fields.count else {
        throw ExportError("\(place): \(fields.count) cells were expected, as in the first line.")
      }
      var values: [String: DynamicValue] = [:]
      for (number, field) in fields.enumerated() {
        let cell = Array(reader.field(number))
        let isNull = cell.isEmpty && !reader.isQuoted(number)
        guard let value = isNull ? DynamicValue.null : CellValue.value(cell, field.type, cells)
        else {
          throw mismatch(field, of: table, place)
        }
        values[field.name] = value
      }
      try insert(values, into: table, place)
    }
  }
}
