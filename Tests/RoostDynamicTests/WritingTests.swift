import Foundation
import Roost
import RoostDynamic
import RoostTestSupport
import Testing

/// Writing without models what models read.
@Suite struct WritingTests {
  private let tables = [
    DynamicTable(
      "Owner",
      fields: [
        DynamicField("id", .string, isKey: true),
        DynamicField("age", .int, isOptional: true, isIndexed: true),
        DynamicField("code", .uint, isOptional: true, isUnique: true),
      ]),
    DynamicTable(
      "Pet",
      fields: [
        DynamicField("id", .int, isKey: true),
        DynamicField("owner", .link(to: "Owner"), isOptional: true, deleteRule: .cascade),
        DynamicField("friends", .links(to: "Pet"), deleteRule: .nullify),
        DynamicField("home", .link(to: "Owner"), isOptional: true, deleteRule: .nullify),
        DynamicField("keeper", .link(to: "Owner"), isOptional: true),
        DynamicField("names", .set(DynamicElement(.string))),
      ]),
  ]

  @Test func aTableIsAddedWithItsIndexesOfSeveralFields() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/index.roost"
      let store = try DynamicStore(path, access: .create)
      let indexes = [
        DynamicIndex(["street", "number"], isUnique: true), DynamicIndex(["number", "street"]),
      ]
      try store.write { transaction in
        try transaction.add([
          DynamicTable(
            "House",
            fields: [
              DynamicField("id", .int, isKey: true), DynamicField("street", .string),
              DynamicField("number", .int, isOptional: true),
            ], indexes: indexes)
        ])
        try transaction.insert(["id": 1, "street": "Dam", "number": 1], into: "House")
        try transaction.insert(["id": 2, "street": "Dam", "number": 2], into: "House")
        #expect(
          throws: StoreError.duplicateKey(
            model: "House", field: "street, number", value: "(Dam, 2)")
        ) { try transaction.insert(["id": 3, "street": "Dam", "number": 2], into: "House") }
      }
      #expect(try store.snapshot().table("House")?.indexes == indexes)
      store.close()
      // The program that declares them has nothing to add.
      let before = try DynamicStore(path).snapshot().version
      let opened = try Store(path, models: House.self)
      #expect(try DynamicStore(opened).snapshot().version == before)
      let house = House.where { $0.street == "Dam" && $0.number == 2 }
      #expect(try opened.snapshot().fetch(house).map(\.id) == [2])
      #expect("\(try opened.snapshot().explain(house))".contains("street, number"))
    }
  }

  private struct House: Model {
    let id: Int
    var street: String
    var number: Int?
    static let schema = Schema(
      House.init, Key("id", \.id), Field("street", \.street), Field("number", \.number))
    static let indexes: [Index<House>] = [
      .unique(\.street, \.number), Index(\.number, \.street),
    ]
  }

  @Test func whatIsCopiedFieldByFieldIsWhatTheModelWrote() throws {
    try withTemporaryDirectory { directory in
      let (path, copy) = (directory + "/things.roost", directory + "/copy.roost")
      _ = try makeStore(path, things: 300)
      try copyAll(of: path, to: copy)
      // And to the models it is the same.
      let (one, two) = (try open(path), try open(copy))
      #expect(
        try one.read { try $0.fetch(Thing.all.order(by: \.id)) }.map(\.values)
          == two.read { try $0.fetch(Thing.all.order(by: \.id)) }.map(\.values))
      #expect(
        Set(try one.read { try $0.fetch(Seat.all) }.map(\.id))
          == Set(try two.read { try $0.fetch(Seat.all) }.map(\.id)))
    }
  }

  /// Copies all tables and objects by their values, and compares both files.
  private func copyAll(of path: String, to copy: String) throws {
    let snapshot = try DynamicStore(path).snapshot()
    let store = try DynamicStore(copy, access: .create)
    try store.write { transaction in
      // The tables as they are described.
      try transaction.add(snapshot.tables)
      // Links lead to objects that come later.
      for table in snapshot.tables.reversed() {
        for object in try snapshot.objects(.all(table.name)) {
          let values = zip(table.fields.map(\.name), try object.values)
          try transaction.insert(
            Dictionary(uniqueKeysWithValues: values), into: table.name)
        }
      }
    }
    let copied = try store.snapshot()
    #expect(copied.tables.map(\.fields) == snapshot.tables.map(\.fields))
    for table in snapshot.tables {
      let keys = try snapshot.objects(.all(table.name)).map { try $0.key }
      for key in keys {
        #expect(
          try copied.object(table.name, key)?.values == snapshot.object(table.name, key)?.values)
      }
    }
    #expect(try store.verify() == [])
    store.close()
  }

  private func open(_ path: String) throws -> Store {
    try Store(.file(path), models: Tag.self, Thing.self, Seat.self)
  }

  // MARK: Random transactions

  /// The tables as plain dictionaries.
  fileprivate struct World: Equatable {
    var owners: [String: [String: DynamicValue]] = [:]
    var pets: [Int64: [String: DynamicValue]] = [:]

    mutating func deleteOwner(_ id: String) {
      guard owners.removeValue(forKey: id) != nil else { return }
      for (pet, values) in pets where values["owner"] == .string(id) { deletePet(pet) }
      for (pet, values) in pets where values["home"] == .string(id) { pets[pet]?["home"] = .null }
      // Another owner of the same key is another object.
      for (pet, values) in pets where values["keeper"] == .string(id) {
        pets[pet]?["keeper"] = "gone"
      }
    }

    mutating func deletePet(_ id: Int64) {
      guard pets.removeValue(forKey: id) != nil else { return }
      for (pet, values) in pets {
        guard case .list(let friends)? = values["friends"] else { continue }
        pets[pet]?["friends"] = .list(friends.filter { $0 != .int(id) })
      }
    }

    /// Whether all links lead somewhere.
    var isWhole: Bool {
      pets.values.allSatisfy { values in
        ["owner", "home", "keeper"].allSatisfy { field in
          guard case .string(let owner)? = values[field] else { return true }
          return owners[owner] != nil
        }
          && values["friends"]?.list.allSatisfy { friend in
            guard case .int(let id) = friend else { return false }
            return pets[id] != nil
          } == true
      }
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func randomTransactionsDoWhatAPlainModelDoes(seed: UInt64) throws {
    try withTemporaryDirectory { directory in
      var random = SeededGenerator(seed: seed)
      let path = directory + "/pets.roost"
      let store = try DynamicStore(path, access: .create)
      try store.write { try $0.add(tables) }
      var world = World()
      for _ in 0..<60 {
        var next = world
        let before = try store.snapshot()
        let wasMade: Bool
        do {
          try store.write { transaction in
            for _ in 0..<Int.random(in: 1...8, using: &random) {
              try step(transaction, &next, &random)
            }
            try compare(transaction, next)
          }
          wasMade = true
        } catch let error as StoreError {
          guard case .danglingLink = error else {
            if case .linkedTarget = error {
              wasMade = false
              #expect(!next.isWhole, "\(error)")
              continue
            }
            throw error
          }
          wasMade = false
          #expect(!next.isWhole, "\(error)")
        }
        if wasMade { #expect(next.isWhole) }
        let earlier = world
        if wasMade { world = next }
        let snapshot = try store.snapshot()
        try compare(snapshot, world)
        try compare(snapshot.changes(since: before), from: earlier, to: world)
        try compare(before.changes(since: snapshot), from: world, to: earlier)
      }
      #expect(try store.verify() == [])
    }
  }

  private func step(
    _ transaction: DynamicTransaction, _ world: inout World, _ random: inout SeededGenerator
  ) throws {
    let owner = "o\(Int.random(in: 0..<9, using: &random))"
    let pet = Int64.random(in: -2..<12, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0...2:
      var values: [String: DynamicValue] = ["id": .string(owner)]
      if random.chance(1, in: 2) { values["age"] = .int(Int64.random(in: 0...5, using: &random)) }
      if random.chance(1, in: 2) { values["code"] = .int(Int64.random(in: 0...6, using: &random)) }
      try put(values, into: "Owner", key: .string(owner), transaction, &world, &random)
    case 3...5:
      var values: [String: DynamicValue] = ["id": .int(pet)]
      func link(_ field: String) {
        guard random.chance(1, in: 3) else { return }
        let target = "o\(Int.random(in: 0..<9, using: &random))"
        let isThere = world.owners[target] != nil || random.chance(1, in: 40)
        values[field] = isThere ? .string(target) : .null
      }
      for field in ["owner", "home", "keeper"] { link(field) }
      if random.chance(1, in: 2) {
        values["friends"] = .list(
          (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in
            world.pets.keys.sorted().randomElement(using: &random).map { .int($0) }
          })
      }
      if random.chance(1, in: 2) { values["names"] = ["b", "a", "b"] }
      try put(values, into: "Pet", key: .int(pet), transaction, &world, &random)
    case 6:
      let isThere = world.owners[owner] != nil
      #expect(try transaction.delete(.string(owner), from: "Owner") == isThere)
      world.deleteOwner(owner)
    case 7:
      #expect(try transaction.delete(.int(pet), from: "Pet") == (world.pets[pet] != nil))
      world.deletePet(pet)
    default:
      let keys = world.pets.keys.filter { $0 > pet }
      if random.chance(1, in: 2) {
        #expect(try transaction.delete("Pet where id > \(Int(pet))") == keys.count)
        for key in keys { world.deletePet(key) }
      } else {
        let names: [String: DynamicValue] = ["names": ["x", "y"], "home": nil]
        #expect(try transaction.update("Pet where id > \(Int(pet))", names) == keys.count)
        for key in keys { world.pets[key]?.merge(names) { $1 } }
      }
    }
  }

  /// Inserts, updates or upserts, and checks what comes of it.
  private func put(
    _ values: [String: DynamicValue], into table: String, key: DynamicValue,
    _ transaction: DynamicTransaction, _ world: inout World, _ random: inout SeededGenerator
  ) throws {
    let old = world.values(table, key)
    var new = old ?? World.empty(table)
    for (field, value) in values {
      // A set has each element once, in the order of the bytes; an unsigned number is one.
      switch (field, value) {
      case ("names", .list(let names)):
        new[field] = .list(Array(Set(names)).sorted { $0.json < $1.json })
      case ("code", .int(let code)): new[field] = .uint(UInt64(code))
      default: new[field] = value
      }
    }
    let isFree =
      values["code"] == nil
      || !world.owners.values.contains { $0["id"] != key && $0["code"] == new["code"] }
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      guard old == nil, isFree else {
        let error = #expect(throws: StoreError.self) {
          try transaction.insert(values, into: table)
        }
        #expect(error?.code == .duplicateKey)
        return
      }
      try transaction.insert(values, into: table)
    case 1:
      guard isFree || old == nil else {
        #expect(throws: StoreError.self) { try transaction.update(key, of: table, values) }
        return
      }
      #expect(try transaction.update(key, of: table, values) == (old != nil))
      if old == nil { return }
    default:
      guard isFree else {
        #expect(throws: StoreError.self) { try transaction.upsert(values, into: table) }
        return
      }
      #expect(try transaction.upsert(values, into: table) == (old == nil))
    }
    world.set(table, key, new)
  }

  private func compare(_ transaction: DynamicTransaction, _ world: World) throws {
    for number in 0..<9 {
      #expect(
        try transaction.object("Owner", .string("o\(number)")) == world.owners["o\(number)"])
    }
    for pet in Int64(-2)..<12 where world.isWhole {
      #expect(try transaction.object("Pet", .int(pet)) == world.pets[pet])
    }
    #expect(try transaction.count("Pet") == world.pets.count)
    #expect(try transaction.tables.map(\.name) == ["Owner", "Pet"])
  }

  private func compare(_ snapshot: DynamicSnapshot, _ world: World) throws {
    var found = World()
    for table in snapshot.tables {
      for object in try snapshot.objects(.all(table.name)) {
        found.set(
          table.name, try object.key,
          Dictionary(uniqueKeysWithValues: zip(table.fields.map(\.name), try object.values)))
      }
    }
    #expect(found == world)
  }

  private func compare(_ changes: DynamicChanges, from old: World, to new: World) throws {
    #expect(changes.tables == ["Owner", "Pet"])
    for (table, before, after) in [
      ("Owner", old.objects("Owner"), new.objects("Owner")),
      ("Pet", old.objects("Pet"), new.objects("Pet")),
    ] {
      let found = try changes.of(table)
      #expect(Set(found.insertions) == Set(after.keys).subtracting(before.keys))
      #expect(Set(found.deletions) == Set(before.keys).subtracting(after.keys))
      var modified: [DynamicValue: Set<String>] = [:]
      for (key, values) in after {
        guard let old = before[key], old != values else { continue }
        modified[key] = Set(values.filter { old[$0.key] != $0.value }.keys)
      }
      // A link to an object that was deleted and inserted again is another one under the same key.
      for change in found.modifications {
        let fields = Set(change.fields)
        let expected = modified.removeValue(forKey: change.key) ?? []
        #expect(fields.isSuperset(of: expected))
        #expect(fields.subtracting(expected).isSubset(of: ["owner", "home", "keeper"]))
      }
      #expect(modified.isEmpty && (!found.isEmpty || before == after))
    }
  }
}

fileprivate extension WritingTests.World {
  static func empty(_ table: String) -> [String: DynamicValue] {
    table == "Owner"
      ? ["age": nil, "code": nil]
      : ["owner": nil, "friends": [], "home": nil, "keeper": nil, "names": []]
  }

  func values(_ table: String, _ key: DynamicValue) -> [String: DynamicValue]? {
    objects(table)[key]
  }

  func objects(_ table: String) -> [DynamicValue: [String: DynamicValue]] {
    table == "Owner"
      ? Dictionary(uniqueKeysWithValues: owners.map { (.string($0), $1) })
      : Dictionary(uniqueKeysWithValues: pets.map { (.int($0), $1) })
  }

  mutating func set(_ table: String, _ key: DynamicValue, _ values: [String: DynamicValue]) {
    switch key {
    case .string(let owner) where table == "Owner": owners[owner] = values
    case .int(let pet) where table == "Pet": pets[pet] = values
    default: break
    }
  }
}

extension DynamicValue {
  fileprivate var list: [DynamicValue] {
    guard case .list(let elements) = self else { return [] }
    return elements
  }
}
