internal import Roost
internal import RoostDynamic
internal import RoostImportSQLite

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads from objects of a Core Data store what the fields of their models have.
struct CoreDataRowReader {
  let tables: ModelTables

  /// The values of an object, by the names of the fields of its model.
  ///
  /// - Parameter known: The places of the properties that its entity has.
  func values(
    of row: CoreDataRow, _ model: Int, _ known: Set<Int>
  ) throws -> [String: DynamicValue] {
    var values: [String: DynamicValue] = [:]
    for (place, (property, name)) in tables.properties(of: model).enumerated()
    where known.contains(place) {
      values[name] = try value(of: property, in: row)
    }
    return values
  }

  private func value(of property: ModelProperty, in row: CoreDataRow) throws -> DynamicValue {
    switch property.reading {
    case .id: .int(try row.id())
    case .entity: .string(row.entity)
    case .value(let name): try value(name, of: row, as: property.type.unwrapped)
    case .externalData(let name): (try row.externalData(name)).map { .data($0) } ?? .null
    case .link(let name): (try row.reference(name)).map { .int($0.id) } ?? .null
    case .links(let name): .list(try row.references(name).map { .int($0.id) })
    default: .null
    }
  }

  private func value(
    _ name: String, of row: CoreDataRow, as type: SwiftType
  ) throws -> DynamicValue {
    func read<Value: SQLiteDecodable>(
      _ make: (Value) -> DynamicValue
    ) throws -> DynamicValue {
      let value: Value? = try row[name]
      return value.map(make) ?? .null
    }
    switch type {
    case .library("Bool", _): return try read { .bool($0) }
    case .library("Int", _): return try read { .int($0) }
    case .library("Decimal", _): return try read { .decimal($0) }
    case .library("Double", _): return try read { .double($0) }
    case .library("Float", _): return try read { .float($0) }
    case .library("String", _): return try read { .string($0) }
    case .library("Date", _): return try read { .date($0) }
    case .library("UUID", _): return try read { .uuid($0) }
    case .library("Data", _): return try read { .data($0) }
    default: return DynamicValue(opaque: AnySQLiteValue(try row.value(name))) ?? .null
    }
  }
}
