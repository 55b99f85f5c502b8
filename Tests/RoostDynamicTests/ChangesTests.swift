import Foundation
import RoostDynamic
import RoostTestSupport
import Synchronization
import Testing

/// What changes, as it comes.
@Suite struct DynamicChangesTests {
  @Test func eachVersionIsToldOnceFromTheOneThatWasSeen() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      _ = try makeStore(path, things: 4)
      let store = try DynamicStore(path, access: .write)
      let start = try store.snapshot()
      var changes = store.changes(since: start).makeAsyncIterator()
      try await store.write { try $0.insert(["id": "t5", "label": "five"], into: "Tag") }
      try await store.write { try $0.update("t5", of: "Tag", ["label": "5"]) }
      // Both at once, for nobody looked between.
      let first = try #require(try await changes.next(isolation: nil))
      #expect(first.earlier.version == start.version)
      #expect(try first.later.version == store.snapshot().version)
      #expect(try first.of("Tag").insertions == ["t5"] && first.of("Thing").isEmpty)
      #expect(first.tables == ["Tag", "Thing", "Seat"])
      #expect(throws: StoreError.unknownModel(model: "None")) { try first.of("None") }

      try await store.write { try $0.removeTable("Seat") }
      let second = try #require(try await changes.next(isolation: nil))
      #expect(second.earlier.version == first.later.version)
      #expect(second.tables == ["Tag", "Thing", "Seat"])
      #expect(
        try second.of("Seat").deletions == [
          .record([.init("hall", "h\u{0}4"), .init("number", 4)])
        ])

      // Who names no version is told of what comes after the first look, whenever that is.
      let flag = Flag()
      let writer = store
      async let found = { () async throws -> [DynamicValue] in
        for try await change in writer.changes() {
          flag.isSet.withLock { $0 = true }
          return try change.of("Tag").insertions
        }
        return []
      }()
      for number in 0..<20_000 where !flag.isSet.withLock({ $0 }) {
        let tag: [String: DynamicValue] = ["id": .string("n\(number)"), "label": ""]
        try await store.write(durability: .relaxed) { try $0.insert(tag, into: "Tag") }
      }
      #expect(try await !found.isEmpty)
      store.close()
      #expect(try await changes.next(isolation: nil) == nil)
    }
  }

  @Test func snapshotsOfOtherFilesAreNotCompared() throws {
    try withTemporaryDirectory { directory in
      let (one, two) = (directory + "/one.roost", directory + "/two.roost")
      _ = try makeStore(one, things: 1)
      _ = try makeStore(two, things: 1)
      let other = try DynamicStore(two).snapshot()
      #expect(throws: StoreError.foreignSnapshot(path: two)) {
        try DynamicStore(one).snapshot().changes(since: other)
      }
    }
  }
}

private final class Flag: Sendable {
  let isSet = Mutex(false)
}
