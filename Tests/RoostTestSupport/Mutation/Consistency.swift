import RoostEngine

/// Whether what is read of a version in one way is what is read of it in another.
///
/// What verifying promises where it finds nothing, looked at from outside.
struct Consistency {
  private let snapshot: EngineSnapshot
  private let reading: StoreReading

  init(_ snapshot: EngineSnapshot, _ reading: StoreReading) {
    self.snapshot = snapshot
    self.reading = reading
  }

  /// What does not agree, if anything.
  func firstDifference() -> String? {
    guard reading.errors == 0 else { return "\(reading.errors) errors while reading" }
    for definition in reading.catalog.tables {
      guard let table = reading.tables[definition.id] else { return "no table" }
      for (one, next) in zip(table.rows, table.rows.dropFirst()) where one.key >= next.key {
        return "keys of \(definition.name) out of order"
      }
      for field in definition.fields where field.indexTree != 0 {
        let expected = table.entries[field.indexTree] ?? StoreReading.EntrySum()
        guard reading.indexes[field.indexTree] == expected else {
          return "index of \(definition.name).\(field.name)"
        }
      }
      do throws(EngineError) {
        if let difference = try difference(in: definition, table) { return difference }
        if let difference = try differenceOfQueries(in: definition, table) { return difference }
      } catch { return "\(error)" }
    }
    return nil
  }

  private func difference(
    in definition: TableDefinition, _ table: StoreReading.Table
  ) throws(EngineError) -> String? {
    let objects = try snapshot.view.objects(definition.id)
    guard objects.count == UInt64(table.rows.count) else { return "count of \(definition.name)" }
    for (place, row) in table.rows.enumerated() where place % 31 == 7 {
      guard try objects.object(at: UInt64(place))?.key == row.key,
        try objects.position(of: row.key) == UInt64(place), try objects.contains(row.key)
      else { return "object \(row.key) of \(definition.name)" }
    }
    var leaves = try objects.leaves()
    while let leaf = try leaves.next() {
      for field in definition.fields where !field.isObjectKey {
        let column = try leaf.column(field.id)
        guard column.entry.flags.contains(.zoneMap), leaf.stores(field.id) else { continue }
        if !(try isRight(column, of: field, leaf)) { return "zone map of \(field.name)" }
      }
      withExtendedLifetime(leaf) {}
    }
    return nil
  }

  /// Whether queries that walk indexes, look up and scan find what the table has.
  private func differenceOfQueries(
    in definition: TableDefinition, _ table: StoreReading.Table
  ) throws(EngineError) -> String? {
    let view = try snapshot.view
    let keys = table.rows.map(\.key)
    for field in definition.fields where !field.isObjectKey && field.canBeOrdered {
      let order = [SortKey(field: field.id)]
      // Without a limit they are sorted after a scan, with one the index may be walked.
      let sorted = try view.matches(ObjectQuery(table: definition.id, order: order)).keys()
      guard sorted.sorted() == keys else { return "order of \(field.name)" }
      let limit = max(keys.count / 3, 1)
      let walked = try view.matches(
        ObjectQuery(table: definition.id, order: order, limit: limit)
      ).keys()
      guard walked == Array(sorted.prefix(limit)) else { return "walk of \(field.name)" }
      guard let key = keys.isEmpty ? nil : keys[keys.count / 2],
        let row = try view.find(key, in: definition.id)
      else { continue }
      let column = try row.leaf.column(field.id)
      guard column.external(row.row) == nil else { continue }
      let cells = ColumnBuffer(type: column.type)
      cells.append(column, rows: row.row..<row.row + 1)
      let value = cells.value(0)
      guard !value.isNaN else { continue }
      let isEqual = Predicate.compare(field.id, .equal, value)
      let found = try view.count(ObjectQuery(table: definition.id, predicate: isEqual))
      let others = try view.count(ObjectQuery(table: definition.id, predicate: .not(isEqual)))
      guard found > 0, found + others == keys.count else { return "count by \(field.name)" }
      let groups = try view.groups(
        GroupQuery(ObjectQuery(table: definition.id), by: [.field(field.id)]))
      guard groups.count <= keys.count else { return "groups of \(field.name)" }
    }
    return nil
  }

  /// Whether a column's minimum and maximum are those of its values.
  private func isRight(
    _ column: ColumnChunk, of field: FieldDefinition, _ leaf: LeafReference
  ) throws(EngineError) -> Bool {
    let (minimum, maximum) = (column.entry.minimum, column.entry.maximum)
    for row in 0..<column.rowCount where !column.isNull(row) {
      switch column.type {
      case .integer:
        let value = column.integer(row)
        if value < Int64(bitPattern: minimum) || value > Int64(bitPattern: maximum) { return false }
      case .double, .float:
        let value = column.type == .double ? column.double(row) : Double(column.float(row))
        if value < Double(bitPattern: minimum) || value > Double(bitPattern: maximum) {
          return false
        }
      case .bytes:
        var bytes = column.bytes(row).array
        if let reference = column.external(row) {
          bytes = try leaf.value(reference, of: field.id)
        }
        let prefix = (0..<8).reduce(UInt64(0)) {
          $0 << 8 | UInt64($1 < bytes.count ? bytes[$1] : 0)
        }
        if prefix < minimum || prefix > maximum { return false }
      case .uuid:
        let high = column.uuid(row).high
        if high < minimum || high > maximum { return false }
      }
    }
    return true
  }
}

extension FieldDefinition {
  /// Whether queries can order by the field.
  fileprivate var canBeOrdered: Bool {
    switch type {
    case .json, .list, .set, .dictionary, .links, .compound, .blob: false
    default: true
    }
  }
}

extension Value {
  /// Whether it equals nothing.
  fileprivate var isNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .float(let number): number.isNaN
    default: false
    }
  }
}
