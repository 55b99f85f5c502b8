import Foundation
import Roost
import RoostEngine
import RoostImport
import RoostTestSupport
import Testing

/// Making a store of a `.realm` file when an app opens it for the first time.
@Suite struct StoreImportTests {
  private let directory: TemporaryFolder

  init() throws { directory = try TemporaryFolder() }

  private var path: String { directory.file("people.roost") }

  private func source(_ bytes: [UInt8], _ name: String = "default.realm") throws -> ImportSource {
    let url = URL(fileURLWithPath: directory.file(name))
    try Data(bytes).write(to: url)
    return .realm(url)
  }

  private func sample() throws -> ImportSource {
    try source(RealmSamples.bytes("object-store.realm"))
  }

  private func open(
    _ location: Location, _ source: ImportSource, _ mapping: @Sendable (inout Importer) -> Void
  ) async throws -> Store {
    try await Store.open(
      location, models: Imported.Person.self, Imported.Dog.self, Imported.Note.self,
      importing: source, mapping)
  }

  private func openItems(
    _ source: ImportSource, _ mapping: @Sendable (inout Importer) -> Void = Item.mapping
  ) async throws -> Store {
    try await Store.open(.file(path), models: Item.self, importing: source, mapping)
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
  }

  // MARK: Content

  /// The objects of a class in a sample's text: their keys and values.
  private func objects(_ className: String) throws -> [(key: Int, values: [Any])] {
    let text = try String(
      decoding: RealmSamples.bytes("object-store.json"), as: UTF8.self)
    let whole = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let tables = try #require(whole?["tables"] as? [[String: Any]])
    let table = try #require(tables.first { $0["name"] as? String == "class_" + className })
    let rows = try #require(table["objects"] as? [[Any]])
    return try rows.map { row in
      (try #require(row[0] as? Int), try #require(row[1] as? [Any]))
    }
  }

  @Test func aStoreHasWhatTheTextOfTheSampleSays() async throws {
    let store = try await open(.file(path), sample(), Imported.all)
    let snapshot = store.snapshot()
    func text(_ value: Any, _ tag: String) -> String? { (value as? [String: Any])?[tag] as? String }
    func linked(_ value: Any) -> Int? {
      ((value as? [String: Any])?["$link"] as? [Any])?[1] as? Int
    }

    let dogs = try objects("Dog")
    let dogNames = try Dictionary(
      uniqueKeysWithValues: dogs.map { ($0.key, try #require($0.values[0] as? String)) })
    #expect(try Set(snapshot.fetch(Imported.Dog.all).map(\.id)) == Set(dogNames.values))
    let notes = try objects("Note")
    let found = try snapshot.fetch(Imported.Note.all)
    #expect(found.map(\.id) == notes.map(\.key))
    #expect(found.map { Optional($0.text) } == notes.map { $0.values[0] as? String })
    #expect(found.map(\.isPinned) == notes.map { $0.values[1] as? Bool })

    let people = try objects("Person")
    let addresses = try Dictionary(
      uniqueKeysWithValues: objects("Address").map { ($0.key, $0.values) })
    let ids = Dictionary(
      uniqueKeysWithValues: people.map { ($0.key, text($0.values[0], "$oid") ?? "") })
    #expect(try snapshot.count(Imported.Person.all) == people.count)
    for (_, values) in people {
      let hex = try #require(text(values[0], "$oid"))
      let id = try #require(RealmValue.ObjectID(stored: hex))
      let person = try snapshot.find(Imported.Person.self, id: id)
      #expect(person.name == values[1] as? String)
      #expect(person.email == values[2] as? String)
      #expect(person.age == values[3] as? Int)
      let born = (values[7] as? [String: Any])?["$date"] as? [Int]
      #expect(person.born.map { [Int($0.seconds), Int($0.nanoseconds)] } == born)
      let bits = try #require(text(values[9], "$decimal"))
      #expect(person.balance.high == UInt64(bits.prefix(16), radix: 16))
      #expect(person.balance.low == UInt64(bits.suffix(16), radix: 16))
      #expect(person.friend.map { "\($0.id)" } == linked(values[12]).flatMap { ids[$0] })
      let links = try #require(values[13] as? [Any])
      let own = links.compactMap { linked($0).flatMap { dogNames[$0] } }
      #expect(Array(person.dogs) == own)
      #expect(person.tags == Set(try #require(values[14] as? [String])))
      let address = linked(values[18]).flatMap { addresses[$0] }
      #expect(person.address?.street == address?[0] as? String)
      #expect(person.address?.zip == address?[1] as? Int)
    }
    let damage = try await store.verify()
    #expect(damage == [])
  }

  @Test func theReportIsKeptInTheStore() async throws {
    let source = try sample()
    do {
      _ = try await open(.file(path), source) { importer in
        Imported.all(&importer)
        importer.objects("Note") { note -> Imported.Note? in
          let id: Int = try note.id()
          guard id >= 3 else { return nil }
          guard id != 4 else { throw LeftOut("four") }
          return Imported.Note(id: id + 1000, text: "", isPinned: nil)
        }
      }
    }
    let store = try Store(.file(path), models: Imported.Note.self)
    let report = try #require(try store.importReport)
    let notes = try objects("Note").count
    let dogs = try objects("Dog").count
    #expect(report.classes.map(\.className) == ["Person", "Dog", "Note", "Note"])
    #expect(report.classes.map(\.model) == ["Person", "Dog", "Note", "Note"])
    #expect(report.classes.map(\.inSource) == [150, dogs, notes, notes])
    #expect(report.classes.map(\.read) == [150, dogs, notes, notes])
    #expect(report.classes.map(\.written) == [150, dogs, notes, notes - 4])
    #expect(report.classes.last?.leftOut == ["the mapping left it out": 3, "four": 1])
    #expect(report.unnamed.isEmpty)
    #expect(report.isComplete)
    let words = report.description.split(separator: "\n")
    #expect(words.count == 4 && words[0] == "Person: 150 of 150 written")
    #expect(
      words[3]
        == "Note: \(notes - 4) of \(notes) written, 1 left out: four, 3 left out: the mapping left it out"
    )
    #expect(try store.snapshot().count(Imported.Note.all) == 2 * notes - 4)
  }

  @Test func classesThatTheMappingDoesNotNameAreReported() async throws {
    let source = try source(Item.file([1: 10], others: [0: 0, 1: 1, 2: 2]))
    let store = try await openItems(source)
    let report = try #require(try store.importReport)
    #expect(report.unnamed.map(\.className) == ["Other"])
    #expect(report.unnamed.map(\.count) == [3])
    #expect(
      report.description.hasSuffix("\nOther: not named, 3 objects are in the source alone"))
    #expect(!report.isComplete)
    #expect(
      throws: ImportError.incomplete(path: directory.file("default.realm"), unnamed: ["Other"])
    ) {
      try store.removeSource(source)
    }
    let changes = try await store.refresh(from: source) {
      Item.mapping(&$0)
      $0.ignore("Other")
    }
    #expect(changes.isEmpty)
    #expect(changes.description == "Item: 0 inserted, 0 updated, 0 deleted")
    #expect(try store.importReport?.ignored.map(\.count) == [3])
    #expect(try store.importReport?.isComplete == true)
  }

  @Test func roundedValuesAreInTheReport() async throws {
    struct Time: Model {
      let id: Int
      var date: Date?
      static let schema = Schema(Time.init, Key("id", \.id), Field("date", \.date))
    }
    let source = try source(RealmSamples.bytes("all-types.realm"))
    let store = try await Store.open(.inMemory, models: Time.self, importing: source) {
      $0.objects("Dates") { object in
        let time: RealmValue.Timestamp? = try object["v"]
        guard let time, time.seconds.magnitude < 1 << 50 else { throw LeftOut("no date") }
        return Time(id: try object.id(), date: try object["v"])
      }
    }
    let report = try #require(try store.importReport)
    #expect(report.roundings.map(\.property) == ["v"])
    #expect(try #require(report.roundings.first).count > 0)
    #expect(report.classes.map { $0.read == $0.written + ($0.leftOut["no date"] ?? 0) } == [true])
  }

  // MARK: Opening

  @Test func aStoreThatExistsIsOpenedWithoutItsSource() async throws {
    let missing = ImportSource.realm(URL(fileURLWithPath: directory.file("missing.realm")))
    await #expect(throws: ImportError.noSource(path: directory.file("missing.realm"))) {
      _ = try await openItems(missing)
    }
    #expect(try files == [])
    do {
      let store = try Store(.file(path), models: Item.self)
      try await store.write { _ = try $0.insert(Item(id: 1, value: 2)) }
    }
    let store = try await openItems(missing)
    #expect(try store.snapshot().fetch(Item.all) == [Item(id: 1, value: 2)])
    #expect(try store.importReport == nil)
    await #expect(throws: ImportError.seeded(path: path + "2")) {
      _ = try await Store.open(
        .file(path + "2", seed: URL(fileURLWithPath: path)), models: Item.self,
        importing: missing, Item.mapping)
    }
  }

  @Test func theOpenFileIsTheOneUnderTheStoresName() async throws {
    let store = try await openItems(source(Item.file([1: 10])))
    // A store that still had the file open would have been shared, under the name that it had then.
    #expect(try store.open().path == path)
    store.close()
    #expect(try Store.files(at: path) == [path])
  }

  @Test func aMirroredStoreIsImportedToItsFile() async throws {
    let source = try source(Item.file([1: 10]))
    do {
      let store = try await Store.open(
        .inMemory(mirroredTo: path), models: Item.self, importing: source, Item.mapping)
      #expect(try store.snapshot().fetch(Item.all) == [Item(id: 1, value: 10)])
    }
    let store = try Store(.file(path), models: Item.self)
    #expect(try store.snapshot().fetch(Item.all) == [Item(id: 1, value: 10)])
  }

  @Test func theSystemSaysHowMuchSpaceIsFree() throws {
    let files = PosixFileSystem()
    let bytes = try #require(try files.availableBytes(besides: path))
    #expect(bytes > 1 << 20)
    #expect(throws: FileError.self) { _ = try files.availableBytes(besides: path + "/missing/x") }
  }

  @Test func ofManyOpeningsAtOnceOneImports() async throws {
    let source = try source(Item.file(Dictionary(uniqueKeysWithValues: (0..<500).map { ($0, $0) })))
    let found = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          do {
            return try await openItems(source).snapshot().count(Item.all)
          } catch {
            #expect(error as? StoreError == .locked(path: path))
            return nil
          }
        }
      }
      return await group.compactMap(\.self).reduce(into: []) { $0.append($1) }
    }
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0 == 500 })
    #expect(try files == ["default.realm", "people.roost"])
  }

  @Test func aClassMayBeMissingWhereTheMappingSaysSo() async throws {
    let source = try source(Item.file([:]))
    await #expect(throws: RealmError.unknownClass("Itme")) {
      _ = try await openItems(source) { $0.objects("Itme") { _ -> Item? in nil } }
    }
    #expect(try files == ["default.realm"])
    let store = try await openItems(source) {
      $0.objects("Itme", mayBeMissing: true) { _ -> Item? in nil }
    }
    #expect(try store.snapshot().count(Item.all) == 0)
  }

  // MARK: Errors

  private func failure(
    _ mapping: @escaping @Sendable (inout Importer) -> Void
  ) async throws -> (any Error)? {
    let source = try sample()
    do { _ = try await open(.file(path), source, mapping) } catch { return error }
    return nil
  }

  @Test func errorsNameTheClassAndTheObject() async throws {
    struct Refusal: Error {}
    let refused = try await failure {
      $0.objects("Note") { note in
        guard note.key < 5 else { throw Refusal() }
        return Imported.Note(id: try note.id(), text: "", isPinned: nil)
      }
    }
    #expect(
      refused as? ImportError == .mapping(className: "Note", object: 5, reason: "Refusal()"))
    let twice = try await failure {
      $0.objects("Note") { _ in Imported.Note(id: 7, text: "", isPinned: nil) }
    }
    #expect(
      twice as? ImportError
        == .notStored(
          className: "Note", object: 1, .duplicateKey(model: "Note", field: "id", value: "7")))
    let mismatched = try await failure {
      $0.objects("Note") { Imported.Note(id: try $0["text"], text: "", isPinned: nil) }
    }
    #expect((mismatched as? RealmError)?.message.contains("Note.text is a String") == true)
    let dangling = try await failure(Imported.people)
    guard
      case .danglingLink(model: "Person", _, field: "dogs", target: "Dog", _)? = dangling
        as? StoreError
    else {
      Issue.record("\(String(describing: dangling))")
      return
    }
    #expect(try files == ["default.realm"])
  }

  // MARK: The source

  @Test func theSourceStaysUntilItIsRemoved() async throws {
    let source = try source(Item.file([1: 10]))
    for ending in [".lock", ".note"] {
      try Data([1]).write(to: URL(fileURLWithPath: directory.file("default.realm" + ending)))
    }
    try FileManager.default.createDirectory(
      atPath: directory.file("default.realm.management"), withIntermediateDirectories: true)
    @Sendable func both(_ importer: inout Importer) {
      Item.mapping(&importer)
      importer.ignore("Other")
    }
    let store = try await openItems(source, both)
    #expect(try files.count == 5)
    let other = try self.source(Item.file([1: 10]), "other.realm")
    #expect(throws: ImportError.notImported(path: directory.file("other.realm"))) {
      try store.removeSource(other)
    }
    _ = try self.source(Item.file([1: 10, 2: 20]))
    #expect(throws: ImportError.changedSince(path: directory.file("default.realm"))) {
      try store.removeSource(source)
    }
    try await store.refresh(from: source, both)
    #expect(try store.snapshot().fetch(Item.all).map(\.value) == [10, 20])
    try store.removeSource(source)
    #expect(try files == ["other.realm", "people.roost"])
    try store.removeSource(source)
  }
}
