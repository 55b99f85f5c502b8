import Dispatch
import Roost
import RoostTestSupport
import Synchronization
import Testing

/// `read` and `write` in their asynchronous forms.
@Suite struct AsyncTests {
  private func store() throws -> Store { try Store(.inMemory, models: Person.self, Group.self) }

  @Test func aSnapshotMayLeaveItsClosure() async throws {
    let store = try store()
    try await store.write { try $0.insert(Person(1)) }
    let kept = try await store.read { $0 }
    try await store.write { try $0.insert(Person(2)) }
    #expect(try kept.fetch(Person.all) == [Person(1)])
  }

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
      try await store.read { snapshot in
        gate()
        _ = try snapshot.fetch(Person.where { $0.age > 3 }.order(by: \.name))
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

  /// Reads all objects of a store of which nothing is in memory, in a task that one of the disk's reads cancels.
  ///
  /// - Returns: How often the disk was read for it, and the error.
  private func scan(
    _ disk: SimulatedDisk, cancelledAtRead cancelling: Int? = nil
  ) async throws -> (reads: Int, error: (any Error)?) {
    let store = try open(disk)
    let reads = Mutex(0)
    disk.observeCalls { call in
      guard call == .read else { return }
      let count = reads.withLock { count in
        count += 1
        return count
      }
      if count == cancelling { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
    }
    defer {
      disk.observeCalls(nil)
      store.close()
    }
    let task = Task {
      try await store.read { try $0.fetch(Group.where { $0.size != 3 && $0.name.contains("7") }) }
    }
    do {
      #expect(try await task.value.count > 10_000)
      return (reads.withLock { $0 }, nil)
    } catch { return (reads.withLock { $0 }, error) }
  }

  private func open(_ disk: SimulatedDisk) throws -> Store {
    var configuration = Configuration()
    configuration.fileSystem = disk
    return try Store(.file("groups.roost"), models: Group.self, configuration: configuration)
  }

  @Test func endAQueryThatIsUnderWay() async throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try await store.write {
      try $0.insert(contentsOf: (0..<200_000).map { Group(id: $0, name: "group \($0)", size: $0) })
    }
    store.close()
    let whole = try await scan(disk)
    #expect(whole.error == nil)
    #expect(whole.reads > 20)
    let half = try await scan(disk, cancelledAtRead: whole.reads / 2)
    #expect(half.error as? StoreError == .cancelled)
    // Those of the leaf that it is at, and of the way to the next: there it is asked whether the task was cancelled.
    #expect(half.reads >= whole.reads / 2 && half.reads <= whole.reads / 2 + 8)
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
