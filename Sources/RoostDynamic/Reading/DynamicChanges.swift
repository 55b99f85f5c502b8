public import Roost
internal import RoostEngine

/// The difference of two versions of a store, table by table.
///
/// It holds both versions.
public struct DynamicChanges: Sendable {
  /// The version before.
  public let earlier: DynamicSnapshot
  /// The version behind it, however many lie between.
  public let later: DynamicSnapshot

  /// The names of the tables that either version has, those of the later one first.
  public var tables: [String] {
    let later = later.content.catalog.tables
    let gone = earlier.content.catalog.tables.filter { table in
      !later.contains { $0.id == table.id }
    }
    return (later + gone).map(\.name)
  }

  /// What became of the objects of a table; one by another name before is the same table.
  ///
  /// Finds out when it is asked. What both versions share is passed over, so that the cost is that of the parts of the file
  /// that differ.
  /// - Throws: ``StoreError/unknownModel(model:)`` where neither version has the table; ``StoreError/corrupt(path:damage:)``.
  public func of(_ table: String) throws(StoreError) -> DynamicTableChanges {
    let new = later.content.catalog.table(named: table)
    guard let definition = new ?? earlier.content.catalog.table(named: table) else {
      throw .unknownModel(model: table)
    }
    let changes = try later.content.working { _ throws(EngineError) in
      try later.content.snapshot.changes(of: definition.id, since: earlier.content.snapshot)
    }
    return try DynamicTableChanges(
      changes, of: definition, from: earlier.content, to: later.content)
  }
}

/// The changes of a table's objects between two versions of a store.
public struct DynamicTableChanges: Hashable, Sendable {
  /// An object that both versions have, with other values.
  public struct Modification: Hashable, Sendable {
    /// The object's key.
    public let key: DynamicValue
    /// The names of the fields that have other values.
    public let fields: [String]
  }

  /// The keys of the objects that only the later version has.
  public let insertions: [DynamicValue]
  /// The keys of the objects that only the earlier version has.
  public let deletions: [DynamicValue]
  /// The objects whose values are not what they were, bit for bit. One that was deleted and inserted again under the same key
  /// is one of them, if its values differ. Fields that either version does not have are passed over.
  public let modifications: [Modification]

  /// Whether nothing changed.
  public var isEmpty: Bool { insertions.isEmpty && deletions.isEmpty && modifications.isEmpty }

  init(
    _ changes: TableDifference, of table: TableDefinition, from earlier: SnapshotContent,
    to later: SnapshotContent
  ) throws(StoreError) {
    let before = earlier.catalog.table(table.id) ?? table
    func keys(
      _ keys: [Int64], _ table: TableDefinition, in content: SnapshotContent
    ) throws(StoreError) -> [DynamicValue] {
      var values: [DynamicValue] = []
      values.reserveCapacity(keys.count)
      for key in keys { values.append(try content.identifier(key, of: table)) }
      return values
    }
    insertions = try keys(changes.insertions, table, in: later)
    deletions = try keys(changes.deletions, before, in: earlier)
    let replacements = changes.replacements.filter { !$0.fields.isEmpty }
    let modified = try keys(
      changes.modifications + replacements.map(\.laterKey), table, in: later)
    let fields =
      changes.modifications.indices.map { changes.fields(ofModification: $0) }
      + replacements.map(\.fields)
    modifications = zip(modified, fields).map { key, fields in
      Modification(key: key, fields: fields.map { table.field($0)?.name ?? "\($0)" })
    }
  }
}

extension DynamicSnapshot {
  /// What changed since another version of the store; where that is the later one, what to do to go back.
  ///
  /// The difference of the two versions, however many lie between: an object that was changed and changed back has not
  /// changed.
  /// - Throws: ``StoreError/foreignSnapshot(path:)`` where the snapshots are not of the same file.
  public func changes(since earlier: DynamicSnapshot) throws(StoreError) -> DynamicChanges {
    guard earlier.content.snapshot.fileIdentity == content.snapshot.fileIdentity else {
      throw .foreignSnapshot(path: earlier.content.path)
    }
    return DynamicChanges(earlier: earlier, later: self)
  }
}
