import Roost
import RoostTestSupport
import Testing

private enum Level: Int, Storable, Sortable, CaseIterable { case low, middle, high }

private struct Step: Embedded {
  var name: String
  var minutes: Int
  var level: Level?
  static let fields = Fields(
    Step.init, Part("name", \.name), Part("minutes", \.minutes), Part("level", \.level))
}

private struct Recipe: Model {
  let id: Int
  var tags: [String]
  var ratings: [Double?]
  var steps: [Step]
  var sizes: Set<Int8>?
  var names: [String: String]
  var amounts: [Int: UInt16]
  var base: Link<Recipe>?
  static let schema = Schema(
    Recipe.init, Key("id", \.id), Field("tags", \.tags), Field("ratings", \.ratings),
    Field("steps", \.steps), Field("sizes", \.sizes), Field("names", \.names),
    Field("amounts", \.amounts), Field("base", \.base))
}

private struct Crate: Model {
  let id: Int
  var weights: [Float] = []
  var counts: [UInt] = []
  var total = 0.0
  var heaviest: Float?
  var number = 0
  var sum: UInt = 0
  static let schema = Schema(
    Crate.init, Key("id", \.id), Field("weights", \.weights), Field("counts", \.counts),
    Field("total", \.total), Field("heaviest", \.heaviest), Field("number", \.number),
    Field("sum", \.sum))
}

private struct Shelf: Model {
  let id: Int
  var crates: Links<Crate> = []
  var total = 0.0
  static let schema = Schema(
    Shelf.init, Key("id", \.id), Field("crates", \.crates), Field("total", \.total))
}

@Suite struct ElementQueryTests {
  private let recipes: [Recipe]
  private let store: Store
  private let snapshot: Snapshot

  init() throws {
    var random = SeededGenerator(seed: 11)
    func some<T>(_ count: Int, _ make: (inout SeededGenerator) -> T) -> [T] {
      (0..<Int.random(in: 0...count, using: &random)).map { _ in make(&random) }
    }
    func word(_ random: inout SeededGenerator) -> String {
      ["", "an", "Ann", "é", "É", "nan"].randomElement(using: &random) ?? ""
    }
    recipes = (0..<600).map { id in
      Recipe(
        id: id, tags: some(4, word),
        ratings: some(4) {
          $0.chance(1, in: 4) ? nil : Double(Int.random(in: 0...10, using: &$0)) / 2
        },
        steps: some(3) {
          Step(
            name: word(&$0), minutes: Int.random(in: -5...60, using: &$0),
            level: $0.chance(1, in: 3) ? nil : Level.allCases.randomElement(using: &$0))
        },
        sizes: random.chance(1, in: 4)
          ? nil : Set(some(4) { Int8.random(in: -3...3, using: &$0) }),
        names: Dictionary(
          some(3) { (word(&$0), word(&$0)) }, uniquingKeysWith: { first, _ in first }),
        amounts: Dictionary(
          some(3) { (Int.random(in: 0...3, using: &$0), UInt16.random(in: 0...9, using: &$0)) },
          uniquingKeysWith: { first, _ in first }),
        base: random.chance(1, in: 3) ? nil : Link(id: Int.random(in: 0..<600, using: &random)))
    }
    store = try Store(.inMemory, models: Recipe.self)
    try store.write { [recipes] tx in try tx.insert(contentsOf: recipes) }
    snapshot = store.snapshot()
  }

  private func expect(
    _ condition: (QueryRoot<Recipe>) -> QueryCondition, _ plain: (Recipe) -> Bool,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let expected = recipes.filter(plain).map(\.id)
    #expect(!expected.isEmpty && expected.count < recipes.count, sourceLocation: location)
    let query = Recipe.where(condition)
    #expect(try snapshot.fetch(query).map(\.id) == expected, sourceLocation: location)
    let readBack = try query.readBack(in: store)
    #expect(
      try snapshot.fetch(readBack).map(\.id) == expected, "\(query)", sourceLocation: location)
  }

  @Test func anElementIsLookedFor() throws {
    try expect({ $0.tags.contains("an") }, { $0.tags.contains("an") })
    try expect({ !$0.tags.contains("an") }, { !$0.tags.contains("an") })
    try expect({ $0.ratings.contains(nil) }, { $0.ratings.contains(nil) })
    try expect({ $0.ratings.contains(2.5) }, { $0.ratings.contains(2.5) })
    try expect({ $0.sizes.contains(-2) }, { $0.sizes?.contains(-2) ?? false })
    try expect({ !$0.sizes.contains(-2) }, { !($0.sizes?.contains(-2) ?? false) })
    try expect({ $0.names.keys.contains("an") }, { $0.names.keys.contains("an") })
  }

  @Test func someOrAllElementsFulfilACondition() throws {
    try expect(
      { $0.tags.contains { $0.hasPrefix("a", options: .caseInsensitive) } },
      { $0.tags.contains { $0.lowercased().hasPrefix("a") } })
    try expect(
      { $0.ratings.allSatisfy { $0 >= 2 } },
      { $0.ratings.allSatisfy { $0.map { $0 >= 2 } ?? false } })
    try expect(
      { $0.steps.contains { $0.minutes > 30 && $0.level == .high } },
      { $0.steps.contains { $0.minutes > 30 && $0.level == .high } })
    try expect(
      { $0.steps.contains { $0.level == nil || $0.name.in(["é", "nan"]) } },
      { $0.steps.contains { $0.level == nil || ["é", "nan"].contains($0.name) } })
    try expect(
      { $0.steps.allSatisfy { $0.minutes.in(0...40) } },
      { $0.steps.allSatisfy { (0...40).contains($0.minutes) } })
    try expect(
      { $0.amounts.contains { $0 > 7 } }, { $0.amounts.values.contains { $0 > 7 } })
  }

  @Test func elementsAreCountedAndAddedUp() throws {
    try expect({ $0.tags.count == 2 }, { $0.tags.count == 2 })
    try expect({ $0.tags.isEmpty }, { $0.tags.isEmpty })
    try expect({ $0.sizes.isEmpty }, { $0.sizes?.isEmpty ?? false })
    try expect({ $0.sizes.count.orNil == nil }, { $0.sizes == nil })
    try expect(
      { $0.tags.elements.where { $0 != "an" }.count >= 2 },
      { $0.tags.count { $0 != "an" } >= 2 })
    try expect(
      { $0.steps.sum { $0.minutes } > 40 }, { $0.steps.reduce(0) { $0 + $1.minutes } > 40 }
    )
    try expect(
      { $0.steps.max { $0.minutes } < 20 },
      { $0.steps.map(\.minutes).max().map { $0 < 20 } ?? false })
    try expect(
      { $0.steps.min { $0.minutes } > 5 },
      { $0.steps.map(\.minutes).min().map { $0 > 5 } ?? false })
    try expect(
      { $0.ratings.average { $0 } > 3 },
      {
        let ratings = $0.ratings.compactMap { $0 }
        return !ratings.isEmpty && ratings.reduce(0, +) / Double(ratings.count) > 3
      })
    try expect(
      { $0.amounts.elements.sum { $0 } >= 10 },
      { $0.amounts.values.reduce(0) { $0 + Int($1) } >= 10 })
    try expect(
      { $0.tags.count > $0.steps.count }, { $0.tags.count > $0.steps.count })
  }

  @Test func aDictionaryIsAskedByKey() throws {
    try expect({ $0.names["an"] == "Ann" }, { $0.names["an"] == "Ann" })
    try expect({ $0.names["an"] == nil }, { $0.names["an"] == nil })
    try expect({ $0.names["an"] != "Ann" }, { $0.names["an"] != "Ann" })
    try expect({ $0.amounts[2] > 4 }, { $0.amounts[2].map { $0 > 4 } ?? false })
    try expect(
      { $0.names["é"].contains("N", options: .caseInsensitive) },
      { $0.names["é"]?.lowercased().contains("n") ?? false })
  }

  @Test func collectionsBehindLinksAreAsked() throws {
    let byID = Dictionary(uniqueKeysWithValues: recipes.map { ($0.id, $0) })
    func base(_ recipe: Recipe) -> Recipe? { recipe.base.flatMap { byID[$0.id] } }
    try expect({ $0.base.tags.contains("an") }, { base($0)?.tags.contains("an") ?? false })
    try expect({ !$0.base.tags.contains("an") }, { !(base($0)?.tags.contains("an") ?? false) })
    try expect(
      { $0.base.tags.count > $0.tags.count }, { (base($0)?.tags.count ?? -1) > $0.tags.count })
  }

  @Test func whatElementsGiveOrdersAndGroups() throws {
    let ordered = try snapshot.fetch(Recipe.all.order { $0.tags.count }.order { $0.names["an"] })
    let expected = recipes.sorted { a, b in
      if a.tags.count != b.tags.count { return a.tags.count < b.tags.count }
      let (first, second) = (a.names["an"], b.names["an"])
      if first != second {
        return first.map { first in
          second.map { Array(first.utf8).lexicographicallyPrecedes(Array($0.utf8)) } ?? false
        } ?? true
      }
      return a.id < b.id
    }
    #expect(ordered.map(\.id) == expected.map(\.id))
    let groups = try snapshot.groups(Recipe.all.grouped { $0.tags.count }, { $0.count })
    for group in groups {
      #expect(group.values == recipes.count { $0.tags.count == group.key })
    }
  }

  @Test func whatElementsGiveCanBeWritten() throws {
    let store = try Store(.inMemory, models: Recipe.self)
    try store.write { [recipes] tx in
      try tx.insert(contentsOf: recipes)
      try tx.update(Recipe.where { $0.names["an"] != nil }, set: \.tags, to: [])
    }
    let left = try store.snapshot().fetch(Recipe.where { $0.tags.isEmpty }).map(\.id)
    #expect(left == recipes.filter { $0.tags.isEmpty || $0.names["an"] != nil }.map(\.id))
  }

  @Test func whatElementsGiveIsWrittenToFields() throws {
    let store = try Store(.inMemory, models: Crate.self, Shelf.self)
    try store.write { tx in
      try tx.insert(Crate(id: 1, weights: [0.5, 2, 1.25], counts: [7, .max - 7]))
      try tx.insert(Crate(id: 2))
      try tx.insert(Shelf(id: 1, crates: [1, 2]))
      try tx.update(Crate.all, set: \.total, to: { $0.weights.elements.sum { $0 } })
      try tx.update(Crate.all, set: \.heaviest, to: { $0.weights.elements.max { $0 }.orNil })
      try tx.update(Crate.all, set: \.number, to: { $0.counts.count })
      try tx.update(Crate.all, set: \.sum, to: { $0.counts.elements.sum { $0 } })
      try tx.update(Shelf.all, set: \.total, to: { $0.crates.targets.sum { $0.heaviest } })
    }
    let crates = try store.snapshot().fetch(Crate.all)
    #expect(crates.map(\.total) == [3.75, 0])
    #expect(crates.map(\.heaviest) == [2, nil])
    #expect(crates.map(\.number) == [2, 0])
    #expect(crates.map(\.sum) == [.max, 0])
    #expect(try store.snapshot().fetch(Shelf.all).map(\.total) == [2])
  }

  @Test func whatCannotBeAskedOfElementsSaysSo() throws {
    let outer = Recipe.where { recipe in recipe.tags.contains { $0 == recipe.names["an"].orNil } }
    #expect(throws: StoreError.self) { try snapshot.fetch(outer) }
    let calculated = Recipe.where { $0.steps.contains { $0.minutes + 1 > 3 } }
    #expect(throws: StoreError.self) { try snapshot.fetch(calculated) }
  }

  @Test func aQuerySaysWhatItAsksOfElements() {
    let query = Recipe.where { $0.tags.contains("an") && $0.steps.elements.max { $0.minutes } > 3 }
    #expect(
      query.description
        == #"Recipe where tags contains { element == "an" } && steps.max { element.minutes } > 3"#)
  }
}
