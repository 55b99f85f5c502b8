internal import Dispatch
internal import Synchronization

/// Hands items from one thread to another, in their order and a few at a time.
///
/// The first thread waits while the other one has as many as it may that are not done, which bounds the memory of all.
package final class Handover<Item: Sendable>: Sendable {
  private struct State {
    var waiting: [Item] = []
    var isStopped = false
  }

  private let state = Mutex(State())
  private let countMax: Int
  /// How many more items may be handed over.
  private let free = DispatchSemaphore(value: 0)
  /// How many wait, and one more at the end.
  private let filled = DispatchSemaphore(value: 0)

  /// - Parameter countMax: The most items that are not done.
  package init(countMax: Int) {
    self.countMax = countMax
    // Not the first value: a semaphore that ends below that traps.
    for _ in 0..<countMax { free.signal() }
  }

  // MARK: The first thread

  /// Hands an item over, when there is room.
  ///
  /// - Throws: ``HandoverEnded`` if the other thread takes no more.
  package func send(_ item: Item) throws(HandoverEnded) {
    free.wait()
    let isTaken = state.withLock { state in
      guard !state.isStopped else { return false }
      state.waiting.append(item)
      return true
    }
    guard isTaken else {
      free.signal()
      throw HandoverEnded()
    }
    filled.signal()
  }

  /// Waits until all items are done, or the other thread takes no more.
  package func waitUntilDone() {
    for _ in 0..<countMax { free.wait() }
    for _ in 0..<countMax { free.signal() }
  }

  /// Says that nothing more comes.
  package func end() { filled.signal() }

  // MARK: The other thread

  /// Gives each item to `body`, until the end. After an error no more are taken.
  package func forEach(_ body: (Item) throws -> Void) rethrows {
    defer { stop() }
    while let item = next() {
      try body(item)
      free.signal()
    }
  }

  private func next() -> Item? {
    filled.wait()
    return state.withLock { state -> Item? in
      state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
  }

  /// Takes no more; what waits is forgotten.
  package func stop() {
    state.withLock { state in
      state.isStopped = true
      state.waiting = []
    }
    // The first thread may wait for room.
    for _ in 0..<countMax { free.signal() }
  }
}

/// The other thread takes no more items: it knows why.
package struct HandoverEnded: Error {}

/// Gathers elements of which many become one item.
package struct BatchSender<Element: Sendable, Item: Sendable> {
  private let handover: Handover<Item>
  private let item: (_ first: Int, _ elements: [Element]) -> Item
  private var elements: [Element] = []
  private var sent = 0
  /// The bytes that had been read when the batch was empty.
  private var bytesBefore = 0

  /// The most elements of a batch, and the bytes with which it is full.
  private static var countMax: Int { 512 }
  private static var bytesMax: Int { 1 << 20 }

  /// - Parameter item: Makes an item of elements, the first of which has this place among all.
  package init(
    _ handover: Handover<Item>, _ item: @escaping (_ first: Int, _ elements: [Element]) -> Item
  ) {
    self.handover = handover
    self.item = item
  }

  /// Adds an element; hands all over if they are enough.
  ///
  /// - Parameter bytesRead: The bytes of all elements so far.
  package mutating func add(_ element: Element, bytesRead: Int) throws(HandoverEnded) {
    elements.append(element)
    let bytes = bytesRead &- bytesBefore
    guard elements.count >= Self.countMax || bytes >= Self.bytesMax else { return }
    bytesBefore = bytesRead
    try send()
    // A large one is alone in memory.
    if bytes >= 2 * Self.bytesMax { handover.waitUntilDone() }
  }

  /// Hands over what is left.
  package mutating func send() throws(HandoverEnded) {
    guard !elements.isEmpty else { return }
    let item = item(sent, elements)
    sent += elements.count
    elements = []
    elements.reserveCapacity(Self.countMax)
    try handover.send(item)
  }
}
