public import Observation
public import Roost

/// The current results of a query, for views: observers are notified when the results change.
///
/// ```swift
/// struct People: View {
///   @State private var people: LiveQuery<Person>
///   init(_ store: Store) { _people = State(initialValue: LiveQuery(Person.all.order(by: \.name), in: store)) }
///   var body: some View { List(people.objects) { Text($0.name) } }
/// }
/// ```
///
/// A view that shows values behind links lists them, to be notified of their changes too:
/// `LiveQuery(Dog.all, in: store, reading: { $0.owner.name })`. Read them where `objects` is read, in the same view's body.
///
/// Objects are structs: a view with an old one shows its old values. The store's queue finds and decodes the objects,
/// and only those that changed; the main thread only replaces the list. Without SwiftUI,
/// `Observations { people.objects }` is a sequence of the lists.
@MainActor
@Observable
public final class LiveQuery<M: Model> {
  /// The objects, in the order of the query.
  public var objects: [M] {
    access(keyPath: \.objects)
    return shown
  }
  /// The objects.
  @available(*, unavailable, renamed: "objects")
  public var results: [M] { objects }
  /// Whether the objects were found; until then, `objects` is empty.
  public private(set) var isLoaded = false
  /// The error that ended the observation, if any: `objects` then has the results of the last readable version.
  ///
  /// Closing the store is not an error: the last results stay. To begin on a store that is closed is one.
  public private(set) var error: StoreError?

  /// The query. After a change, the old results stay until the new ones are found.
  public var query: Query<M> {
    didSet { if query != oldValue { observe() } }
  }

  /// Set with a notification even if equal: values behind its links may have changed.
  @ObservationIgnored private var shown: [M] = []
  /// The values behind links whose changes are observed.
  @ObservationIgnored private let read: [ExpressionTerm]
  @ObservationIgnored private let store: Store
  @ObservationIgnored private var token: ObservationToken?

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
    withMutation(keyPath: \.objects) { shown = objects }
    if !isLoaded { isLoaded = true }
    if error != nil { error = nil }
  }
}

extension Store {
  /// The decoded results of a query, as a sequence of lists.
  func lists<M: Model>(
    of query: Query<M>, reading read: [ExpressionTerm] = []
  ) -> Changes<[M]> {
    changes(of: { LiveList<M>(ObservedResults(of: query, reading: read)) }) {
      (list, differences) throws(StoreError) in try list.step(differences)
    }
  }
}

/// The decoded results of a query, kept up to date.
private final class LiveList<M: Model> {
  private let results: ObservedResults
  private var objects: [M] = []

  init(_ results: ObservedResults) { self.results = results }

  func step(_ differences: Differences) throws(StoreError) -> [M]? {
    guard let step = try results.step(differences) else { return nil }
    try ResultsChange<M>(step).apply(to: &objects) { (row) throws(StoreError) in try row.value }
    return objects
  }
}
