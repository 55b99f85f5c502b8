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
/// Objects are structs: a view that shows an old one shows it as it was. They are found and decoded on a queue of the
/// store's, those that changed and no others; on the main thread a list takes the place of another. Without SwiftUI,
/// `Observations { people.objects }` is a sequence of the lists.
@MainActor
@Observable
public final class LiveQuery<M: Model> {
  /// The objects, in the order of the query.
  public private(set) var objects: [M] = []
  /// Whether the objects were found: before, there are none.
  public private(set) var isLoaded = false
  /// What ended the observation, where something did: the objects are those of the last version that could be read.
  public private(set) var error: StoreError?

  /// What is asked. Another query takes the place of this one when its objects are found.
  public var query: Query<M> {
    didSet { if query != oldValue { observe() } }
  }

  @ObservationIgnored private let store: Store
  @ObservationIgnored private var token: ObservationToken?

  /// Begins to find the objects of a query. The store is held.
  public init(_ query: Query<M>, in store: Store) {
    self.query = query
    self.store = store
    observe()
  }

  private func observe() {
    token = store.lists(of: query).observe { @MainActor [weak self] objects in
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

extension Store {
  /// The objects of a query, decoded, and what they become.
  func lists<M: Model>(of query: Query<M>) -> Changes<[M]> {
    changes(of: { LiveList<M>(ObservedResults(of: query)) }) {
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
