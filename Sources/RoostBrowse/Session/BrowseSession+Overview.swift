internal import Roost
internal import RoostDynamic

extension BrowseSession {
  /// The models of a version with their fields, and what the store is.
  func overview(_ arguments: Arguments) throws -> DynamicValue {
    let version = try version(arguments.version)
    let tables = version.snapshot.tables.filter { !$0.name.hasPrefix("value:roost.") }
    let statistics = try? store.statistics()
    let bytes = Dictionary(
      (statistics?.tables ?? []).map { table in
        (table.name, table.indexes.reduce(table.bytes + table.valueBytes) { $0 + $1.bytes })
      }, uniquingKeysWith: { first, _ in first })
    return .members([
      "name": .string(name), "version": version.value,
      "newest": .uint(try store.snapshot().version),
      "isWritable": .bool(isWritable), "undo": undoTitle,
      "fileBytes": (statistics?.fileBytes).map { .count($0) },
      "freeBytes": (statistics?.freeBytes).map { .count($0) },
      "models": .list(
        try tables.map { table in
          .members([
            "name": .string(table.name), "isValue": .bool(table.holdsNamedValue),
            "count": .count(try version.snapshot.count(of: table.name)),
            "bytes": bytes[table.name].map { .count($0) },
            "key": .string(table.key?.name ?? ""),
            "fields": .list(table.fields.map(Self.value)),
          ])
        }),
    ])
  }

  private static func value(_ field: DynamicField) -> DynamicValue {
    var target: DynamicValue?
    switch field.type {
    case .link(let name), .links(let name): target = .string(name)
    default: break
    }
    return .members([
      "name": .string(field.name), "type": .string(field.type.word), "target": target,
      "isOptional": .bool(field.isOptional), "isKey": field.isKey ? .bool(true) : nil,
      "isUnique": field.isUnique ? .bool(true) : nil,
      "isIndexed": field.isIndexed ? .bool(true) : nil,
      "default": field.defaultValue == .null
        ? nil : .string(String(field.defaultValue.plainText.prefix(1000))),
    ])
  }

  // MARK: Space

  /// The space of each model, its columns and its indexes.
  func space(_ arguments: Arguments) throws -> DynamicValue {
    let statistics = try store.statistics()
    let version = try version(.newest)
    var tables: [DynamicValue] = []
    for figures in statistics.tables {
      guard let table = version.snapshot.table(figures.name) else { continue }
      let columns = try table.fields.map { field -> DynamicValue in
        .members([
          "name": .string(field.name), "type": .string(field.type.word),
          "bytes": .count(try version.snapshot.byteCount(of: field.name, in: table.name)),
        ])
      }
      let indexes = figures.indexes.map { index -> DynamicValue in
        .members([
          "name": .string(index.name), "isUnique": .bool(index.isUnique),
          "entries": .count(index.entries), "levels": .count(index.levels),
          "bytes": .count(index.bytes),
        ])
      }
      tables.append(
        .members([
          "name": .string(table.name), "objects": .count(figures.objects),
          "levels": .count(figures.levels), "leaves": .count(figures.leaves),
          "bytes": .count(figures.bytes), "valueBytes": .count(figures.valueBytes),
          "columns": .list(columns), "indexes": .list(indexes),
        ]))
    }
    return .members([
      "fileBytes": .count(statistics.fileBytes), "usedBytes": .count(statistics.usedBytes),
      "freeBytes": .count(statistics.freeBytes),
      "ringBytes": (statistics.ring?.bytes).map { .count($0) },
      "version": .uint(statistics.version), "tables": .list(tables),
    ])
  }
}

extension DynamicType {
  /// The kind of the type in a word.
  var word: String {
    switch self {
    case .bool: "Bool"
    case .int: "Int"
    case .uint: "UInt"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .uuid: "UUID"
    case .duration: "Duration"
    case .decimal: "Decimal"
    case .json: "JSON"
    case .blob: "Blob"
    case .list: "List"
    case .set: "Set"
    case .dictionary: "Dictionary"
    case .compound: "CompoundKey"
    case .record: "Record"
    case .link: "Link"
    case .links: "Links"
    }
  }
}
