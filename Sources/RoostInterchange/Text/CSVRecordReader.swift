package import RoostEngine

/// Reads objects from CSV into columns.
///
/// The first record names the columns. A part of a struct has its dotted path as the name: `address.city`. Collections and
/// values that are stored as JSON are JSON in their field.
package struct CSVRecordReader {
  /// How objects are read.
  package struct Form: Sendable {
    /// How JSON in a field is read, and dates and unknown columns.
    package var json: JSONReader.Form
    /// Words that mean "no value", besides an empty field.
    package var missing: [String]
    /// The columns of fields whose column has another name.
    package var names: TextNames
    /// The field that receives the record number, from 1.
    package var numbered: String?
    /// The byte between fields.
    package var separator: UInt8
    /// The byte between the elements of a list that is not JSON.
    package var listSeparator: UInt8?

    package init(
      json: JSONReader.Form, missing: [String], names: TextNames, numbered: String?,
      separator: UInt8, listSeparator: UInt8?
    ) {
      self.json = json
      self.missing = missing
      self.names = names
      self.numbered = numbered
      self.separator = separator
      self.listSeparator = listSeparator
    }
  }

  private enum Source {
    case field(Int)
    case number
  }

  private var reader: CSVReader
  private let shape: RecordShape
  private let form: Form
  private let missing: [[UInt8]]
  /// The source of each column's values.
  private var sources: [Source?]
  private let fieldCount: Int
  /// The columns whose values a property's type may refuse, and the fields that they are in.
  private var checked: [(column: Int, field: Int)] = []
  private var number: Int64 = 0
  /// By their letters and digits, in lower case, the columns that are of no field.
  private var others: [String: String] = [:]
  /// What is wrong with the names of the columns; no record can be read if anything is.
  private(set) var headerFaults: [TextFault] = []

  /// Reads the names of the columns.
  package init(
    _ scanner: TextScanner, _ shape: RecordShape, _ form: Form
  ) throws(TextError) {
    reader = CSVReader(scanner, separator: form.separator)
    // The names hold within the JSON of a field, too.
    self.shape = form.names.shape(shape)
    self.form = form
    missing = form.missing.map { Array($0.utf8) }
    guard try reader.next() else {
      throw reader.fault("a line with the names of the columns", found: "the end of the text")
    }
    var places: [String: Int] = [:]
    for place in 0..<reader.count {
      let name = String(decoding: reader.field(place), as: UTF8.self)
      guard places.updateValue(place, forKey: name) == nil else {
        throw reader.fault(place, "each column once")
      }
    }
    let known = Set(form.names.columns(of: shape))
    for name in places.keys.sorted() where !known.contains(name) {
      others[Spelling.letters(of: name)] = name
    }
    fieldCount = reader.count
    sources = Array(repeating: nil, count: (shape.columns.last ?? -1) + 1)
    var faults: [TextFault] = []
    let used = find(self.shape, prefix: "", places, &faults)
    if form.json.unknownMembers == .refused {
      for place in 0..<fieldCount where !used.contains(place) {
        Self.add(reader.fault(place, "a field's name"), to: &faults)
      }
    }
    // With another separator each column is missing for the same reason.
    headerFaults = hasOtherSeparator ? Array(faults.prefix(1)) : faults
  }

  private static func add(_ error: TextError, to faults: inout [TextFault]) {
    if case .malformed(let fault) = error { faults.append(fault) }
  }

  /// Finds the sources of a struct's columns; returns the indices of the CSV columns used.
  private mutating func find(
    _ shape: RecordShape, prefix: String, _ places: [String: Int], _ faults: inout [TextFault]
  ) -> Set<Int> {
    var used: Set<Int> = []
    for member in shape.members {
      let path = prefix + member.name
      let given = form.names.name(of: path)
      let name = given ?? path
      let place = places[name]
      if let place { used.insert(place) }
      if let place, path == form.numbered {
        let fault = reader.fault(place, "no column that `numberedField` fills")
        Self.add(fault.within(path), to: &faults)
      }
      let source: Source? = path == form.numbered ? .number : place.map { .field($0) }
      switch member.content {
      case .value(let column, let value):
        sources[column] = source
        if value.isChecked, case .field(let field)? = source { checked.append((column, field)) }
        guard source == nil, given != nil || !mayLack(value, name) else { continue }
        let hint = given == nil ? hint(for: value, isPart: !prefix.isEmpty) : ""
        let fault = reader.fault(
          "a column \"\(name)\"\(value.defaultHint)\(hint)", found: found(like: name))
        Self.add(fault.within(path), to: &faults)
      case .record(let record, let presence):
        if let presence { sources[presence.column] = source }
        var missing: [TextFault] = []
        used.formUnion(find(record, prefix: path + ".", places, &missing))
        if presence == nil || record.columns.contains(where: { sources[$0] != nil }) {
          faults += missing
        } else if let (part, other) = misspeltPart(of: record, path) {
          // An optional struct may lack all of its columns, but not where they are only called otherwise.
          let fault = reader.fault(
            "columns for its parts, such as \"\(part)\" (for those of another name, set `names` of the format)",
            found: "one named \"\(other)\"")
          Self.add(fault.within(path), to: &faults)
        }
      }
    }
    return used
  }

  /// Whether the text may do without the column of a value.
  ///
  /// One of another spelling, such as `wind_speed` for `windSpeed`, is not passed by as if nobody wanted it.
  private func mayLack(_ value: ValueShape, _ name: String) -> Bool {
    (value.mayBeNil || value.defaultValue != nil) && others[Spelling.letters(of: name)] == nil
  }

  /// A part of a struct that has no columns, and a column that has another spelling of the part's name: of its path, or, where
  /// the parts that the struct requires all have one, without the struct's name.
  private func misspeltPart(
    of record: RecordShape, _ path: String
  ) -> (part: String, column: String)? {
    let parts = record.members.map { (path: "\(path).\($0.name)", member: $0) }
    for part in parts {
      if let other = others[Spelling.letters(of: part.path)] { return (part.path, other) }
    }
    let required = parts.filter { $0.member.content.isRequired }
    var first: (part: String, column: String)?
    for part in required.isEmpty ? parts : required {
      guard let other = others[Spelling.letters(of: part.member.name)] else { return nil }
      first = first ?? (part.path, other)
    }
    return first
  }

  /// Where else the values may be, for errors.
  private func hint(for value: ValueShape, isPart: Bool) -> String {
    if hasOtherSeparator { return "" }
    let mayBeNumbered = !isPart && (value.type == .int || value.type == .uint) && !value.isLookedUp
    let numbers = mayBeNumbered ? " or `numberedField`" : ""
    return " (for one of another name, set `names`\(numbers) of the format)"
  }

  /// What the text has in place of a column, for errors.
  private func found(like name: String) -> String {
    if hasOtherSeparator {
      return "only the column \(reader.beginning) (set `separator` of the format)"
    }
    return others[Spelling.letters(of: name)].map { "one named \"\($0)\"" }
      ?? "none among \(reader.beginning)"
  }

  /// Whether the text seems to separate its fields by another character.
  private var hasOtherSeparator: Bool {
    reader.count == 1 && reader.field(0).contains { ";\t|,".utf8.contains($0) }
  }

  /// Whether records can be read after an error.
  var canGoOn: Bool { !reader.isBroken }

  /// The start of the last record read.
  package var place: (line: Int, column: Int) { reader.place }

  /// The places of the record's values that a property's type may refuse.
  package var checkedPlaces: [JSONReader.ValuePlace] {
    checked.map { column, field in
      JSONReader.ValuePlace(column: column, place: reader.place(ofField: field))
    }
  }

  /// Reads the next record as a new row of the columns; false after the last one.
  ///
  /// After an error the columns have different lengths.
  package mutating func readRecord(into columns: RecordColumns) throws(TextError) -> Bool {
    guard try reader.next() else { return false }
    guard reader.count == fieldCount else {
      throw reader.fault("\(fieldCount) fields", found: "\(reader.count)")
    }
    number += 1
    try readMembers(shape, prefix: "", into: columns)
    return true
  }

  private func readMembers(
    _ shape: RecordShape, prefix: String, into columns: RecordColumns
  ) throws(TextError) {
    for member in shape.members {
      switch member.content {
      case .value(let column, let value):
        do { try readValue(column, value, into: columns) } catch {
          throw error.within(prefix + member.name)
        }
      case .record(let record, let presence):
        if let presence {
          let isThere: Bool
          do { isThere = try self.isThere(record, presence) } catch {
            throw error.within(prefix + member.name)
          }
          columns.columns[presence.column].append(isThere ? 1 : 0 as Int64)
          guard isThere else {
            for column in record.columns { columns.columns[column].appendNull() }
            continue
          }
        }
        try readMembers(record, prefix: prefix + member.name + ".", into: columns)
      }
    }
  }

  /// Whether a struct is present: by its own column if the CSV has it, otherwise whether any of its parts has a value.
  private func isThere(
    _ record: RecordShape, _ presence: RecordShape.Presence
  ) throws(TextError) -> Bool {
    guard case .field(let place) = sources[presence.column] else {
      return record.columns.contains { column in
        if case .field(let place) = sources[column] { !isMissing(place) } else { false }
      }
    }
    if isMissing(place) { return false }
    guard let isThere = bool(reader.field(place)) else {
      let part = record.members.first.map { ".\($0.name)" } ?? ""
      throw reader.fault(
        place, "true or false: a struct's parts have columns of their own, such as `…\(part)`")
    }
    return isThere
  }

  private func isMissing(_ place: Int) -> Bool {
    guard !reader.isQuoted(place) else { return false }
    let text = reader.field(place)
    return text.isEmpty || missing.contains { $0[...] == text }
  }

  private func bool(_ text: ArraySlice<UInt8>) -> Bool? {
    switch String(decoding: text, as: UTF8.self).lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  private func readValue(
    _ column: Int, _ shape: ValueShape, into columns: RecordColumns
  ) throws(TextError) {
    let target = columns.columns[column]
    switch sources[column] {
    case nil:
      // The header lacks no required column: `find` checked it.
      target.append(shape.defaultValue ?? .null)
    case .number:
      guard shape.type == .int || shape.type == .uint, !shape.isLookedUp else {
        throw reader.fault(ValueText.expectation(shape), found: "the record's number")
      }
      target.append(
        shape.type == .int ? number : number ^ Int64(bitPattern: FieldType.signBit))
    case .field(let place):
      let text = reader.field(place)
      // A collection without a default is empty.
      if isMissing(place), let value = shape.valueWhenMissing { return target.append(value) }
      if shape.type == .bool, let isTrue = bool(text) {
        return target.append(isTrue ? 1 : 0 as Int64)
      }
      let isObject = shape.parts != nil && text.first == UInt8(ascii: "{")
      if shape.type == .json || shape.elements != nil || shape.links != nil || isObject {
        return try readJSON(place, shape, into: target, &columns.identifiers)
      }
      if shape.type == .int || shape.type == .uint, WrittenNumber.mayHaveThousands(text) {
        throw reader.fault(
          place, "a whole number without a point, which may stand between thousands here")
      }
      guard ValueText.append(text, shape, form.json.times, to: target, &columns.identifiers) else {
        throw reader.fault(
          place,
          ValueText.expectation(shape, null: "nothing", refused: text) + missingHint(text, shape))
      }
    }
  }

  /// Words that many programs write for "no value", in small letters.
  private static let usualMissing: Set<String> = [
    "na", "n/a", "n.a.", "null", "nil", "none", "-", "?", "\\n",
  ]

  /// What to do about such a word, for errors.
  private func missingHint(_ text: ArraySlice<UInt8>, _ shape: ValueShape) -> String {
    let word = String(decoding: text, as: UTF8.self)
    guard Self.usualMissing.contains(word.lowercased()) else { return "" }
    var steps = shape.valueWhenMissing == nil ? ["make it an optional"] : []
    if !form.missing.contains(word) { steps.append("set `missingValues` of the format") }
    return steps.isEmpty ? "" : " (\(steps.joined(separator: ", and ")))"
  }

  private func readJSON(
    _ place: Int, _ shape: ValueShape, into column: ColumnBuffer, _ identifiers: inout [Value]
  ) throws(TextError) {
    let text = reader.field(place)
    let list = form.listSeparator.flatMap { shape.list(of: text, separatedBy: $0) }
    var json = JSONReader(TextScanner(list ?? Array(text)))
    do {
      try json.readValue(shape, form.json, into: column, &identifiers)
      try json.endValue()
    } catch {
      guard case .malformed(let fault) = error else { throw error }
      // A mistake within the value has a place, such as `tags[1]`: the rest of it is JSON.
      let example = fault.field.isEmpty ? shape.exampleInCSV.map { ", as JSON: \($0)" } : nil
      throw reader.fault(place, fault.expected + (example ?? "")).within(fault.field)
    }
  }
}

extension ValueShape {
  /// What a model may declare for what a text lacks, for errors.
  var remedyHint: String { remedy.map { ", or \($0)" } ?? "" }

  /// What a collection that a text may lack needs, for errors: the default of its property in Swift does not count. And
  /// what a column of compound keys has.
  var defaultHint: String {
    if type == .compound {
      return ", an object of its parts as JSON (`Store.open(…, importing:)` reads columns of parts)"
    }
    guard let elements else { return "" }
    return ", or `.default(\(elements.key == nil ? "[]" : "[:]"))` on its field"
  }

  /// The JSON of a list or set of single values, or of links, whose elements stand between separators; nil for other values, and
  /// where the text is JSON.
  fileprivate func list(of text: ArraySlice<UInt8>, separatedBy separator: UInt8) -> [UInt8]? {
    var element = links?.value
    if case .value(_, let value)? = elements?.element, elements?.key == nil { element = value }
    guard let element, element.elements == nil, element.parts == nil, element.type != .json,
      text.first != UInt8(ascii: "[")
    else { return nil }
    var json: [UInt8] = []
    json.add("[")
    let parts =
      text.isEmpty ? [] : text.split(separator: separator, omittingEmptySubsequences: false)
    for (place, part) in parts.enumerated() {
      if place > 0 { json.add(",") }
      let word = part.withoutSpacesAround
      if element.isWritten(bare: word) {
        json += word
      } else {
        json.addString(String(decoding: word, as: UTF8.self))
      }
    }
    json.add("]")
    return json
  }

  /// Whether JSON has a value of this type without quotation marks.
  private func isWritten(bare word: ArraySlice<UInt8>) -> Bool {
    if type == .bool { return word == ArraySlice("true".utf8) || word == ArraySlice("false".utf8) }
    guard isNumber || type == .date, let first = word.first else { return false }
    let isNumeral = word.allSatisfy {
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "+-.eE".utf8.contains($0)
    }
    return isNumeral
      && (first == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= first)
      && Double(String(decoding: word, as: UTF8.self)) != nil
  }

  /// How a field of CSV has a collection, for errors; nil for other values.
  fileprivate var exampleInCSV: String? {
    if let links { return links.value.isNumber ? "\"[1,2]\"" : "\"[\"\"a\"\",\"\"b\"\"]\"" }
    guard let elements else { return nil }
    guard elements.key == nil else { return "\"{\"\"a\"\":…}\"" }
    switch elements.element {
    case .value(_, let element):
      return element.isNumber
        ? "\"[1,2]\"" : element.elements == nil ? "\"[\"\"a\"\",\"\"b\"\"]\"" : "\"[[…],[…]]\""
    case .record(let record, _):
      return "\"[{\"\"\(record.members.first?.name ?? "")\"\":…}]\""
    }
  }

  private var isNumber: Bool {
    switch type {
    case .int, .uint, .double, .float, .decimal, .duration: true
    default: false
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate var withoutSpacesAround: ArraySlice<UInt8> {
    var rest = self
    while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    while rest.last == UInt8(ascii: " ") { rest.removeLast() }
    return rest
  }
}
