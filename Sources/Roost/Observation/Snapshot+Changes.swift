internal import RoostEngine

extension Snapshot {
  /// The difference to another version of the store.
  ///
  /// ```swift
  /// let before = store.snapshot()
  /// // …
  /// let changes = try store.snapshot().changes(since: before).of(Dog.self)
  /// print(changes.insertions, changes.deletions, changes.modifications.map(\.id))
  /// ```
  ///
  /// Only the two versions are compared, however many lie between: an object that was changed and changed back
  /// is unchanged. The other version may be the later one; then the difference is the way back.
  /// - Throws: ``StoreError/foreignSnapshot(path:)`` where the snapshots are not of the same file.
  public func changes(since earlier: Snapshot) throws(StoreError) -> StoreChanges {
    let (old, new) = (try earlier.open(), try open())
    guard old.snapshot.fileIdentity == new.snapshot.fileIdentity else {
      throw .foreignSnapshot(path: old.file.path)
    }
    return StoreChanges(earlier: old, later: new)
  }
}

/// The difference of two versions of a store, model by model.
///
/// It retains both versions.
public struct StoreChanges: Sendable {
  let earlier: VersionContext
  let later: VersionContext

  /// The changes of a model's objects.
  ///
  /// Computed on each call. Parts that both versions share are skipped, so the cost is that of the parts
  /// of the file that differ: a few microseconds for a change of one object among a million.
  /// - Throws: ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  public func of<M: Model>(_ model: M.Type) throws(StoreError) -> ModelChanges<M> {
    let binding = try later.model(model)
    let changes = try working(on: later.file) { () throws(EngineError) in
      try later.snapshot.changes(of: binding.tableID, since: earlier.snapshot)
    }
    return try ModelChanges(changes, of: binding, from: earlier, to: later)
  }

  /// Whether no object of any model and no value under a name differs.
  ///
  /// Computed on each call, at the cost of ``of(_:)`` for each model up to the first that differs. A model that only one of the
  /// versions has counts by its objects.
  /// - Throws: ``StoreError/corrupt(path:damage:)`` where the file is damaged.
  public var isEmpty: Bool {
    get throws(StoreError) {
      let new = later.snapshot.catalog.tables
      let gone = earlier.snapshot.catalog.tables.filter { table in
        !new.contains { $0.id == table.id }
      }
      // Those of the store itself tell of migrations, and of nothing that a program stored.
      for table in new + gone where !table.name.hasPrefix("value:roost.") {
        let changes = try working(on: later.file) { () throws(EngineError) in
          try later.snapshot.changes(of: table.id, since: earlier.snapshot)
        }
        guard changes.insertions.isEmpty, changes.deletions.isEmpty, changes.modifications.isEmpty,
          changes.replacements.allSatisfy(\.fields.isEmpty)
        else { return false }
      }
      return true
    }
  }
}

/// The changes of a model's objects between two versions of a store.
public struct ModelChanges<M: Model>: Sendable {
  /// An object in both versions, with different values.
  public struct Modification: Identifiable, Sendable {
    /// The object's id.
    public let id: M.ID
    let changed: ChangedFields

    /// The names in the schema of the fields that changed.
    public var fields: [String] { changed.names }

    /// Whether a property, or some part of an embedded struct, changed.
    ///
    /// - Throws: ``StoreError/unknownField(model:property:)`` where the key path leads to no property of the schema.
    public func hasChanged<Value: PropertyValue>(
      _ property: KeyPath<M, Value>
    ) throws(StoreError) -> Bool {
      try changed.contains(property)
    }
  }

  /// The objects that only the later version has.
  public let insertions: [M.ID]
  /// The objects that only the earlier version has.
  public let deletions: [M.ID]
  /// The objects whose values differ, bit for bit. An object that was deleted and inserted again under the
  /// same id is included if its values differ.
  public let modifications: [Modification]

  /// Whether nothing changed.
  public var isEmpty: Bool { insertions.isEmpty && deletions.isEmpty && modifications.isEmpty }

  init(
    _ changes: TableDifference, of model: ModelBinding, from earlier: VersionContext,
    to later: VersionContext
  ) throws(StoreError) {
    insertions = try later.ids(of: M.self, changes.insertions, model)
    deletions = try earlier.ids(of: M.self, changes.deletions, model)
    let replacements = changes.replacements.filter { !$0.fields.isEmpty }
    let ids = try later.ids(
      of: M.self, changes.modifications + replacements.map(\.laterKey), model)
    let fields =
      changes.modifications.indices.map { changes.fields(ofModification: $0) }
      + replacements.map(\.fields)
    modifications = zip(ids, fields).map {
      Modification(id: $0, changed: ChangedFields(model: model, fields: $1))
    }
  }
}

extension ObjectLookup {
  /// The ids of existing objects by their keys.
  func ids<M: Model>(
    of type: M.Type, _ keys: [Int64], _ model: ModelBinding
  ) throws(StoreError) -> [M.ID] {
    var ids: [M.ID] = []
    ids.reserveCapacity(keys.count)
    for key in keys { ids.append(try id(of: type, linkedBy: key, from: model)) }
    return ids
  }
}
