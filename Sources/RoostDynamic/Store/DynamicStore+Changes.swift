public import Roost

extension DynamicStore {
  /// The changes of the store as a sequence: each element leads from the last version to the newest one when it is requested.
  ///
  /// ```swift
  /// for try await change in store.changes() {
  ///   for table in change.tables { print(table, try change.of(table).insertions) }
  /// }
  /// ```
  ///
  /// Changes are merged: a slow reader gets one change for many commits. None is lost or repeated. The loop
  /// ends when its task is cancelled, and when the store is closed or dropped.
  /// - Parameter earlier: The version from which on changes are told; nil for the one that is there when the loop begins.
  /// - Complexity: Nothing while nothing is written; what changed is found out where it is asked.
  public func changes(since earlier: DynamicSnapshot? = nil) -> Changes<DynamicChanges> {
    let path = path
    return store.changes(of: { LastVersion(earlier) }) { last, differences throws(StoreError) in
      let later = try DynamicSnapshot(differences.later, path: path)
      defer { last.snapshot = later }
      guard let earlier = last.snapshot, earlier.version != later.version else { return nil }
      return try later.changes(since: earlier)
    }
  }
}

/// The last version delivered.
private final class LastVersion {
  var snapshot: DynamicSnapshot?

  init(_ snapshot: DynamicSnapshot?) { self.snapshot = snapshot }
}
