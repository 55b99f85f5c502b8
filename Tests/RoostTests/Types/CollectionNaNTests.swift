import Foundation
import Roost
import Testing

/// Numbers that are none, in collections and in collections of those.
@Suite struct CollectionNaNTests {
  private struct Leg: Embedded {
    var hours: [Date]
    static let fields = Fields(Leg.init, Part("hours", \.hours))
  }

  private struct Grid: Model {
    let id: Int
    var flat: [Double?]
    var rows: [[Double]]
    var cubes: [[[Float]?]]
    var named: [String: [Double: Bool]]
    var points: Set<[Double]>
    var prices: [Decimal]
    var offers: [[Decimal]]
    var legs: [Leg]
    static let schema = Schema(
      Grid.init, Key("id", \.id), Field("flat", \.flat), Field("rows", \.rows),
      Field("cubes", \.cubes), Field("named", \.named), Field("points", \.points),
      Field("prices", \.prices), Field("offers", \.offers), Field("legs", \.legs))

    /// An object whose collections all have a number in the same place.
    init(_ id: Int, _ number: Double) {
      let price = number.isNaN ? Decimal.nan : Decimal(number)
      let date = Date(timeIntervalSinceReferenceDate: number)
      self.init(
        id: id, flat: [nil, 1, number], rows: [[], [1, number]],
        cubes: [[nil, [1], [Float(number)]]], named: ["a": [:], "b": [number: true]],
        points: [[], [1, number]], prices: [1, price], offers: [[1], [price]],
        legs: [Leg(hours: []), Leg(hours: [date])])
    }

    init(
      id: Int, flat: [Double?], rows: [[Double]], cubes: [[[Float]?]],
      named: [String: [Double: Bool]], points: Set<[Double]>, prices: [Decimal],
      offers: [[Decimal]], legs: [Leg]
    ) {
      self.id = id
      self.flat = flat
      self.rows = rows
      self.cubes = cubes
      self.named = named
      self.points = points
      self.prices = prices
      self.offers = offers
      self.legs = legs
    }
  }

  private let broken = Grid(1, .nan)
  private let whole = Grid(2, 2.5)
  private let snapshot: Snapshot

  init() throws {
    let store = try Store(.inMemory, models: Grid.self)
    try store.write { [broken, whole] in try $0.insert(contentsOf: [broken, whole]) }
    snapshot = store.snapshot()
  }

  private func ids(_ condition: (QueryRoot<Grid>) -> QueryCondition) throws -> [Int] {
    try snapshot.fetch(Grid.where(condition)).map(\.id)
  }

  private func expectNothingEqualsBroken<Value: Storable>(
    _ path: KeyPath<Grid, Value>, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let (broken, whole) = (broken[keyPath: path], whole[keyPath: path])
    // What the others show would hold, too, where no collection equalled any.
    #expect(try ids { $0[dynamicMember: path] == whole } == [2], sourceLocation: location)
    #expect(try ids { $0[dynamicMember: path] != whole } == [1], sourceLocation: location)
    #expect(try ids { $0[dynamicMember: path] == broken } == [], sourceLocation: location)
    #expect(try ids { $0[dynamicMember: path] != broken } == [1, 2], sourceLocation: location)
    #expect(
      try ids { $0[dynamicMember: path].in([broken, whole]) } == [2], sourceLocation: location)
  }

  @Test func aCollectionWithNaNAtAnyDepthEqualsNothing() throws {
    try expectNothingEqualsBroken(\.flat)
    try expectNothingEqualsBroken(\.rows)
    try expectNothingEqualsBroken(\.cubes)
    try expectNothingEqualsBroken(\.named)
    try expectNothingEqualsBroken(\.points)
    try expectNothingEqualsBroken(\.prices)
    try expectNothingEqualsBroken(\.offers)
    try expectNothingEqualsBroken(\.legs)
  }

  @Test func anElementWithNaNIsNotFound() throws {
    #expect(try ids { $0.rows.contains([1, 2.5]) } == [2])
    #expect(try ids { $0.rows.contains([1, .nan]) } == [])
    #expect(try ids { $0.rows.contains([]) } == [1, 2])
    #expect(try ids { $0.points.contains([1, .nan]) } == [])
    #expect(try ids { $0.cubes.contains([nil, [1], [.nan]]) } == [])
    #expect(try ids { $0.cubes.contains([nil, [1], [2.5]]) } == [2])
  }
}
