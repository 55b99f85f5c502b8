import Roost
import RoostQueryText
import Testing

/// Queries through as many links as a store follows, and through one more.
@Suite struct DeepQueryTests {
  private static let depthMax = 32
  private static let tooDeep = StoreError.limitExceeded(
    StoreLimit(.followedLinks, maximum: 32))
  private let store: Store

  init() throws {
    store = try Store(.inMemory, models: Stop.self)
    try store.write { tx in
      try tx.insert(
        contentsOf: (0..<40).map { Stop(id: $0, next: $0 < 39 ? Link(id: $0 + 1) : nil, name: $0) })
    }
  }

  /// The name of the stop so many stops further.
  private func name(_ depth: Int, of stop: QueryRoot<Stop>) -> QueryValue<Int> {
    var link = stop.next
    for _ in 1..<depth { link = link.next }
    return link.name
  }

  @Test func linksAreFollowedAsDeepAsTheLimit() throws {
    let depth = Self.depthMax
    let snapshot = store.snapshot()
    #expect(try snapshot.fetch(Stop.where { name(depth, of: $0) == depth + 3 }).map(\.id) == [3])
    let sorted = Stop.where { name(depth, of: $0) > 0 }.order(descending: true) {
      name(depth, of: $0)
    }
    #expect(try snapshot.fetch(sorted).map(\.id) == (0..<40 - depth).reversed())
    let groups = try snapshot.groups(sorted.grouped { name(depth, of: $0) }, { $0.count })
    #expect(groups.map(\.key) == Array(depth..<40))
  }

  @Test func deeperQueriesAreRefused() {
    let depth = Self.depthMax + 1
    let snapshot = store.snapshot()
    #expect(throws: Self.tooDeep) {
      try snapshot.fetch(Stop.where { name(depth, of: $0) == 35 })
    }
    #expect(throws: Self.tooDeep) { try snapshot.count(Stop.where { name(depth, of: $0) == 35 }) }
    #expect(throws: Self.tooDeep) {
      try snapshot.fetch(Stop.all.order { name(depth, of: $0) })
    }
    #expect(throws: Self.tooDeep) {
      try snapshot.groups(Stop.all.grouped { name(depth, of: $0).orNil }, { $0.count })
    }
  }

  @Test func conditionsAndValuesAreNestedInLoopsAsDeepAsTheLimit() throws {
    let snapshot = store.snapshot()
    func refuses(_ query: Query<Stop>) throws {
      let error = #expect(throws: StoreError.self) { try snapshot.count(query) }
      #expect(try #require(error).code == .queryInvalid)
      #expect("\(query)" == "\(query)" && query == query)
    }
    func inTurn(_ depth: Int) -> Query<Stop> {
      Stop.where { stop in
        var condition = stop.id == -1
        for step in 0..<depth {
          condition =
            step.isMultiple(of: 2) ? condition || stop.id == step : condition && stop.id >= 0
        }
        return condition
      }
    }
    #expect(try snapshot.count(inTurn(190)) == 20)
    for depth in [210, 800, 20_000] { try refuses(inTurn(depth)) }
    func opposite(_ depth: Int) -> Query<Stop> {
      Stop.where { stop in (0..<depth).reduce(stop.id == 1) { condition, _ in !condition } }
    }
    #expect(try snapshot.count(opposite(190)) == 1)
    try refuses(opposite(20_000))
    func sum(_ depth: Int) -> Query<Stop> {
      Stop.where { stop in (0..<depth).reduce(stop.id) { value, _ in value + 1 } == depth }
    }
    #expect(try snapshot.count(sum(190)) == 1)
    try refuses(sum(20_000))
    let grouped = Stop.all.grouped { stop in
      (0..<300).reduce(stop.id) { value, _ in value * 1 }
    }
    #expect(throws: StoreError.self) { try snapshot.groups(grouped, { $0.count }) }
    // What is flat may have any number of parts.
    let flat = Stop.where { stop in
      (0..<2000).reduce(stop.id == -1) { condition, id in condition || stop.id == id }
    }
    #expect(try snapshot.count(flat) == 40)
  }

  @Test func textsAreReadHoweverManyLinksTheyFollowAndAskedAsOthersAre() throws {
    let snapshot = store.snapshot()
    let path = String(repeating: "next.", count: Self.depthMax)
    let text = "Stop where \(path)name == 35"
    let query = try Query<Stop>(text, in: store)
    #expect("\(query)" == text)
    #expect(try snapshot.fetch(query).map(\.id) == [3])
    let deeper = try Query<Stop>("Stop where next.\(path)name == 35", in: store)
    #expect(throws: Self.tooDeep) { try snapshot.fetch(deeper) }
    // Far beyond, it is no query.
    let endless = "Stop where " + String(repeating: "next.", count: 300) + "name == 35"
    #expect(throws: QueryTextError.self) { try Query<Stop>(endless, in: store) }
  }

  @Test func whatLeadsToAnObjectIsAskedForAsDeep() throws {
    let snapshot = store.snapshot()
    func leading(_ depth: Int, to name: Int) -> String {
      String(repeating: "Stop by next contains { ", count: depth) + "name == \(name)"
        + String(repeating: " }", count: depth)
    }
    let query = try Query<Stop>("Stop where " + leading(Self.depthMax, to: 3), in: store)
    #expect(try snapshot.fetch(query).map(\.id) == [3 + Self.depthMax])
    let deeper = try Query<Stop>("Stop where " + leading(Self.depthMax + 1, to: 3), in: store)
    #expect(throws: Self.tooDeep) { try snapshot.fetch(deeper) }
  }
}

private struct Stop: Model {
  let id: Int
  var next: Link<Stop>?
  var name: Int
  static let schema = Schema(
    Stop.init, Key("id", \.id), Field("next", \.next), Field("name", \.name))
}
