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
  /// The start of each object in the rows.
  private var places: [(line: Int, column: Int)] = []

  /// The number of objects in a batch.
  private static var batchCount: Int { 256 }

  /// Begins reading.
  init(_ input: TextInput, _ format: TextFormat, _ unread: UnreadObjects? = nil) throws {
    name = input.name
    form = format.jsonForm
    rows = try DetachedRows()
    self.unread = unread
    let isCSV = format.kind == .csv
    let csvForm = isCSV ? try format.csvForm(of: DetachedRows<M>.modelName) : nil
    shape = isCSV ? rows.shape : try format.shape(rows.shape, of: DetachedRows<M>.modelName)
    do throws(TextError) {
      var scanner = TextScanner(input.next)
      try scanner.passByteOrderMark()
      if let csvForm {
        csv = try CSVRecordReader(scanner, rows.shape, csvForm)
      } else {
        json = try JSONObjects(scanner, isByLine: format.kind == .lines)
      }
    } catch {
      throw error.asThrown(from: name, of: DetachedRows<M>.modelName)
    }
  }

  /// The next objects; empty at the end.
  mutating func next() throws -> [M] {
    rows.columns.removeAll()
    places.removeAll(keepingCapacity: true)
    do throws(TextError) {
      while places.count < Self.batchCount, try readRecord() {}
    } catch {
      throw error.asThrown(from: name, of: DetachedRows<M>.modelName)
    }
    var objects: [M] = []
    objects.reserveCapacity(places.count)
    for (row, place) in places.enumerated() {
      do throws(StoreError) { objects.append(try rows.object(row)) } catch {
        throw translate(error, at: place)
      }
    }
    return objects
  }

  /// Reads the next record into the columns; false at the end.
  private mutating func readRecord() throws(TextError) -> Bool {
    guard try json?.hasNext() != true else {
      try readObject()
      try json?.endObject()
      return true
    }
    guard try csv?.readRecord(into: rows.columns) == true, let place = csv?.place else {
      return false
    }
    places.append(place)
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
  }

  // MARK: Errors

  /// The error for an object whose values its Swift types reject.
  private func translate(
    _ error: StoreError, at place: (line: Int, column: Int)
  ) -> StoreError {
    guard case .undecodable(let model, let field, let value) = error else { return error }
    let fault = TextFault(
      line: place.line, column: place.column, field: field,
      expected: rows.expectation(ofField: field), found: value)
    return .malformedText(TextProblem(fault, in: name, of: model))
  }
}

extension DetachedRows {
  /// The expected value of a field whose type rejects that of a text.
  func expectation(ofField field: String) -> String {
    let countMax = 20
    let values = rawValues(ofField: field, countMax + 1)
    let shown = values.prefix(countMax).map { "\"\($0)\"" }.joined(separator: ", ")
    let known = "a value that its Swift type knows"
    return values.isEmpty ? known : "\(known): \(shown)\(values.count > countMax ? ", …" : "")"
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
