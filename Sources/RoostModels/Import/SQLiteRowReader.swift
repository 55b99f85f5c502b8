internal import Roost
internal import RoostDynamic
internal import RoostImportSQLite

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads from rows of an SQLite file what the fields of their models have.
struct SQLiteRowReader {
  /// A property, with how its values are read.
  ///
  /// A class: it is read with each row, and what it has would be retained each time.
  final class Property {
    fileprivate let reading: Reading?
    /// What the values are, of a link those of its target's key; nil for compound keys.
    fileprivate let type: ValueType?
    fileprivate let dateForm: SQLiteDateForm?
    /// The parts of a compound key, and the fields that have them.
    fileprivate let parts: [(part: Property, name: String)]

    init(_ property: ModelProperty, _ tables: ModelTables) {
      reading = property.reading
      let type =
        switch property.type.unwrapped {
        case .link(let model), .links(let model): tables.key(of: model)?.type ?? .int
        default: property.type
        }
      self.type = ValueType(type)
      dateForm =
        if case .date(_, let form) = reading { SQLiteDateForm(rawValue: form) } else { nil }
      parts =
        if case .parts(let place) = reading {
          tables.properties(of: place).map { (Property($0.property, tables), $0.name) }
        } else { [] }
    }
  }

  /// The values of a row, in the order of the properties of its model.
  func values(of row: SQLiteRow, _ properties: [Property]) throws -> [DynamicValue] {
    var values: [DynamicValue] = []
    values.reserveCapacity(properties.count)
    for property in properties { values.append(try value(of: property, in: row)) }
    return values
  }

  private func value(of property: Property, in row: SQLiteRow) throws -> DynamicValue {
    switch property.reading {
    case .id:
      let key: SQLiteValue = try row.id()
      return try value(key, as: property.type, "the key", of: row)
    case .rowID: return .int(Int64(try row.rowID()))
    case .value(let column):
      return try value(try row.value(column), as: property.type, column, of: row)
    case .date(let column, _):
      guard let form = property.dateForm else { return .null }
      let date: Date? = try row.date(column, as: form)
      return date.map { .date($0) } ?? .null
    case .link(let column):
      let key: SQLiteValue = try row.link(column)
      guard key != .null else { return .null }
      return try value(key, as: property.type, column, of: row)
    case .linksThrough(let table, let from, let to, let order):
      let keys: [SQLiteValue] = try row.keys(
        through: table, from: from, to: to, orderedBy: order)
      return .list(
        try keys.map { try value($0, as: property.type, "\(table).\(to)", of: row) })
    case .parts:
      return .record(
        try property.parts.map { DynamicValue.Part($0.name, try value(of: $0.part, in: row)) })
    default: return .null
    }
  }

  private func value(
    _ value: SQLiteValue, as type: ValueType?, _ column: String, of row: SQLiteRow
  ) throws -> DynamicValue {
    guard let value = type?.read(value) else {
      throw ModelsError(
        "a value of \(row.table), \(column), is not of the type that the others have.")
    }
    return value
  }
}

/// What the values of a column are read as.
private struct ValueType {
  private enum Kind {
    case raw, bool, int, double, string, data, uuid
  }

  private let kind: Kind
  private let isOptional: Bool

  /// nil for links, and for what no column is.
  init?(_ type: SwiftType) {
    isOptional = type != type.unwrapped
    switch type.unwrapped {
    case .declared: kind = .raw
    case .library("Bool", _): kind = .bool
    case .library("Int", _): kind = .int
    case .library("Double", _): kind = .double
    case .library("String", _): kind = .string
    case .library("Data", _): kind = .data
    case .library("UUID", _): kind = .uuid
    default: return nil
    }
  }

  /// A value; nil for one that the type does not have.
  func read(_ value: SQLiteValue) -> DynamicValue? {
    if isOptional, case .null = value { return .null }
    return switch kind {
    case .raw: DynamicValue(opaque: AnySQLiteValue(value))
    case .bool: Bool.decode(sqlite: value).exact.map { .bool($0) }
    case .int: Int64.decode(sqlite: value).exact.map { .int($0) }
    case .double: Double.decode(sqlite: value).exact.map { .double($0) }
    case .string: String.decode(sqlite: value).exact.map { .string($0) }
    case .data: Data.decode(sqlite: value).exact.map { .data($0) }
    case .uuid: UUID.decode(sqlite: value).exact.map { .uuid($0) }
    }
  }
}

extension SQLiteReading {
  /// The value, if it was read.
  var exact: Value? { if case .exact(let value) = self { value } else { nil } }
}
