internal import Roost
internal import RoostEngine

/// A version of a store, shared by everything read from it.
final class SnapshotContent: Sendable {
  let snapshot: EngineSnapshot
  /// Keeps the file open.
  private let held: Snapshot
  let path: String

  init(_ held: Snapshot, path: String) throws(StoreError) {
    snapshot = try held.content
    self.held = held
    self.path = path
  }

  var catalog: Catalog { snapshot.catalog }

  /// The file, for errors.
  var file: StoreFile { StoreFile(path: path, catalog: catalog) }

  /// Runs an engine operation, and converts its errors to store errors.
  func working<Result>(
    _ operation: (ReadView) throws(EngineError) -> Result
  ) throws(StoreError) -> Result {
    do { return try operation(snapshot.view) } catch { throw StoreError(error, in: file) }
  }

  /// The table with a name.
  func table(_ name: String) throws(StoreError) -> TableDefinition {
    guard let table = catalog.table(named: name) else { throw .unknownModel(model: name) }
    return table
  }

  /// The field with a name.
  func field(_ name: String, of table: TableDefinition) throws(StoreError) -> FieldDefinition {
    guard let field = table.field(named: name) else {
      throw .unknownField(model: table.name, property: name)
    }
    return field
  }

  /// The table of a link's targets.
  func target(of field: FieldDefinition, of table: TableDefinition) throws(StoreError)
    -> TableDefinition
  {
    guard field.type.isLink, let target = catalog.table(field.target) else {
      throw .valueMismatch(
        model: table.name, field: field.name, expected: "no link", found: "a look at its target")
    }
    return target
  }

  /// The object key in the file for an identifier; nil if there cannot be one.
  func objectKey(_ key: DynamicValue, in table: TableDefinition) throws(StoreError) -> Int64? {
    guard let identifier = table.identifier,
      let value = try? key.stored(as: identifier.type, identifier.parts)
    else { return nil }
    if identifier.isObjectKey {
      guard case .integer(let key) = value else { return nil }
      return key
    }
    return try working { view throws(EngineError) in
      try view.objectKey(in: table.id, identifier: value)
    }
  }

  /// The value of a field in a row; a list of links as the keys of its targets.
  func value(
    of field: FieldDefinition, in leaf: LeafReference, _ row: Int, of table: TableDefinition
  ) throws(StoreError) -> DynamicValue {
    if field.isObjectKey {
      return DynamicValue(stored: .integer(leaf.key(row)), field.type, [])
    }
    let stored = try working { _ throws(EngineError) in
      try RowPlace.leaf(leaf, row).value(of: field.id)
    }
    guard field.type.isLink else { return DynamicValue(stored: stored, field.type, field.parts) }
    let target = try target(of: field, of: table)
    switch stored {
    case .integer(let key): return try identifier(key, of: target)
    case .bytes(let list):
      var keys: [DynamicValue] = []
      for key in LinkList.targets(list) { keys.append(try identifier(key, of: target)) }
      return .list(keys)
    default: return .null
    }
  }

  /// The identifier of a link's target.
  func identifier(_ key: Int64, of table: TableDefinition) throws(StoreError) -> DynamicValue {
    guard let identifier = table.identifier, !identifier.isObjectKey else {
      return DynamicValue(stored: .integer(key), table.identifier?.type ?? .int, [])
    }
    return try working { view throws(EngineError) in
      guard let found = try view.find(key, in: table.id) else {
        throw .corrupt(
          Corruption(.link, tree: try view.objects(table.id).root.id, keys: key...key))
      }
      let value = try RowPlace.leaf(found.leaf, found.row).value(of: identifier.id)
      return DynamicValue(stored: value, identifier.type, identifier.parts)
    }
  }
}
