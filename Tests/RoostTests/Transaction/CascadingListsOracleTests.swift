import Foundation
import Roost
import RoostTestSupport
import Testing

/// Random graphs of lists that take their owners with them, through circles of lists, against plain Swift.
///
/// ``LinksOracleTests`` is about long lists, of which few cascade; here the lists are short, and most do.
@Suite struct CascadingListsOracleTests {
  /// A hundred thousand operations over all seeds, as many as `ROOST_GRAPH_OPERATIONS` says in `Scripts/test-long`.
  private static let operations =
    ProcessInfo.processInfo.environment["ROOST_GRAPH_OPERATIONS"].flatMap(Int.init) ?? 100_000

  @Test(arguments: 0..<8)
  func aDeletionTakesWithItAllThatListsWhatItTook(seed: Int) throws {
    var run = try CascadeRun(seed: UInt64(seed))
    var round = 0
    while run.operationCount < Self.operations / 8 {
      try run.transact()
      round += 1
      if round.isMultiple(of: 5) { try run.compare(verifying: round.isMultiple(of: 60)) }
    }
    try run.compare(verifying: true)
    // What was asked about is what the test is for.
    let least = run.operationCount / 1000
    #expect(run.counts.selfListed >= least)
    #expect(run.counts.circles >= least)
    #expect(run.counts.circlesOfBothKinds >= least)
    #expect(run.counts.denied >= least)
  }
}

/// What needs others of its kind, and gates: gone with the first of them.
private struct Step: Model {
  let id: Int
  var needs: Links<Step>
  var gates: Links<Gate>
  var before: Link<Step>?
  static let schema = Schema(
    Step.init, Key("id", \.id), Field("needs", \.needs, .onTargetDelete(.cascade)),
    Field("gates", \.gates, .onTargetDelete(.cascade)),
    Field("before", \.before, .onTargetDelete(.cascade)))
}

private struct Gate: Model {
  let id: String
  var steps: Links<Step>
  var seen: Links<Step>
  static let schema = Schema(
    Gate.init, Key("id", \.id), Field("steps", \.steps, .onTargetDelete(.cascade)),
    Field("seen", \.seen))
}

/// What keeps steps from being deleted.
private struct Seal: Model {
  let id: Int
  var steps: Links<Step>
  static let schema = Schema(
    Seal.init, Key("id", \.id), Field("steps", \.steps, .onTargetDelete(.deny)))
}

/// What a store of these must hold. A cascade is followed by looking at every object for each that is gone.
private struct CascadeGraph {
  enum Node: Hashable {
    case step(Int)
    case gate(String)
  }

  /// What a deletion took with it.
  struct Taken {
    /// Of each object, which objects that were taken it has in lists that cascade.
    private(set) var listed: [Node: Set<Node>]

    init(_ graph: CascadeGraph, _ gone: Set<Node>) {
      listed = [:]
      for node in gone { listed[node] = graph.listed(by: node).intersection(gone) }
    }

    var hasSelfListed: Bool { listed.contains { $0.value.contains($0.key) } }

    /// Whether there are two objects, each of which the lists lead to from the other; of both kinds if so told.
    func hasCircle(ofBothKinds: Bool) -> Bool {
      let reached = listed.mapValues { reach(from: $0) }
      return reached.contains { node, others in
        others.contains { other in
          guard node != other, reached[other]?.contains(node) == true else { return false }
          if case (.step, .gate) = (node, other) { return true }
          return !ofBothKinds
        }
      }
    }

    private func reach(from first: Set<Node>) -> Set<Node> {
      var reached = first
      var waiting = Array(first)
      while let next = waiting.popLast() {
        for node in listed[next] ?? [] where reached.insert(node).inserted { waiting.append(node) }
      }
      return reached
    }
  }

  var steps: [Int: Step] = [:]
  var gates: [String: Gate] = [:]
  var seals: [Int: Seal] = [:]
  /// The steps of one transaction that were not deleted themselves, but with others.
  var cascaded: Set<Int> = []

  /// Whether a step that a seal keeps is gone.
  var isDenied: Bool {
    seals.values.contains { $0.steps.contains { steps[$0] == nil } }
  }

  /// Whether a step that a seal keeps is gone, and another one took it with it.
  var isDeniedInCascade: Bool {
    seals.values.contains { $0.steps.contains { steps[$0] == nil && cascaded.contains($0) } }
  }

  func contains(_ node: Node) -> Bool {
    switch node {
    case .step(let id): steps[id] != nil
    case .gate(let id): gates[id] != nil
    }
  }

  func listed(by node: Node) -> Set<Node> {
    switch node {
    case .step(let id):
      guard let step = steps[id] else { return [] }
      return Set(step.needs.map { .step($0) } + step.gates.map { .gate($0) })
    case .gate(let id): return Set((gates[id]?.steps ?? []).map { .step($0) })
    }
  }

  /// Deletes objects, and all that lists them or comes after them; returns what there was of it.
  mutating func delete(_ nodes: [Node]) -> Taken {
    var gone = Set(nodes.filter(contains))
    var waiting = Array(gone)
    let all = steps.keys.map { Node.step($0) } + gates.keys.map { .gate($0) }
    while let next = waiting.popLast() {
      for node in all where !gone.contains(node) && depends(node, on: next) {
        gone.insert(node)
        waiting.append(node)
      }
    }
    let taken = Taken(self, gone)
    for node in gone {
      switch node {
      case .step(let id):
        steps[id] = nil
        if !nodes.contains(node) { cascaded.insert(id) }
      case .gate(let id): gates[id] = nil
      }
    }
    for id in gates.keys { gates[id]?.seen.removeAll { gone.contains(.step($0)) } }
    return taken
  }

  private func depends(_ node: Node, on other: Node) -> Bool {
    if listed(by: node).contains(other) { return true }
    guard case .step(let id) = node, let before = steps[id]?.before?.id else { return false }
    return other == .step(before)
  }
}

private struct CascadeRun {
  /// How often something happened that is worth asking about.
  struct Counts {
    /// Cascades that met an object which lists itself.
    var selfListed = 0
    /// Cascades through lists that lead from one object to another and back.
    var circles = 0
    /// Those of them through lists of steps and lists of gates.
    var circlesOfBothKinds = 0
    /// Transactions that failed because a cascade had met a step that a seal keeps.
    var denied = 0
  }

  private let store: Store
  private var random: SeededGenerator
  private var graph = CascadeGraph()
  private(set) var operationCount = 0
  private(set) var counts = Counts()

  private static let stepIDs = 0..<60
  private static let gateIDs = (0..<25).map { "gate \($0)" }
  private static let sealIDs = 0..<8

  init(seed: UInt64) throws {
    store = try Store(.inMemory, models: Step.self, Gate.self, Seal.self)
    random = SeededGenerator(seed: seed)
  }

  private struct Undone: Error {}

  /// Some operations in one transaction, which fails where a seal keeps a step that is gone.
  mutating func transact() throws {
    var next = graph
    next.cascaded = []
    var random = random
    var counts = counts
    var operationCount = operationCount
    func operate(_ transaction: WriteTransaction) throws {
      operationCount += 1
      try Self.operate(transaction, &next, &counts, &random)
    }
    do {
      try store.write { transaction in
        for _ in 0..<Int.random(in: 1...16, using: &random) {
          guard random.chance(1, in: 25) else {
            try operate(transaction)
            continue
          }
          let before = next
          do {
            try transaction.savepoint {
              for _ in 0..<Int.random(in: 1...6, using: &random) { try operate(transaction) }
              if random.chance(1, in: 2) { throw Undone() }
            }
          } catch is Undone { next = before }
        }
        if random.chance(1, in: 12) { throw Undone() }
      }
      #expect(!next.isDenied)
      graph = next
    } catch is Undone {
    } catch StoreError.linkedTarget(
      model: "Step", _, linkingModel: "Seal", linkingField: "steps", _)
    {
      #expect(next.isDenied)
      if next.isDeniedInCascade { counts.denied += 1 }
      try compare(verifying: false)
    } catch StoreError.danglingLink(model: "Seal", _, field: "steps", target: "Step", _) {
      // The link was added by the transaction that deleted its target.
      #expect(next.isDenied)
      try compare(verifying: false)
    }
    self.random = random
    self.counts = counts
    self.operationCount = operationCount
  }

  // MARK: Operations

  private static func operate(
    _ transaction: WriteTransaction, _ graph: inout CascadeGraph, _ counts: inout Counts,
    _ random: inout SeededGenerator
  ) throws {
    let step = Int.random(in: stepIDs, using: &random)
    let gate = gateIDs.randomElement(using: &random) ?? ""
    let seal = Int.random(in: sealIDs, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<26:
      var needs = some(graph.steps, &random, atMost: 2)
      if random.chance(1, in: 10) { needs.append(step) }
      let before = random.chance(1, in: 5) ? some(graph.steps, &random, atMost: 1).first : nil
      let new = Step(
        id: step, needs: Links(ids: needs),
        gates: Links(ids: some(graph.gates, &random, atMost: 1)),
        before: before.map { Link(id: $0) })
      try transaction.upsert(new)
      graph.steps[step] = new
    case 26..<40:
      let new = Gate(
        id: gate, steps: Links(ids: some(graph.steps, &random, atMost: 2)),
        seen: Links(ids: some(graph.steps, &random, atMost: 6)))
      try transaction.upsert(new)
      graph.gates[gate] = new
    case 40..<42:
      let new = Seal(id: seal, steps: Links(ids: some(graph.steps, &random, atMost: 2)))
      try transaction.upsert(new)
      graph.seals[seal] = new
    case 42..<45:
      let isThere = graph.seals.removeValue(forKey: seal) != nil
      #expect(try transaction.delete(Seal.self, id: seal) == isThere)
    case 45..<51:
      let isThere = graph.steps[step] != nil
      #expect(try transaction.delete(Step.self, id: step) == isThere)
      note(graph.delete([.step(step)]), &counts)
    case 51..<54:
      let isThere = graph.gates[gate] != nil
      #expect(try transaction.delete(Gate.self, id: gate) == isThere)
      note(graph.delete([.gate(gate)]), &counts)
    case 54..<56:
      let ids = some(graph.steps, &random, atMost: 3) + [step]
      let count = Set(ids).count { graph.steps[$0] != nil }
      #expect(try transaction.delete(Step.self, ids: ids) == count)
      note(graph.delete(ids.map { .step($0) }), &counts)
    case 56..<66:
      guard var needs = graph.steps[step]?.needs else { return }
      let list = try transaction.links(\Step.needs, of: step)
      try edit(list, &needs, &random) { some(graph.steps, &$0, atMost: 1) }
      graph.steps[step]?.needs = needs
    case 66..<74:
      guard var gates = graph.steps[step]?.gates else { return }
      let list = try transaction.links(\Step.gates, of: step)
      try edit(list, &gates, &random) { some(graph.gates, &$0, atMost: 1) }
      graph.steps[step]?.gates = gates
    case 74..<82:
      guard var steps = graph.gates[gate]?.steps else { return }
      let list = try transaction.links(\Gate.steps, of: gate)
      try edit(list, &steps, &random) { some(graph.steps, &$0, atMost: 1) }
      graph.gates[gate]?.steps = steps
    case 82..<90:
      guard var seen = graph.gates[gate]?.seen else { return }
      let list = try transaction.links(\Gate.seen, of: gate)
      try edit(list, &seen, &random) { some(graph.steps, &$0, atMost: 4) }
      graph.gates[gate]?.seen = seen
    case 90..<93:
      #expect(try transaction.fetch(Step.self, id: step) == graph.steps[step])
    case 93..<96:
      #expect(try transaction.fetch(Gate.self, id: gate) == graph.gates[gate])
    default:
      #expect(
        try transaction.count(Inverse(\Step.needs), of: step)
          == graph.steps.values.count { $0.needs.contains(step) })
    }
  }

  private static func note(_ taken: CascadeGraph.Taken, _ counts: inout Counts) {
    if taken.hasSelfListed { counts.selfListed += 1 }
    guard taken.hasCircle(ofBothKinds: false) else { return }
    counts.circles += 1
    if taken.hasCircle(ofBothKinds: true) { counts.circlesOfBothKinds += 1 }
  }

  /// Inserts, removes, moves or replaces in a list, and in the oracle's.
  private static func edit<Target: Model>(
    _ list: LinksEditor<Target>, _ oracle: inout Links<Target>, _ random: inout SeededGenerator,
    _ some: (inout SeededGenerator) -> [Target.ID]
  ) throws {
    #expect(try list.count == oracle.count)
    let place = Int.random(in: 0...oracle.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0..<2:
      let new = some(&random)
      try list.insert(contentsOf: new, at: place)
      oracle.insert(contentsOf: new, at: place)
    case 2 where place < oracle.count:
      let target = Int.random(in: 0..<oracle.count, using: &random)
      try list.move(from: place, to: target)
      oracle.insert(oracle.remove(at: place), at: target)
    case 3 where place < oracle.count:
      guard let new = some(&random).first else { return }
      try list.replace(at: place, with: new)
      oracle[place] = new
    default:
      let end = Int.random(in: place...oracle.count, using: &random)
      try list.removeSubrange(place..<end)
      oracle.removeSubrange(place..<end)
    }
  }

  /// The ids of some objects that there are.
  private static func some<ID: Comparable, Object>(
    _ objects: [ID: Object], _ random: inout SeededGenerator, atMost most: Int
  ) -> [ID] {
    // The order of a dictionary's keys is another in each process.
    let ids = objects.keys.sorted()
    return (0..<Int.random(in: 0...most, using: &random)).compactMap { _ in
      ids.randomElement(using: &random)
    }
  }

  // MARK: Comparing

  /// Compares all objects, and all links from their targets.
  func compare(verifying: Bool) throws {
    let snapshot = store.snapshot()
    #expect(try snapshot.fetch(Step.all) == graph.steps.values.sorted { $0.id < $1.id })
    #expect(
      try snapshot.fetch(Gate.all).sorted { $0.id < $1.id }
        == graph.gates.values.sorted { $0.id < $1.id })
    #expect(try snapshot.fetch(Seal.all) == graph.seals.values.sorted { $0.id < $1.id })
    for id in Self.stepIDs {
      let needing = graph.steps.values.filter { $0.needs.contains(id) }.map(\.id).sorted()
      #expect(try snapshot.fetch(Inverse(\Step.needs)(of: id)).map(\.id) == needing)
      #expect(
        try snapshot.count(Inverse(\Step.before), of: id)
          == graph.steps.values.count { $0.before?.id == id })
      #expect(
        try snapshot.count(Inverse(\Gate.steps), of: id)
          == graph.gates.values.count { $0.steps.contains(id) })
      #expect(
        try snapshot.count(Inverse(\Gate.seen), of: id)
          == graph.gates.values.count { $0.seen.contains(id) })
      #expect(
        try snapshot.count(Inverse(\Seal.steps), of: id)
          == graph.seals.values.count { $0.steps.contains(id) })
    }
    for id in Self.gateIDs {
      #expect(
        try snapshot.count(Inverse(\Step.gates), of: id)
          == graph.steps.values.count { $0.gates.contains(id) })
    }
    if verifying { #expect(try store.verify() == []) }
  }
}
