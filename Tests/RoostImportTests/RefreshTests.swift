import Foundation
import Roost
import RoostImport
import RoostTestSupport
import Testing

/// A store that follows a `.realm` file to which an app still writes.
@Suite struct RefreshTests {
  /// The differences in words: the model, the key and the kind.
  private func differences(_ source: [Int: Int], _ store: [Int: Int]) -> Set<String> {
    var differences: Set<String> = []
    for id in Set(source.keys).union(store.keys) {
      let kind: ImportDifference.Kind
      switch (source[id], store[id]) {
      case (let one?, let other?) where one != other:
        kind = .value(field: "value", inSource: "\(one)", inStore: "\(other)")
      case (_?, nil): kind = .onlyInSource
      case (nil, _?): kind = .onlyInStore
      default: continue
      }
      differences.insert("Item \(id) \(kind)")
    }
    return differences
  }

  /// Changes, adds and removes some objects.
  private func change(_ values: inout [Int: Int], using generator: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 0...40, using: &generator) {
      let id = Int.random(in: 0..<1000, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: values[id] = nil
      case 1: values[id] = Int.random(in: 0..<10, using: &generator)
      default: if let value = values[id] { values[id] = value + 1 }
      }
    }
  }

  @Test(arguments: 0..<5)
  func throughTenRoundsTheStoreIsAsTheSource(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    var source: [Int: Int] = [:]
    for id in 0..<300 { source[id * 2] = id }
    let file = try TemporaryFile(Item.file(source))
    let store = try await Store.open(
      .inMemory, models: Item.self, importing: .realm(file.url), Item.mapping)
    for round in 0..<10 {
      // The app writes to the file that it has, and sometimes already to the store.
      change(&source, using: &generator)
      try Data(Item.file(source)).write(to: file.url)
      var stored = try values(of: store)
      if round > 5 {
        change(&stored, using: &generator)
        let items = stored.map { Item(id: $0.key, value: $0.value) }
        try await store.write { try $0.replaceAll(items) }
      }
      let expected = differences(source, stored)
      let found = try await store.compare(with: .realm(file.url), Item.mapping)
      let list = found.differences.map { "\($0.model) \($0.key) \($0.kind)" }
      #expect(Set(list) == expected, "round \(round)")
      #expect(found.count == expected.count)
      #expect(found.compared == source.count)
      let cut = try await store.compare(with: .realm(file.url), limit: 1, Item.mapping)
      #expect(cut.differences.count == min(1, expected.count) && cut.count == expected.count)

      let changes = try await store.refresh(from: .realm(file.url), Item.mapping)
      let counts = try #require(changes.models.first)
      #expect(counts.name == "Item")
      #expect(counts.inserted == expected.count { $0.hasSuffix(" onlyInSource") })
      #expect(counts.deleted == expected.count { $0.hasSuffix(" onlyInStore") })
      #expect(counts.inserted + counts.updated + counts.deleted == expected.count)
      #expect(try values(of: store) == source, "round \(round)")
      #expect(try await store.compare(with: .realm(file.url), Item.mapping).isEmpty)
      let version = try store.snapshot().version
      #expect(try await store.refresh(from: .realm(file.url), Item.mapping).isEmpty)
      #expect(try store.snapshot().version == version)
      #expect(try store.importReport?.classes.map(\.written) == [source.count])
    }
  }

  private func values(of store: Store) throws -> [Int: Int] {
    try Dictionary(
      uniqueKeysWithValues: store.snapshot().fetch(Item.all).map { ($0.id, $0.value) })
  }

  /// An item whose value no other one has.
  private struct Ticket: Model {
    let id: Int
    var number: Int
    static let schema = Schema(
      Ticket.init, Key("id", \.id), Field("number", \.number, .unique))

    static func mapping(_ importer: inout Importer) {
      importer.objects("Item") { Ticket(id: try $0.id(), number: try $0["value"]) }
    }
  }

  @Test func uniqueValuesMoveFromOneObjectToAnother() async throws {
    let file = try TemporaryFile(Item.file([1: 10, 2: 20, 3: 30, 4: 40]))
    let source = ImportSource.realm(file.url)
    let store = try await Store.open(
      .inMemory, models: Ticket.self, importing: source, Ticket.mapping)
    func numbers() throws -> [Int: Int] {
      try Dictionary(
        uniqueKeysWithValues: store.snapshot().fetch(Ticket.all).map { ($0.id, $0.number) })
    }
    // Each waits for the next one; then one waits for one that is deleted.
    for values in [[1: 20, 2: 30, 3: 40, 4: 50], [1: 50, 2: 30, 3: 40]] {
      try Data(Item.file(values)).write(to: file.url)
      try await store.refresh(from: source, Ticket.mapping)
      #expect(try numbers() == values)
    }
    try Data(Item.file([1: 30, 2: 50])).write(to: file.url)
    let error = await #expect(throws: ImportError.self) {
      try await store.refresh(from: source, Ticket.mapping)
    }
    #expect(
      error
        == .notStored(
          className: "Item", object: 1,
          .duplicateKey(model: "Ticket", field: "number", value: "30")))
    #expect(try numbers() == [1: 50, 2: 30, 3: 40])
  }

  @Test func twoObjectsOfTheSourceCannotHaveOneID() async throws {
    let file = try TemporaryFile(Item.file([1: 10, 2: 20]))
    let source = ImportSource.realm(file.url)
    let store = try await Store.open(
      .inMemory, models: Item.self, importing: source, Item.mapping)
    @Sendable func merging(_ importer: inout Importer) {
      importer.objects("Item") { Item(id: 7, value: try $0["value"]) }
    }
    let error = ImportError.notStored(
      className: "Item", object: 2, .duplicateKey(model: "Item", field: "id", value: "7"))
    await #expect(throws: error) { try await store.refresh(from: source, merging) }
    await #expect(throws: error) { _ = try await store.compare(with: source, merging) }
    #expect(try values(of: store) == [1: 10, 2: 20])
  }

  private struct Named: Model {
    let id: String
    var text: String
    static let schema = Schema(Named.init, Key("id", \.id), Field("text", \.text))
  }

  @Test func textsThatDifferOnlyInBytesAreDifferent() async throws {
    let (one, other) = ("\u{e9}", "e\u{301}")
    @Sendable func mapping(_ importer: inout Importer) {
      importer.objects("Item") {
        let text = try $0["value"] == 1 ? one : other
        return Named(id: text, text: text)
      }
    }
    let file = try TemporaryFile(Item.file([1: 1, 2: 2]))
    let source = ImportSource.realm(file.url)
    let store = try await Store.open(
      .inMemory, models: Named.self, importing: source, mapping)
    #expect(try store.snapshot().count(Named.all) == 2)
    #expect(try await store.refresh(from: source, mapping).isEmpty)
    try await store.write { try $0.update(Named.self, id: one, set: \.text, to: other) }
    let comparison = try await store.compare(with: source, mapping)
    #expect(comparison.differences.map(\.key) == [one])
    #expect(comparison.count == 1)
  }

  private struct Owner: Model {
    let id: Int
    static let schema = Schema(Owner.init, Key("id", \.id))
  }

  private struct Pet: Model {
    let id: Int
    var owner: Link<Owner>
    static let schema = Schema(
      Pet.init, Key("id", \.id), Field("owner", \.owner, .onTargetDelete(.cascade)))
  }

  /// What the app writes to the store alone.
  private struct Walk: Model {
    let id: Int
    var pet: Link<Pet>
    static let schema = Schema(
      Walk.init, Key("id", \.id), Field("pet", \.pet, .onTargetDelete(.cascade)))
  }

  @Test func rulesOfDeletionApplyToTheLinksOfTheSource() async throws {
    @Sendable func mapping(_ importer: inout Importer) {
      importer.objects("Other") { Pet(id: try $0.id(), owner: Link(id: try $0["value"])) }
      importer.objects("Item") { Owner(id: try $0.id()) }
    }
    let file = try TemporaryFile(Item.file([1: 0, 2: 0], others: [5: 1, 6: 1, 7: 2]))
    let source = ImportSource.realm(file.url)
    let store = try await Store.open(
      .inMemory, models: Owner.self, Pet.self, Walk.self, importing: source, mapping)
    try await store.write {
      try $0.insert(contentsOf: [Walk(id: 1, pet: Link(id: 5)), Walk(id: 2, pet: Link(id: 6))])
    }
    // An owner is gone, one pet has another now, and one is gone with the owner.
    try Data(Item.file([2: 0], others: [5: 2, 7: 2])).write(to: file.url)
    let changes = try await store.refresh(from: source, mapping)
    #expect(
      changes.models.map { "\($0.name) \($0.inserted) \($0.updated) \($0.deleted)" }
        == ["Pet 0 1 1", "Owner 0 0 1"])
    #expect(try store.snapshot().fetch(Walk.all).map(\.id) == [1])
    // A pet has an owner who is gone.
    try Data(Item.file([:], others: [5: 2, 7: 2])).write(to: file.url)
    let error = await #expect(throws: StoreError.self) {
      try await store.refresh(from: source, mapping)
    }
    guard case .danglingLink(model: "Pet", _, field: "owner", target: "Owner", _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try store.snapshot().count(Pet.all) == 2)
    #expect(try store.snapshot().count(Walk.all) == 1)
  }

  private struct Event: Model {
    let id: Int
    var number: Int
    var text: String?
    var payload: Data?
    static let schema = Schema(
      Event.init, Key("id", \.id), Field("number", \.number), Field("text", \.text),
      Field("payload", \.payload))

    static func mapping(_ importer: inout Importer) {
      importer.objects("Event") {
        Event(
          id: try $0.id(), number: try $0["n"], text: try $0["text"], payload: try $0["payload"])
      }
    }
  }

  @Test func theNextStateOfAFileIsTakenOver() async throws {
    let file = try TemporaryFile(RealmSamples.bytes("versions.realm"))
    let store = try await Store.open(
      .inMemory, models: Event.self, importing: .realm(file.url), Event.mapping)
    try Data(RealmSamples.bytes("versions-b.realm")).write(to: file.url)
    let comparison = try await store.compare(with: .realm(file.url), Event.mapping)
    #expect(
      comparison.differences.contains {
        $0.description
          == "Event 655570: text is updated in commit 400 in the source, and updated in commit 368 in the store"
      })
    try await store.refresh(from: .realm(file.url), Event.mapping)
    let other = try await Store.open(
      .inMemory, models: Event.self, importing: .realm(file.url), Event.mapping)
    let (found, expected) = (
      try store.snapshot().fetch(Event.all), try other.snapshot().fetch(Event.all)
    )
    #expect(found == expected)
    #expect(try await store.compare(with: .realm(file.url), Event.mapping).isEmpty)
  }

  @Test func linksAndPartsAreComparedByField() async throws {
    let file = try TemporaryFile(RealmSamples.bytes("object-store.realm"))
    let store = try await Store.open(
      .inMemory, models: Imported.Person.self, Imported.Dog.self, Imported.Note.self,
      importing: .realm(file.url), Imported.all)
    #expect(try await store.compare(with: .realm(file.url), Imported.all).isEmpty)
    let hex = "a067ba24dd2b9dd965718d4e"
    let id = try #require(RealmValue.ObjectID(stored: hex))
    try await store.write { transaction in
      try transaction.update(Imported.Person.self, id: id) { person in
        person.address?.zip = 7
        person.dogs = []
        person.friend = nil
      }
      try transaction.delete(Imported.Note.self, id: 3)
      try transaction.insert(Imported.Note(id: -5, text: "", isPinned: nil))
    }
    let comparison = try await store.compare(with: .realm(file.url), Imported.all)
    let found = comparison.differences.map { "\($0.model) \($0.key) \($0.kind)" }
    func value(_ field: String, _ source: String, _ store: String) -> String {
      "Person \(hex) value(field: \"\(field)\", inSource: Optional(\"\(source)\"), inStore: \(store))"
    }
    #expect(
      found == [
        value("address.zip", "10001", "Optional(\"7\")"),
        value("dogs", "[\\\"Dog 20\\\"]", "Optional(\"[]\")"),
        value("friend", "439f61bccb4ec735c8c85b03", "nil"),
        "Note 3 onlyInSource", "Note -5 onlyInStore",
      ])
    let changes = try await store.refresh(from: .realm(file.url), Imported.all)
    #expect(
      changes.models.map { "\($0.name) \($0.inserted) \($0.updated) \($0.deleted)" }
        == ["Person 0 1 0", "Dog 0 0 0", "Note 1 0 1"])
    #expect(try await store.compare(with: .realm(file.url), Imported.all).isEmpty)
  }
}
