#if canImport(Combine)
public import Combine
public import Roost

/// The current results of a query, for views with `ObservedObject` and `StateObject`: their form of ``LiveQuery``.
@MainActor
public final class ObservableQuery<M: Model>: ObservableObject {
  /// The objects, in the order of the query.
  @Published public private(set) var objects: [M] = []
  /// Whether the objects were found; until then, `objects` is empty.
  @Published public private(set) var isLoaded = false
  /// The error that ended the observation, if any: `objects` then has the results of the last readable version.
  ///
  /// Closing the store is not an error: the last results stay.
  @Published public private(set) var error: StoreError?

  /// The query. After a change, the old results stay until the new ones are found.
  @Published public var query: Query<M> {
    didSet { if query != oldValue { observe() } }
  }

  /// The values behind links whose changes are observed.
  private let read: [ExpressionTerm]
  private let store: Store
  private var token: ObservationToken?

  /// Begins to find the results of a query. Retains the store.
  public convenience init(_ query: Query<M>, in store: Store) {
    self.init(query, in: store, terms: [])
  }

  /// Begins to find the results of a query. Retains the store.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - store: The store, which is retained.
  ///   - values: What is read of each object, behind its links and inverses: who shows the objects is told when it
  ///     changes.
  public convenience init<each Value: PropertyValue>(
    _ query: Query<M>, in store: Store,
    reading values: (QueryRoot<M>) -> (repeat QueryValue<each Value>)
  ) {
    self.init(query, in: store, terms: QueryRoot.terms(of: values))
  }

  private init(_ query: Query<M>, in store: Store, terms: [ExpressionTerm]) {
    self.query = query
    self.store = store
    read = terms
    observe()
  }

  private func observe() {
    token = store.lists(of: query, reading: read).observe { @MainActor [weak self] objects in
      self?.show(objects)
    } onError: { @MainActor [weak self] error in
      self?.error = error
    }
  }

  private func show(_ objects: [M]) {
    self.objects = objects
    if !isLoaded { isLoaded = true }
    if error != nil { error = nil }
  }
}
#endif
