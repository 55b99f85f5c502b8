internal import Roost
internal import RoostDynamic
internal import RoostTool

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension BrowseSession {
  /// The most rows of an answer.
  private static let rowsMax = 500
  /// The bytes of a text that a table shows.
  private static let cellTextMax = 400

  /// The results of a request's query in a version.
  ///
  /// - Returns: Also whether they are in the order that the request asks for, which a text with an order or a limit of its own prevents.
  private func results(
    _ query: PageQuery, in version: Version
  ) throws -> (found: Found, wasKept: Bool, isInOrder: Bool) {
    try query.placing {
      if query.text(with: "").asksForGroups {
        let (found, wasKept) = try results(of: query.text, in: version) {
          .groups(try version.snapshot.groups(query.text(with: "")))
        }
        return (found, wasKept, query.order.isEmpty)
      }
      do {
        let whole = query.text(with: query.order)
        let (found, wasKept) = try results(of: whole.text, in: version) {
          .objects(try version.snapshot.objects(whole))
        }
        return (found, wasKept, true)
      } catch let error as StoreError where query.isOfOrder(error) {
        let (found, wasKept) = try results(of: query.text, in: version) {
          .objects(try version.snapshot.objects(query.text(with: "")))
        }
        return (found, wasKept, false)
      }
    }
  }

  /// Rows of a query by their places.
  func rows(_ arguments: Arguments) throws -> DynamicValue {
    let version = try version(arguments.version)
    let query = try PageQuery(arguments)
    let table = try table(query.model, in: version)
    let began = ContinuousClock.now
    let (found, wasKept, isInOrder) = try results(query, in: version)
    let time = ContinuousClock.now - began
    let from = arguments.number("from", max: .max)
    let count = min(arguments.number("count", max: Self.rowsMax), max(0, found.count - from))
    let cells = Cells(snapshot: version.snapshot, textMax: Self.cellTextMax, linksMax: 3)
    var columns: [String]?
    let rows: [DynamicValue]
    switch found {
    case .objects(let objects):
      let fields = arguments.texts("columns").map { names in
        names.compactMap { table.field($0) }
      }
      rows = (from..<from + count).map { row(objects[$0], fields ?? table.fields, cells) }
    case .groups(let groups):
      columns = groups.columns
      rows = try (from..<from + count).map { place in
        .members(["c": .list(try groups.row(place).map { cells.plain($0) })])
      }
    }
    return .members([
      "version": version.value, "count": .count(found.count), "from": .count(from),
      "columns": columns.map { .list($0.map { .string($0) }) },
      "isInOrder": .bool(isInOrder), "wasKept": .bool(wasKept),
      "milliseconds": .double(time / .milliseconds(1)), "rows": .list(rows),
    ])
  }

  /// A row, or why it cannot be read.
  private func row(
    _ object: DynamicObject, _ fields: [DynamicField], _ cells: Cells
  ) -> DynamicValue {
    do {
      return .members([
        "k": .string(try object.key.plainText),
        "c": .list(try fields.map { try cells.value($0, of: object) }),
      ])
    } catch {
      return .members(["e": .string(BrowseError(error).message)])
    }
  }

  /// How the query is answered, in lines.
  func plan(_ arguments: Arguments) throws -> DynamicValue {
    let version = try version(arguments.version)
    let query = try PageQuery(arguments)
    let lines = try query.placing { () throws -> [String] in
      do { return try version.snapshot.explain(query.text(with: query.order)) } catch let error
        as StoreError
        where query.isOfOrder(error)
      { return try version.snapshot.explain(query.text(with: "")) }
    }
    return .members([
      "version": version.value, "text": .string(query.text + query.order),
      "lines": .list(lines.map { .string($0) }),
    ])
  }

  // MARK: Export

  /// The most rows of an export's part.
  private static let exportMax = 5_000

  /// Rows as text: lines of CSV, or objects of JSON, each on a line.
  func exported(_ arguments: Arguments) throws -> [UInt8] {
    let version = try version(arguments.version)
    let query = try PageQuery(arguments)
    let table = try table(query.model, in: version)
    let (found, _, _) = try results(query, in: version)
    let from = arguments.number("from", max: .max)
    let count = min(arguments.number("count", max: Self.exportMax), max(0, found.count - from))
    let isCSV = arguments.optionalText("format") == "csv"
    let quotesFormulas = arguments.flag("quotesFormulas")
    var text: [UInt8] = []
    func add(_ names: [String], _ values: [DynamicValue]) {
      if isCSV {
        text += TextExport.record(values, quotesFormulas: quotesFormulas)
      } else {
        let parts = zip(names, values).map { DynamicValue.Part($0, $1) }
        text += DynamicValue.record(parts).json.utf8
        text.append(UInt8(ascii: "\n"))
      }
    }
    let names: [String]
    switch found {
    case .objects:
      let chosen = arguments.texts("columns")?.filter { table.field($0) != nil }
      names = chosen ?? table.fields.map(\.name)
    case .groups(let groups): names = groups.columns
    }
    if isCSV, arguments.flag("heading") { add(names, names.map { .string($0) }) }
    for place in from..<from + count {
      switch found {
      case .objects(let objects):
        let object = objects[place]
        add(
          names,
          try names.map { try object.exportedValue(try field($0, of: table)) })
      case .groups(let groups): add(names, try groups.row(place))
      }
    }
    return text
  }
}

extension DynamicObject {
  /// The whole value of a field.
  func exportedValue(_ field: DynamicField) throws -> DynamicValue {
    guard field.type == .blob else { return try self[field.name] }
    let count = try byteCount(of: field.name)
    return .data(Data(try bytes(of: field.name, in: 0..<count)))
  }
}
