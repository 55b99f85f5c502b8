public import Observation
public import Roost

/// The objects of a query, for views: they are what is in the store, and who shows them is told when they change.
///
/// ```swift
/// struct People: View {
///   @State private var people: LiveQuery<Person>
///   init(_ store: Store) { _people = State(initialValue: LiveQuery(Person.all.order(by: \.name), in: store)) }
///   var body: some View { List(people.objects) { Text($0.name) } }
/// }
/// ```
///
/// A view that shows something behind links names it, and is told when that changes:
/// `LiveQuery(Dog.all, in: store, reading: { $0.owner.name })`. It is read where `objects` is, in the body of the same view.
///
/// Objects are structs: a view that shows an old one shows it as it was. They are found and decoded on a queue of the
/// store's, those that changed and no others; on the main thread a list takes the place of another. Without SwiftUI,
/// `Observations { people.objects }` is a sequence of the lists.
@MainActor
@Observable
public final class LiveQuery<M: Model> {
  /// The objects, in the order of the query.
  public var objects: [M] {
    access(keyPath: \.objects)
    return shown
  }
  /// Whether the objects were found: before, there are none.
  public private(set) var isLoaded = false
  /// What ended the observation, where something did: the objects are those of the last version that could be read.
  ///
  /// That the store was closed is no error: its last objects stay.
  public private(set) var error: StoreError?

  /// What is asked. Another query takes the place of this one when its objects are found.
  public var query: Query<M> {
    didSet { if query != oldValue { observe() } }
  }

  /// Told also where it is what it was: what is read of an object behind its links may not be.
  @ObservationIgnored private var shown: [M] = []
  /// What is read of each object, whose changes are told.
  @ObservationIgnored private let read: [ExpressionTerm]
  @ObservationIgnored private let store: Store
  @ObservationIgnored private var token: ObservationToken?

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
    withMutation(keyPath: \.objects) { shown = objects }
    if !isLoaded { isLoaded = true }
    if error != nil { error = nil }
  }
}

extension Store {
  /// The objects of a query, decoded, and what they become.
  func lists<M: Model>(
    of query: Query<M>, reading read: [ExpressionTerm] = []
  ) -> Changes<[M]> {
    changes(of: { LiveList<M>(ObservedResults(of: query, reading: read)) }) {
      (list, differences) throws(StoreError) in try list.step(differences)
    }
  }
}

/// The objects of a query, decoded, observed.
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
