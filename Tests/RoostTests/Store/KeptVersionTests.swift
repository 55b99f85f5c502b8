import Foundation
import Roost
import RoostTestSupport
import Testing

/// Versions that are kept under names: read, restored, and kept before a migration by themselves.
@Suite struct KeptVersionTests {
  private struct Card: Model, Equatable {
    let id: Int
    var text: String
    static let schema = Schema(
      Card.init, Key("id", \.id, .assigned), Field("text", \.text, .indexed))
  }

  private struct Tag: Model, Equatable {
    let id: String
    var color: Int
    static let schema = Schema(Tag.init, Key("id", \.id), Field("color", \.color))
  }

  /// A later release's.
  private enum Later {
    struct Card: Model, Equatable {
      let id: Int
      var title: String
      static let schema = Schema(
        Card.init, Key("id", \.id, .assigned), Field("title", \.title, .indexed))
    }
  }

  private func texts(_ reader: some ObjectReader) throws -> [String] {
    try reader.fetch(Card.all.order(by: \.id)).map(\.text)
  }

  private func error(_ body: () throws -> Void) -> StoreError? {
    do {
      try body()
      return nil
    } catch { return error as? StoreError }
  }

  // MARK: Keeping and reading

  @Test func aKeptVersionIsReadByItsNameWhateverIsWrittenLater() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/cards.roost"
      let number: UInt64
      do {
        let store = try Store(.file(path), models: Card.self, Tag.self)
        try store.write { try $0.insert(Card(id: 0, text: "a")) }
        number = try store.snapshot().version
        try store.keep("before")
        try store.write { _ = try $0.delete(Card.all) }
      }
      let store = try Store(.file(path), models: Card.self, Tag.self)
      #expect(try store.read(version: "before") { try texts($0) } == ["a"])
      let snapshot = try store.snapshot(of: "before")
      #expect(try store.versions.map(\.name) == ["before"])
      #expect(try store.versions.map(\.version) == [number])
      #expect(try store.versions.allSatisfy { $0.openings == nil && $0.bytes > 0 })
      #expect(try store.versions.allSatisfy { abs($0.date.timeIntervalSinceNow) < 600 })
      try store.drop(version: "before")
      #expect(try store.versions == [])
      // Who holds it can go on.
      for number in 0..<50 {
        try store.write { try $0.insert(Card(id: 0, text: "later \(number)")) }
      }
      #expect(try texts(snapshot) == ["a"])
      #expect(try store.verify() == [])
    }
  }

  @Test func aNameThatCannotBeIsAnError() throws {
    let store = try Store(.inMemory, models: Card.self)
    try store.keep("a")
    #expect(throws: StoreError.versionNameTaken(name: "a")) { try store.keep("a") }
    #expect(throws: StoreError.unknownVersion(name: "b")) { try store.drop(version: "b") }
    #expect(throws: StoreError.unknownVersion(name: "b")) { try store.restore("b") }
    #expect(throws: StoreError.unknownVersion(name: "b")) { try store.snapshot(of: "b") }
    #expect(throws: StoreError.unknownVersion(name: "b")) {
      try store.read(version: "b") { _ in }
    }
    #expect(throws: StoreError.limitExceeded(StoreLimit(.versionNameBytes, maximum: 255))) {
      try store.keep("")
    }
    store.close()
    #expect(throws: StoreError.closed) { try store.keep("c") }
    #expect(throws: StoreError.closed) { try store.versions }
  }

  // MARK: Restoring

  @Test func restoringBringsBackObjectsAndGivesNoNumberAgain() throws {
    let store = try Store(.inMemory, models: Card.self, Tag.self)
    try store.write { transaction in
      for text in ["a", "b"] { try transaction.insert(Card(id: 0, text: text)) }
      try transaction.insert(Tag(id: "x", color: 1))
    }
    try store.keep("two")
    let ids = try store.write { transaction in
      try (0..<5).map { try transaction.insert(Card(id: 0, text: "later \($0)")).id }
    }
    try store.write { try $0.delete(Tag.self, id: "x") }
    try store.keep("seven")
    try store.restore("two")
    #expect(try texts(store.snapshot()) == ["a", "b"])
    #expect(try store.snapshot().fetch(Card.where { $0.text == "b" }).count == 1)
    #expect(try store.snapshot().fetch(Tag.all) == [Tag(id: "x", color: 1)])
    let next = try store.write { try $0.insert(Card(id: 0, text: "c")).id }
    #expect(try next > #require(ids.max()))
    try store.restore("seven")
    #expect(try texts(store.snapshot()).count == 7)
    #expect(try store.versions.map(\.name) == ["two", "seven"])
    #expect(try store.verify() == [])
  }

  @Test func observersSeeARestoredVersionAsAnyOtherChange() async throws {
    let store = try Store(.inMemory, models: Card.self)
    try await store.write { _ = try $0.insert(Card(id: 0, text: "a")) }
    try store.keep("one")
    try await store.write { _ = try $0.insert(Card(id: 0, text: "b")) }
    var changes = store.changes(of: Card.all.order(by: \.id)).makeAsyncIterator()
    #expect(try await changes.next()?.results.count == 2)
    try store.restore("one")
    #expect(try await changes.next()?.deletions.count == 1)
  }

  // MARK: Other models

  @Test func whatFitsTheModelsIsReadAndTheRestSaysWhatDoesNot() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/cards.roost"
      do {
        let store = try Store(.file(path), models: Card.self, Tag.self)
        try store.write { transaction in
          _ = try transaction.insert(Card(id: 0, text: "a"))
          try transaction.insert(Tag(id: "x", color: 1))
        }
        try store.keep("old")
      }
      let store = try Store(.file(path), models: Later.Card.self, Tag.self) {
        MigrationStep("text becomes title") { try $0.rename("text", of: "Card", to: "title") }
      }
      let snapshot = try store.snapshot(of: "old")
      #expect(try snapshot.fetch(Tag.all) == [Tag(id: "x", color: 1)])
      let unfit = error { _ = try snapshot.fetch(Later.Card.all) }
      guard case .versionUnfit("old", let differences) = unfit else {
        Issue.record("It is \(String(describing: unfit)).")
        return
      }
      #expect(!differences.isEmpty)
      #expect(error { _ = try snapshot.fetch(Later.Card.self, id: 1) } == unfit)
      let other = error { try store.read(version: "old") { _ = try $0.count(Later.Card.all) } }
      #expect(other == unfit)
      #expect(try store.snapshot().fetch(Later.Card.all).map(\.title) == ["a"])
    }
  }

  @Test func storesWhoseModelsARestoredVersionDoesNotHaveMustBeOpenedAgain() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/cards.roost"
      do {
        let store = try Store(.file(path), models: Card.self, Tag.self)
        try await store.write { _ = try $0.insert(Card(id: 0, text: "a")) }
        try store.keep("old")
      }
      do {
        let store = try Store(.file(path), models: Later.Card.self, Tag.self) {
          MigrationStep("text becomes title") { try $0.rename("text", of: "Card", to: "title") }
        }
        var configuration = Configuration()
        configuration.migrates = false
        let tags = try Store(.file(path), models: Tag.self, configuration: configuration) {
          MigrationStep("text becomes title") { _ in }
        }
        var changes = store.changes(of: Later.Card.all).makeAsyncIterator()
        #expect(try await changes.next()?.results.count == 1)
        let held = store.snapshot()
        try store.restore("old")
        await #expect(throws: StoreError.modelsChanged) { try await store.write { _ in } }
        await #expect(throws: StoreError.modelsChanged) { try await store.read { _ in } }
        #expect(throws: StoreError.modelsChanged) {
          try store.snapshot().fetch(Later.Card.all)
        }
        await #expect(throws: StoreError.modelsChanged) { try await changes.next() }
        // What was taken before stays, and so does a store of models that are as they were.
        #expect(try held.fetch(Later.Card.all).map(\.title) == ["a"])
        try await tags.write { try $0.insert(Tag(id: "y", color: 2)) }
        #expect(try tags.snapshot().fetch(Tag.all).count == 1)
      }
      let store = try Store(.file(path), models: Card.self, Tag.self)
      #expect(try texts(store.snapshot()) == ["a"])
      #expect(try store.history == [])
      let findings = try await store.verify()
      #expect(findings == [])
    }
  }

  // MARK: Before a migration

  /// A file of the first release, and what a later one does with it.
  private func withFile(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/cards.roost"
      do {
        let store = try Store(.file(path), models: Card.self)
        try store.write { transaction in
          for number in 0..<2000 { try transaction.insert(Card(id: 0, text: "text \(number)")) }
        }
      }
      try body(path)
    }
  }

  private func openLater(
    _ path: String, _ configuration: Configuration = Configuration(), fails: Bool = false
  ) throws -> Store {
    struct Stop: Error {}
    return try Store(.file(path), models: Later.Card.self, configuration: configuration) {
      MigrationStep("1 rename") { try $0.rename("text", of: "Card", to: "title") }
      MigrationStep("2 upper case") {
        try $0.rewrite("Card") { old, new in
          try new.set("title", to: old.value("title", as: String.self).uppercased())
        }
        if fails { throw Stop() }
      }
      MigrationStep("3 exclamation marks") {
        try $0.rewrite("Card") { old, new in
          try new.set("title", to: old.value("title", as: String.self) + "!")
        }
      }
    }
  }

  @Test func theVersionBeforeTheFirstStepThatRewritesIsKeptForSomeOpenings() throws {
    try withFile { path in
      var configuration = Configuration()
      configuration.keepsBeforeMigration = 3
      for left in [3, 2, 1] {
        let store = try openLater(path, configuration)
        let other = try openLater(path, configuration)
        #expect(try store.versions.map(\.name) == ["before 1 rename", "before 2 upper case"])
        #expect(try store.versions.map(\.openings) == [left, left])
        let kept = try store.snapshot(of: "before 2 upper case")
        #expect(try kept.fetch(Later.Card.self, id: 7)?.title == "text 6")
        #expect(try other.snapshot().fetch(Later.Card.self, id: 7)?.title == "TEXT 6!")
      }
      let store = try openLater(path, configuration)
      #expect(try store.versions == [])
      #expect(try store.verify() == [])
    }
  }

  /// An older release may try again and again; its user needs the way back.
  @Test func openingsThatAreRefusedLeaveTheFileAsItIsAndAreNotCounted() throws {
    try withFile { path in
      _ = try openLater(path)
      let file = URL(fileURLWithPath: path)
      let before = try Data(contentsOf: file)
      for _ in 0..<12 {
        // The older release, and the newer one without its steps and without a field.
        #expect(throws: StoreError.self) { try Store(.file(path), models: Card.self) }
        #expect(throws: StoreError.self) { try Store(.file(path), models: Later.Card.self) }
      }
      #expect(try Data(contentsOf: file) == before)
      let store = try openLater(path)
      #expect(try store.versions.map(\.openings) == [9, 9])
    }
  }

  @Test func noVersionIsKeptWhereNoneIsAskedForOrNothingIsRewritten() throws {
    try withFile { path in
      var configuration = Configuration()
      configuration.keepsBeforeMigration = 0
      let store = try openLater(path, configuration)
      #expect(try store.versions == [])
    }
    try withFile { path in
      let store = try Store(.file(path), models: Later.Card.self) {
        MigrationStep("1 rename") { try $0.rename("text", of: "Card", to: "title") }
      }
      #expect(try store.versions == [])
    }
  }

  @Test func aStepThatFailsKeepsNoVersionButThatBeforeTheFirstStepStays() throws {
    try withFile { path in
      #expect(throws: StoreError.self) { try openLater(path, fails: true) }
      let store = try openLater(path)
      #expect(try store.versions.map(\.name) == ["before 1 rename", "before 2 upper case"])
    }
  }

  @Test func theVersionBeforeTheFirstStepIsWhatTheOlderReleaseOpens() throws {
    try withFile { path in
      try openLater(path).restore("before 1 rename")
      do {
        let store = try Store(.file(path), models: Card.self)
        #expect(try store.snapshot().fetch(Card.self, id: 7)?.text == "text 6")
        #expect(try store.history.isEmpty)
      }
      let store = try openLater(path)
      #expect(try store.snapshot().fetch(Later.Card.self, id: 7)?.title == "TEXT 6!")
    }
  }

  @Test func stepsThatChangeNoValuesKeepNoVersionHoweverManyThereAre() throws {
    try withFile { path in
      let store = try Store(.file(path), models: Later.Card.self) {
        MigrationStep("1 rename") { try $0.rename("text", of: "Card", to: "name") }
        MigrationStep("2 rename") { try $0.rename("name", of: "Card", to: "title") }
      }
      #expect(try store.versions == [])
    }
  }

  @Test func aStepRunsAgainBehindARollbackAndKeepsWhatItBeginsFromThen() throws {
    try withFile { path in
      do {
        let store = try openLater(path)
        try store.keep("after")
        try store.restore("before 2 upper case")
      }
      do {
        let store = try openLater(path)
        #expect(try store.history.map(\.name).count == 3)
        #expect(try store.snapshot().fetch(Later.Card.self, id: 7)?.title == "TEXT 6!")
        let names = ["before 1 rename", "after", "before 2 upper case"]
        #expect(try store.versions.map(\.name) == names)
        #expect(try store.versions.last?.openings == 10)
        #expect(try store.verify() == [])
      }
    }
  }
}
