import Foundation
import Roost
import RoostTestSupport
import Testing

/// Random graphs of lists of links, with all delete rules and circles, against plain Swift.
@Suite struct LinksOracleTests {
  /// A hundred thousand operations over all seeds, as many as `ROOST_GRAPH_OPERATIONS` says in `Scripts/test-long`.
  private static let operations =
    ProcessInfo.processInfo.environment["ROOST_GRAPH_OPERATIONS"].flatMap(Int.init) ?? 100_000

  @Test(arguments: 0..<16)
  func listsAndInversesAreWhatTheOperationsMakeOfThem(seed: Int) throws {
    var run = try GraphRun(seed: UInt64(seed))
    var round = 0
    while run.operationCount < Self.operations / 16 {
      try run.transact()
      round += 1
      if round.isMultiple(of: 10) { try run.compare(verifying: round.isMultiple(of: 60)) }
    }
    try run.compare(verifying: true)
  }
}

/// A node with lists of every rule to nodes of the other kind and of its own.
private struct Guest: Model {
  let id: String
  var friends: Links<Guest>
  var clubs: Links<Society>
  static let schema = Schema(
    Guest.init, Key("id", \.id), Field("friends", \.friends),
    Field("clubs", \.clubs, .onTargetDelete(.cascade)))
}

private struct Society: Model {
  let id: Int
  var members: Links<Guest>
  var needed: Links<Society>
  static let schema = Schema(
    Society.init, Key("id", \.id), Field("members", \.members),
    Field("needed", \.needed, .onTargetDelete(.deny)))
}

private struct GraphRun {
  private let store: Store
  private var random: SeededGenerator
  private var graph = Graph()
  private(set) var operationCount = 0

  private struct Graph {
    var people: [String: Guest] = [:]
    var clubs: [Int: Society] = [:]

    /// Whether a club that others need is gone.
    var isBroken: Bool {
      clubs.values.contains { $0.needed.contains { clubs[$0] == nil } }
    }

    mutating func delete(person id: String) {
      guard people.removeValue(forKey: id) != nil else { return }
      for key in people.keys { people[key]?.friends.removeAll { $0 == id } }
      for key in clubs.keys { clubs[key]?.members.removeAll { $0 == id } }
    }

    mutating func delete(club id: Int) {
      guard clubs.removeValue(forKey: id) != nil else { return }
      for (key, person) in people where person.clubs.contains(id) { delete(person: key) }
    }
  }

  init(seed: UInt64) throws {
    store = try Store(.inMemory, models: Guest.self, Society.self)
    random = SeededGenerator(seed: seed)
  }

  /// Some operations in one transaction, which may fail for a link to a club that is gone.
  mutating func transact() throws {
    var next = graph
    var random = random
    var count = 0
    do {
      try store.write { transaction in
        for _ in 0..<Int.random(in: 1...24, using: &random) {
          count += 1
          if random.chance(1, in: 25) {
            let before = next
            do {
              try transaction.savepoint {
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                  try Self.operate(transaction, &next, &random)
                }
                if random.chance(1, in: 2) { throw Undone() }
              }
            } catch is Undone { next = before }
          } else {
            try Self.operate(transaction, &next, &random)
          }
        }
        if random.chance(1, in: 8) { throw Undone() }
      }
      #expect(!next.isBroken)
      graph = next
    } catch is Undone {
    } catch StoreError.linkedTarget(
      model: "Society", _, linkingModel: "Society", linkingField: "needed", _)
    {
      #expect(next.isBroken)
    } catch StoreError.danglingLink(model: "Society", _, field: "needed", target: "Society", _) {
      // The link was added by the transaction that deleted its target.
      #expect(next.isBroken)
    }
    self.random = random
    operationCount += count
  }

  private struct Undone: Error {}

  private static func operate(
    _ transaction: WriteTransaction, _ graph: inout Graph, _ random: inout SeededGenerator
  ) throws {
    let person = "guest \(Int.random(in: 0..<40, using: &random))"
    let club = Int.random(in: 0..<25, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<12:
      let new = Guest(
        id: person, friends: Links(ids: people(graph, &random)),
        clubs: Links(ids: clubs(graph, &random, atMost: 2)))
      try transaction.upsert(new)
      graph.people[person] = new
    case 12..<22:
      let new = Society(
        id: club, members: Links(ids: people(graph, &random)),
        needed: Links(ids: random.chance(1, in: 4) ? clubs(graph, &random, atMost: 1) : []))
      try transaction.upsert(new)
      graph.clubs[club] = new
    case 22..<26:
      #expect(
        try transaction.delete(Guest.self, id: person) == (graph.people[person] != nil))
      graph.delete(person: person)
    case 26..<28:
      #expect(try transaction.delete(Society.self, id: club) == (graph.clubs[club] != nil))
      graph.delete(club: club)
    case 28..<60:
      guard var oracle = graph.people[person] else { return }
      try edit(
        try transaction.links(\Guest.friends, of: person), &oracle.friends, &random
      ) { people(graph, &$0) }
      graph.people[person] = oracle
    case 60..<92:
      guard var oracle = graph.clubs[club] else { return }
      try edit(
        try transaction.links(\Society.members, of: club), &oracle.members, &random
      ) { people(graph, &$0) }
      graph.clubs[club] = oracle
    case 92..<95:
      guard let oracle = graph.people[person] else { return }
      #expect(try transaction.find(Guest.self, id: person) == oracle)
    default:
      #expect(
        try transaction.count(Inverse(\Society.members), of: person)
          == graph.clubs.values.count { $0.members.contains(person) })
    }
  }

  /// One edit of a list, and of the oracle's.
  private static func edit<Target: Model>(
    _ list: LinksEditor<Target>, _ oracle: inout Links<Target>, _ random: inout SeededGenerator,
    _ some: (inout SeededGenerator) -> [Target.ID]
  ) throws {
    #expect(try list.count == oracle.count)
    let place = Int.random(in: 0...oracle.count, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      let new = some(&random)
      try list.insert(contentsOf: new, at: place)
      oracle.insert(contentsOf: new, at: place)
    case 4..<6 where place < oracle.count:
      try list.remove(at: place)
      oracle.remove(at: place)
    case 6..<8 where place < oracle.count:
      let target = Int.random(in: 0..<oracle.count, using: &random)
      try list.move(from: place, to: target)
      oracle.insert(oracle.remove(at: place), at: target)
    case 8 where place < oracle.count:
      guard let new = some(&random).first else { return }
      try list.replace(at: place, with: new)
      oracle[place] = new
    default:
      let end = Int.random(in: place...oracle.count, using: &random)
      try list.removeSubrange(place..<end)
      oracle.removeSubrange(place..<end)
    }
  }

  /// Some people that there are; now and then so many that the list is long.
  private static func people(_ graph: Graph, _ random: inout SeededGenerator) -> [String] {
    let ids = graph.people.keys.sorted()
    let most = random.chance(1, in: 12) ? 200 : 4
    return (0..<Int.random(in: 0...most, using: &random)).compactMap { _ in
      ids.randomElement(using: &random)
    }
  }

  private static func clubs(
    _ graph: Graph, _ random: inout SeededGenerator, atMost most: Int
  ) -> [Int] {
    let ids = graph.clubs.keys.sorted()
    return (0..<Int.random(in: 0...most, using: &random)).compactMap { _ in
      ids.randomElement(using: &random)
    }
  }

  /// Compares all objects, and all lists from their targets.
  func compare(verifying: Bool) throws {
    let snapshot = store.snapshot()
    let people = try snapshot.fetch(Guest.all)
    let clubs = try snapshot.fetch(Society.all)
    #expect(people.sorted { $0.id < $1.id } == graph.people.values.sorted { $0.id < $1.id })
    #expect(clubs == graph.clubs.values.sorted { $0.id < $1.id })
    for id in (0..<40).map({ "guest \($0)" }) {
      let members = graph.clubs.values.filter { $0.members.contains(id) }.map(\.id).sorted()
      #expect(try snapshot.fetch(Inverse(\Society.members)(of: id)).map(\.id) == members)
      #expect(try snapshot.count(Inverse(\Society.members), of: id) == members.count)
      #expect(
        try snapshot.count(Inverse(\Guest.friends), of: id)
          == graph.people.values.count { $0.friends.contains(id) })
    }
    for id in 0..<25 {
      #expect(
        try snapshot.count(Inverse(\Guest.clubs), of: id)
          == graph.people.values.count { $0.clubs.contains(id) })
    }
    if verifying { #expect(try store.verify().isEmpty) }
  }
}
