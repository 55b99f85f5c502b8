internal import Synchronization

/// Observing the content of a store: results, objects, values.
///
/// Observation does not retain the store and ends with it.
extension Store {
  /// The results of a query, and their changes: insertions, deletions, moves and modifications.
  ///
  /// ```swift
  /// for try await change in store.changes(of: Person.all.order(by: \.name)) {
  ///   print(change.insertions, change.deletions, change.moves, change.modifications)
  /// }
  /// ```
  ///
  /// A commit costs in proportion to its changes, not to the number of results: only objects that changed, or whose related
  /// objects changed, are re-evaluated. The query runs again if it orders texts by a
  /// locale, if a change concerns more than 1,024 objects and an eighth of all, and if more than 256
  /// results of a limited query are gone. The last line of ``ObjectReader/explain(_:)`` tells which applies.
  ///
  /// A result is modified if one of its own properties changed, or a value that the query reads
  /// through its links; the latter is not among ``ResultsChange/Modification/fields``.
  public func changes<M: Model>(of query: Query<M>) -> Changes<ResultsChange<M>> {
    results(of: query, reading: [], watching: nil)
  }

  /// The results of a query, with their changes and those of values read through their links and inverses.
  ///
  /// ```swift
  /// store.changes(of: Dog.all, reading: { $0.owner.name })
  /// store.changes(of: Person.all, reading: { ($0.city.name, $0[Person.dogs].max { $0.name }) })
  /// ```
  ///
  /// Values are not computed: a result is modified if a property that one of the values is made from changed, or an object
  /// was added or removed there. The value may be the same as before.
  /// - Parameters:
  ///   - query: The query whose results are observed.
  ///   - values: What is read of each result.
  /// - Complexity: That of a query with a condition on these values.
  public func changes<M: Model, each Value: PropertyValue>(
    of query: Query<M>, reading values: (QueryRoot<M>) -> (repeat QueryValue<each Value>)
  ) -> Changes<ResultsChange<M>> {
    results(of: query, reading: QueryRoot.terms(of: values), watching: nil)
  }

  /// The results of a query, and their changes, except modifications of properties that are not watched.
  ///
  /// ```swift
  /// for try await change in store.changes(of: Person.all.order(by: \.name), watching: \.name, \.photo) { show(change) }
  /// ```
  ///
  /// Insertions, deletions and moves are always reported, and so are changes of values that the query reads through links. A
  /// modification of a watched property also reports other properties that changed in the same step.
  /// - Throws: The sequence ends with ``StoreError/unknownField(model:property:)`` where a key path leads to no property
  ///   of the schema.
  @_alwaysEmitIntoClient
  public func changes<M: Model, First: PropertyValue, each Other: PropertyValue>(
    of query: Query<M>, watching first: KeyPath<M, First>, _ others: repeat KeyPath<M, each Other>
  ) -> Changes<ResultsChange<M>> {
    results(of: query, watching: WatchedProperties(of: first, repeat each others))
  }

  /// The results of a query, with their changes and those of values read through their links and inverses, except
  /// modifications of properties that are not watched.
  ///
  /// ```swift
  /// store.changes(of: Dog.all, watching: \.name, reading: { $0.owner.name })
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query whose results are observed.
  ///   - first: A property that is watched.
  ///   - others: More of them.
  ///   - values: What is read of each result: where it changes, that is told, whatever is watched.
  /// - Throws: The sequence ends with ``StoreError/unknownField(model:property:)`` where a key path leads to no property
  ///   of the schema.
  public func changes<
    M: Model, First: PropertyValue, each Other: PropertyValue, each Value: PropertyValue
  >(
    of query: Query<M>, watching first: KeyPath<M, First>, _ others: repeat KeyPath<M, each Other>,
    reading values: (QueryRoot<M>) -> (repeat QueryValue<each Value>)
  ) -> Changes<ResultsChange<M>> {
    results(
      of: query, reading: QueryRoot.terms(of: values),
      watching: WatchedProperties(of: first, repeat each others))
  }

  @usableFromInline
  func results<M: Model>(
    of query: Query<M>, watching watched: WatchedProperties
  ) -> Changes<ResultsChange<M>> {
    results(of: query, reading: [], watching: watched)
  }

  private func results<M: Model>(
    of query: Query<M>, reading read: [ExpressionTerm], watching watched: WatchedProperties?
  ) -> Changes<ResultsChange<M>> {
    changes(of: { ObservedResults(of: query, reading: read, watching: watched?.positions) }) {
      (results, differences) throws(StoreError) in
      if let error = watched?.error { throw error }
      guard let step = try results.step(differences) else { return nil }
      return try ResultsChange<M>(step)
    }
  }

  /// The object with an id, and its changes: insertion, modification, deletion.
  ///
  /// ```swift
  /// for try await change in store.changes(of: Person.self, id: 7) {
  ///   if change.isDeletion { break }
  ///   print(change.fields, change.before?.name, change.after?.name)
  /// }
  /// ```
  ///
  /// The sequence continues after a deletion: an object may be inserted under the id again.
  /// - Complexity: A lookup in each version that is looked at.
  public func changes<M: Model>(of type: M.Type, id: M.ID) -> Changes<ObjectChange<M>> {
    object(M.self, id: id, watching: nil)
  }

  /// The object with an id, and its changes, except modifications of properties that are not watched.
  ///
  /// - Throws: The sequence ends with ``StoreError/unknownField(model:property:)`` where a key path leads to no property
  ///   of the schema.
  @_alwaysEmitIntoClient
  public func changes<M: Model, First: PropertyValue, each Other: PropertyValue>(
    of type: M.Type, id: M.ID, watching first: KeyPath<M, First>,
    _ others: repeat KeyPath<M, each Other>
  ) -> Changes<ObjectChange<M>> {
    object(M.self, id: id, watching: WatchedProperties(of: first, repeat each others))
  }

  @usableFromInline
  func object<M: Model>(
    _ type: M.Type, id: M.ID, watching watched: WatchedProperties?
  ) -> Changes<ObjectChange<M>> {
    changes(of: { ObservedObject<M>(id, watching: watched?.positions) }) {
      (object, differences) throws(StoreError) in
      if let error = watched?.error { throw error }
      return try object.step(differences)
    }
  }

  /// The target of a link, and its changes.
  @_alwaysEmitIntoClient
  public func changes<M: Model>(of link: Link<M>) -> Changes<ObjectChange<M>> {
    changes(of: M.self, id: link.id)
  }

  /// The targets of a list of links, with their changes and those of the list.
  ///
  /// ```swift
  /// for try await change in store.changes(of: \Playlist.songs, of: 7) { show(change.results) }
  /// ```
  ///
  /// An object that is in the list several times is as often in the results. Without the owner of the list there are none.
  /// - Complexity: That of a look at the object; where its list is another O(n log n) in the length, and O(n) where one of
  ///   the targets' model has changed.
  /// - Throws: The sequence ends with ``StoreError/unknownField(model:property:)`` where the key path leads to no property
  ///   of the schema.
  public func changes<M: Model, Target: Model>(
    of property: KeyPath<M, Links<Target>>, of id: M.ID
  ) -> Changes<ResultsChange<Target>> {
    let watched = WatchedProperties(of: property)
    return changes(
      of: { ObservedLinks(M.self, id, watched.positions.first ?? 0, to: Target.self) }
    ) { (links, differences) throws(StoreError) in
      if let error = watched.error { throw error }
      guard let step = try links.step(differences) else { return nil }
      return try ResultsChange<Target>(step)
    }
  }

  /// A value computed from the results of a query, such as a mean or a count, and its changes.
  ///
  /// ```swift
  /// for try await count in store.values(of: Person.where { $0.age >= 18 }, { try $0.count($1) }) { show(count) }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query of the objects.
  ///   - value: Makes the value, in a version of the store: when one of the query's objects came, went, changed or
  ///     moved, or something did that the query reads behind links, and not otherwise. What else it reads is not observed.
  ///     What it throws ends the sequence.
  public func values<M: Model, Value: Equatable & Sendable>(
    of query: Query<M>,
    _ value: @escaping @Sendable (_ snapshot: Snapshot, _ query: Query<M>) throws -> Value
  ) -> ObservedValues<Value> {
    ObservedValues(
      changes(of: { ObservedValue(of: ObservedResults(of: query)) { try value($0, query) } }) {
        (observed, differences) throws(StoreError) in try observed.step(differences)
      })
  }

  /// The changes of an observed thing.
  ///
  /// - Parameters:
  ///   - observed: Makes what is observed: for each iterator anew.
  ///   - step: Goes on to another version; nil where nothing became of it.
  package func changes<Observed, Change: Sendable>(
    of observed: @escaping @Sendable () -> sending Observed,
    _ step: @escaping @Sendable (Observed, Differences) throws(StoreError) -> Change?
  ) -> Changes<Change> {
    Changes { [observers] in
      let state = Mutex(observed())
      return Observer(in: observers) { (differences) throws(StoreError) in
        try state.withLock { (observed) throws(StoreError) in try step(observed, differences) }
      }
    }
  }
}
