import Foundation
import Roost
import Testing

/// A part of an app, tested with a store in memory, which does what one in a file does.
@Suite struct ShoppingListTests {
  @Test func buysWhatIsOnTheList() async throws {
    let store = try Store(.inMemory, models: Item.self)
    let list = ShoppingList(items: StoreRepository<Item>(store: store))
    for name in ["milk", "bread", "milk", "tea"] { try await list.add(name) }
    #expect(try store.snapshot().sum(\.count, of: Item.where { $0.name == "milk" }) == 2)
    #expect(try await list.buy(["milk", "tea", "salt"]) == ["bread"])
    #expect(try await list.clear() == 2)
    #expect(try store.snapshot().fetch(Item.all).map(\.name) == ["bread"])
    try await list.add("salt")
    #expect(try await list.buy(["bread"]) == ["salt"])
  }

  /// What a store does only when a disk is broken is simple to play without one.
  private struct BrokenRepository: Repository {
    struct Failure: Error {}
    func fetch(_ query: Query<Item>) async throws -> [Item] { [] }
    func find(_ id: UUID) async throws -> Item? { nil }
    func save(_ objects: [Item]) async throws { throw Failure() }
    func delete(_ query: Query<Item>) async throws -> Int { throw Failure() }
  }

  @Test func tellsItsCallerWhatTheRepositoryRefuses() async {
    let list = ShoppingList(items: BrokenRepository())
    await #expect(throws: BrokenRepository.Failure.self) { try await list.add("milk") }
  }

  /// Code that is generic over its model: one test for every model of an app.
  private func savesAndFinds<Object: Model>(_ objects: [Object]) async throws {
    let repository = StoreRepository<Object>(store: try Store(.inMemory, models: Object.self))
    try await repository.save(objects)
    try await repository.save(objects)
    #expect(Set(try await repository.fetch(Object.all)) == Set(objects))
    for object in objects { #expect(try await repository.find(object.id) == object) }
    #expect(try await repository.delete(Object.all) == objects.count)
  }

  private struct Note: Model {
    let id: String
    var text: String?
    static let schema = Schema(Note.init, Key("id", \.id), Field("text", \.text))
  }

  @Test func aRepositoryKeepsObjectsOfAnyModel() async throws {
    let items = (0..<9).map { Item(id: UUID(), name: "\($0)", count: 1, isBought: false) }
    try await savesAndFinds(items)
    try await savesAndFinds([Note(id: "a", text: nil), Note(id: "b", text: "two")])
  }
}
