/// A value computed from a store's objects, as a sequence: first its current value, then each new value.
///
/// ```swift
/// let adults = Person.where { $0.age >= 18 }
/// for try await mean in store.values(of: adults, { try $0.average(\.height, of: $1) }) { show(mean) }
/// ```
///
/// The latest value wins, as in ``Changes``. The loop ends when its task is cancelled, and when the store is closed or
/// dropped; with an error if the file is damaged, the closure throws, or the store was closed before the loop began.
public struct ObservedValues<Element: Sendable>: AsyncSequence, Sendable {
  /// The error that ends a sequence early.
  public typealias Failure = any Error

  private let changes: Changes<Result<Element, any Error>>

  package init(_ changes: Changes<Result<Element, any Error>>) { self.changes = changes }

  /// An iterator, which begins with the current value when it is first called.
  public func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator()) }

  /// Iterates over the values. Only one task may wait at a time.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var changes: Changes<Result<Element, any Error>>.Iterator?

    /// Waits for the next value, on the caller's actor.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Element? {
      guard var changes else { return nil }
      guard let outcome = try await changes.next(isolation: actor) else { return nil }
      // Nothing follows an error.
      if case .failure = outcome { self.changes = nil }
      return try outcome.get()
    }
  }
}

/// A value computed from a query's objects, observed.
final class ObservedValue<Value: Equatable & Sendable> {
  private let value: @Sendable (Snapshot) throws -> Value
  private let results: ObservedResults
  private var last: Value?

  /// - Parameter value: Makes the value, in a version.
  init(of results: ObservedResults, _ value: @escaping @Sendable (Snapshot) throws -> Value) {
    self.results = results
    self.value = value
  }

  /// Advances to another version; nil if the value is unchanged.
  func step(
    _ differences: Differences
  ) throws(StoreError) -> Result<Value, any Error>? {
    guard let step = try results.step(differences) else { return nil }
    let outcome = Result { try value(Snapshot(step.version)) }
    if case .success(let value) = outcome {
      guard value != last else { return nil }
      last = value
    }
    return outcome
  }
}
