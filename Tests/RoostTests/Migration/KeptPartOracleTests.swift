import Foundation
import Roost
import RoostEngine
import RoostTestSupport
import Testing

private typealias First = RecipeReleases.First
private typealias Second = RecipeReleases.Second
private typealias Whole = RecipeReleases.Whole

/// Two releases that write one file in turn, beside what is in it.
@Suite struct KeptPartOracleTests {
  /// How many files are written by two releases in turn.
  private static let caseCount =
    ProcessInfo.processInfo.environment["ROOST_EVOLUTIONS"].flatMap(Int.init) ?? 200

  @Test(arguments: 0..<4 as Range<UInt64>)
  func whicheverReleasesWriteInTurnNoPartIsLost(seed: UInt64) throws {
    for number in 0..<Self.caseCount / 4 {
      var random = SeededGenerator(seed: seed << 32 | UInt64(number))
      var turns = PartTurns()
      for _ in 0..<8 {
        if random.chance(1, in: 2) {
          try turns.turn(First.Recipe.self, &random)
        } else {
          try turns.turn(Second.Recipe.self, &random)
        }
        try turns.check()
      }
    }
  }
}

/// A release's recipes, whose steps are some of the parts of whole ones.
private protocol RecipeShape: Model where ID == Int {
  /// What opening the file gives a step that lacks a part.
  static func complete(_ step: inout Whole.Step)
  init(id: Int, _ steps: [Whole.Step])
  /// The parts that this release knows.
  static func known(_ step: Whole.Step) -> Whole.Step
  /// A step with what this release knows of one, and the rest of another.
  static func merge(_ known: Whole.Step, into old: Whole.Step) -> Whole.Step
  var whole: [Whole.Step] { get }
  mutating func set(_ steps: [Whole.Step])
}

extension RecipeReleases.First.Recipe: RecipeShape {
  fileprivate static func complete(_ step: inout Whole.Step) { step.minutes = step.minutes ?? 0 }
  fileprivate init(id: Int, _ steps: [Whole.Step]) {
    self.init(id: id, steps: [], tags: [], prices: [:], spare: nil)
    set(steps)
  }
  fileprivate mutating func set(_ whole: [Whole.Step]) {
    steps = whole.map {
      First.Step(
        name: $0.name, minutes: $0.minutes ?? 0, tools: $0.tools.map { First.Tool(name: $0.name) })
    }
  }
  fileprivate static func known(_ step: Whole.Step) -> Whole.Step {
    Whole.Step(
      name: step.name, minutes: step.minutes ?? 0,
      tools: step.tools.map { Second.Tool(name: $0.name) })
  }
  fileprivate static func merge(_ known: Whole.Step, into old: Whole.Step) -> Whole.Step {
    var step = old
    (step.name, step.minutes) = (known.name, known.minutes)
    // A list of the same tools, or another one: then none is known again.
    step.tools = known.tools.map { tool in old.tools.first { $0.name == tool.name } ?? tool }
    return step
  }
  fileprivate var whole: [Whole.Step] {
    steps.map {
      Whole.Step(
        name: $0.name, minutes: $0.minutes, tools: $0.tools.map { Second.Tool(name: $0.name) })
    }
  }
}

extension RecipeReleases.Second.Recipe: RecipeShape {
  fileprivate static func complete(_ step: inout Whole.Step) { step.heat = step.heat ?? 3 }
  fileprivate init(id: Int, _ steps: [Whole.Step]) {
    self.init(id: id, steps: [], tags: [], prices: [:], spare: nil)
    set(steps)
  }
  fileprivate mutating func set(_ whole: [Whole.Step]) {
    steps = whole.map {
      Second.Step(note: $0.note, name: $0.name, heat: $0.heat ?? 3, tools: $0.tools)
    }
  }
  fileprivate static func known(_ step: Whole.Step) -> Whole.Step {
    Whole.Step(name: step.name, heat: step.heat ?? 3, note: step.note, tools: step.tools)
  }
  fileprivate static func merge(_ known: Whole.Step, into old: Whole.Step) -> Whole.Step {
    var step = known
    step.minutes = old.minutes
    return step
  }
  fileprivate var whole: [Whole.Step] {
    steps.map { Whole.Step(name: $0.name, heat: $0.heat, note: $0.note, tools: $0.tools) }
  }
}

/// A file that releases write in turn, and what is in it.
private struct PartTurns {
  private let files = MemoryFileSystem()
  private var recipes: [Int: [Whole.Step]] = [:]
  private var names = 0

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.fileSystem = files
    return configuration
  }

  /// A release opens the file, and changes some recipes: one thing of each.
  mutating func turn<R: RecipeShape>(
    _ release: R.Type, _ random: inout SeededGenerator
  ) throws {
    let store = try Store(.file("s"), models: R.self, configuration: configuration)
    for id in recipes.keys {
      recipes[id] = recipes[id]?.map { step in
        var step = step
        R.complete(&step)
        return step
      }
    }
    var next = self
    try store.write { transaction in
      for _ in 0..<Int.random(in: 1..<8, using: &random) {
        let id = Int.random(in: 0..<6, using: &random)
        guard let old = next.recipes[id] else {
          let steps = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
            R.known(next.step(&random))
          }
          try transaction.insert(R(id: id, steps))
          next.recipes[id] = steps
          continue
        }
        if random.chance(1, in: 12) {
          _ = try transaction.delete(R.self, id: id)
          next.recipes[id] = nil
          continue
        }
        let steps = next.changed(old, R.self, &random)
        next.recipes[id] = steps
        let known = steps.map { R.known($0) }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: try transaction.update(R.self, id: id) { $0.set(known) }
        case 1: try transaction.upsert(R(id: id, known))
        default: try transaction.update(R(id: id, known))
        }
        #expect(try transaction.find(R.self, id: id).whole == known)
      }
    }
    self = next
    #expect(
      try store.snapshot().fetch(R.all).sorted { $0.id < $1.id }.map(\.whole)
        == recipes.sorted { $0.key < $1.key }.map { $0.value.map { R.known($0) } })
  }

  private mutating func step(_ random: inout SeededGenerator) -> Whole.Step {
    names += 1
    let tools = (0..<Int.random(in: 0..<3, using: &random)).map { number in
      Second.Tool(
        place: random.chance(1, in: 2) ? Second.Place(shelf: number) : nil, name: "t\(number)")
    }
    return Whole.Step(
      name: "s\(names)", minutes: Int.random(in: 0..<9, using: &random),
      heat: Int.random(in: 0..<9, using: &random),
      note: random.chance(1, in: 2) ? "n\(names)" : nil, tools: tools)
  }

  /// Steps of which one is changed, added or removed, or that come in another order.
  private mutating func changed<R: RecipeShape>(
    _ old: [Whole.Step], _ release: R.Type, _ random: inout SeededGenerator
  ) -> [Whole.Step] {
    var steps = old
    let place = Int.random(in: 0...steps.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: steps.insert(R.known(step(&random)), at: place)
    case 1 where place < steps.count: steps.remove(at: place)
    case 2 where place < steps.count:
      steps[place] = R.merge(R.known(step(&random)), into: steps[place])
    default: steps.shuffle(using: &random)
    }
    return steps
  }

  /// All of the file, as a program sees it that knows all parts.
  func check() throws {
    let store = try Store(.file("s"), models: Whole.Recipe.self, configuration: configuration)
    #expect(try store.verify() == [])
    let found = try store.snapshot().fetch(Whole.Recipe.all)
    #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.steps) }) == recipes)
  }
}
