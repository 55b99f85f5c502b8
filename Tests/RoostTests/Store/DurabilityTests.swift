import Dispatch
import Roost
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// What writes wait for, as an app says it.
@Suite struct DurabilityTests {
  private func store(
    on disk: SimulatedDisk, _ durability: Durability = .full
  ) throws -> Store {
    var configuration = Configuration()
    configuration.fileSystem = disk
    configuration.durability = durability
    return try Store(
      .file("people.roost"), models: Person.self, Group.self, configuration: configuration)
  }

  private final class Progress: Sendable {
    let count = Atomic(0)
  }

  private func ids(after crash: SimulatedDisk) throws -> [Int] {
    try store(on: crash).read { try $0.fetch(Person.all).map(\.id).sorted() }
  }

  @Test func tasksThatWriteGroupedAtTheSameTimeShareASync() async throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try store(on: disk)
    let isFirst = Atomic(true)
    let mayGoOn = DispatchSemaphore(value: 0)
    disk.resetCounters()
    disk.observeCalls { call in
      // The first sync ends when all others have written.
      guard call == .synchronize, isFirst.exchange(false, ordering: .acquiringAndReleasing)
      else { return }
      mayGoOn.wait()
    }
    let begun = Progress()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 1...20 {
        group.addTask {
          try await store.write(durability: .grouped) { tx in
            try tx.insert(Person(id))
            if begun.count.add(1, ordering: .acquiringAndReleasing).newValue == 20 {
              mayGoOn.signal()
            }
          }
          // It is durable for whoever has returned.
          #expect(try await store.read { try $0.fetch(Person.self, id: id) } != nil)
        }
      }
      try await group.waitForAll()
    }
    disk.observeCalls(nil)
    // The first one's, that of those who wrote meanwhile, and perhaps that of the last.
    #expect(disk.counters.synchronizations <= 3)
    for seed in 0..<5 {
      #expect(try ids(after: disk.crashImage(seed: UInt64(seed))) == Array(1...20))
    }
  }

  @Test func theConfigurationSaysWhatWritesWaitFor() throws {
    let disk = SimulatedDisk(seed: 2)
    let store = try store(on: disk, .paranoid)
    disk.resetCounters()
    try store.write { try $0.insert(Person(1)) }
    #expect(disk.counters.synchronizations == 2)
    try store.write(durability: .full) { try $0.insert(Person(2)) }
    #expect(disk.counters.synchronizations == 3)
  }

  @Test(
    arguments: zip(
      [nil, .min, 0, 1, 65_537, .max] as [Int?],
      [65_536, 0, 0, 65_536, 69_632, 1 << 20] as [UInt64]))
  func theConfigurationSaysHowLargeTheRingIs(asked: Int?, made: UInt64) throws {
    let disk = SimulatedDisk(seed: 4)
    var configuration = Configuration()
    configuration.fileSystem = disk
    configuration.ringBytes = asked
    let store = try Store(
      "people.roost", models: Person.self, Group.self, configuration: configuration)
    for id in 1...3 { try store.write { try $0.insert(Person(id)) } }
    func recovered() throws -> (ringBytes: UInt64, hasRecords: Bool) {
      let engine = try Engine.open("people.roost", in: disk.crashImage(seed: 1))
      // Before it is closed.
      defer { withExtendedLifetime(engine) {} }
      let snapshot = engine.snapshot()
      return (snapshot.ringBytes, snapshot.unappliedCommits > 0)
    }
    #expect(try recovered() == (made, made > 0))
    try store.checkpoint()
    #expect(try recovered() == (made, false))
  }

  @Test func synchronizeWaitsForRelaxedWrites() throws {
    let disk = SimulatedDisk(seed: 3)
    let store = try store(on: disk, .relaxed)
    for id in 1...30 { try store.write { try $0.insert(Person(id)) } }
    try store.synchronize()
    for seed in 0..<5 {
      #expect(try ids(after: disk.crashImage(seed: UInt64(seed))) == Array(1...30))
    }
    // A failed sync waits for whoever writes: he must not wait for it.
    try store.write { _ in
      #expect(throws: StoreError.reentrantWrite) { try store.synchronize() }
    }
    store.close()
    #expect(throws: StoreError.closed) { try store.synchronize() }
  }
}
