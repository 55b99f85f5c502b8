internal import Roost
internal import RoostEngine

/// Reads a model's objects from a text, in batches.
struct TextReading<M: Model> {
  /// What the reader expects next.
  private enum State {
    case element(isFirst: Bool)
    case single, line, record, end
  }

  private var state: State
  private var json: JSONReader
  private var csv: CSVRecordReader?
  private let form: JSONReader.Form
  private let rows: DetachedRows<M>
  private let name: String?
  /// The start of each object in the rows.
  private var places: [(line: Int, column: Int)] = []

  /// The number of objects in a batch.
  private static var batchCount: Int { 256 }

  /// Begins reading.
  init(_ input: TextInput, _ format: TextFormat) throws {
    name = input.name
    form = format.jsonForm
    rows = try DetachedRows()
    do throws(TextError) {
      var scanner = TextScanner(input.next)
      try scanner.passByteOrderMark()
      json = JSONReader(scanner, isByLine: format.kind == .lines)
      switch format.kind {
      case .json:
        let isArray = try json.peek() == .array
        if isArray { try json.beginArray() }
        state = isArray ? .element(isFirst: true) : .single
      case .lines: state = .line
      case .csv:
        csv = try CSVRecordReader(scanner, rows.shape, format.csvForm)
        state = .record
      }
    } catch {
      throw Self.translate(error, name)
    }
  }

  /// The next objects; empty at the end.
  mutating func next() throws -> [M] {
    rows.columns.removeAll()
    places.removeAll(keepingCapacity: true)
    do throws(TextError) {
      while places.count < Self.batchCount, try readRecord() {}
    } catch {
      throw Self.translate(error, name)
    }
    var objects: [M] = []
    objects.reserveCapacity(places.count)
    for (row, place) in places.enumerated() {
      do throws(StoreError) { objects.append(try rows.object(row)) } catch {
        throw Self.translate(error, at: place, name)
      }
    }
    return objects
  }

  /// Reads the next record into the columns; false at the end.
  private mutating func readRecord() throws(TextError) -> Bool {
    switch state {
    case .element(let isFirst):
      guard try json.nextElement(isFirst: isFirst) else {
        try json.endValue()
        state = .end
        return false
      }
      try readObject()
      state = .element(isFirst: false)
    case .single:
      try readObject()
      try json.endValue()
      state = .end
    case .line:
      guard try json.peek() != .end else { return false }
      try readObject()
      try json.endValue()
    case .record:
      guard try csv?.readRecord(into: rows.columns) == true, let place = csv?.place else {
        return false
      }
      places.append(place)
    case .end: return false
    }
    return true
  }

  private mutating func readObject() throws(TextError) {
    _ = try json.peek()
    places.append(json.valuePlace)
    try json.readRecord(rows.shape, form, into: rows.columns)
  }

  // MARK: Errors

  private static func translate(_ error: TextError, _ source: String?) -> any Error {
    switch error {
    case .source(let error): error
    case .malformed(let fault):
      StoreError.malformedText(TextProblem(fault, in: source, of: DetachedRows<M>.modelName))
    }
  }

  /// The error for an object whose values its Swift types reject.
  private static func translate(
    _ error: StoreError, at place: (line: Int, column: Int), _ source: String?
  ) -> StoreError {
    guard case .undecodable(let model, let field, let value) = error else { return error }
    let fault = TextFault(
      line: place.line, column: place.column, field: field,
      expected: "a value that its Swift type knows", found: value)
    return .malformedText(TextProblem(fault, in: source, of: model))
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
