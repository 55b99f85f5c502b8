public import Roost
internal import RoostEngine
internal import RoostQueryText

/// The groups that a query found, in order: a row of values each.
public struct DynamicGroups: Sendable {
  /// The names of the columns, as the query's text calls them: first what is the same in all objects of a group, then what
  /// was asked of them.
  public let columns: [String]
  /// How many of the columns are what is the same in all objects of a group.
  public let keyCount: Int
  private let table: ValueTable
  private let meanings: [Meaning]
  private let content: SnapshotContent

  /// The type of a column's values.
  private struct Meaning {
    let type: FieldType
    let parts: [ElementColumn]
    /// The table that links lead to.
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
        // What is calculated has the type that it is stored as, whatever it was made of; a list of links is its bytes.
        type: type.physical == values.type && type != .links ? type : values.type.plain,
        parts: column.field?.parts ?? [], target: target.flatMap(content.catalog.table))
    }
  }

  /// How many groups there are.
  public var count: Int { table.count }

  /// The values of a group, one for each column.
  ///
  /// - Throws: ``StoreError/corrupt(path:damage:)`` where the object that a link leads to cannot be read.
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
  /// What values mean of which nothing else is known.
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
