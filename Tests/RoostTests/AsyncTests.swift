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
