import Dispatch
import Roost
import Testing

/// `read` and `write` in their asynchronous forms.
@Suite struct AsyncTests {
  private func store() throws -> Store { try Store(.inMemory, models: Person.self, Group.self) }

  @Test func writeAndReadAwayFromTheCaller() async throws {
    let store = try store()
    let count = try await store.write { tx in
      try tx.insert(contentsOf: (1...10).map { Person($0) })
      return 10
    }
    #expect(count == 10)
    let name = try await store.read { try $0.find(Person.self, id: 3).name }
    #expect(name == "Ann")
  }

  @Test func letTheCallersErrorThrough() async throws {
    struct Mine: Error, Equatable {}
    let store = try store()
    await #expect(throws: Mine()) {
      try await store.write { tx in
        try tx.insert(Person(1))
        throw Mine()
      }
    }
    await #expect(throws: Mine()) { try await store.read { _ in throw Mine() } }
    let found = try await store.read { try $0.fetch(Person.self, id: 1) }
    #expect(found == nil)
  }

  @Test func rollBackWhenTheTaskIsCancelled() async throws {
    let store = try store()
    let (started, start) = AsyncStream<Void>.makeStream()
    let gate = DispatchSemaphore(value: 0)
    let task = Task {
      try await store.write { tx in
        try tx.insert(Person(1))
        start.yield()
        gate.wait()
      }
    }
    for await _ in started { break }
    task.cancel()
    gate.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    let found = try await store.read { try $0.fetch(Person.self, id: 1) }
    #expect(found == nil)
    try await store.write { try $0.insert(Person(1)) }
  }

  /// Cancels a task whose query waits at the gate, and says what came of the query.
  private func cancelAtGate(
    _ operation: @escaping @Sendable (_ gate: @escaping @Sendable () -> Void) async throws -> Void
  ) async -> (any Error)? {
    let (started, start) = AsyncStream<Void>.makeStream()
    let gate = DispatchSemaphore(value: 0)
    let task = Task {
      try await operation {
        start.yield()
        gate.wait()
      }
    }
    for await _ in started { break }
    task.cancel()
    gate.signal()
    do {
      try await task.value
      return nil
    } catch { return error }
  }

  @Test func endAQueryWhenTheTaskIsCancelled() async throws {
    let store = try store()
    try await store.write { try $0.insert(contentsOf: (1...5000).map { Person($0) }) }
    let read = await cancelAtGate { gate in
      try await store.read { transaction in
        gate()
        _ = try transaction.fetch(Person.where { $0.age > 3 }.order(by: \.name))
      }
    }
    #expect(read as? StoreError == .cancelled)
    let write = await cancelAtGate { gate in
      try await store.write { transaction in
        try transaction.delete(Person.self, id: 1)
        gate()
        _ = try transaction.count(Person.where { $0.age > 3 && $0.name.contains("n") })
      }
    }
    #expect(write as? StoreError == .cancelled)
    #expect(try await store.read { try $0.count(Person.all) } == 5000)
  }

  @Test func takeTurnsWithManyWriters() async throws {
    let store = try store()
    try await store.write { try $0.insert(Person(0, age: 0)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await store.write { tx in
            _ = try tx.update(Person.self, id: 0) { $0.age += 1 }
          }
        }
        group.addTask {
          let snapshot = store.snapshot()
          let age = try snapshot.find(Person.self, id: 0).age
          let newer = try await store.read { try $0.find(Person.self, id: 0).age }
          #expect(newer >= age)
          #expect(try snapshot.find(Person.self, id: 0).age == age)
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.snapshot().find(Person.self, id: 0).age == 50)
  }
}
