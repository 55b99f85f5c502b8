internal import Roost
internal import RoostEngine

/// The stored values of an object.
struct StoredRow {
  /// The object key, if the table's key is an integer.
  var objectKey: Int64?
  /// A value for each field except the integer key, in field order; null for fields that do not change.
  var values: [Value] = []
  /// The fields that have new values.
  var fields: [FieldID] = []
  /// For fields with kinds that become unknown, because values are given without them, the fields with the values.
  var kinds: [FieldID: FieldID] = [:]

  /// Appends the values to the columns as the next row.
  func append(to batch: RecordBatch) {
    for (column, value) in zip(batch.columns, values) { column.append(value) }
  }
}

extension DynamicTransaction {
  /// The object key for an identifier, including the transaction's changes; nil if there is no such object.
  func objectKey(
    _ key: DynamicValue, of table: TableDefinition
  ) throws(StoreError) -> Int64? {
    guard let field = table.identifier, let value = try? key.stored(as: field.type, field.parts)
    else { return nil }
    return try working { transaction throws(EngineError) in
      guard let object = try transaction.objectKey(in: table.id, identifier: value),
        try transaction.row(in: table.id, key: object) != nil
      else { return nil }
      return object
    }
  }

  /// Converts values to their stored form.
  ///
  /// - Parameter isWhole: Whether they are all of an object, and fields that are not given have their defaults.
  func row(
    _ values: [String: DynamicValue], of table: TableDefinition, isWhole: Bool
  ) throws(StoreError) -> StoredRow {
    for name in values.keys.sorted() where table.field(named: name) == nil {
      throw .unknownField(model: table.name, property: name)
    }
    var row = StoredRow()
    row.kinds = try forgetKinds(of: values, in: table)
    for field in table.fields {
      var stored = Value.null
      if let value = values[field.name] {
        stored = try self.stored(value, field, of: table)
        if !field.isObjectKey { row.fields.append(field.id) }
      } else if row.kinds[field.id] != nil {
        row.fields.append(field.id)
        row.values.append(.null)
        continue
      } else if isWhole {
        stored = field.defaultValue == .null ? field.emptyValue : field.defaultValue
      }
      if isWhole || values[field.name] != nil, stored == .null, !field.isOptional {
        throw .valueMismatch(
          model: table.name, field: field.name, expected: field.type.name, found: "no value")
      }
      if field.isObjectKey {
        if case .integer(let key) = stored { row.objectKey = key }
      } else {
        row.values.append(stored)
      }
    }
    return row
  }

  /// Notes that the kinds of values that are given without them become unknown.
  ///
  /// - Returns: For each field with such kinds, the field with the values.
  private func forgetKinds(
    of values: [String: DynamicValue], in table: TableDefinition
  ) throws(StoreError) -> [FieldID: FieldID] {
    var kinds: [FieldID: FieldID] = [:]
    var unnoted: [FieldID] = []
    for field in table.fields where values[field.name] != nil {
      guard let kind = table.kind(of: field), values[kind.name] == nil else { continue }
      kinds[kind.id] = field.id
      if !kind.lacksKinds { unnoted.append(kind.id) }
    }
    if !unnoted.isEmpty {
      try working { transaction throws(EngineError) in
        try transaction.setLacksKinds(true, unnoted, of: table.id)
      }
    }
    return kinds
  }

  /// The changes of some fields of an object.
  ///
  /// - Parameter key: The object's; nil for objects that keep theirs.
  func changes(
    _ values: [String: DynamicValue], of key: DynamicValue?, in table: TableDefinition
  ) throws(StoreError) -> StoredRow {
    var values = values
    if let field = table.identifier, let new = values.removeValue(forKey: field.name) {
      let isSame = try key.map { (key) throws(StoreError) in
        try stored(new, field, of: table) == stored(key, field, of: table)
      }
      guard isSame == true else { throw .changedKey(model: table.name, id: (key ?? new).json) }
    }
    return try row(values, of: table, isWhole: false)
  }

  /// Gives an object new values; returns whether the object exists.
  func update(
    _ key: Int64, of table: TableDefinition, _ row: StoredRow
  ) throws(StoreError) -> Bool {
    guard !row.fields.isEmpty else { return true }
    return try working { transaction throws(EngineError) in
      row.append(to: try transaction.batch(for: table.id))
      return try transaction.replaceRow(
        in: table.id, key: key, fields: row.fields, kinds: row.kinds)
    }
  }

  /// The stored form of a value.
  func stored(
    _ value: DynamicValue, _ field: FieldDefinition, of table: TableDefinition
  ) throws(StoreError) -> Value {
    do throws(UnfitValue) {
      guard field.type.isLink, value != .null else {
        return try value.stored(as: field.type, field.parts)
      }
    } catch {
      throw .valueMismatch(
        model: table.name, field: field.name, expected: error.expected, found: error.found)
    }
    guard field.type == .links else {
      return .integer(try target(value, field, of: table))
    }
    guard case .list(let keys) = value else {
      let unfit = UnfitValue("a list of keys", value)
      throw .valueMismatch(
        model: table.name, field: field.name, expected: unfit.expected, found: unfit.found)
    }
    var targets: [Int64] = []
    for key in keys { targets.append(try target(key, field, of: table)) }
    return .bytes(LinkList.bytes(targets))
  }

  /// The object key of a link's target, which may be inserted later.
  private func target(
    _ key: DynamicValue, _ field: FieldDefinition, of table: TableDefinition
  ) throws(StoreError) -> Int64 {
    guard let target = try catalog.table(field.target), let identifier = target.identifier else {
      throw .unknownModel(model: "the target of \(table.name).\(field.name)")
    }
    let value: Value
    do throws(UnfitValue) {
      value = try key.stored(as: identifier.type, identifier.parts)
    } catch {
      throw .valueMismatch(
        model: table.name, field: field.name,
        expected: "a key of \(target.name), \(error.expected)",
        found: error.found)
    }
    let found = try working { transaction throws(EngineError) in
      try transaction.objectKey(in: target.id, identifier: value, reserving: true)
    }
    guard let found else {
      throw .danglingLink(
        model: table.name, id: nil, field: field.name, target: target.name, targetID: key.json)
    }
    return found
  }
}

extension FieldDefinition {
  /// The value for a field that was not given one.
  var emptyValue: Value {
    guard !isOptional else { return .null }
    switch type {
    case .links, .blob: return .bytes([])
    case .list, .set, .dictionary:
      return .bytes(PackedColumns.bytes(parts.columns, as: parts.map(\.shape)))
    default: return .null
    }
  }
}

extension [ElementColumn] {
  /// Empty columns for the elements.
  fileprivate var columns: [ColumnBuffer] { map { ColumnBuffer(type: $0.type.physical) } }
}
