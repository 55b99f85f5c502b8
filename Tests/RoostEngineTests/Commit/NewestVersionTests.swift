import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// Who asks for the newest version while others are made.
@Suite struct NewestVersionTests {
  private final class Progress: Sendable {
    /// The newest version that anybody saw.
    let seen = Atomic<UInt64>(0)
    let isDone = Atomic(false)
  }

  @Test func nobodyGetsAnOlderVersionThanAnotherSawBefore() async throws {
    let engine = try Engine.open("store", in: MemoryFileSystem(), options: EngineOptions())
    let progress = Progress()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          while !progress.isDone.load(ordering: .acquiring) {
            let before = progress.seen.load(ordering: .acquiring)
            let version = engine.snapshot().version.transaction
            #expect(version >= before)
            progress.seen.max(version, ordering: .acquiringAndReleasing)
            await Task.yield()
          }
        }
      }
      group.addTask {
        defer { progress.isDone.store(true, ordering: .releasing) }
        for number in 0..<300 {
          let transaction = try engine.beginWrite()
          try transaction.addTables([
            TableDraft(
              name: "T\(number)",
              fields: [FieldDefinition(name: "id", type: .int, isIdentifier: true)])
          ])
          try transaction.commit()
          #expect(engine.snapshot().version.transaction > UInt64(number))
        }
      }
      try await group.waitForAll()
    }
  }
}
