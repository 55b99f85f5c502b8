import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// A program that knows less than the file loses nothing of it.
@Suite struct KeptFieldTests {
  /// The second release.
  private enum New {
    struct Guest: Model {
      let id: Int
      var name: String
      var email: String
      var visits: Int
      var note: String?
      var host: Link<Host>?
      static let schema = Schema(
        Guest.init, Key("id", \.id), Field("name", \.name), Field("email", \.email, .unique),
        Field("visits", \.visits, .indexed, .default(1)), Field("note", \.note),
        Field("host", \.host, .onTargetDelete(.cascade)))
      static let indexes = [Index<Guest>(\.name, \.visits)]
    }
    struct Host: Model {
      let id: Int
      var rank: String
      static let schema = Schema(Host.init, Key("id", \.id), Field("rank", \.rank))
    }
    struct Badge: Model {
      let id: Int
      var host: Link<Host>
      static let schema = Schema(Badge.init, Key("id", \.id), Field("host", \.host))
    }
  }
  /// The first release: it knows neither the guests' further fields, nor badges.
  private enum Old {
    struct Guest: Model {
      let id: Int
      var name: String
      static let schema = Schema(Guest.init, Key("id", \.id), Field("name", \.name))
    }
    struct Host: Model {
      let id: Int
      static let schema = Schema(Host.init, Key("id", \.id))
    }
  }

  private static let guests = (0..<1000).map {
    New.Guest(
      id: $0, name: "guest \($0 / 2)", email: "\($0)@example.org", visits: $0 % 7,
      note: $0 % 3 == 0 ? "note \($0)" : nil, host: Link(id: $0 % 10))
  }

  private func newStore(_ path: String) throws -> Store {
    try Store(.file(path), models: New.Guest.self, New.Host.self, New.Badge.self)
  }

  private func oldStore(_ path: String) throws -> Store {
    try Store(.file(path), models: Old.Guest.self, Old.Host.self)
  }

  private func withFile(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/guests.roost"
      do {
        let store = try newStore(path)
        try store.write { tx in
          try tx.insert(contentsOf: (0..<10).map { New.Host(id: $0, rank: "r\($0)") })
          try tx.insert(contentsOf: Self.guests)
          try tx.insert(New.Badge(id: 1, host: Link(id: 9)))
        }
      }
      try body(path)
    }
  }

  @Test func whateverAnOlderProgramChangesTheOtherValuesStay() throws {
    try withFile { path in
      var expected = Self.guests
      do {
        let store = try oldStore(path)
        try store.write { tx in
          try tx.update(Old.Guest.self, id: 1) { $0.name = "updated" }
          try tx.upsert(Old.Guest(id: 2, name: "upserted"))
          try tx.update(Old.Guest.self, id: 3, set: \.name, to: "set")
          try tx.update(Old.Guest.where { $0.id == 4 }, set: \.name, to: { $0.name + "!" })
          try tx.replaceAll((5..<900).map { Old.Guest(id: $0, name: "replaced") })
        }
      }
      for id in 5..<900 { expected[id].name = "replaced" }
      expected = Array(expected[5..<900])
      _ = try Engine.compact(path)
      let store = try newStore(path)
      #expect(try store.snapshot().fetch(New.Guest.all.order(by: \.id)) == expected)
      #expect(
        try store.snapshot().count(New.Guest.where { $0.visits == 3 })
          == expected.filter { $0.visits == 3 }.count)
      #expect(try store.verify() == [])
    }
  }

  @Test func anObjectThatIsAddedMeanwhileHasTheDefaultsOfTheFileAndNullWhereThereIsNone() throws {
    try withFile { path in
      do {
        let store = try oldStore(path)
        try store.write { tx in
          try tx.insert(Old.Guest(id: 2000, name: "late"))
          try tx.insert(contentsOf: [
            Old.Guest(id: 2001, name: "later"), Old.Guest(id: 2002, name: "latest"),
          ])
          try tx.insert(Old.Host(id: 77))
        }
        #expect(try store.verify() == [])
      }
      let refusal = StoreError.migrationRequired([
        .missingValues(model: "Guest", field: "email", objects: 3, declared: "String"),
        .missingValues(model: "Host", field: "rank", objects: 1, declared: "String"),
      ])
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(throws: refusal) { try newStore(path) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)

      // What is missing is given by a program that does not require it; then the file opens as it did.
      do {
        let store = try Store(.file(path), models: Mending.Guest.self, Mending.Host.self)
        #expect(try store.snapshot().find(Mending.Guest.self, id: 2001).email == nil)
        try store.write { tx in
          for id in 2000...2002 {
            try tx.update(Mending.Guest.self, id: id) { $0.email = "late \(id)" }
          }
          try tx.update(Mending.Host.self, id: 77) { $0.rank = "late" }
        }
      }
      let store = try newStore(path)
      #expect(
        try store.snapshot().find(New.Guest.self, id: 2001)
          == New.Guest(
            id: 2001, name: "later", email: "late 2001", visits: 1, note: nil, host: nil))
      #expect(throws: StoreError.duplicateKey(model: "Guest", field: "email", value: "late 2000")) {
        try store.write { try $0.update(New.Guest.self, id: 1) { $0.email = "late 2000" } }
      }
      #expect(try store.verify() == [])
    }
  }

  private enum Mending {
    struct Guest: Model {
      let id: Int
      var email: String?
      static let schema = Schema(
        Guest.init, Key("id", \.id), Field("email", \.email, .unique))
    }
    struct Host: Model {
      let id: Int
      var rank: String?
      static let schema = Schema(Host.init, Key("id", \.id), Field("rank", \.rank))
    }
  }

  @Test func linksThatAProgramDoesNotKnowObeyTheirRules() throws {
    try withFile { path in
      do {
        let store = try oldStore(path)
        // A badge, of a model that this program does not list, denies it.
        #expect(
          throws: StoreError.linkedTarget(
            model: "Host", id: "9", linkingModel: "Badge", linkingField: "host", isListed: false)
        ) {
          try store.write { try $0.delete(Old.Host.self, id: 9) }
        }
        try store.write { _ = try $0.delete(Old.Host.self, id: 3) }
        #expect(try store.verify() == [])
      }
      let store = try newStore(path)
      #expect(
        try store.snapshot().fetch(New.Guest.all.order(by: \.id))
          == Self.guests.filter { $0.host?.id != 3 })
    }
  }

  @Test func theLogSaysThatValuesAreNotMadeUniqueWhileSomethingIsKept() throws {
    enum First {
      struct Guest: Model {
        let id: Int
        var email: String
        static let schema = Schema(Guest.init, Key("id", \.id), Field("email", \.email))
      }
      struct Badge: Model {
        let id: Int
        static let schema = Schema(Badge.init, Key("id", \.id))
      }
    }
    enum Second {
      struct Guest: Model {
        let id: Int
        var email: String
        static let schema = Schema(Guest.init, Key("id", \.id), Field("email", \.email, .unique))
      }
    }
    try withTemporaryDirectory { directory in
      let path = directory + "/guests.roost"
      _ = try Store(.file(path), models: First.Guest.self, First.Badge.self)
      let lines = Mutex<[String]>([])
      var configuration = Configuration()
      configuration.log = { line in lines.withLock { $0.append(line) } }
      let note =
        "Guest.email is declared as unique, and is not while the file keeps models or fields that this program does not "
        + "declare: `Store.keptFields` lists them. Declare or remove them."
      let report = try Store.dryRun(
        at: path, models: Second.Guest.self, configuration: configuration)
      #expect(report.parts == [] && report.notes == [note])
      #expect("\(report)" == "The file fits the models.\n" + note)
      #expect(lines.withLock { $0 } == [note])
      lines.withLock { $0 = [] }
      let store = try Store(.file(path), models: Second.Guest.self, configuration: configuration)
      #expect(lines.withLock { $0 } == [note])
      #expect(try store.keptFields.map(\.model) == ["Badge"])
      store.close()
      lines.withLock { $0 = [] }
      // Once, also if a step is run.
      let steps = MigrationPlan { MigrationStep("nothing", .compatible) { _ in } }
      let dry = try Store.dryRun(
        at: path, models: Second.Guest.self, configuration: configuration
      ) { steps }
      #expect(dry.notes == [note] && "\(dry)".hasSuffix("\n" + note))
      lines.withLock { $0 = [] }
      let stepped = try Store(
        .file(path), models: Second.Guest.self, configuration: configuration
      ) { steps }
      #expect(lines.withLock { $0 } == [note])
      stepped.close()
      lines.withLock { $0 = [] }
      let whole = try Store(
        .file(path), models: Second.Guest.self, First.Badge.self, configuration: configuration)
      #expect(lines.withLock { $0 } == [])
      try whole.write { try $0.insert(Second.Guest(id: 1, email: "a")) }
      #expect(throws: StoreError.duplicateKey(model: "Guest", field: "email", value: "a")) {
        try whole.write { try $0.insert(Second.Guest(id: 2, email: "a")) }
      }
    }
  }

  @Test func aProgramThatKnowsLessChangesNoIndexNoUniquenessAndNoRule() throws {
    enum Other {
      struct Guest: Model {
        let id: Int
        var email: String
        var visits: Int
        var host: Link<Old.Host>?
        static let schema = Schema(
          Guest.init, Key("id", \.id), Field("email", \.email), Field("visits", \.visits),
          Field("host", \.host, .onTargetDelete(.nullify)))
      }
    }
    try withFile { path in
      let before = try Engine.open(path).snapshot().catalog
      do {
        let store = try Store(.file(path), models: Other.Guest.self, Old.Host.self)
        #expect(
          throws: StoreError.duplicateKey(
            model: "Guest", field: "email", value: "1@example.org")
        ) {
          try store.write { try $0.update(Other.Guest.self, id: 2) { $0.email = "1@example.org" } }
        }
      }
      #expect(try Engine.open(path).snapshot().catalog == before)
    }
  }

  @Test func whatIsKeptIsListedWithItsBytes() throws {
    try withFile { path in
      #expect(try newStore(path).keptFields == [])
      let store = try oldStore(path)
      let kept = try store.keptFields
      #expect(
        kept.map { "\($0.model).\($0.field): \($0.type)" } == [
          "Guest.email: String", "Guest.visits: Int", "Guest.note: String?",
          "Guest.host: Link<Host>?", "Host.rank: String", "Badge.id: Int", "Badge.host: Link<Host>",
        ])
      // Each address has at least 13 letters, in the leaves and in the index.
      #expect(try #require(kept.first?.bytes) > 2 * 13 * 1000)
    }
  }

  @Test func storesOfBothShapesMayBeOpenInOneProcess() throws {
    try withFile { path in
      let new = try newStore(path)
      let old = try oldStore(path)
      try old.write { try $0.update(Old.Guest.self, id: 5) { $0.name = "by the old" } }
      var guest = Self.guests[5]
      guest.name = "by the old"
      #expect(try new.snapshot().find(New.Guest.self, id: 5) == guest)
      guest.visits = 99
      try new.write { try $0.upsert(guest) }
      #expect(try old.snapshot().find(Old.Guest.self, id: 5).name == "by the old")
      #expect(try new.snapshot().fetch(New.Guest.where { $0.visits == 99 }) == [guest])

      // An object without what the other requires is an error there, and only where it is read.
      try old.write { try $0.insert(Old.Host(id: 500)) }
      #expect(
        throws: StoreError.schemaMismatch(
          model: "Host", field: "rank", stored: "optional, and nil in this object",
          declared: "required")
      ) { _ = try new.snapshot().find(New.Host.self, id: 500) }
      // The others of its leaf are read, in whatever way.
      #expect(try new.snapshot().find(New.Host.self, id: 4).rank == "r4")
      var unread: [Int] = []
      try new.snapshot().rows(New.Host.all.order(by: \.id)).forEachBatch { batch in
        let ranks = try batch.column(\.rank)
        for place in 0..<batch.count {
          let row = batch[place]
          let id = try row.id
          do {
            #expect(try row.rank == ranks[place])
            #expect(try row.value.rank == row.rank)
          } catch { unread.append(id) }
        }
      }
      #expect(unread == [500])
      #expect(try new.snapshot().find(New.Guest.self, id: 5) == guest)
      try old.write { _ = try $0.delete(Old.Host.self, id: 500) }
      #expect(try new.snapshot().find(New.Host.self, id: 4).rank == "r4")
    }
  }

  @Test func aPartOfAValueUnderANameIsKept() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/settings.roost"
      struct Both: Embedded, Equatable {
        var theme: String
        var size: Int
        static let fields = Fields(
          Both.init, Part("theme", \.theme), Part("size", \.size, .default(12)))
      }
      struct One: Embedded, Equatable {
        var theme: String
        static let fields = Fields(One.init, Part("theme", \.theme))
      }
      let store = try Store(.file(path), models: Old.Host.self)
      try store.write { try $0.setValue("settings", to: Both(theme: "dark", size: 20)) }
      try store.write { try $0.setValue("settings", to: One(theme: "light")) }
      #expect(
        try store.snapshot().value("settings", as: Both.self) == Both(theme: "light", size: 20))
    }
  }
}
