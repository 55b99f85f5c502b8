#if canImport(Combine)
public import Combine
public import Roost

/// The objects of a query, for views that use `ObservedObject` and `StateObject`: ``LiveQuery`` for them.
@MainActor
public final class ObservableQuery<M: Model>: ObservableObject {
  /// The objects, in the order of the query.
  @Published public private(set) var objects: [M] = []
  /// Whether the objects were found: before, there are none.
  @Published public private(set) var isLoaded = false
  /// What ended the observation, where something did: the objects are those of the last version that could be read.
  ///
  /// That the store was closed is no error: its last objects stay.
  @Published public private(set) var error: StoreError?

  /// What is asked. Another query takes the place of this one when its objects are found.
  @Published public var query: Query<M> {
    didSet { if query != oldValue { observe() } }
  }

  /// What is read of each object, whose changes are told.
  private let read: [ExpressionTerm]
  private let store: Store
  private var token: ObservationToken?

  /// Begins to find the objects of a query. The store is held.
  public convenience init(_ query: Query<M>, in store: Store) {
    self.init(query, in: store, terms: [])
  }

  /// Begins to find the objects of a query. The store is held.
  ///
  /// - Parameter values: What is read of each object, behind its links and inverses: who shows the objects is told when it
  ///   changes.
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
