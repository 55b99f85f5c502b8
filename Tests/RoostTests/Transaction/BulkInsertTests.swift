import Foundation
import Roost
import RoostTestSupport
import Testing

@Suite struct BulkInsertTests {
  @Test(arguments: [[1, 700, 1300], [1300, 2, 700]])
  func addsNoneOfTheObjectsWhereOneIsThere(start: [Int]) throws {
    let store = try Store(.inMemory, models: Person.self, Group.self)
    // More than one slice; the first three keys say whether they ascend.
    var people = start.map { Person($0, "first", age: $0 % 90) }
    people += (2000..<3500).map { Person($0, "later", age: $0 % 90) }
    let ids = people.map(\.id)
    try store.write { transaction in
      #expect(
        throws: StoreError.duplicateKey(model: "Person", field: "id", value: "\(start[1])")
      ) {
        try transaction.insert(contentsOf: people + [Person(start[1]), Person(9000)])
      }
      #expect(try transaction.count(Person.all) == 0)
      try transaction.insert(contentsOf: people)
      // A sequence that does not lie in memory as an array does.
      try transaction.insert(contentsOf: (4000..<5500).lazy.map { Person($0, age: $0 % 90) })
    }
    try store.read { (snapshot) throws in
      let found = try snapshot.fetch(Person.self, ids: ids)
      #expect(found == people)
      let count = try snapshot.count(Person.all)
      #expect(count == people.count + 1500)
      let aged = people.filter { $0.age == 41 }.count + (4000..<5500).filter { $0 % 90 == 41 }.count
      let counted = try snapshot.count(Person.where { $0.age == 41 })
      #expect(counted == aged)
    }
  }

  /// Keys next to each other, far apart, in some heaps, and with one that is far from all others.
  @Test(arguments: 0..<4)
  func findsObjectsThatCameInAnyOrder(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &+ 40)
    var unique: Set<Int> = seed == 3 ? [Int.max, Int.min] : []
    while unique.count < 24_000 {
      switch seed {
      case 0, 3: unique.insert(unique.count - 5000)
      case 1: unique.insert(Int(truncatingIfNeeded: random.next()))
      default: unique.insert(Int.random(in: 0..<9, using: &random) << 40 | unique.count)
      }
    }
    var objects = unique.map { Scattered($0, using: &random) }
    objects.shuffle(using: &random)
    let (first, second) = (Array(objects[..<20_000]), Array(objects[20_000...]))
    let store = try Store(.inMemory, models: Scattered.self)
    let removed = first[7..<11].map(\.id)
    try store.write { transaction in
      try transaction.insert(contentsOf: first[..<19_000])
      #expect(
        throws: StoreError.duplicateKey(
          model: "Scattered", field: "id", value: "\(first[18_000].id)")
      ) {
        try transaction.insert(
          contentsOf: first[19_000...] + [first[18_000], Scattered(second[0].id, using: &random)])
      }
      try transaction.insert(contentsOf: first[19_000...])
      _ = try transaction.delete(Scattered.self, ids: removed)
      try transaction.insert(first[8])
    }
    try store.write { try $0.insert(contentsOf: second) }
    let expected = objects.filter { $0.id == first[8].id || !removed.contains($0.id) }
      .sorted { $0.id < $1.id }
    let found = try store.read { try $0.fetch(Scattered.all) }
    #expect(found == expected, "seed \(seed)")
  }
}

/// Texts of every kind of length, and a type of each width that may be nil.
private struct Scattered: Model, Equatable {
  let id: Int
  var text: String
  var remark: String?
  var uuid: UUID?
  var float: Float?
  var number: Int?
  static let schema = Schema(
    Scattered.init, Key("id", \.id), Field("text", \.text), Field("remark", \.remark),
    Field("uuid", \.uuid), Field("float", \.float), Field("number", \.number))

  init(id: Int, text: String, remark: String?, uuid: UUID?, float: Float?, number: Int?) {
    self.id = id
    self.text = text
    self.remark = remark
    self.uuid = uuid
    self.float = float
    self.number = number
  }

  init(_ id: Int, using random: inout SeededGenerator) {
    self.id = id
    let length = random.chance(1, in: 500) ? 3000 : Int.random(in: 0..<40, using: &random)
    text = String(repeating: "aé", count: length / 3) + "\(random.next() % 1000)"
    remark = random.chance(1, in: 3) ? nil : String("\(random.next())".prefix(length % 12))
    uuid =
      random.chance(1, in: 5)
      ? nil
      : UUID(uuidString: "00000000-0000-4000-8000-\(100_000_000_000 + random.next() % 1_000_000)")
    float = random.chance(1, in: 9) ? nil : Float(random.next() % 100)
    number = random.chance(1, in: 2) ? nil : Int(random.next() % 70_000)
  }
}
