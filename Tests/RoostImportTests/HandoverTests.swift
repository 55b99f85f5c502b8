import Dispatch
import RoostImport
import Synchronization
import Testing

/// Items that one thread hands to another.
@Suite struct HandoverTests {
  private struct Refusal: Error, Equatable { var item: Int }

  /// Runs `body` on another thread; the result waits for it.
  private func besides(
    _ body: @escaping @Sendable () throws -> Void
  ) -> () -> (any Error)? {
    let shared = Shared()
    let hasEnded = DispatchSemaphore(value: 0)
    DispatchQueue(label: "test").async {
      do { try body() } catch { shared.failure.withLock { $0 = error } }
      hasEnded.signal()
    }
    return {
      hasEnded.wait()
      return shared.failure.withLock { $0 }
    }
  }

  private final class Shared: Sendable {
    let failure = Mutex<(any Error)?>(nil)
    let done = Atomic(0)
  }

  @Test(arguments: 1...5) func itemsComeInTheirOrderAndAFewAtATime(countMax: Int) throws {
    let handover = Handover<Int>(countMax: countMax)
    let shared = Shared()
    let result = besides {
      var next = 0
      handover.forEach { item in
        #expect(item == next)
        next += 1
        shared.done.add(1, ordering: .sequentiallyConsistent)
      }
      #expect(next == 5000)
    }
    for item in 0..<5000 {
      try handover.send(item)
      let undone = item + 1 - shared.done.load(ordering: .sequentiallyConsistent)
      #expect(undone <= countMax)
    }
    handover.waitUntilDone()
    #expect(shared.done.load(ordering: .sequentiallyConsistent) == 5000)
    handover.end()
    #expect(result() == nil)
  }

  @Test(arguments: [0, 1, 700]) func afterAnErrorNoMoreAreTaken(last: Int) throws {
    let handover = Handover<Int>(countMax: 2)
    let result = besides {
      try handover.forEach { item in if item == last { throw Refusal(item: item) } }
    }
    #expect(throws: HandoverEnded.self) {
      for item in 0..<5000 { try handover.send(item) }
    }
    #expect(throws: HandoverEnded.self) { try handover.send(0) }
    handover.waitUntilDone()
    handover.end()
    #expect(result() as? Refusal == Refusal(item: last))
  }

  @Test func batchesAreOfFiveHundredOrAMegabyteAndTellTheirPlaces() throws {
    struct Batch: Equatable {
      var first: Int
      var count: Int
    }
    func batches(bytes: [Int]) throws -> [Batch] {
      let handover = Handover<Batch>(countMax: 1000)
      var sender = BatchSender(handover) { (first: Int, elements: [Int]) in
        Batch(first: first, count: elements.count)
      }
      // Nobody takes them before all are handed over, except for large ones, which are waited for.
      var total = 0
      for (place, count) in bytes.enumerated() {
        total += count
        try sender.add(place, bytesRead: total)
      }
      try sender.send()
      handover.end()
      var found: [Batch] = []
      handover.forEach { found.append($0) }
      return found
    }
    #expect(
      try batches(bytes: [Int](repeating: 1, count: 1100))
        == [
          Batch(first: 0, count: 512), Batch(first: 512, count: 512), Batch(first: 1024, count: 76),
        ])
    #expect(
      try batches(bytes: [400_000, 400_000, 400_000, 5, 1 << 20, 7])
        == [Batch(first: 0, count: 3), Batch(first: 3, count: 2), Batch(first: 5, count: 1)])
    #expect(try batches(bytes: []) == [])
  }
}
