import Roost
import RoostTestSupport
import Testing

private struct Trick: Embedded {
  var name: String
  var years: Int?
  static let fields = Fields(Trick.init, Part("name", \.name), Part("years", \.years))
}

private struct Pet: Model {
  let id: Int
  var name: String
  var age: Int?
  var weight: Double
  var owner: Link<Human>?
  static let schema = Schema(
    Pet.init, Key("id", \.id), Field("name", \.name), Field("age", \.age),
    Field("weight", \.weight), Field("owner", \.owner))
}

private struct Human: Model {
  let id: Int
  var name: String
  var age: Int?
  var weight: Double
  var friends: Links<Human>
  var parent: Link<Human>?
  var scores: [Int]
  var tricks: [Trick]
  static let pets = Inverse(\Pet.owner)
  static let children = Inverse(\Human.parent)
  static let schema = Schema(
    Human.init, Key("id", \.id), Field("name", \.name), Field("age", \.age),
    Field("weight", \.weight), Field("friends", \.friends), Field("parent", \.parent),
    Field("scores", \.scores), Field("tricks", \.tricks))
}

/// Nil is neither below nor above anything.
private func above<Number: Comparable>(_ a: Number?, _ b: Number?) -> Bool {
  guard let a, let b else { return false }
  return a > b
}

/// Conditions on what an object has to do with that compare it with the object.
@Suite struct CorrelatedQueryTests {
  private let store: Store
  private let humans: [Human]
  private let pets: [Pet]

  init() throws {
    var random = SeededGenerator(seed: 5)
    func age() -> Int? {
      random.chance(1, in: 5) ? nil : Int.random(in: 0...20, using: &random)
    }
    func weight() -> Double {
      random.chance(1, in: 6) ? .nan : Double(Int.random(in: 0...9, using: &random))
    }
    func name() -> String { ["", "a", "an", "é", "ann"].randomElement(using: &random) ?? "" }
    func some<T>(_ count: Int, _ make: () -> T) -> [T] {
      (0..<Int.random(in: 0...count, using: &random)).map { _ in make() }
    }
    func human() -> Int { Int.random(in: 0..<300, using: &random) }
    humans = (0..<300).map { id in
      Human(
        id: id, name: name(), age: age(), weight: weight(), friends: Links(ids: some(3, human)),
        parent: random.chance(1, in: 3) ? nil : Link(id: human()),
        scores: some(4) { Int.random(in: 0...20, using: &random) },
        tricks: some(3) { Trick(name: name(), years: age()) })
    }
    pets = (0..<600).map { id in
      Pet(
        id: id, name: name(), age: age(), weight: weight(),
        owner: random.chance(1, in: 5) ? nil : Link(id: human()))
    }
    store = try Store(.inMemory, models: Human.self, Pet.self)
    try store.write { [humans, pets] tx in
      try tx.insert(contentsOf: humans)
      try tx.insert(contentsOf: pets)
    }
  }

  private func pets(_ human: Human) -> [Pet] { pets.filter { $0.owner?.id == human.id } }
  private func friends(_ human: Human) -> [Human] { human.friends.map { humans[$0] } }
  private func children(_ human: Human) -> [Human] {
    humans.filter { $0.parent?.id == human.id }
  }

  private func expect(
    _ condition: (QueryRoot<Human>) -> QueryCondition, _ plain: (Human) -> Bool,
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    let expected = humans.filter(plain).map(\.id)
    #expect(!expected.isEmpty && expected.count < humans.count, sourceLocation: place)
    let query = Human.where(condition)
    for query in [query, try query.readBack(in: store)] {
      #expect(
        try store.read { try $0.fetch(query) }.map(\.id) == expected, "\(query)",
        sourceLocation: place)
      #expect(try store.read { try $0.count(query) } == expected.count, sourceLocation: place)
    }
  }

  @Test func relatedObjectsAreComparedWithTheirOwn() throws {
    try expect({ human in human[Human.pets].contains { $0.age > human.age } }) { human in
      pets(human).contains { above($0.age, human.age) }
    }
    try expect({ human in human[Human.pets].allSatisfy { $0.age != human.age } }) { human in
      pets(human).allSatisfy { $0.age != human.age }
    }
    try expect({ human in human[Human.pets].contains { $0.weight == human.weight } }) { human in
      pets(human).contains { $0.weight == human.weight }
    }
    try expect({ human in human[Human.pets].contains { $0.name == human.name } }) { human in
      pets(human).contains { $0.name == human.name }
    }
    try expect({ human in !human[Human.pets].contains { human.weight > $0.weight } }) { human in
      !pets(human).contains { human.weight > $0.weight }
    }
  }

  /// Both are people: which of them a field is of is known by whose it is.
  @Test func objectsAreComparedWithThoseOfTheSameModel() throws {
    try expect({ human in human.friends.contains { $0.age > human.age } }) { human in
      friends(human).contains { above($0.age, human.age) }
    }
    try expect({ human in human[Human.children].contains { $0.age == human.age } }) { human in
      children(human).contains { $0.age == human.age }
    }
    try expect({ human in
      human.friends.contains { friend in
        friend.friends.contains { $0.age == human.age && $0.name != friend.name }
      }
    }) { human in
      friends(human).contains { friend in
        friends(friend).contains { $0.age == human.age && $0.name != friend.name }
      }
    }
  }

  @Test func whatIsCountedAndGatheredReadsTheObject() throws {
    try expect({ human in human[Human.pets].where { $0.age > human.age }.count >= 2 }) { human in
      pets(human).filter { above($0.age, human.age) }.count >= 2
    }
    try expect({ human in human.friends.where { $0.name == human.name }.max { $0.age } > 10 }) {
      human in
      above(friends(human).filter { $0.name == human.name }.compactMap(\.age).max(), 10)
    }
    try expect({ human in human[Human.pets].sum { $0.age + human.age } > 30 }) { human in
      pets(human).compactMap { pet in pet.age.flatMap { age in human.age.map { age + $0 } } }
        .reduce(0, +) > 30
    }
    try expect({ human in human[Human.pets].where { $0.age > human.age }.isEmpty }) { human in
      !pets(human).contains { above($0.age, human.age) }
    }
  }

  @Test func whatIsOutsideIsCalculatedAndMatched() throws {
    try expect({ human in human[Human.pets].contains { $0.age > (human.age ?? 3) * 2 } }) { human in
      pets(human).contains { above($0.age, (human.age ?? 3) * 2) }
    }
    try expect({ human in
      human[Human.pets].contains { $0.age > 5 && human.name.hasPrefix("a") && human.age != nil }
    }) { human in
      human.name.hasPrefix("a") && human.age != nil && pets(human).contains { above($0.age, 5) }
    }
    try expect({ human in human[Human.pets].contains { $0.age > human.friends.count } }) { human in
      pets(human).contains { above($0.age, human.friends.count) }
    }
    try expect({ human in
      human[Human.pets].contains { pet in
        human.friends.contains { $0.age == 3 } && pet.age > human.parent.age
      }
    }) { human in
      friends(human).contains { $0.age == 3 }
        && pets(human).contains { above($0.age, human.parent.flatMap { humans[$0.id].age }) }
    }
  }

  @Test func whatLiesBehindALinkIsComparedWithTheObjectBeforeIt() throws {
    try expect({ human in human.parent[Human.pets].contains { $0.age == human.age } }) { human in
      human.parent.map { pets(humans[$0.id]).contains { $0.age == human.age } } ?? false
    }
    try expect({ human in human.parent.friends.where { $0.age > human.age }.count == 1 }) { human in
      human.parent.map { friends(humans[$0.id]).count { above($0.age, human.age) } == 1 } ?? false
    }
    try expect({ human in human.parent.scores.contains { $0 == human.age } }) { human in
      guard let parent = human.parent, let age = human.age else { return false }
      return humans[parent.id].scores.contains(age)
    }
  }

  @Test func elementsAreComparedWithTheObjectThatHasThem() throws {
    try expect({ human in human.scores.contains { $0 > human.age } }) { human in
      human.scores.contains { above($0, human.age) }
    }
    try expect({ human in human.scores.allSatisfy { $0 != human.age } }) { human in
      human.scores.allSatisfy { $0 != human.age }
    }
    try expect({ human in
      human.tricks.elements.where { $0.years == human.age && $0.name != human.name }.count > 0
    }) { human in
      human.tricks.contains { $0.years == human.age && $0.name != human.name }
    }
    try expect({ human in human.tricks.contains { $0.years > (human.age ?? 0) + 2 } }) { human in
      human.tricks.contains { above($0.years, (human.age ?? 0) + 2) }
    }
    try expect({ human in
      human.friends.contains { friend in
        friend.scores.contains { $0 == human.age } && friend.age > human.age
      }
    }) { human in
      friends(human).contains { friend in
        friend.scores.contains { $0 == human.age } && above(friend.age, human.age)
      }
    }
  }

  @Test func valuesAndOrdersAndUpdatesReadTheObject() throws {
    func older(_ human: Human) -> Int { pets(human).count { above($0.age, human.age) } }
    let counts = try store.read {
      try $0.values(of: Human.all) { human in human[Human.pets].where { $0.age > human.age }.count }
    }
    #expect(counts == humans.map(older))
    let ordered = Human.all.order(descending: true) { human in
      human[Human.pets].where { $0.age > human.age }.count
    }
    let expected = humans.sorted { (-older($0), $0.id) < (-older($1), $1.id) }.map(\.id)
    #expect(try store.read { try $0.fetch(ordered) }.map(\.id) == expected)
    try store.write { tx in
      try tx.update(Human.all, set: \.age) { human in
        human[Human.pets].where { $0.age > human.age }.sum { ($0.age ?? 0) - (human.age ?? 0) }
      }
    }
    let sums = humans.map { human in
      pets(human).filter { above($0.age, human.age) }
        .map { ($0.age ?? 0) - (human.age ?? 0) }.reduce(0, +)
    }
    #expect(try store.read { try $0.fetch(Human.all) }.map(\.age) == sums)
  }

  /// A field that nobody speaks of is no field of another object.
  @Test func aFieldOfAnObjectThatIsNotThereIsRefused() throws {
    func refused(
      _ property: String, of model: String, _ condition: (QueryRoot<Human>) -> QueryCondition
    ) {
      #expect(throws: StoreError.unknownField(model: model, property: property)) {
        try store.read { try $0.count(Human.where(condition)) }
      }
    }
    refused("Pet.age", of: "Human") { _ in QueryRoot<Pet>().age > 3 }
    // Those in the condition are not those of the collection outside of it.
    refused("Human.age", of: "Human") { human in
      human.friends.contains { friend in
        human.friends.contains { $0.age == friend.age }
      }
    }
    let friends = Human.where { human in
      let known = human.friends.where { $0.age > 3 }
      return human[Human.children].contains { child in
        known.where { $0.age > child.age }.isEmpty
      }
    }
    #expect(throws: StoreError.unknownField(model: "Human", property: "Human.age")) {
      try store.read { try $0.count(friends) }
    }
  }

  @Test func anObjectWithoutAnOwnerIsOneOfTheInnermostOfItsModel() throws {
    let old = QueryRoot<Pet>().age > 10
    try expect({ $0[Human.pets].contains { _ in old } }) { human in
      pets(human).contains { above($0.age, 10) }
    }
  }

  @Test func queriesThatDifferInWhoseAFieldIsDiffer() {
    let own = Human.where { human in human.friends.contains { $0.age == human.age } }
    let theirs = Human.where { human in human.friends.contains { $0.age == $0.age } }
    #expect(own != theirs)
    #expect(own == Human.where { human in human.friends.contains { $0.age == human.age } })
    #expect("\(own)" == "Human where friends contains { age == outer.age }")
    #expect(
      "\(Human.where { human in human.scores.contains { $0 > human.age } })"
        == "Human where scores contains { element > outer.age }")
  }

  /// What becomes of either object changes what is found.
  @Test func resultsAreFollowedByBothObjects() async throws {
    let store = try Store(.inMemory, models: Human.self, Pet.self)
    @Sendable func human(_ id: Int, age: Int) -> Human {
      Human(
        id: id, name: "", age: age, weight: 0, friends: [], parent: nil, scores: [5], tricks: [])
    }
    try await store.write { tx in
      try tx.insert(contentsOf: [human(1, age: 9), human(2, age: 9)])
      try tx.insert(Pet(id: 1, name: "", age: 4, weight: 0, owner: Link(id: 1)))
    }
    let older = Human.where { human in human[Human.pets].contains { $0.age > human.age } }
    let scored = Human.where { human in human.scores.contains { $0 > human.age } }
    var olders = store.changes(of: older).makeAsyncIterator()
    var scores = store.changes(of: scored).makeAsyncIterator()
    _ = try await olders.next()
    _ = try await scores.next()
    // Of the object itself, which is compared,
    try await store.write { try $0.update(Human.self, id: 1, set: \.age, to: 3) }
    #expect(try await olders.next()?.insertions.map(\.id) == [1])
    #expect(try await scores.next()?.insertions.map(\.id) == [1])
    // of the link between both,
    try await store.write { try $0.update(Pet.self, id: 1, set: \.owner, to: Link(id: 2)) }
    #expect(try await olders.next()?.deletions.map(\.id) == [1])
    // and of what it is compared with.
    try await store.write { try $0.update(Pet.self, id: 1, set: \.age, to: 10) }
    #expect(try await olders.next()?.insertions.map(\.id) == [2])
  }
}
