/// The changes of something in a store, as a sequence: first its current state, then each change.
///
/// ```swift
/// for try await change in store.changes(of: Person.where { $0.age >= 18 }.order(by: \.name)) {
///   show(change.results)
/// }
/// ```
///
/// The latest state wins: a slow reader gets a single change from the version that it has seen to the newest. No change is
/// lost or repeated. Between two changes an iterator retains only the version that it has seen, until its next call or its end.
///
/// The loop ends when its task is cancelled, and when the store is closed or dropped; with an error if the file is
/// damaged, or the store was closed before the loop began (``StoreError/closed``). Each iterator observes on its own.
public struct Changes<Element: Sendable>: AsyncSequence, Sendable {
  /// The error that ends a sequence early.
  public typealias Failure = StoreError

  private let start: @Sendable () -> Observer

  /// - Parameter start: Begins to observe; the observer's changes are elements.
  init(_ start: @escaping @Sendable () -> Observer) { self.start = start }

  /// An iterator, which begins with the current state when it is first called.
  public func makeAsyncIterator() -> Iterator { Iterator(observer: start()) }

  /// Iterates over the changes. Only one task may wait at a time: a copy that is called meanwhile ends.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let observer: Observer

    /// Waits for the next change, on the caller's actor.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(StoreError) -> Element? {
      try await observer.next(isolation: actor) as? Element
    }
  }
}
