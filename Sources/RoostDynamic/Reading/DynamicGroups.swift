public import Roost
internal import RoostEngine
internal import RoostQueryText

/// The groups that a query found, in order: a row of values for each.
public struct DynamicGroups: Sendable {
  /// The names of the columns, as in the query's text: first the keys of the groups, then the
  /// aggregates.
  public let columns: [String]
  /// The number of key columns.
  public let keyCount: Int
  private let table: ValueTable
  private let meanings: [Meaning]
  private let content: SnapshotContent

  /// The type of a column's values.
  private struct Meaning {
    let type: FieldType
    let parts: [ElementColumn]
    /// The table of a link's targets.
    let target: TableDefinition?
  }

  init(_ table: ValueTable, of query: GroupQuery, in content: SnapshotContent) {
    let columns = query.columns(in: content.catalog)
    self.table = table
    self.content = content
    self.columns = columns.map(\.name)
    keyCount = query.keys.count
    meanings = zip(columns, table.columns).map { column, values in
      let type = column.field?.type ?? column.type ?? values.type.plain
      let target = column.field.flatMap { $0.type == .link ? $0.target : nil }
      return Meaning(
        // A calculated column has its stored type, whatever its operands; a list of links is returned as bytes.
        type: type.physical == values.type && type != .links ? type : values.type.plain,
        parts: column.field?.parts ?? [], target: target.flatMap(content.catalog.table))
    }
  }

  /// The number of groups.
  public var count: Int { table.count }

  /// The values of a group, one for each column.
  ///
  /// - Throws: ``/Roost/StoreError/corrupt(path:damage:)`` where the object that a link leads to cannot be read.
  public func row(_ index: Int) throws(StoreError) -> [DynamicValue] {
    precondition(index >= 0 && index < count, "Index out of range.")
    var values: [DynamicValue] = []
    for (place, meaning) in meanings.enumerated() {
      let value = table.value(row: index, column: place)
      if let target = meaning.target, case .integer(let key) = value {
        values.append(try content.identifier(key, of: target))
      } else {
        values.append(DynamicValue(stored: value, meaning.type, meaning.parts))
      }
    }
    return values
  }
}

extension PhysicalType {
  /// The field type for values without further type information.
  fileprivate var plain: FieldType {
    switch self {
    case .integer: .int
    case .double: .double
    case .float: .float
    case .uuid: .uuid
    case .bytes: .data
    }
  }
}
