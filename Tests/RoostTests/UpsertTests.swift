import Roost
import RoostTestSupport
import Testing

private struct Price: Model {
  let id: String
  var shop: Int
  var amount: Double
  var code: Int?
  static let schema = Schema(
    Price.init, Key("id", \.id), Field("shop", \.shop, .indexed), Field("amount", \.amount),
    Field("code", \.code, .unique))
}

/// Adding what may be there already, and replacing whole collections.
@Suite struct UpsertTests {
  @Test(arguments: 0..<6 as Range<UInt64>)
  func aPolicySaysWhatBecomesOfTheObjectThatIsThere(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store(.inMemory, models: Price.self)
    var prices: [String: Price] = [:]
    for _ in 0..<40 {
      try store.write { transaction in
        for _ in 0..<Int.random(in: 1..<40, using: &random) {
          let price = Self.price(&random)
          let known = prices[price.id]
          switch Int.random(in: 0..<3, using: &random) {
          case 0:
            try transaction.upsert(price)
            prices[price.id] = price
          case 1:
            try transaction.upsert(price, onConflict: .keep)
            prices[price.id] = known ?? price
          default:
            try transaction.upsert(contentsOf: [price], onConflict: .merge(\.amount, \.id))
            prices[price.id] = known ?? price
            prices[price.id]?.amount = price.amount
          }
        }
      }
      #expect(try Self.stored(store) == prices)
    }
    #expect(try store.verify() == [])
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func aCollectionIsReplacedByWhatIsGiven(seed: UInt64) throws {
    var random = SeededGenerator(seed: 100 + seed)
    let store = try Store(.inMemory, models: Price.self)
    var prices: [String: Price] = [:]
    for round in 0..<40 {
      var given: [String: Price] = [:]
      for _ in 0..<Int.random(in: 0..<60, using: &random) {
        let price = Self.price(&random)
        given[price.id] = random.chance(1, in: 2) ? prices[price.id] ?? price : price
      }
      let shop = Int.random(in: 0..<4, using: &random)
      try store.write { transaction in
        if round.isMultiple(of: 2) {
          try transaction.replaceAll(given.values)
          prices = given
        } else {
          try transaction.replaceAll(given.values, of: Price.where { $0.shop == shop })
          prices = prices.filter { $0.value.shop != shop }.merging(given) { $1 }
        }
      }
      #expect(try Self.stored(store) == prices)
    }
    #expect(try store.verify() == [])
  }

  @Test func aCollectionThatIsTheSameIsNotWritten() throws {
    let store = try Store(.inMemory, models: Price.self)
    var random = SeededGenerator(seed: 1)
    let prices = (0..<100).map { number in
      Price(id: "\(number)", shop: number % 7, amount: Double(number), code: number)
    }
    try store.write { try $0.insert(contentsOf: prices) }
    let before = try store.snapshot().version
    try store.write { try $0.replaceAll(prices.shuffled(using: &random)) }
    #expect(try store.snapshot().version == before)
  }

  @Test func aUniqueValueIsFreeWhenItsObjectGoes() throws {
    let store = try Store(.inMemory, models: Price.self)
    try store.write { try $0.insert(Price(id: "old", shop: 1, amount: 2, code: 7)) }
    let new = Price(id: "new", shop: 1, amount: 3, code: 7)
    try store.write { try $0.replaceAll([new]) }
    #expect(try Self.stored(store) == ["new": new])
  }

  @Test func onlyFieldsCanBeMerged() throws {
    let store = try Store(.inMemory, models: Price.self)
    let price = Price(id: "a", shop: 1, amount: 2, code: nil)
    try store.write { transaction in
      try transaction.insert(price)
      #expect(
        throws: StoreError.unknownField(model: "Price", property: "\(\Price.id.count)")
      ) {
        try transaction.upsert(price, onConflict: .merge(\.id.count))
      }
    }
  }

  private static func price(_ random: inout SeededGenerator) -> Price {
    Price(
      id: "price \(Int.random(in: 0..<80, using: &random))",
      shop: Int.random(in: 0..<4, using: &random),
      amount: Double(Int.random(in: 0..<5, using: &random)), code: nil)
  }

  private static func stored(_ store: Store) throws -> [String: Price] {
    try store.read { transaction in
      Dictionary(uniqueKeysWithValues: try transaction.fetch(Price.all).map { ($0.id, $0) })
    }
  }
}
