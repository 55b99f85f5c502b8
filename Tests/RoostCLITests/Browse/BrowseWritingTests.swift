#if Tool
import Foundation
import Roost
import RoostBrowse
import RoostDynamic
import Testing

/// What the page of `roost browse --write` changes, and takes back.
@Suite struct BrowseWritingTests {
  /// Everything that the store holds, by the keys: what comes back is stored last.
  private func content(_ store: BrowsedStore) throws -> [String] {
    let snapshot = store.models.snapshot()
    let pets = try snapshot.fetch(Pet.all).map { pet in
      "\(pet.id) \(String(describing: pet.age)) \(String(describing: pet.nickname)) \(pet.mass) \(pet.tags) \(String(describing: pet.owner))"
    }
    let owners = try snapshot.fetch(Owner.all)
    return pets.sorted() + owners.map { "\($0.id) \($0.name) \(Array($0.pets))" }
  }

  @Test func nothingIsWrittenWithoutLeave() async throws {
    let store = try BrowsedStore()
    for operation in ["set", "add", "delete", "consequences", "undo"] {
      let found = try await store.ask(
        operation, ["model": "Pet", "key": "p1", "field": "mass", "value": "1"])
      #expect(
        found["error"] as? String
          == "The file is only read: start `roost browse` with --write to change it.")
    }
  }

  @Test(
    arguments: [
      ("age", "42"), ("age", nil), ("nickname", "nil"), ("nickname", ""), ("nickname", nil),
      ("mass", "0.125"), ("born", "2013-01-31T05:00:00.25Z"), ("photo", "AAEC"),
      ("tags", #"["x"]"#),
      ("owner", "2"), ("owner", nil),
    ] as [(String, String?)])
  func aFieldIsChangedAndTheChangeUndone(_ field: String, _ value: String?) async throws {
    let store = try BrowsedStore(isWritable: true)
    let before = try content(store)
    let old = try await store.ask("object", ["model": "Pet", "key": "p2"])
    let answer = try await store.ask(
      "set",
      ["model": "Pet", "key": "p2", "field": field, "value": value ?? NSNull() as Any])
    #expect(answer["undo"] as? String == "the change of \(field) of Pet p2", "\(answer)")
    let new = try await store.ask("object", ["model": "Pet", "key": "p2"])
    #expect(text(new["fields"]) != text(old["fields"]))
    let undone = try await store.ask("undo")
    #expect(undone["undo"] == nil)
    let again = try await store.ask("object", ["model": "Pet", "key": "p2"])
    #expect(text(again["fields"]) == text(old["fields"]))
    #expect(try content(store) == before)
  }

  @Test(
    arguments: [
      ("age", "many", "“many” is no value of age."), ("mass", nil, "mass needs a value."),
      ("nope", "1", "Pet has no field nope in this version."),
    ] as [(String, String?, String)])
  func aValueThatDoesNotFitIsRefused(
    _ field: String, _ value: String?, _ error: String
  ) async throws {
    let store = try BrowsedStore(isWritable: true)
    let answer = try await store.ask(
      "set", ["model": "Pet", "key": "p2", "field": field, "value": value ?? NSNull() as Any])
    #expect(answer["error"] as? String == error)
  }

  @Test func aDeletionIsToldBeforeAndTakenBackWithAllThatWentWithIt() async throws {
    let store = try BrowsedStore(isWritable: true)
    let before = try content(store)
    let preview = try await store.ask("consequences", ["model": "Owner", "key": "1"])
    #expect(text(preview["deleted"]) == #"[{"count":5,"model":"Pet"}]"#)
    #expect(try content(store) == before)
    _ = try await store.ask("delete", ["model": "Owner", "key": "1"])
    let snapshot = store.models.snapshot()
    #expect(try snapshot.count(Pet.all) == 5 && snapshot.count(Owner.all) == 1)
    // An object of a list is taken out of it, and comes back to its place.
    _ = try await store.ask("undo")
    #expect(try content(store) == before)
    _ = try await store.ask("delete", ["model": "Pet", "key": "p0"])
    #expect(try content(store) != before)
    _ = try await store.ask("undo")
    #expect(try content(store) == before)
  }

  @Test func anObjectIsAddedWithDefaultsAndTakenBack() async throws {
    let store = try BrowsedStore(isWritable: true)
    let values: [String: Any] = [
      "id": "new", "mass": "1", "born": "2001-01-01T00:00:00Z", "photo": "", "age": NSNull(),
      "tags": "[]",
    ]
    let answer = try await store.ask("add", ["model": "Pet", "values": values])
    #expect(answer["undo"] as? String == "adding Pet new", "\(answer)")
    #expect(try store.models.snapshot().count(Pet.all) == 11)
    let twice = try await store.ask("add", ["model": "Pet", "values": values])
    #expect((twice["error"] as? String)?.contains("already") == true)
    _ = try await store.ask("undo")
    #expect(try store.models.snapshot().count(Pet.all) == 10)
    let empty = try await store.ask("undo")
    #expect(empty["error"] as? String == "There is nothing to undo.")
  }

  private struct Address: Embedded {
    var city: String
    var zip: String?
    static let fields = Fields(Address.init, Part("city", \.city), Part("zip", \.zip))
  }

  private struct Sender: Model {
    let id: Int
    var address: Address?
    static let schema = Schema(Sender.init, Key("id", \.id), Field("address", \.address))
  }

  @Test func anObjectIsAddedWithPartsOfAStructOnlyIfItHasTheStruct() async throws {
    let models = try Store(.inMemory, models: Sender.self)
    let session = BrowseSession(
      DynamicStore(models), name: "senders.roost", isWritable: true,
      now: { ContinuousClock.now })
    func add(_ values: [String: Any]) async throws -> [String: Any] {
      let arguments: [String: Any] = ["model": "Sender", "values": values]
      let body = try JSONSerialization.data(withJSONObject: arguments)
      let answer = await session.answer("add", Array(body))
      return try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any] ?? [:]
    }
    for address in [nil, "false"] {
      var values = ["id": "1", "address.city": "Delft"]
      values["address"] = address
      let refused = try await add(values)
      #expect(
        refused["error"] as? String
          == "There is no address to have a address.city: set address to true, too.")
    }
    #expect(try models.snapshot().count(Sender.all) == 0)
    _ = try await add(["id": "1", "address": "true", "address.city": "Delft"])
    _ = try await add(["id": "2", "address": "false", "address.city": NSNull()])
    _ = try await add(["id": "3"])
    let found = try models.snapshot().fetch(Sender.all)
    #expect(found.map(\.address?.city) == ["Delft", nil, nil])
  }

  @Test func changesAreTakenBackInTheirOrderAndNotOverThoseOfOthers() async throws {
    let store = try BrowsedStore(isWritable: true)
    let before = try content(store)
    for value in ["a", "b", "c"] {
      _ = try await store.ask(
        "set", ["model": "Pet", "key": "p4", "field": "nickname", "value": value])
    }
    _ = try await store.ask("undo")
    #expect(try store.models.snapshot().fetch(Pet.self, id: "p4")?.nickname == "b")
    try await store.models.write { transaction in
      var pet = BrowsedStore.pet(4)
      pet.nickname = "other"
      try transaction.upsert(pet)
    }
    let refused = try await store.ask("undo")
    #expect(refused["error"] as? String == "Pet p4 has changed since: it cannot be undone.")
    #expect(try store.models.snapshot().fetch(Pet.self, id: "p4")?.nickname == "other")
    try await store.models.write { transaction in
      var pet = BrowsedStore.pet(4)
      pet.nickname = "b"
      try transaction.upsert(pet)
    }
    _ = try await store.ask("undo")
    _ = try await store.ask("undo")
    #expect(try content(store) == before)
  }
}
#endif
