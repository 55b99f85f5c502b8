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

/// Two fields compared with each other, both of which hold numbers that are none.
@Suite struct ComparedNaNTests {
  private struct Sample: Model {
    let id: Int
    var first: Values
    var second: Values
    var twin: Link<Sample>?
    static let schema = Schema(
      Sample.init, Key("id", \.id), Field("first", \.first), Field("second", \.second),
      Field("twin", \.twin))
  }

  private struct Values: Embedded {
    var flat: [Double?]
    var optional: [Float]?
    var rows: [[Double]]
    var named: [String: [Date]]
    var points: Set<[Double]>
    var prices: [[Decimal]]
    var price: Decimal
    var words: [String]
    var pairs: [Pair]
    var slot: Slot
    var slots: [Slot]
    static let fields = Fields(
      Values.init, Part("flat", \.flat), Part("optional", \.optional), Part("rows", \.rows),
      Part("named", \.named), Part("points", \.points), Part("prices", \.prices),
      Part("price", \.price), Part("words", \.words), Part("pairs", \.pairs),
      Part("slot", \.slot), Part("slots", \.slots))
  }

  private struct Pair: Embedded {
    var a: [Double]
    var b: [Double]
    static let fields = Fields(Pair.init, Part("a", \.a), Part("b", \.b))
  }

  private struct Slot: CompoundKey {
    var start: Date
    var room: Int
    static let parts = KeyParts(Slot.init, KeyPart("start", \.start), KeyPart("room", \.room))
  }

  /// Values that have a number in the same places; as many elements before it as make the bytes long or short.
  private static func values(_ number: Double, length: Int) -> Values {
    let many = (0..<length).map { Double($0) }
    let price = number.isNaN ? Decimal.nan : Decimal(number)
    let slot = Slot(start: Date(timeIntervalSinceReferenceDate: number), room: 1)
    return Values(
      flat: many + [nil, number], optional: [Float(number)], rows: [[], many + [number]],
      named: ["a": [], "b": [Date(timeIntervalSinceReferenceDate: number)]],
      points: [[], many + [number]], prices: [[1], [price]], price: price, words: ["a", "b"],
      pairs: [Pair(a: many + [number], b: many + [number]), Pair(a: [], b: [1])],
      slot: slot, slots: [slot])
  }

  private let snapshot: Snapshot

  /// 1 and 11 are alike and NaN, 2 and 12 alike, 3 and 13 differ; those from 11 on are too long to lie in a leaf.
  init() throws {
    let store = try Store(.inMemory, models: Sample.self)
    try store.write { transaction in
      for (start, length) in [(0, 2), (10, 3000)] {
        for (id, numbers) in [(1, (Double.nan, Double.nan)), (2, (2.5, 2.5)), (3, (2.5, 3.5))] {
          try transaction.insert(
            Sample(
              id: start + id, first: Self.values(numbers.0, length: length),
              second: Self.values(numbers.1, length: length), twin: Link(id: start + id)))
        }
      }
    }
    snapshot = store.snapshot()
  }

  private func ids(_ condition: (QueryRoot<Sample>) -> QueryCondition) throws -> [Int] {
    try snapshot.fetch(Sample.where(condition)).map(\.id)
  }

  private func expectOnlyNumbersEqual<Value: Storable>(
    _ path: KeyPath<Values, Value>, _ location: SourceLocation = #_sourceLocation
  ) throws {
    func expect(
      _ found: [Int], by condition: (QueryRoot<Sample>) -> QueryCondition
    ) throws {
      #expect(try ids(condition) == found, sourceLocation: location)
    }
    let alike = [2, 12]
    let others = [1, 3, 11, 13]
    try expect(alike) { $0.first[dynamicMember: path] == $0.second[dynamicMember: path] }
    try expect(others) { $0.first[dynamicMember: path] != $0.second[dynamicMember: path] }
    try expect(others) { !($0.first[dynamicMember: path] == $0.second[dynamicMember: path]) }
    try expect(alike) { !($0.first[dynamicMember: path] != $0.second[dynamicMember: path]) }
    // A field equals itself, but for NaN.
    try expect([2, 3, 12, 13]) { $0.first[dynamicMember: path] == $0.first[dynamicMember: path] }
    // The few rows that a cheaper condition leaves are asked one by one.
    try expect([2]) {
      $0.id < 3 && $0.first[dynamicMember: path] == $0.second[dynamicMember: path]
    }
  }

  @Test func twoFieldsWithTheSameNaNDiffer() throws {
    try expectOnlyNumbersEqual(\.flat)
    try expectOnlyNumbersEqual(\.optional)
    try expectOnlyNumbersEqual(\.rows)
    try expectOnlyNumbersEqual(\.named)
    try expectOnlyNumbersEqual(\.points)
    try expectOnlyNumbersEqual(\.prices)
    try expectOnlyNumbersEqual(\.price)
    try expectOnlyNumbersEqual(\.slot)
    try expectOnlyNumbersEqual(\.slots)
  }

  @Test func aCompoundValueWithNaNIsFoundByNone() throws {
    let slot = Self.values(.nan, length: 0).slot
    #expect(try ids { $0.first.slot == slot } == [])
    #expect(try ids { $0.first.slots == [slot] } == [])
    #expect(try ids { $0.first.slots != [slot] } == [1, 2, 3, 11, 12, 13])
  }

  @Test func nilAndWhatHoldsNoNumbersAreEqualAsBefore() throws {
    let store = try Store(.inMemory, models: Sample.self)
    try store.write { transaction in
      for id in 1...4 {
        var first = Self.values(.nan, length: 0)
        var second = first
        if id != 1 { first.optional = nil }
        if id != 2 { second.optional = nil }
        if id == 4 { second.words.append("c") }
        try transaction.insert(Sample(id: id, first: first, second: second, twin: nil))
      }
    }
    let snapshot = store.snapshot()
    func ids(_ condition: (QueryRoot<Sample>) -> QueryCondition) throws -> [Int] {
      try snapshot.fetch(Sample.where(condition)).map(\.id)
    }
    #expect(try ids { $0.first.optional == $0.second.optional } == [3, 4])
    #expect(try ids { $0.first.optional != $0.second.optional } == [1, 2])
    #expect(try ids { $0.first.words == $0.second.words } == [1, 2, 3])
    #expect(try ids { $0.first.words != $0.second.words } == [4])
  }

  @Test func whatLiesBehindALinkOrInAnElementIsComparedAlike() throws {
    #expect(try ids { $0.first.flat == $0.twin.second.flat } == [2, 12])
    #expect(try ids { $0.twin.first.flat == $0.twin.second.flat } == [2, 12])
    #expect(try ids { ($0.first.optional ?? []) == $0.second.optional } == [2, 12])
    #expect(try ids { $0.first.named["b"] == $0.second.named["b"] } == [2, 12])
    #expect(try ids { $0.first.pairs.contains { $0.a == $0.b } } == [2, 3, 12, 13])
    #expect(try ids { !$0.first.pairs.contains { $0.a == $0.b } } == [1, 11])
    #expect(try ids { $0.first.pairs.elements.where { $0.a != $0.b }.count == 2 } == [1, 11])
  }
}
