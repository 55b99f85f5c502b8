public import Roost
internal import RoostEngine

/// The difference between two versions of a store, table by table.
///
/// Retains both versions.
public struct DynamicChanges: Sendable {
  /// The earlier version.
  public let earlier: DynamicSnapshot
  /// The later version; others may lie between the two.
  public let later: DynamicSnapshot

  /// The names of the tables in either version, those of the later version first.
  public var tables: [String] {
    let later = later.content.catalog.tables
    let gone = earlier.content.catalog.tables.filter { table in
      !later.contains { $0.id == table.id }
    }
    return (later + gone).map(\.name)
  }

  /// The changes of a table's objects; a renamed table is the same table.
  ///
  /// Computed when called. Skips the parts of the file that both versions share, so the cost depends on the parts
  /// that differ.
  /// - Throws: ``/Roost/StoreError/unknownModel(model:)`` where neither version has the table;
  ///   ``/Roost/StoreError/corrupt(path:damage:)``.
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
  /// An object that is in both versions, with different values.
  public struct Modification: Hashable, Sendable {
    /// The object's key.
    public let key: DynamicValue
    /// The names of the fields whose values differ.
    public let fields: [String]
  }

  /// The keys of the objects that only the later version has.
  public let insertions: [DynamicValue]
  /// The keys of the objects that only the earlier version has.
  public let deletions: [DynamicValue]
  /// The objects whose values differ bit for bit, including those deleted and inserted again under the same key with
  /// other values. Fields missing in either version are ignored.
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
  /// The changes since another version of the store; if that version is the later one, the changes that lead back to it.
  ///
  /// The difference between the two versions, whatever lies between: an object that was changed and changed back counts as
  /// unchanged.
  /// - Throws: ``/Roost/StoreError/foreignSnapshot(path:)`` where the snapshots are not of the same file.
  public func changes(since earlier: DynamicSnapshot) throws(StoreError) -> DynamicChanges {
    guard earlier.content.snapshot.fileIdentity == content.snapshot.fileIdentity else {
      throw .foreignSnapshot(path: earlier.content.path)
    }
    return DynamicChanges(earlier: earlier, later: self)
  }
}
