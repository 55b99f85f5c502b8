import Foundation
import Roost
import RoostTestSupport
import Testing

/// The forms in which a program may say where a store lies.
@Suite struct LocationTests {
  @Test func aURLIsThePathOfItsFile() {
    let url = URL(fileURLWithPath: "/tmp/a b/größe.roost")
    let seed = URL(fileURLWithPath: "/seed.roost")
    #expect(Location.file(url) == .file("/tmp/a b/größe.roost"))
    #expect(Location.file(url, seed: seed) == .file("/tmp/a b/größe.roost", seed: seed))
    #expect(
      Location.inMemory(mirroredTo: url) == .inMemory(mirroredTo: "/tmp/a b/größe.roost"))
  }

  @Test func aURLThatIsNoFilesIsNamedInTheError() throws {
    let url = try #require(URL(string: "https://example.com/a.roost"))
    #expect(throws: StoreError.directoryNotFound(path: "https://example.com")) {
      _ = try Store(.file(url), models: Group.self)
    }
  }

  @Test func aStoreOpensAtAURLAndAtATextThatIsNoLiteral() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      try Store(path, models: Group.self).write {
        try $0.insert(Group(id: 1, name: "a", size: nil))
      }
      let store = try Store(.file(URL(fileURLWithPath: path)), models: Group.self)
      #expect(store.location == .file(path))
      #expect(try store.snapshot().count(Group.all) == 1)
      let planned = try Store(path, models: Group.self) { MigrationStep("2026-01") { _ in } }
      #expect(try planned.history.map(\.name) == ["2026-01"])
    }
  }

  @Test func aMigrationIsTriedAtATextThatIsNoLiteral() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/groups.roost"
      _ = try Store(path, models: Group.self)
      let plan = MigrationPlan { MigrationStep("2026-01") { _ in } }
      #expect(try Store.pendingSteps(at: path, of: plan) == ["2026-01"])
      let report = try Store.dryRun(at: path, models: Group.self) { plan }
      #expect(report.parts.compactMap(\.step) == ["2026-01"])
    }
  }

  @Test func filesAreListedAndRemovedAtEachKindOfLocation() throws {
    try withTemporaryDirectory { directory in
      let seed = directory + "/seed.roost"
      try Store(seed, models: Group.self).close()
      let path = directory + "/groups.roost"
      let url = URL(fileURLWithPath: path)
      let locations: [Location] = [
        .file(path), .file(url), .file(path, seed: URL(fileURLWithPath: seed)),
        .inMemory(mirroredTo: path),
      ]
      for location in locations {
        #expect(try Store.files(at: location) == [])
        try Store.remove(at: location)
        try Store(location, models: Group.self).close()
        for side in [".new", ".unreadable-2"] {
          try Data().write(to: URL(fileURLWithPath: path + side))
        }
        #expect(
          try Store.files(at: location) == [path, path + ".new", path + ".unreadable-2"])
        try Store.remove(at: location)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["seed.roost"])
      }
      #expect(try Store.files(at: .inMemory) == [])
      try Store.remove(at: .inMemory)
    }
  }
}
