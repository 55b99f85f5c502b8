internal import Synchronization

extension Store {
  /// The results of a query, and what becomes of them: insertions, deletions, moves and modifications.
  ///
  /// ```swift
  /// for try await change in store.changes(of: Person.all.order(by: \.name)) {
  ///   print(change.insertions, change.deletions, change.moves, change.modifications)
  /// }
  /// ```
  ///
  /// A commit costs what changed in it, not the number of results: each object that changed, or that is linked with one
  /// that did, is looked at, with what the query asks behind links. The query is answered anew for an order of texts as a
  /// locale has it, for a change that concerns more than 1,024 objects and an eighth of all, and where more than 256
  /// results are gone of which a limit shows the first.
  ///
  /// The store is not held: the sequence ends with it.
  public func changes<M: Model>(of query: Query<M>) -> Changes<ResultsChange<M>> {
    Changes { [observers, readers] in
      let results = Mutex(ObservedResults<M>(query.content))
      return Observer(in: observers, readers: readers) { (differences) throws(StoreError) in
        try results.withLock { (results) throws(StoreError) in
          try results.advance(by: differences)
        }
      }
    }
  }
}
