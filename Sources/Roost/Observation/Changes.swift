/// The changes of something in a store, as they come: first what it is now, then what becomes of it.
///
/// ```swift
/// for try await change in store.changes(of: Person.where { $0.age >= 18 }.order(by: \.name)) {
///   show(change.results)
/// }
/// ```
///
/// Latest wins: who is slow gets one change from what it has seen to what is there when it asks. None is lost, and none comes
/// twice. Between two changes an iterator holds the version that it has seen, and no other, until it is asked again or dropped.
///
/// The loop ends when its task is cancelled, and when the store is closed or dropped; with an error where the file is
/// damaged. Each iterator observes on its own.
public struct Changes<Element: Sendable>: AsyncSequence, Sendable {
  /// The error that ends a sequence early.
  public typealias Failure = StoreError

  private let start: @Sendable () -> Observer

  /// - Parameter start: Begins to observe; the observer's changes are elements.
  init(_ start: @escaping @Sendable () -> Observer) { self.start = start }

  /// An iterator, which begins with what there is when it is first asked.
  public func makeAsyncIterator() -> Iterator { Iterator(observer: start()) }

  /// Goes through the changes. One task asks it at a time: a copy that is asked meanwhile ends.
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
