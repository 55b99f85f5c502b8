import Foundation
import RoostDynamic
import RoostTestSupport
import Testing

/// Opening files, looking after them, and versions that are kept.
@Suite struct DynamicStoreTests {
  private struct Note: Model {
    let id: Int
    var text: String
    static let schema = Schema(Note.init, Key("id", \.id), Field("text", \.text))
  }

  @Test func aFileThatCannotBeOpenedSaysWhy() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/none.roost"
      for access in [DynamicStore.Access.read, .write] {
        #expect(throws: StoreError.fileNotFound(path: path)) {
          try DynamicStore(path, access: access)
        }
      }
      #expect(!FileManager.default.fileExists(atPath: path))
      try Data("something else, and long enough".utf8).write(to: URL(fileURLWithPath: path))
      #expect(throws: StoreError.notARoostFile(path: path)) { try DynamicStore(path) }
      #expect(throws: StoreError.isDirectory(path: directory)) { try DynamicStore(directory) }
      let made = directory + "/made.roost"
      let store = try DynamicStore(made, access: .create, cacheBytesMax: 1 << 20)
      #expect(try store.snapshot().tables == [] && store.path == made)
      #expect(throws: StoreError.openInOtherMode(path: made, isReadOnly: false)) {
        try DynamicStore(made)
      }
      store.close()
      #expect(throws: StoreError.closed) { try store.snapshot() }
      let reader = try DynamicStore(made)
      #expect(throws: StoreError.readOnly) { try reader.write { _ in } }
    }
  }

  @Test func nothingIsMigratedAndNoStepIsRun() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/notes.roost"
      try Store(
        .file(path), models: Note.self,
        migrations: { MigrationStep("2026-01") { try $0.add("number", to: "Note", default: 1) } }
      ).close()
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      do {
        let store = try DynamicStore(path, access: .write)
        #expect(try store.history.map(\.name) == ["2026-01"])
        let tables = try store.snapshot().tables
        #expect(tables.map(\.holdsNamedValue) == [false, true])
        #expect(tables.first?.field("number") == nil)
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  }

  @Test func aStoreWithModelsCanBeSeenWithoutThem() throws {
    let typed = try Store(.inMemory, models: Note.self)
    let store = DynamicStore(typed)
    try typed.write { try $0.insert(Note(id: 1, text: "a")) }
    #expect(try store.snapshot().object("Note", 1)?["text"] == "a")
    try store.write { try $0.insert(["id": 2, "text": "b"], into: "Note") }
    #expect(try typed.read { try $0.fetch(Note.self, id: 2) }?.text == "b")
    #expect(store.path == "the store in memory")
    store.close()
    #expect(throws: StoreError.closed) { try typed.read { try $0.count(Note.all) } }
  }

  @Test func versionsAreKeptReadRestoredAndDropped() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      _ = try makeStore(path, things: 20)
      let store = try DynamicStore(path, access: .write)
      let before = try store.snapshot()
      try store.keep("before")
      #expect(throws: StoreError.versionNameTaken(name: "before")) { try store.keep("before") }
      try store.write { try $0.removeField("name", from: "Thing") }
      #expect(try store.versions.map(\.name) == ["before"])
      let kept = try store.snapshot(of: "before")
      #expect(kept.version == before.version && kept.tables == before.tables)
      #expect(try kept.object("Thing", 3)?["name"] == before.object("Thing", 3)?["name"])
      #expect(try store.statistics().versions == store.versions)
      try store.restore("before")
      #expect(try store.snapshot().tables == before.tables)
      #expect(try store.snapshot().changes(since: before).of("Thing").isEmpty)
      try store.drop(version: "before")
      #expect(throws: StoreError.unknownVersion(name: "before")) { try store.restore("before") }
      #expect(throws: StoreError.unknownVersion(name: "before")) {
        try store.snapshot(of: "before")
      }
      #expect(DynamicStore.versionName(before: "2026-01") == "before 2026-01")
    }
  }

  @Test func statisticsCountWhatIsThere() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      let things = try makeStore(path, things: 500)
      let store = try DynamicStore(path)
      let statistics = try store.statistics()
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64
      #expect(statistics.fileBytes == size && statistics.oldestSnapshot == nil)
      #expect(statistics.usedBytes + statistics.freeBytes == statistics.fileBytes)
      #expect(try statistics.version == store.snapshot().version)
      #expect(statistics.tables.map(\.name) == ["Tag", "Thing", "Seat"])
      #expect(statistics.tables.map(\.objects) == [3, 500, 125])
      let thing = try #require(statistics.tables.dropFirst().first)
      #expect(thing.leaves > 3 && thing.levels > 1 && thing.valueBytes > 0)
      #expect(thing.bytes + thing.valueBytes < statistics.usedBytes)
      #expect(
        thing.indexes.map(\.name) == ["count", "name", "tag", "tags", "next", "count, ratio"])
      #expect(thing.indexes.map(\.isUnique) == [false, true, false, false, false, false])
      #expect(thing.indexes[1].entries == UInt64(things.count) && thing.indexes[1].bytes > 0)
      #expect(thing.indexes[1].levels > 0)
    }
  }

  @Test func verifyingCompactingAndSalvagingTellHowFarTheyAre() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/things.roost"
      _ = try makeStore(path, things: 900)
      var progress: [DynamicStore.Progress] = []
      try #require(try DynamicStore(path).verify { progress.append($0) } == [])
      #expect(progress.allSatisfy { $0.phase == .verifying && $0.done <= $0.total })
      #expect(progress.count > 3)

      do {
        let store = try DynamicStore(path, access: .write)
        #expect(try store.write { try $0.delete("Thing where id > 100") } == 800)
        #expect { try DynamicStore.compact(path) } throws: { ($0 as? StoreError)?.code == .inUse }
      }
      let left = try values(in: path)
      #expect(try DynamicStore.compact(path, ifMostlyUnused: true) == nil)
      let result = try #require(try DynamicStore.compact(path) { progress.append($0) })
      #expect(result.fileBytesAfter < result.fileBytesBefore)
      #expect(progress.contains { $0.phase == .copying })
      #expect(try values(in: path) == left)

      let leaf = try #require(try leafPlaces(of: "Tag", in: path).first)
      try damage(path, unit: leaf.unit)
      let copy = directory + "/copy.roost"
      progress = []
      let report = try DynamicStore.salvage(path, to: copy) { progress.append($0) }
      #expect(!report.isComplete && !report.isFromUnconfirmedVersion && !progress.isEmpty)
      #expect(report.tables.map(\.name) == ["Tag", "Thing", "Seat"])
      #expect(report.tables.map(\.objectsSaved) == [0, 100, 25])
      #expect(report.tables.map(\.objectsBefore) == [3, 100, 25])
      let loss = try #require(report.losses.first)
      #expect(loss.table == "Tag" && loss.field == nil && loss.keys.contains(1))
      guard case .corrupt(_, let damage) = loss.cause else {
        Issue.record("\(loss.cause)")
        return
      }
      #expect(damage.code == "checksum" && damage.unit == leaf.unit)
      #expect(report.losses.contains { $0.table == "Thing" && $0.field == "tags" })
      let saved = try DynamicStore(copy)
      #expect(try saved.verify() == [])
      #expect(try saved.snapshot().count("Thing where tag != nil") == 0)
      #expect(throws: StoreError.self) { try DynamicStore.salvage(path, to: copy) }
    }
  }

  /// All values of the things in a file.
  private func values(in path: String) throws -> [[DynamicValue]] {
    try DynamicStore(path).snapshot().objects("Thing").map { try $0.values }
  }
}
