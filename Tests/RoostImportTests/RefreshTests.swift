import Foundation
import Roost
import RoostImport
import RoostTestSupport
import Testing

/// A store that follows a `.realm` file to which an app still writes.
@Suite struct RefreshTests {
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
    guard case .danglingLink(model: "Pet", field: "owner", target: "Owner", _)? = error else {
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
    try await store.refresh(from: .realm(file.url), Event.mapping)
    let other = try await Store.open(
      .inMemory, models: Event.self, importing: .realm(file.url), Event.mapping)
    let (found, expected) = (
      try store.snapshot().fetch(Event.all), try other.snapshot().fetch(Event.all)
    )
    #expect(found == expected)
  }
}
