import Foundation
import Roost
import RoostEngine
import RoostInterchange
import RoostTestSupport
import Testing

private typealias First = RecipeReleases.First
private typealias Second = RecipeReleases.Second
private typealias Whole = RecipeReleases.Whole

/// Parts of the elements of lists, sets and dictionaries come with a release, and stay where another does not know them.
@Suite struct KeptPartTests {
  private func open<M: Model>(_ model: M.Type, _ path: String) throws(StoreError) -> Store {
    try Store(.file(path), models: model)
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func withPath(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { try body($0 + "/recipes.roost") }
  }

  private static let first = First.Recipe(
    id: 1,
    steps: [
      First.Step(name: "cut", minutes: 5, tools: [First.Tool(name: "knife")]),
      First.Step(
        name: "fry", minutes: 9, tools: [First.Tool(name: "pan"), First.Tool(name: "fork")]),
    ], tags: [First.Tool(name: "quick"), First.Tool(name: "cheap")],
    prices: ["a": First.Step(name: "eat", minutes: 1, tools: [])], spare: nil)

  @Test func elementsGetTheirNewPartsWithTheirDefaults() throws {
    try withPath { path in
      try open(First.Recipe.self, path).write { try $0.insert(Self.first) }
      let store = try open(Second.Recipe.self, path)
      #expect(
        try store.snapshot().find(Second.Recipe.self, id: 1)
          == Second.Recipe(
            id: 1,
            steps: [
              Second.Step(name: "cut", heat: 3, tools: [Second.Tool(name: "knife")]),
              Second.Step(
                name: "fry", heat: 3, tools: [Second.Tool(name: "pan"), Second.Tool(name: "fork")]),
            ], tags: [Second.Tool(name: "quick"), Second.Tool(name: "cheap")],
            prices: ["a": Second.Step(name: "eat", heat: 3, tools: [])], spare: nil))
      #expect(try store.verify() == [])
      let whole = try open(Whole.Recipe.self, path).snapshot().find(Whole.Recipe.self, id: 1)
      #expect(whole.steps.map(\.minutes) == [5, 9])
      #expect(whole.prices["a"]?.minutes == 1)
    }
  }

  @Test func whatAProgramDoesNotKnowOfAnElementStaysWhereItIsWritten() throws {
    try withPath { path in
      let new = Second.Tool(place: Second.Place(shelf: 7), name: "pan")
      try open(First.Recipe.self, path).write { try $0.insert(Self.first) }
      try open(Second.Recipe.self, path).write { transaction in
        try transaction.update(Second.Recipe.self, id: 1) { recipe in
          recipe.steps[0].note = "small"
          recipe.steps[1].tools[0] = new
          recipe.tags = [new, Second.Tool(place: Second.Place(shelf: 8), name: "pan")]
          recipe.prices["a"]?.heat = 4
          recipe.spare = [Second.Step(note: "spare", name: "x", heat: 1, tools: [])]
        }
      }
      let old = try open(First.Recipe.self, path)
      try old.write { transaction in
        try transaction.update(First.Recipe.self, id: 1) { recipe in
          recipe.steps.reverse()
          recipe.tags.insert(First.Tool(name: "new"))
          recipe.prices["a"]?.name = "chew"
          recipe.prices["b"] = First.Step(name: "eat", minutes: 2, tools: [])
        }
        // One by one, of what the transaction itself has written.
        try transaction.update(First.Recipe.self, id: 1) { $0.steps[0].name = "cook" }
        var steps = try transaction.find(First.Recipe.self, id: 1).steps
        #expect(steps.map(\.name) == ["cook", "cut"])
        steps[1].minutes = 6
        try transaction.update(First.Recipe.self, id: 1, set: \.steps, to: steps)
      }
      #expect(try old.verify() == [])
      let store = try open(Whole.Recipe.self, path)
      let whole = try store.snapshot().find(Whole.Recipe.self, id: 1)
      #expect(
        whole
          == Whole.Recipe(
            id: 1,
            steps: [
              Whole.Step(
                name: "cook", minutes: 9, heat: 3, tools: [new, Second.Tool(name: "fork")]),
              Whole.Step(
                name: "cut", minutes: 6, heat: 3, note: "small",
                tools: [Second.Tool(name: "knife")]),
            ],
            tags: [
              new, Second.Tool(place: Second.Place(shelf: 8), name: "pan"),
              Second.Tool(name: "new"),
            ],
            prices: [
              "a": Whole.Step(name: "chew", minutes: 1, heat: 4, tools: []),
              "b": Whole.Step(name: "eat", minutes: 2, tools: []),
            ], spare: [Whole.Step(name: "x", minutes: 0, heat: 1, note: "spare", tools: [])]))
      #expect(try store.verify() == [])
    }
  }

  @Test func theSamePartsStayThroughEveryWayToWrite() throws {
    try withPath { path in
      func step(_ id: Int, _ heat: Int = 5) -> Second.Step {
        Second.Step(note: "n\(id)", name: "s", heat: heat, tools: [])
      }
      try open(Second.Recipe.self, path).write { transaction in
        try transaction.insert(
          contentsOf: (0..<3000).map {
            Second.Recipe(id: $0, steps: [step($0)], tags: [], prices: [:], spare: [])
          })
      }
      let old = try open(First.Recipe.self, path)
      #expect(
        try Set(old.keptFields.map(\.field).filter { $0.hasPrefix("steps.") }) == [
          "steps.note", "steps.heat", "steps.tools.place", "steps.tools.place.shelf",
        ])
      let written = First.Step(name: "s", minutes: 8, tools: [])
      func recipe(_ id: Int) -> First.Recipe {
        First.Recipe(id: id, steps: [written], tags: [], prices: [:], spare: nil)
      }
      try old.write { transaction in
        try transaction.update(
          First.Recipe.where { $0.id < 1000 }, set: \.steps, to: [written])
        try transaction.upsert(contentsOf: (1000..<1500).map(recipe))
        for id in 1500..<2000 { try transaction.update(recipe(id)) }
        try transaction.update(First.Recipe.where { $0.id >= 2000 && $0.id < 2500 }) {
          $0.steps = [written]
        }
        try transaction.upsert(
          First.Recipe.self,
          from:
            .text(
              #"[{"id": 2500, "steps": [{"name": "s", "minutes": 8, "tools": []}], "tags": [], "prices": {}}]"#
            ),
          as: .json)
        try transaction.replaceAll(
          (2501..<3000).map(recipe), of: First.Recipe.where { $0.id > 2500 })
      }
      // A query that the program knows finds what it wrote, and reads it in each way.
      let snapshot = old.snapshot()
      #expect(
        try snapshot.count(First.Recipe.where { $0.steps.contains { $0.minutes == 8 } }) == 3000)
      #expect(
        try snapshot.values(of: First.Recipe.where { $0.id == 17 }) { $0.steps } == [[written]])
      #expect(try snapshot.rows(First.Recipe.all).allSatisfy { try $0.steps == [written] })
      #expect(try snapshot.distinct(of: First.Recipe.all, \.steps) == [[written]])
      let byStep = First.Recipe.all.grouped(by: \.steps)
      #expect(try snapshot.groups(byStep).allSatisfy { $0.key == [written] })
      let whole = try open(Whole.Recipe.self, path).snapshot()
      for recipe in try whole.fetch(Whole.Recipe.all) {
        #expect(
          recipe.steps == [
            Whole.Step(name: "s", minutes: 8, heat: 5, note: "n\(recipe.id)", tools: [])
          ])
      }
      #expect(try whole.count(Whole.Recipe.where { $0.steps.contains { $0.heat == 5 } }) == 3000)
    }
  }

  @Test func damageOfWhatAnUpdateWouldMergeLeavesNothingOfItInTheTransaction() throws {
    var random = SeededGenerator(seed: 1)
    let names = (0..<20_000).map { _ in String(random.next(), radix: 36) }
    let disk = SimulatedDisk()
    func open<M: Model>(_ model: M.Type, _ disk: SimulatedDisk) throws -> Store {
      var configuration = Configuration()
      configuration.fileSystem = disk
      return try Store(.file("crates.roost"), models: model, configuration: configuration)
    }
    try {
      let store = try open(Second.Crate.self, disk)
      try store.write {
        try $0.insert(
          Second.Crate(
            id: 1,
            content: .init(
              label: "long", tools: names.map { Second.Tool(place: .init(shelf: 1), name: $0) })))
        // In leaves of their own.
        try $0.insert(
          contentsOf: (2...9000).map {
            Second.Crate(id: $0, content: .init(label: "crate \($0)", tools: []))
          })
      }
      store.close()
      // The older release lets the parts be nil that it does not know: opening it again goes through no object.
      try open(First.Crate.self, disk).close()
    }()
    var bytes = try #require(disk.contents(of: "crates.roost"))
    // Also what the older release replaced.
    while let part = Data(bytes).range(of: Data(names[9000].utf8)) { bytes[part.lowerBound] ^= 1 }
    let damaged = SimulatedDisk()
    damaged.install(bytes, at: "crates.roost")

    let store = try open(First.Crate.self, damaged)
    func crate(_ id: Int) -> First.Crate {
      First.Crate(id: id, content: .init(label: "crate \(id)", tools: [First.Tool(name: "\(id)")]))
    }
    try store.write { transaction in
      #expect {
        try transaction.update(First.Crate.self, id: 1, set: \.content, to: crate(1).content)
      } throws: { error in
        guard case StoreError.corrupt(_, let damage) = error else { return false }
        return damage.reason == "checksum" && damage.keys?.contains(1) == true
      }
      try transaction.insert(crate(9001))
      try transaction.update(First.Crate.self, id: 9000, set: \.content, to: crate(9000).content)
    }
    let written = try store.snapshot().fetch(First.Crate.where { $0.id >= 9000 })
    #expect(written == [crate(9000), crate(9001)])
  }

  @Test func aWholeCollectionInAQueryHasNullForWhatTheProgramDoesNotKnow() throws {
    try withPath { path in
      let notes: [String?] = [nil, "hot", nil]
      try open(Second.Recipe.self, path).write { transaction in
        for (id, note) in notes.enumerated() {
          let steps = [Second.Step(note: note, name: "s", heat: 3, tools: [])]
          try transaction.insert(
            Second.Recipe(id: id, steps: steps, tags: [], prices: [:], spare: nil))
        }
      }
      let known = [First.Step(name: "s", minutes: 0, tools: [])]
      let old = try open(First.Recipe.self, path)
      try old.write { transaction in
        try transaction.update(First.Recipe.self, id: 0, set: \.steps, to: [])
        try transaction.update(First.Recipe.self, id: 0, set: \.steps, to: known)
      }
      // The program sees three equal lists; of two the file knows a heat.
      let snapshot = old.snapshot()
      #expect(try snapshot.fetch(First.Recipe.all).allSatisfy { $0.steps == known })
      #expect(try snapshot.fetch(First.Recipe.where { $0.steps == known }).map(\.id) == [0])
      #expect(try snapshot.fetch(First.Recipe.where { $0.steps.in([known]) }).map(\.id) == [0])
      #expect(try snapshot.fetch(First.Recipe.where { $0.steps != known }).map(\.id) == [1, 2])
      let byPart = First.Recipe.where { $0.steps.contains { $0.name == "s" } }
      #expect(try snapshot.fetch(byPart).map(\.id) == [0, 1, 2])
    }
  }

  @Test func storesOfBothReleasesInOneProcessWork() throws {
    try withPath { path in
      let old = try open(First.Recipe.self, path)
      try old.write { try $0.insert(Self.first) }
      let new = try open(Second.Recipe.self, path)
      try new.write { transaction in
        try transaction.update(Second.Recipe.self, id: 1) { $0.steps[1].note = "hot" }
      }
      // Opened before the parts were there.
      #expect(try old.snapshot().find(First.Recipe.self, id: 1) == Self.first)
      try old.write { transaction in
        try transaction.update(First.Recipe.self, id: 1) { recipe in
          recipe.steps[1].minutes += 1
        }
        try transaction.update(First.Recipe.self, id: 1) { recipe in
          recipe.steps.append(First.Step(name: "eat", minutes: 1, tools: []))
        }
        try transaction.insert(First.Recipe(id: 2, steps: [], tags: [], prices: [:], spare: []))
      }
      let recipe = try new.snapshot().find(Second.Recipe.self, id: 1)
      #expect(recipe.steps.map(\.note) == [nil, "hot", nil])
      #expect(recipe.steps.map(\.heat) == [3, 3, 3])
      #expect(
        try old.snapshot().count(First.Recipe.where { $0.steps.contains { $0.minutes == 10 } }) == 1
      )
      #expect(try new.verify() == [])
    }
  }

  // MARK: Refusals

  private enum Needing {
    struct Step: Embedded {
      var name: String
      var weight: Double
      static let fields = Fields(Step.init, Part("name", \.name), Part("weight", \.weight))
    }
    struct Recipe: Model {
      let id: Int
      var steps: [Step]
      static let schema = Schema(Recipe.init, Key("id", \.id), Field("steps", \.steps))
    }
  }

  @Test func aPartThatNoElementHasNeedsAStep() throws {
    try withPath { path in
      try open(First.Recipe.self, path).write { try $0.insert(Self.first) }
      let before = try bytes(path)
      #expect(
        throws: StoreError.migrationRequired([
          .otherType(
            model: "Recipe", field: "steps",
            stored: "[(name: String, minutes: Int, tools: [name: String])]",
            declared: "[(name: String, weight: Double)]")
        ])
      ) { try open(Needing.Recipe.self, path) }
      #expect(try bytes(path) == before)
    }
  }

  /// A release that calls a part of its elements otherwise.
  private enum Renamed {
    struct Step: Embedded {
      var name: String
      var minutes: Int?
      var note: String?
      static let fields = Fields(
        Step.init, Part("title", \.name, .default(""), .was("name")), Part("minutes", \.minutes),
        Part("note", \.note))
    }
    struct Recipe: Model {
      let id: Int
      var steps: [Step]
      static let schema = Schema(Recipe.init, Key("id", \.id), Field("steps", \.steps))
    }
  }

  @Test func aPartOfElementsUnderAnotherNameNeedsAStep() throws {
    try withPath { path in
      try open(First.Recipe.self, path).write { try $0.insert(Self.first) }
      let before = try bytes(path)
      let difference = SchemaDifference.otherType(
        model: "Recipe", field: "steps",
        stored: "[(name: String, minutes: Int, tools: [name: String])]",
        declared: "[(title: String, minutes: Int?, note: String?)]")
      #expect(throws: StoreError.migrationRequired([difference])) {
        try open(Renamed.Recipe.self, path)
      }
      #expect(try bytes(path) == before)
      #expect(difference.step?.contains("from: <#[OldStruct]#>.self") == true)
      // Opened again, too, when the file has the new name of the part.
      for _ in 0..<2 {
        let store = try Store(.file(path), models: Renamed.Recipe.self) {
          MigrationStep("names of steps") {
            try $0.convert("steps", of: "Recipe", from: [First.Step].self, to: [Renamed.Step].self)
            { $0.map { Renamed.Step(name: $0.name, minutes: $0.minutes, note: nil) } }
          }
        }
        let steps = try store.snapshot().find(Renamed.Recipe.self, id: 1).steps
        #expect(steps.map(\.name) == ["cut", "fry"])
        #expect(steps.map(\.minutes) == [5, 9])
        store.close()
      }
    }
  }

  @Test func aPartThatIsRequiredAndThatAnElementLacksIsSaid() throws {
    enum Strict {
      struct Step: Embedded, Hashable {
        var name: String
        var minutes: Int
        static let fields = Fields(Step.init, Part("name", \.name), Part("minutes", \.minutes))
      }
      struct Recipe: Model, Equatable {
        let id: Int
        var steps: [Step]
        static let schema = Schema(Recipe.init, Key("id", \.id), Field("steps", \.steps))
      }
    }
    enum Bare {
      struct Step: Embedded {
        var name: String
        static let fields = Fields(Step.init, Part("name", \.name))
      }
      struct Recipe: Model {
        let id: Int
        var steps: [Step]
        static let schema = Schema(Recipe.init, Key("id", \.id), Field("steps", \.steps))
      }
    }
    try withPath { path in
      let strict = Strict.Recipe(id: 1, steps: [Strict.Step(name: "cut", minutes: 5)])
      try open(Strict.Recipe.self, path).write { try $0.insert(strict) }
      let bare = try open(Bare.Recipe.self, path)
      try bare.write { try $0.insert(Bare.Recipe(id: 2, steps: [Bare.Step(name: "new")])) }
      let before = try bytes(path)
      let declared = "[(name: String, minutes: Int)]"
      #expect(
        throws: StoreError.migrationRequired([
          .missingValues(model: "Recipe", field: "steps", objects: 1, declared: declared)
        ])
      ) { try open(Strict.Recipe.self, path) }
      #expect(try bytes(path) == before)
      try bare.write { try $0.update(Bare.Recipe.self, id: 2) { $0.steps = [] } }
      #expect(
        try open(Strict.Recipe.self, path).snapshot().find(Strict.Recipe.self, id: 1) == strict)
    }
  }

  @Test func whoMayNotChangeTheFileReadsWhatIsThere() throws {
    try withPath { path in
      try open(First.Recipe.self, path).write { try $0.insert(Self.first) }
      var configuration = Configuration()
      configuration.isReadOnly = true
      func read() throws -> First.Recipe {
        try Store(.file(path), models: First.Recipe.self, configuration: configuration)
          .snapshot().find(First.Recipe.self, id: 1)
      }
      #expect(try read() == Self.first)
      let pending = ["steps", "tags", "prices", "spare"].map {
        SchemaDifference.pendingChange(model: "Recipe", field: $0)
      }
      #expect(throws: StoreError.migrationRequired(pending)) {
        try Store(.file(path), models: Second.Recipe.self, configuration: configuration)
      }
      _ = try open(Whole.Recipe.self, path)
      #expect(try read() == Self.first)
    }
  }
}
