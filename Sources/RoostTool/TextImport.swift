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
///
/// After a mistake the rest of the text is checked, too, and nothing may be committed.
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
  private let form: CSVForm
  /// Whether the text is a table of CSV.
  private var isCSV = false
  /// What is wrong in the text: it is read to its end, so that all of it is told.
  private var mistakes = TextMistakes()

  /// A table of CSV that another program wrote.
  package struct CSVForm {
    /// The character between the fields: ASCII.
    package var separator = UInt8(ascii: ",")
    /// What stands for no value, besides nothing.
    package var missing: Set<String> = []
    /// The fields of columns that have other names.
    package var fields: [String: String] = [:]
    /// Whether columns of no field are left out, and not an error.
    package var leavesOutOthers = false

    /// A table as the export writes it.
    package init() {}
  }

  /// An import within a transaction.
  ///
  /// - Parameters:
  ///   - model: The model of all objects; nil where the text says it.
  ///   - updates: Whether objects that are there are changed, and not an error.
  ///   - form: How a table of CSV is written.
  /// - Throws: ``ExportError`` for a model that is not there.
  package init(
    _ transaction: DynamicTransaction, into model: String?, updates: Bool,
    form: CSVForm = CSVForm()
  ) throws {
    self.form = form
    self.transaction = transaction
    let all = try transaction.tables.filter { !$0.holdsNamedValue }
    tables = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    cells = JSONCell(tables: tables)
    self.model = model
    self.updates = updates
    if let model, tables[model] == nil { throw ExportError(unknownModel(model)) }
  }

  /// Reads a text, object by object.
  ///
  /// - Parameter next: The next bytes of the text; nil at its end.
  /// - Throws: ``ExportError`` with all mistakes, each with its line and column, or the first of them and their number; the
  ///   store's errors; those of `next`.
  package mutating func read(
    as format: TextExport.Format, _ next: @escaping () throws -> [UInt8]?
  ) throws {
    do {
      var scanner = TextScanner(next)
      try scanner.passByteOrderMark()
      isCSV = format == .csv
      switch format {
      case .ndjson: try readLines(scanner)
      case .json: try readJSON(scanner)
      case .csv: try readCSV(scanner)
      }
    } catch let error as TextError {
      switch error {
      case .malformed(let fault):
        // What follows cannot be read.
        mistakes.add(
          (fault.line, fault.column), "\(fault.expected) was expected, and \(fault.found) found.")
      case .source(let error): throw error
      }
    }
    if !mistakes.isEmpty { throw mistakes.error }
  }

  private func unknownModel(_ name: String) -> String {
    "there is no model \(name)."
      + NearestName.question(
        name, among: tables.keys.sorted(), else: " `roost schema` lists them.")
  }

  // MARK: JSON

  /// A member of an object, with the places of its name and its value.
  private typealias Member = (
    value: JSONValue, place: TextMistakes.Place, namePlace: TextMistakes.Place
  )

  private mutating func readLines(_ scanner: TextScanner) throws {
    var lines = try JSONObjects(scanner, isByLine: true)
    while try lines.hasNext() {
      let place = lines.json.valuePlace
      let object = try members(&lines.json)
      try lines.endObject()
      guard var object else { continue }
      guard let model else {
        guard let member = object.removeValue(forKey: "table"),
          case .string(let name) = member.value
        else {
          mistakes.add(
            place, "there is no member \"table\" that names the model; say --model.")
          continue
        }
        guard let table = tables[name] else {
          mistakes.add(member.place, unknownModel(name))
          continue
        }
        try insert(object, into: table, isBesideName: true, place)
        continue
      }
      if let table = tables[model] { try insert(object, into: table, isBesideName: false, place) }
    }
  }

  private mutating func readJSON(_ scanner: TextScanner) throws {
    var json = JSONReader(scanner)
    switch (try json.peek(), model) {
    case (.array, let model?):
      if let table = tables[model] { try readArray(&json, into: table) }
    case (.array, nil):
      throw ExportError("an array does not say which model its objects are of: say --model.")
    case (.object, nil):
      try json.beginObject()
      var isFirst = true
      while try json.nextMember(isFirst: isFirst) {
        isFirst = false
        let (name, namePlace) = (String(decoding: json.text, as: UTF8.self), json.valuePlace)
        guard try json.peek() == .array, let table = tables[name] else {
          let isArray = try json.peek() == .array
          mistakes.add(
            isArray ? namePlace : json.valuePlace,
            isArray ? unknownModel(name) : "\(name): an array of objects was expected.")
          try json.skipValue()
          continue
        }
        try readArray(&json, into: table)
      }
    default: throw ExportError("an array of objects was expected.")
    }
    try json.endValue()
  }

  private mutating func readArray(_ json: inout JSONReader, into table: DynamicTable) throws {
    try json.beginArray()
    var isFirst = true
    while try json.nextElement(isFirst: isFirst) {
      isFirst = false
      _ = try json.peek()
      let place = json.valuePlace
      guard let object = try members(&json) else { continue }
      try insert(object, into: table, isBesideName: false, place)
    }
  }

  /// Reads the members of the next object, of those with the same name the last; nil if it is none, which is a mistake.
  private mutating func members(_ json: inout JSONReader) throws(TextError) -> [String: Member]? {
    guard try json.peek() == .object else {
      mistakes.add(json.valuePlace, "an object was expected.")
      try json.skipValue()
      return nil
    }
    try json.beginObject()
    var members: [String: Member] = [:]
    var isFirst = true
    while try json.nextMember(isFirst: isFirst) {
      isFirst = false
      let (name, namePlace) = (String(decoding: json.text, as: UTF8.self), json.valuePlace)
      _ = try json.peek()
      let place = json.valuePlace
      members[name] = (try json.readAny(), place, namePlace)
    }
    return members
  }

  private mutating func insert(
    _ members: [String: Member], into table: DynamicTable, isBesideName: Bool,
    _ place: TextMistakes.Place
  ) throws {
    let mistakesBefore = mistakes.count
    var values: [String: DynamicValue] = [:]
    for (name, member) in members.sorted(by: { $0.value.place < $1.value.place }) {
      // The name of the model pushes fields that are called so.
      let isTable = isBesideName && name.hasPrefix("_") && name.drop { $0 == "_" } == "table"
      guard
        let field = field(isTable ? String(name.dropFirst()) : name, of: table, member.namePlace)
      else { continue }
      guard let value = cells.value(member.value, field.type) else {
        addMismatch(field, of: table, member.value.words, member.place)
        continue
      }
      values[field.name] = value
    }
    guard mistakes.count == mistakesBefore else { return }
    try insert(values, into: table, place)
  }

  /// The field with a name; nil, and a mistake, if there is none.
  private mutating func field(
    _ name: String, of table: DynamicTable, _ place: TextMistakes.Place
  ) -> DynamicField? {
    if let field = table.field(name) { return field }
    mistakes.add(
      place,
      "\(table.name) has no field \(name)."
        + (separatorHint(name)
          ?? NearestName.question(name, among: table.fields.map(\.name), else: columnHint(name))))
    return nil
  }

  /// What to do with a table whose columns seem to be one.
  private func separatorHint(_ name: String) -> String? {
    guard isCSV, let separator = name.first(where: { ";\t|".contains($0) }) else { return nil }
    return " Is it another separator? --separator '\(separator == "\t" ? "\\t" : "\(separator)")'"
  }

  /// What to do with a column that is no field.
  private func columnHint(_ name: String) -> String {
    isCSV ? " --column '\(name)=FIELD' reads it as one, --leave-out-others leaves it out." : ""
  }

  private mutating func addMismatch(
    _ field: DynamicField, of table: DynamicTable, _ found: String, _ place: TextMistakes.Place
  ) {
    let form = field.type.writtenForm + (field.isOptional ? ", or nothing" : "")
    mistakes.add(place, "\(table.name).\(field.name) takes \(form); this is \(found).")
  }

  private mutating func insert(
    _ values: [String: DynamicValue], into table: DynamicTable, _ place: TextMistakes.Place
  ) throws {
    // What a field that needs a value does not have, it gets by its default.
    let given = values.filter { name, value in
      value != .null || table.field(name)?.isOptional == true
    }
    guard let values = try withStructs(given, of: table, place) else { return }
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
      if case .duplicateKey(_, let field, let value) = error, field == table.key?.name {
        mistakes.add(
          place,
          "\(table.name) already has an object whose \(field) is \(value); --update changes it.")
      } else if case .valueMismatch(_, let field, _, _) = error, field == table.key?.name,
        values[field] == nil
      {
        mistakes.add(
          place,
          "\(table.name).\(field) is the key, and this has none. A program can number the records: `numberedField`."
        )
      } else {
        mistakes.add(place, error.message)
      }
      switch error {
      case .duplicateKey, .valueMismatch, .changedKey: break
      // The transaction may have ended.
      default: throw mistakes.error
      }
    }
  }

  /// The values with those of the fields that mark optional structs, which a text need not have; nil, and a mistake, for a new
  /// struct of which a part is missing.
  private mutating func withStructs(
    _ values: [String: DynamicValue], of table: DynamicTable, _ place: TextMistakes.Place
  ) throws -> [String: DynamicValue]? {
    var values = values
    var made: Set<String> = []
    for field in table.fields where values[field.name] == nil {
      let parts = table.parts(ofStruct: field.name)
      guard parts.contains(where: { values[$0.name].map { $0 != .null } ?? false }) else {
        let isWithinMade = table.structs(around: field.name).last.map(made.contains) ?? false
        if !parts.isEmpty, isWithinMade { values[field.name] = .bool(false) }
        continue
      }
      if updates, let key = table.key.flatMap({ values[$0.name] }),
        try transaction.object(table.name, key)?[field.name] == .bool(true)
      {
        continue
      }
      let missing = parts.map(\.name).filter { part in
        values[part] == nil && table.structs(around: part).last == field.name
          && table.valueField(ofKind: part) == nil && table.parts(ofStruct: part).isEmpty
      }
      guard missing.isEmpty else {
        mistakes.add(
          place,
          "\(table.name).\(field.name) is a struct of which only some parts are given; "
            + "\(missing.joined(separator: ", ")) \(missing.count == 1 ? "is" : "are") missing.")
        return nil
      }
      values[field.name] = .bool(true)
      made.insert(field.name)
    }
    return values
  }

  // MARK: CSV

  private mutating func readCSV(_ scanner: TextScanner) throws {
    guard let model, let table = tables[model] else {
      throw ExportError("CSV is of one model: name it with --model.")
    }
    var reader = CSVReader(scanner, separator: form.separator)
    guard try reader.next() else { return }
    var fields: [DynamicField?] = []
    let columns = (0..<reader.count).map { String(decoding: reader.field($0), as: UTF8.self) }
    for (number, column) in columns.enumerated() {
      let given = form.fields[column]
      let name = given ?? column
      fields.append(
        form.leavesOutOthers && given == nil && table.field(name) == nil
          ? nil : field(name, of: table, reader.place(ofField: number)))
    }
    for (column, field) in form.fields.sorted(by: { $0.key < $1.key })
    where !columns.contains(column) {
      let isTurned = columns.contains(field)
      let hint = NearestName.question(
        column, among: columns,
        else: isTurned ? " The column comes first: --column '\(field)=\(column)'." : "")
      mistakes.add(reader.place, "there is no column \(column)." + hint)
    }
    let hasAllFields = mistakes.isEmpty
    while try reader.next() {
      guard reader.count == fields.count else {
        mistakes.add(
          reader.place,
          "\(fields.count) cells were expected, as in the first line, and \(reader.count) found.")
        continue
      }
      let mistakesBefore = mistakes.count
      var values: [String: DynamicValue] = [:]
      for (number, field) in fields.enumerated() {
        guard let field else { continue }
        let cell = Array(reader.field(number))
        let isNull =
          !reader.isQuoted(number)
          && (cell.isEmpty || isMissing(String(decoding: cell, as: UTF8.self), field))
        guard let value = isNull ? DynamicValue.null : CellValue.value(cell, field.type, cells)
        else {
          addMismatch(
            field, of: table, JSONValue.words(String(decoding: cell, as: UTF8.self)),
            reader.place(ofField: number))
          continue
        }
        values[field.name] = value
      }
      guard hasAllFields, mistakes.count == mistakesBefore else { continue }
      try insert(values, into: table, reader.place)
    }
  }

  /// Whether a word stands for no value; a text that needs a value is taken as written.
  private func isMissing(_ word: String, _ field: DynamicField) -> Bool {
    form.missing.contains(word) && (field.isOptional || field.type != .string)
  }
}
