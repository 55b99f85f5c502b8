internal import Roost
internal import RoostEngine

/// Reads a model's objects from a text, in batches.
struct TextReading<M: Model> {
  private var json: JSONObjects?
  private var csv: CSVRecordReader?
  private let form: JSONReader.Form
  private let rows: DetachedRows<M>
  private let shape: RecordShape
  /// Finds objects of other models, which this does not read; nil without a store.
  private let unread: UnreadObjects?
  private let name: String?
  /// The places of the rows.
  private var places = TextPlaces()
  /// The row of each of the last objects.
  private var objectRows: [Int] = []

  /// The number of objects in a batch.
  private static var batchCount: Int { 256 }

  /// Begins reading.
  init(_ input: TextInput, _ format: TextFormat, _ unread: UnreadObjects? = nil) throws {
    name = input.name
    form = format.jsonForm
    rows = try DetachedRows()
    self.unread = unread
    try format.refuseUnknownNames([DetachedRows<M>.modelName: Set(rows.shape.paths())])
    let isCSV = format.kind == .csv
    let csvForm = isCSV ? try format.csvForm(of: DetachedRows<M>.modelName) : nil
    shape = isCSV ? rows.shape : try format.shape(rows.shape, of: DetachedRows<M>.modelName)
    do throws(TextError) {
      var scanner = TextScanner(input.next)
      try scanner.passByteOrderMark()
      if let csvForm {
        csv = try CSVRecordReader(scanner, rows.shape, csvForm)
      } else {
        json = try format.objects(scanner)
      }
    } catch {
      throw error.asThrown(from: name, of: DetachedRows<M>.modelName)
    }
    var problems = TextProblems()
    for fault in csv?.headerFaults ?? [] { problems.add(problem(fault)) }
    try problems.throwIfAny()
  }

  /// Calls `body` with the objects, many at a time. After a mistake it is not called again, and the rest of the text is only
  /// checked.
  ///
  /// - Throws: ``/Roost/StoreError/malformedText(_:)`` with all mistakes; what `body` throws.
  mutating func forEachBatch(_ body: ([M]) throws -> Void) throws {
    var problems = TextProblems()
    while true {
      let objects: [M]
      do { objects = try next { problems.add($0) } } catch StoreError.malformedText(let last) {
        problems.add(last)
        break
      }
      guard !objects.isEmpty else { break }
      guard problems.isEmpty else { continue }
      do { try body(objects) } catch {
        guard let problem = problem(ofTaken: error) else { throw error }
        throw StoreError.malformedText(problem)
      }
    }
    try problems.throwIfAny()
  }

  /// Calls `body` with each object that has no mistake.
  ///
  /// - Parameter report: Called with the mistake of each object that is left out. If `body` finds its id, or the value of a unique
  ///   field, in another object, that is a mistake, too.
  /// - Throws: ``/Roost/StoreError/malformedText(_:)`` for a mistake after which nothing can be read; what the closures throw.
  mutating func forEach(
    leavingOut report: (TextProblem) throws -> Void, _ body: (M) throws -> Void
  ) throws {
    while case let objects = try next(report), !objects.isEmpty {
      for (place, object) in objects.enumerated() {
        do { try body(object) } catch {
          guard let problem = problem(ofTaken: error, objectRows[place]) else { throw error }
          try report(problem)
        }
      }
    }
  }

  /// The next objects that have no mistake; empty at the end.
  ///
  /// - Parameter report: Called with the mistake of each object before these.
  private mutating func next(_ report: (TextProblem) throws -> Void) throws -> [M] {
    var objects: [M] = []
    var isMore = true
    while isMore, objects.isEmpty {
      rows.columns.removeAll()
      places.removeAll()
      isMore = try readBatch(report)
      objects.reserveCapacity(places.count)
      objectRows.removeAll(keepingCapacity: true)
      for row in 0..<places.count {
        do throws(StoreError) {
          objects.append(try rows.object(row))
          objectRows.append(row)
        } catch {
          guard let problem = problem(error, row) else { throw error }
          try report(problem)
        }
      }
    }
    return objects
  }

  /// Reads the records of a batch into the columns; false at the end.
  private mutating func readBatch(_ report: (TextProblem) throws -> Void) throws -> Bool {
    while places.count < Self.batchCount {
      let row = places.count
      do throws(TextError) { guard try readRecord() else { return false } } catch {
        guard case .malformed(let fault) = error else {
          throw error.asThrown(from: name, of: DetachedRows<M>.modelName)
        }
        removeRows(from: row)
        guard try passMistake() else { throw StoreError.malformedText(problem(fault)) }
        try report(problem(fault))
      }
    }
    return true
  }

  /// Goes on behind a record with a mistake; false where what follows cannot be read.
  private mutating func passMistake() throws -> Bool {
    do throws(TextError) { return try json?.passMistake() ?? csv?.canGoOn ?? false } catch {
      throw error.asThrown(from: name, of: DetachedRows<M>.modelName)
    }
  }

  private mutating func removeRows(from row: Int) {
    places.removeAll(from: row)
    for column in rows.columns.columns where column.count > row { column.removeRows(from: row) }
  }

  /// Reads the next record into the columns; false at the end.
  private mutating func readRecord() throws(TextError) -> Bool {
    guard try json?.hasNext() != true else {
      try readObject()
      try json?.endObject()
      return true
    }
    guard try csv?.readRecord(into: rows.columns) == true, let csv else { return false }
    places.append(csv.place)
    places.note(csv.checkedPlaces)
    return true
  }

  private mutating func readObject() throws(TextError) {
    _ = try json?.json.peek()
    if let place = json?.json.valuePlace { places.append(place) }
    let unread = unread
    try json?.json.readRecord(shape, form, into: rows.columns) { (json) throws(TextError) in
      guard let unread else { return try json.skipValue() }
      try unread.skipValue(&json)
    }
    if let values = json?.json.takeChecked(after: 0) { places.note(values) }
  }

  // MARK: Errors

  private func problem(_ fault: TextFault) -> TextProblem {
    TextProblem(fault, in: name, of: fault.model ?? DetachedRows<M>.modelName)
  }

  /// The mistake of the last of the objects with an id, or a value of a unique field, that another object has; nil for another
  /// error, and where the value is none of a single field.
  private func problem(ofTaken error: any Error) -> TextProblem? {
    guard case StoreError.duplicateKey(_, let field, let value) = error,
      let column = rows.column(ofField: field),
      let row = objectRows.last(where: { rows.text(ofColumn: column, $0) == value })
    else { return nil }
    return problem(ofTaken: error, row)
  }

  /// The mistake of an object whose id, or the value of a unique field, another object has; nil for another error.
  private func problem(ofTaken error: any Error, _ row: Int) -> TextProblem? {
    guard case StoreError.duplicateKey(let model, let field, let value) = error else { return nil }
    let place = places.place(row, column: rows.column(ofField: field))
    let fault = TextFault(
      line: place.line, column: place.column, field: field,
      expected: "a value that no other \(model) has (`upsert` replaces one of the same id)",
      found: value)
    return TextProblem(fault, in: name, of: model)
  }

  /// The mistake of an object whose values its Swift types reject; nil for another error.
  private func problem(_ error: StoreError, _ row: Int) -> TextProblem? {
    guard case .undecodable(let model, let field, let value) = error else { return nil }
    let place = places.place(row, column: rows.column(ofField: field))
    let fault = TextFault(
      line: place.line, column: place.column, field: field,
      expected: rows.expectation(ofField: field), found: value.isEmpty ? "an empty text" : value)
    return TextProblem(fault, in: name, of: model)
  }
}

extension DetachedRows {
  /// The expected value of a field whose type rejects that of a text.
  func expectation(ofField field: String) -> String {
    let countMax = 20
    let values = rawValues(ofField: field, countMax + 1)
    let shown = values.prefix(countMax).map { "\"\($0)\"" }.joined(separator: ", ")
    let known = "a value that its Swift type knows"
    if isOpaque(ofField: field) {
      return known
        + ", as its Codable code writes it (a case of an enum: {\"cash\":{}}, and with values {\"card\":{\"number\":\"4711\"}})"
    }
    guard values.isEmpty else { return "\(known): \(shown)\(values.count > countMax ? ", …" : "")" }
    return hasRawValues(ofField: field)
      ? known + " (they are listed here if it is `CaseIterable`)" : known
  }
}

/// The places in a text of objects, and of those of their values that a Swift type may refuse.
struct TextPlaces {
  private var objects: [(line: Int, column: Int)] = []
  private var values: [(row: Int, value: JSONReader.ValuePlace)] = []

  /// The number of objects.
  var count: Int { objects.count }

  /// Adds the place at which an object begins.
  mutating func append(_ place: (line: Int, column: Int)) { objects.append(place) }

  /// Notes places of values of an object; of the last one by default.
  mutating func note(_ places: [JSONReader.ValuePlace], row: Int? = nil) {
    for place in places { values.append((row ?? objects.count - 1, place)) }
  }

  /// The place of an object's value if it is known, otherwise of the object.
  func place(_ row: Int, column: Int? = nil) -> (line: Int, column: Int) {
    let value = values.first { $0.row == row && $0.value.column == column }
    return value?.value.place ?? objects[row]
  }

  mutating func removeAll() {
    objects.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }

  /// Removes the last objects, from a row on.
  mutating func removeAll(from row: Int) {
    objects.removeSubrange(row...)
    values.removeAll { $0.row >= row }
  }
}

extension TextError {
  /// What a program is told of it.
  func asThrown(from source: String?, of model: String) -> any Error {
    switch self {
    case .source(let error): error
    case .malformed(let fault):
      StoreError.malformedText(TextProblem(fault, in: source, of: fault.model ?? model))
    }
  }
}

extension TextProblem {
  /// A fault in the text of a model's objects.
  init(_ fault: TextFault, in source: String?, of model: String) {
    self.init(
      source: source, line: fault.line, column: fault.column, model: model, field: fault.field,
      expected: fault.expected, found: fault.found)
  }
}
