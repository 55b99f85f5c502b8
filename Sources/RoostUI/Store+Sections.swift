public import Roost

extension Store {
  /// The results of a query in sections, and the changes of both.
  ///
  /// ```swift
  /// let people = Person.all.order(by: \.name)
  /// for try await change in store.changes(of: people, sectionedBy: { try $0.name.prefix(1) }) {
  ///   for section in change.sections { show(section.key, change.results[section.range]) }
  /// }
  /// ```
  ///
  /// A section is a run of results with the same key, so order the query by the key. Where a key has several
  /// sections, each change reports them as deleted and inserted.
  /// - Parameters:
  ///   - query: The query whose results are observed.
  ///   - key: Makes the key of a result: of all to begin with, and then of those that changed. What it throws ends
  ///     the sequence.
  public func changes<M: Model, Key: Hashable & Sendable>(
    of query: Query<M>, sectionedBy key: @escaping @Sendable (Row<M>) throws -> Key
  ) -> ObservedValues<SectionsChange<M, Key>> {
    changes(of: query, sectionedBy: { row, _ in try key(row) })
  }

  /// The results of a query in sections by a property, and the changes of both.
  ///
  /// ```swift
  /// store.changes(of: Person.all.order(by: \.city), sectionedBy: \.city)
  /// ```
  ///
  /// A section is a run of results with the same value, so order the query by the property.
  /// - Parameters:
  ///   - query: The query whose results are observed.
  ///   - path: The property.
  public func changes<M: Model, Key: Storable>(
    of query: Query<M>, sectionedBy path: any KeyPath<M, Key> & Sendable
  ) -> ObservedValues<SectionsChange<M, Key>> {
    changes(of: query, sectionedBy: { row in try row[path] })
  }

  /// The results of a query in sections whose keys are read through links, and the changes of both.
  ///
  /// ```swift
  /// let dogs = Dog.all.order { $0.owner.name }.order(by: \.name)
  /// store.changes(of: dogs, sectionedBy: { dog, snapshot in try dog.owner.flatMap { try snapshot.row($0)?.name } })
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query whose results are observed.
  ///   - key: Makes the key of a result, in a version: also where something changed that the query's order reads
  ///     of the objects behind the result's links.
  public func changes<M: Model, Key: Hashable & Sendable>(
    of query: Query<M>, sectionedBy key: @escaping @Sendable (Row<M>, Snapshot) throws -> Key
  ) -> ObservedValues<SectionsChange<M, Key>> {
    sections(of: query, by: key, reading: [])
  }

  /// The results of a query in sections, with their changes and those of values read through their links and inverses.
  ///
  /// ```swift
  /// let posts = Post.all.order(by: \.date, descending: true)
  /// store.changes(of: posts, sectionedBy: { try day(of: $0.date) }, reading: { $0.author.name })
  /// ```
  ///
  /// Values are not computed: a row is modified if a property that one of the values is made from changed, or an object was
  /// added or removed there. The value may be the same as before.
  /// - Parameters:
  ///   - query: The query whose results are observed.
  ///   - key: Makes the key of a result, also where one of the values changed. What it throws ends the sequence.
  ///   - values: What is read of each result.
  public func changes<M: Model, Key: Hashable & Sendable, each Value: PropertyValue>(
    of query: Query<M>, sectionedBy key: @escaping @Sendable (Row<M>) throws -> Key,
    reading values: (QueryRoot<M>) -> (repeat QueryValue<each Value>)
  ) -> ObservedValues<SectionsChange<M, Key>> {
    sections(of: query, by: { row, _ in try key(row) }, reading: QueryRoot.terms(of: values))
  }

  /// The results of a query in sections by a property, with their changes and those of values read through their links and
  /// inverses.
  ///
  /// ```swift
  /// store.changes(of: Post.all.order(by: \.topic), sectionedBy: \.topic, reading: { $0.author.name })
  /// ```
  ///
  /// Values are not computed, as with a key that is made from the row.
  /// - Parameters:
  ///   - query: The query whose results are observed.
  ///   - path: The property.
  ///   - values: What is read of each result.
  public func changes<M: Model, Key: Storable, each Value: PropertyValue>(
    of query: Query<M>, sectionedBy path: any KeyPath<M, Key> & Sendable,
    reading values: (QueryRoot<M>) -> (repeat QueryValue<each Value>)
  ) -> ObservedValues<SectionsChange<M, Key>> {
    changes(of: query, sectionedBy: { row in try row[path] }, reading: values)
  }

  private func sections<M: Model, Key: Hashable & Sendable>(
    of query: Query<M>, by key: @escaping @Sendable (Row<M>, Snapshot) throws -> Key,
    reading read: [ExpressionTerm]
  ) -> ObservedValues<SectionsChange<M, Key>> {
    ObservedValues(
      changes(of: { ObservedSections(of: query, by: key, reading: read) }) {
        (sections, differences) throws(StoreError) in try sections.step(differences)
      })
  }
}
