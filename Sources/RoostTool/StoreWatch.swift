package import RoostDynamic

/// The changes that this process makes to a store, as they come.
package struct StoreWatch: Sendable {
  private let store: DynamicStore
  private let models: Set<String>

  /// - Parameter models: The models whose objects are watched; all if there are none.
  package init(_ store: DynamicStore, models: [String] = []) {
    self.store = store
    self.models = Set(models)
  }

  /// Calls a closure for each change of an object, until the task is cancelled or the store is closed.
  ///
  /// Changes are merged where the closure is slower than the writes.
  /// - Parameters:
  ///   - earlier: The version from which on changes are told; nil for the one that is there now.
  ///   - body: Takes a change. An error that it throws ends the watch.
  package func run(
    since earlier: DynamicSnapshot? = nil, _ body: (StoreDifference.Change) async throws -> Void
  ) async throws {
    for try await changes in store.changes(since: earlier) {
      for table in changes.tables where isWatched(table) {
        for change in try Self.changes(of: table, changes) { try await body(change) }
      }
    }
  }

  private func isWatched(_ table: String) -> Bool {
    models.isEmpty ? !table.hasPrefix("value:roost.") : models.contains(table)
  }

  private static func changes(
    of table: String, _ changes: DynamicChanges
  ) throws -> [StoreDifference.Change] {
    let (before, after) = (changes.earlier, changes.later)
    guard let definition = after.table(table) else { return [.onlyBefore(model: table)] }
    var found: [StoreDifference.Change] = []
    if before.table(table) == nil { found.append(.onlyAfter(model: table)) }
    let objects = try changes.of(table)
    found += objects.deletions.map { .deleted(model: table, key: $0) }
    found += objects.insertions.map { .inserted(model: table, key: $0) }
    for modification in objects.modifications {
      let old = try before.object(table, modification.key)
      let new = try after.object(table, modification.key)
      let fields = try modification.fields.map { name in
        // A blob may be too long to be shown.
        let isBlob = definition.field(name)?.type == .blob
        return StoreDifference.Change.Field(
          name: name, before: isBlob ? .null : try old?[name] ?? .null,
          after: isBlob ? .null : try new?[name] ?? .null)
      }
      found.append(.modified(model: table, key: modification.key, fields))
    }
    return found
  }
}
