import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Synchronization
import Testing

/// What a migration would do is told, and nothing of it done.
@Suite struct DryRunTests {
  enum Old {
    struct Person: Model {
      let id: Int
      var name: String
      var age: Int
      var phone: String?
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("name", \.name, .indexed), Field("age", \.age),
        Field("phone", \.phone))
    }
    struct Note: Model {
      let id: String
      static let schema = Schema(Note.init, Key("id", \.id))
    }
  }
  enum New {
    struct Person: Model {
      let id: Int
      var first: String
      var last: String
      var years: String
      var stars: Int
      static let schema = Schema(
        Person.init, Key("id", \.id), Field("first", \.first), Field("last", \.last, .indexed),
        Field("years", \.years), Field("stars", \.stars, .default(3)))
    }
    struct Phone: Model {
      let id: String
      var owner: Link<Person>?
      static let schema = Schema(
        Phone.init, Key("id", \.id), Field("owner", \.owner, .onTargetDelete(.nullify)))
    }
    struct Shop: Model {
      let id: Int
      static let schema = Schema(Shop.init, Key("id", \.id))
    }
  }

  private static let plan = MigrationPlan {
    MigrationStep("years") {
      try $0.rename("age", of: "Person", to: "years")
      try $0.convert("years", of: "Person", from: Int.self, to: String.self) { "\($0)" }
    }
    MigrationStep("names") { migration in
      try migration.rename("name", of: "Person", to: "first")
      try migration.add("last", to: "Person", default: "-")
      try migration.rewrite("Person") { old, new in
        let number = try old.value("id", as: Int.self)
        if number % 10 == 0 { try new.set("last", to: "L\(number)") }
        if number % 100 == 7 { new.delete() }
      }
      try migration.makeOptional("last", of: "Person")
    }
    MigrationStep("nothing") { _ in }
    MigrationStep("phones") { migration in
      try migration.renameModel("Note", to: "Remark")
      try migration.removeModel("Remark")
      try migration.addModel("Phone", key: "id", String.self)
      try migration.addLink("owner", to: "Phone", target: "Person")
      try migration.forEach("Person") { person in
        guard let number = try person.value("phone", as: String?.self) else { return }
        try migration.insert(into: "Phone") {
          try $0.set("id", to: number)
          try $0.set("owner", to: person)
        }
      }
      try migration.remove("phone", of: "Person")
    }
  }

  private func fill(
    _ location: Location, _ configuration: Configuration = Configuration(), people: Int = 5000
  ) throws {
    let store = try Store(
      location, models: Old.Person.self, Old.Note.self, configuration: configuration)
    try store.write { tx in
      try tx.insert(
        contentsOf: (0..<people).map {
          Old.Person(
            id: $0, name: "N\($0)", age: $0 % 90, phone: $0 % 4 == 0 ? "+\($0)" : nil)
        })
      try tx.insert(contentsOf: (0..<12).map { Old.Note(id: "n\($0)") })
    }
  }

  private func withFile(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      try fill(.file(path))
      try body(path)
    }
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func names(beside path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  private func dryRun(_ path: String, _ plan: MigrationPlan = Self.plan) throws(StoreError)
    -> MigrationReport
  {
    try Store.dryRun(
      at: .file(path), models: New.Person.self, New.Phone.self, New.Shop.self,
      migrations: { plan })
  }

  // MARK: What is told

  @Test func eachStepTellsItsChangesAndWhatNeedsNoneComesLast() throws {
    try withFile { path in
      let before = try bytes(path)
      let report = try dryRun(path)
      #expect(report.parts.map(\.step) == ["years", "names", "nothing", "phones", nil])
      #expect(
        report.parts.map(\.changes) == [
          [
            .fieldRenamed(model: "Person", field: "age", to: "years"),
            .fieldRetyped(model: "Person", field: "years", from: "Int", to: "String"),
          ],
          [
            .fieldRenamed(model: "Person", field: "name", to: "first"),
            .fieldAdded(model: "Person", field: "last", type: "String?"),
          ],
          [],
          [
            .fieldRemoved(model: "Person", field: "phone"), .modelAdded("Phone"),
            .modelRemoved("Note"),
          ],
          [
            .fieldRetyped(model: "Person", field: "last", from: "String?", to: "String"),
            .fieldAdded(model: "Person", field: "stars", type: "Int"),
            .indexRemoved(model: "Person", fields: ["first"], isUnique: false),
            .indexAdded(model: "Person", fields: ["last"], isUnique: false),
            .modelAdded("Shop"),
          ],
        ])
      typealias Counts = MigrationReport.ObjectCounts
      #expect(
        report.parts.map(\.objects) == [
          [Counts(model: "Person", inserted: 0, deleted: 0, changed: 5000)],
          [Counts(model: "Person", inserted: 0, deleted: 50, changed: 500)],
          [],
          [
            Counts(model: "Phone", inserted: 1250, deleted: 0, changed: 0),
            Counts(model: "Note", inserted: 0, deleted: 12, changed: 0),
          ],
          [],
        ])
      #expect(report.parts.allSatisfy { $0.duration > .zero })
      #expect(try bytes(path) == before)
      #expect(try names(beside: path) == ["people.roost"])

      // What was told is what opening the store does.
      let store = try Store(
        .file(path), models: New.Person.self, New.Phone.self, New.Shop.self,
        migrations: { Self.plan })
      #expect(try store.snapshot().count(New.Person.all) == 4950)
      #expect(try store.snapshot().count(New.Phone.all) == 1250)
      #expect(try store.snapshot().count(New.Person.where { $0.last == "-" }) == 4450)
      store.close()
      #expect(try dryRun(path).parts == [])
    }
  }

  @Test func theReportIsReadByPeople() {
    #expect(MigrationReport(parts: []).description == "The file fits the models.")
    let report = MigrationReport(parts: [
      MigrationReport.Part(
        step: "years",
        changes: [
          .fieldRetyped(model: "Person", field: "age", from: "Int", to: "String"),
          .indexAdded(model: "Person", fields: ["last", "first"], isUnique: true),
        ],
        objects: [
          MigrationReport.ObjectCounts(model: "Person", inserted: 1, deleted: 3, changed: 2)
        ], ignored: ["Person.nmae"], duration: .microseconds(12_400)),
      MigrationReport.Part(
        step: nil, changes: [.modelAdded("Shop")], objects: [], duration: .zero),
    ])
    #expect(
      report.description == """
        "years", 12 ms:
          Person.age is String, and was Int
          Person gets a unique index of last, first
          Person: 1 inserted, 2 changed, 3 deleted
          the file has no Person.nmae: left out
        Without a step, 0 ms:
          Shop is added
        """)
  }

  @Test func namesThatTheFileLacksAreTold() throws {
    try withFile { path in
      let plan = MigrationPlan {
        MigrationStep("rename") {
          try $0.rename("nmae", of: "Person", to: "first")
          try $0.rename("name", of: "Persno", to: "first")
          try $0.rename("name", of: "Person", to: "first")
          // A second time it is renamed already.
          try $0.rename("name", of: "Person", to: "first")
          try $0.renameModel("Notes", to: "Memo")
          try $0.renameModel("Note", to: "Memo")
          try $0.renameModel("Note", to: "Memo")
        }
        MigrationStep("others") {
          try $0.add("new", to: "Person", default: 1)
          try $0.copy("first", of: "Person", to: "other")
          try $0.copy("last", of: "Person", to: "another")
          try $0.makeOptional("ag", of: "Person")
          try $0.remove("fone", of: "Person")
          try $0.remove("phone", of: "Person")
          try $0.addModel("Pet", key: "id", Int.self)
          try $0.forEach("Pets") { _ in }
        }
      }
      let report = try Store.dryRun(at: .file(path), models: Old.Note.self, migrations: { plan })
      #expect(report.parts.prefix(2).map(\.step) == ["rename", "others"])
      #expect(
        report.parts.prefix(2).map(\.ignored) == [
          ["Person.nmae", "Persno", "Notes"],
          ["Person.last", "Person.ag", "Person.fone", "Pets"],
        ])
      #expect(try dryRun(path).parts.allSatisfy { $0.ignored == [] })
    }
  }

  @Test func aFileThatIsNotThereIsNotMade() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/none.roost"
      let report = try dryRun(path)
      #expect(report.parts.map(\.step) == [nil])
      #expect(
        report.parts.map(\.changes) == [
          [.modelAdded("Person"), .modelAdded("Phone"), .modelAdded("Shop")]
        ])
      #expect(report.notes == ["There is no file at \(path): these are the changes to a new one."])
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
    }
  }

  @Test func aStoreThatWillBeginWithItsSeedIsTriedOnTheSeed() throws {
    try withFile { seed in
      let before = try bytes(seed)
      let path = seed + ".app"
      let report = try Store.dryRun(
        at: .file(path, seed: URL(fileURLWithPath: seed)), models: New.Person.self, New.Phone.self,
        New.Shop.self, migrations: { Self.plan })
      #expect(report.parts.map(\.step) == ["years", "names", "nothing", "phones", nil])
      #expect(try bytes(seed) == before)
      #expect(try names(beside: path) == ["people.roost"])
    }
  }

  // MARK: What is left alone

  @Test func itThrowsWhatOpeningThrowsAndTheFileStays() throws {
    struct Unfit: Error {}
    let failing = MigrationPlan {
      MigrationStep("years") {
        try $0.convert("age", of: "Person", from: Int.self, to: String.self) {
          if $0 == 89 { throw Unfit() }
          return "\($0)"
        }
      }
    }
    let incomplete = MigrationPlan {
      MigrationStep("years") { try $0.rename("age", of: "Person", to: "years") }
    }
    let doubled = MigrationPlan {
      MigrationStep("one") { _ in }
      MigrationStep("one") { _ in }
    }
    for plan in [failing, incomplete, doubled] {
      try withFile { path in
        let before = try bytes(path)
        var errors: [StoreError?] = []
        do throws(StoreError) {
          _ = try dryRun(path, plan)
        } catch { errors.append(error) }
        #expect(try bytes(path) == before)
        #expect(try names(beside: path) == ["people.roost"])
        do throws(StoreError) {
          _ = try Store(
            .file(path), models: New.Person.self, New.Phone.self, New.Shop.self,
            migrations: { plan })
        } catch { errors.append(error) }
        #expect(errors.count == 2 && errors[0] == errors[1])
      }
    }
  }

  @Test func aFileThatWouldBeRemovedOrSetAsideStays() throws {
    try withFile { path in
      var configuration = Configuration()
      configuration.onSchemaChange = .recreate
      #expect(throws: StoreError.self) {
        try Store.dryRun(
          at: .file(path), models: New.Person.self, configuration: configuration)
      }
      configuration.onUnreadable = .recreate
      try Data("no store".utf8).write(to: URL(fileURLWithPath: path))
      #expect(throws: StoreError.notARoostFile(path: path)) {
        try Store.dryRun(
          at: .file(path), models: New.Person.self, configuration: configuration)
      }
      #expect(try bytes(path) == Data("no store".utf8))
    }
  }

  @Test func aFileThatMustBeRecoveredIsReadAndNotRecovered() throws {
    var configuration = Configuration()
    let disk = SimulatedDisk(seed: 7)
    configuration.fileSystem = disk
    let store = try Store(
      .file("/people"), models: Old.Person.self, Old.Note.self, configuration: configuration)
    try store.write { try $0.insert(Old.Person(id: 1, name: "A", age: 2, phone: "+")) }
    // The confirmation of the last commit was not synced.
    let image = disk.crashImage(seed: 7, survival: .nothing)
    store.close()
    configuration.fileSystem = image
    func content() throws -> [UInt8] {
      try image.open("/people", .readOnly).bytes(at: 0, 1 << 22)
    }
    let before = try content()
    let report = try Store.dryRun(
      at: .file("/people"), models: New.Person.self, New.Phone.self, New.Shop.self,
      configuration: configuration, migrations: { Self.plan })
    #expect(report.parts.count == 5)
    #expect(report.parts[3].objects.map(\.inserted) == [1])
    #expect(try content() == before)
    // Opening it for writing would have changed it already.
    _ = try Store(
      .file("/people"), models: Old.Person.self, Old.Note.self, configuration: configuration)
    #expect(try content() != before)
  }

  enum Plots {
    struct Plot: Model {
      let id: Int
      var kind: String
      var note: String?
      static let schema = Schema(
        Plot.init, Key("id", \.id), Field("kind", \.kind, .indexed), Field("note", \.note))
    }
  }
  enum PlotsWithNotes {
    struct Note: Embedded {
      var text: String
      static let fields = Fields(Note.init, Part("text", \.text))
    }
    struct Plot: Model {
      let id: Int
      var kind: String
      var note: Note?
      static let schema = Schema(
        Plot.init, Key("id", \.id), Field("kind", \.kind, .indexed), Field("note", \.note))
    }
  }

  @Test func anObjectCountsAsChangedWhereAValueIsAnother() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/plots.roost"
      do {
        let store = try Store(.file(path), models: Plots.Plot.self)
        try store.write { tx in
          for id in 0..<60 {
            // Some are too long to be kept with the others.
            let kind = id % 4 == 0 ? "wasteland" : String(repeating: "bed", count: 1 + id * 100)
            try tx.insert(Plots.Plot(id: id, kind: kind, note: id % 5 == 0 ? "n\(id)" : nil))
          }
        }
      }
      let plan = MigrationPlan {
        MigrationStep("wasteland is wild") {
          try $0.convert("kind", of: "Plot", from: String.self, to: String.self) {
            $0 == "wasteland" ? "wild" : $0
          }
        }
        MigrationStep("notes") { try $0.rename("note", of: "Plot", to: "note.text") }
      }
      let report = try Store.dryRun(at: path, models: PlotsWithNotes.Plot.self) { plan }
      #expect(report.parts.map(\.objects).map { $0.map(\.changed) } == [[15], [], []], "\(report)")
      #expect(
        report.parts.last?.changes.map(\.description) == [
          "Plot.note is an optional struct, and was a struct"
        ])
    }
  }

  @Test func aStoreThatIsOpenForWritingIsInUse() throws {
    try withFile { path in
      let store = try Store(.file(path), models: Old.Person.self, Old.Note.self)
      #expect { try dryRun(path) } throws: { ($0 as? StoreError)?.code == .inUse }
      store.close()
      _ = try dryRun(path)
    }
  }

  @Test func whateverCallTheDiskRefusesTheFileStays() throws {
    var configuration = Configuration()
    let disk = SimulatedDisk()
    configuration.fileSystem = disk
    try fill(.file("/people"), configuration, people: 100)
    func content() throws -> [UInt8] {
      try disk.open("/people", .readOnly).bytes(at: 0, 1 << 24)
    }
    let before = try content()
    var refused = 0
    for call in 1... {
      disk.resetCounters()
      disk.inject(SimulatedDisk.Fault(.any, call: call, .failOnce(ENOSPC)))
      let isDone: Bool
      do {
        _ = try Store.dryRun(
          at: .file("/people"), models: New.Person.self, New.Phone.self, New.Shop.self,
          configuration: configuration, migrations: { Self.plan })
        isDone = true
      } catch { isDone = false }
      let wasHit = disk.counters.failed > 0
      disk.removeFaults()
      #expect(try content() == before, "call \(call)")
      guard wasHit else {
        #expect(isDone)
        break
      }
      refused += isDone ? 0 : 1
    }
    #expect(refused > 20)
  }
}
