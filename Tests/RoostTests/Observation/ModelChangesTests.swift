import Foundation
import Roost
import RoostTestSupport
import Testing

/// What changed between two snapshots.
@Suite struct ModelChangesTests {
  /// A model whose ids are no object keys.
  private struct Place: Model, Equatable {
    let id: String
    var name: String
    var position: Position
    var owner: Link<Group>?
    static let schema = Schema(
      Place.init, Key("id", \.id), Field("name", \.name), Field("position", \.position),
      Field("owner", \.owner, .onTargetDelete(.nullify)))
  }

  private struct Position: Embedded, Hashable {
    var x: Double
    var y: Double
    static let fields = Fields(Position.init, Part("x", \.x), Part("y", \.y))
  }

  /// What changed, in sets, and which fields.
  private struct Outcome: Equatable {
    var insertions: Set<String> = []
    var deletions: Set<String> = []
    var modifications: [String: [String]] = [:]

    init(from earlier: [String: Place], to later: [String: Place]) {
      insertions = Set(later.keys.filter { earlier[$0] == nil })
      deletions = Set(earlier.keys.filter { later[$0] == nil })
      for (id, place) in later {
        guard let old = earlier[id] else { continue }
        var fields: [String] = []
        if place.name != old.name { fields.append("name") }
        if place.position.x != old.position.x { fields.append("position.x") }
        if place.position.y != old.position.y { fields.append("position.y") }
        if place.owner != old.owner { fields.append("owner") }
        if !fields.isEmpty { modifications[id] = fields }
      }
    }

    init(_ changes: ModelChanges<Place>) {
      insertions = Set(changes.insertions)
      deletions = Set(changes.deletions)
      modifications = Dictionary(
        uniqueKeysWithValues: changes.modifications.map { ($0.id, $0.fields) })
    }
  }

  @Test(arguments: 0..<4)
  func aSnapshotTellsWhatBecameOfObjectsWhoseIdsAreNoKeys(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = try Store(.inMemory, models: Group.self, Place.self)
    try store.write { tx in
      try tx.insert(contentsOf: (0..<5).map { Group(id: $0, name: "\($0)", size: nil) })
    }
    var places: [String: Place] = [:]
    var versions = [(snapshot: store.snapshot(), places: places)]
    for step in 0..<40 {
      try store.write { tx in
        for _ in 0..<(step == 0 ? 3000 : [1, 20, 500][Int.random(in: 0..<3, using: &random)]) {
          let id = "place \(Int.random(in: 0..<4000, using: &random))"
          switch Int.random(in: 0..<6, using: &random) {
          case 0: places[id] = try tx.delete(Place.self, id: id) ? nil : places[id]
          case 1:
            // Deleted and inserted again, it is what it was.
            guard let place = places[id] else { continue }
            _ = try tx.delete(Place.self, id: id)
            try tx.insert(place)
          case 2, 3:
            guard var place = places[id] else { continue }
            place.position.x += 1
            if random.chance(1, in: 2) {
              place.owner = Link(id: Int.random(in: 0..<5, using: &random))
            }
            try tx.update(place)
            places[id] = place
          default:
            let position = Position(x: Double(step), y: 1)
            let place = Place(id: id, name: "step \(step / 10)", position: position, owner: nil)
            if random.chance(1, in: 2) { _ = try tx.delete(Place.self, id: id) }
            try tx.upsert(place)
            places[id] = place
          }
        }
      }
      let version = (snapshot: store.snapshot(), places: places)
      for other in [versions[step], versions[Int.random(in: 0...step, using: &random)]] {
        #expect(
          Outcome(try version.snapshot.changes(since: other.snapshot).of(Place.self))
            == Outcome(from: other.places, to: version.places))
        #expect(
          Outcome(try other.snapshot.changes(since: version.snapshot).of(Place.self))
            == Outcome(from: version.places, to: other.places))
      }
      versions.append(version)
    }
    let groups = try store.snapshot().changes(since: versions[1].snapshot).of(Group.self)
    #expect(groups.isEmpty)
  }

  @Test func aModificationSaysWhichPropertiesChanged() throws {
    let store = try Store(.inMemory, models: Group.self, Place.self)
    var place = Place(id: "a", name: "A", position: Position(x: 1, y: 2), owner: nil)
    try store.write { try $0.insert(place) }
    let before = store.snapshot()
    place.position.y = 3
    try store.write { try $0.update(place) }
    let changes = try store.snapshot().changes(since: before).of(Place.self)
    let modification = try #require(changes.modifications.first)
    #expect(modification.id == "a")
    #expect(modification.fields == ["position.y"])
    #expect(try modification.hasChanged(\.position))
    #expect(try modification.hasChanged(\.position.y))
    #expect(try !modification.hasChanged(\.position.x))
    #expect(try !modification.hasChanged(\.name))
    #expect(throws: StoreError.self) { try modification.hasChanged(\.name.count) }
  }

  @Test func whatWasChangedBackHasNotChanged() throws {
    let store = try Store(.inMemory, models: Group.self, Person.self)
    try store.write { try $0.insert(contentsOf: (0..<1000).map { Person($0) }) }
    let before = store.snapshot()
    for age in [40, 31] {
      try store.write { _ = try $0.update(Person.self, id: 500, set: \.age, to: age) }
    }
    try store.write { _ = try $0.delete(Person.self, id: 7) }
    try store.write { try $0.insert(Person(7)) }
    #expect(try store.snapshot().changes(since: before).of(Person.self).isEmpty)
  }

  @Test func changesAreEmptyWhereNoModelAndNoNamedValueDiffers() throws {
    let store = try Store(.inMemory, models: Group.self, Place.self)
    let place = Place(id: "a", name: "", position: Position(x: 0, y: 0), owner: nil)
    try store.write {
      try $0.insert(place)
      try $0.setValue("size", to: 3)
    }
    let first = store.snapshot()
    func isEmpty() throws -> Bool {
      let changes = try store.snapshot().changes(since: first)
      return try changes.isEmpty
    }
    #expect(try isEmpty())
    try store.write { _ = try $0.update(Place.self, id: "a", set: \.name, to: "b") }
    #expect(try isEmpty() == false)
    // What is deleted and inserted again with the same values is as it was.
    try store.write {
      _ = try $0.delete(Place.self, id: "a")
      try $0.insert(place)
    }
    #expect(try isEmpty())
    try store.write { try $0.insert(Group(id: 1, name: "", size: nil)) }
    #expect(try isEmpty() == false)
    let back = try first.changes(since: store.snapshot())
    let isBackEmpty = try back.isEmpty
    #expect(!isBackEmpty)
    try store.write { _ = try $0.delete(Group.self, id: 1) }
    #expect(try isEmpty())
    try store.write { try $0.setValue("size", to: 4) }
    #expect(try isEmpty() == false)
  }

  @Test func twoStoresHaveNoChangesInCommon() throws {
    let store = try Store(.inMemory, models: Group.self)
    let other = try Store(.inMemory, models: Group.self)
    #expect(throws: StoreError.self) {
      try store.snapshot().changes(since: other.snapshot())
    }
  }

  @Test func theChangesOfALongTimeAreToldAfterTheStoreWasReopened() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/people.roost"
      var store = try Store(.file(path), models: Group.self, Person.self)
      try store.write { try $0.insert(contentsOf: (0..<20_000).map { Person($0) }) }
      // The old file, as a backup has it.
      store.close()
      try FileManager.default.copyItem(atPath: path, toPath: path + ".old")
      store = try Store(.file(path), models: Group.self, Person.self)
      try store.write { _ = try $0.update(Person.self, id: 12_345, set: \.age, to: 40) }
      for id in 0..<50 { try store.write { _ = try $0.delete(Person.self, id: id * 100) } }
      let old = try Store(.file(path + ".old"), models: Group.self, Person.self)
      let changes = try store.snapshot().changes(since: old.snapshot()).of(Person.self)
      #expect(changes.deletions == (0..<50).map { $0 * 100 })
      #expect(changes.modifications.map(\.id) == [12_345])
      #expect(changes.insertions.isEmpty)
      store.close()
      old.close()
    }
  }
}
