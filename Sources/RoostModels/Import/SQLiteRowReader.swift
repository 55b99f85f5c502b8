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
  let tables: ModelTables

  /// The values of a row, in the order of the properties of its model.
  func values(of row: SQLiteRow, _ properties: [ModelProperty]) throws -> [DynamicValue] {
    var values: [DynamicValue] = []
    values.reserveCapacity(properties.count)
    for property in properties { values.append(try value(of: property, in: row)) }
    return values
  }

  private func value(of property: ModelProperty, in row: SQLiteRow) throws -> DynamicValue {
    switch property.reading {
    case .id:
      let key: SQLiteValue = try row.id()
      return try value(key, as: property.type, "the key", of: row)
    case .rowID: return .int(Int64(try row.rowID()))
    case .value(let column):
      return try value(try row.value(column), as: property.type, column, of: row)
    case .date(let column, let form):
      guard let form = SQLiteDateForm(rawValue: form) else { return .null }
      let date: Date? = try row.date(column, as: form)
      return date.map { .date($0) } ?? .null
    case .link(let column):
      let key: SQLiteValue = try row.link(column)
      guard key != .null else { return .null }
      return try value(key, as: keyType(property.type), column, of: row)
    case .linksThrough(let table, let from, let to):
      let keys: [SQLiteValue] = try row.keys(through: table, from: from, to: to)
      return .list(
        try keys.map { try value($0, as: keyType(property.type), "\(table).\(to)", of: row) })
    case .parts(let place):
      return .record(
        try tables.properties(of: place).map { part, name in
          DynamicValue.Part(name, try value(of: part, in: row))
        })
    default: return .null
    }
  }

  /// The type of the key of a link's target.
  private func keyType(_ type: SwiftType) -> SwiftType {
    switch type.unwrapped {
    case .link(let model), .links(let model): tables.key(of: model)?.type ?? .int
    default: .int
    }
  }

  private func value(
    _ value: SQLiteValue, as type: SwiftType, _ column: String, of row: SQLiteRow
  ) throws -> DynamicValue {
    guard let value = self.value(value, as: type) else {
      throw ModelsError(
        "a value of \(row.table), \(column), is not of the type that the others have.")
    }
    return value
  }

  /// A value as a type reads it; nil for one that the type does not have.
  private func value(_ value: SQLiteValue, as type: SwiftType) -> DynamicValue? {
    switch type {
    case .optional(let type): value == .null ? .null : self.value(value, as: type)
    case .declared: DynamicValue(opaque: AnySQLiteValue(value))
    case .library("Bool", _): Bool.decode(sqlite: value).exact.map { .bool($0) }
    case .library("Int", _): Int64.decode(sqlite: value).exact.map { .int($0) }
    case .library("Double", _): Double.decode(sqlite: value).exact.map { .double($0) }
    case .library("String", _): String.decode(sqlite: value).exact.map { .string($0) }
    case .library("Data", _): Data.decode(sqlite: value).exact.map { .data($0) }
    case .library("UUID", _): UUID.decode(sqlite: value).exact.map { .uuid($0) }
    default: nil
    }
  }
}

extension SQLiteReading {
  /// The value, if it was read.
  var exact: Value? { if case .exact(let value) = self { value } else { nil } }
}
