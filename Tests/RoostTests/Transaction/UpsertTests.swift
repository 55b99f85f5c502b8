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
            #expect(try transaction.upsert(price) == price)
            prices[price.id] = price
          case 1:
            prices[price.id] = known ?? price
            #expect(try transaction.upsert(price, onConflict: .keep) == prices[price.id])
          default:
            prices[price.id] = known ?? price
            prices[price.id]?.amount = price.amount
            if random.chance(1, in: 2) {
              try transaction.upsert(contentsOf: [price], onConflict: .merge(\.amount, \.id))
            } else {
              let merged = try transaction.upsert(price, onConflict: .merge(\.amount, \.id))
              #expect(merged == prices[price.id])
            }
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

  @Test(arguments: 0..<8 as Range<UInt64>)
  func aReplacedCollectionChangesInNothingButWhatDiffers(seed: UInt64) throws {
    var random = SeededGenerator(seed: 200 + seed)
    let store = try Store(.inMemory, models: Price.self, Offer.self)
    var prices: [String: Price] = [:]
    for round in 0..<30 {
      let shop = Int.random(in: 0..<4, using: &random)
      let query = round.isMultiple(of: 3) ? Price.where { $0.shop == shop } : Price.all
      let given = Self.replacement(of: prices, &random)
      let untouched = round.isMultiple(of: 3) ? prices.filter { $0.value.shop != shop } : [:]
      let expected = untouched.merging(given) { $1 }
      let earlier = store.snapshot()
      let objects = given.values.sorted { $0.id < $1.id }.shuffled(using: &random)
      try store.write { try $0.replaceAll(objects, of: query) }
      let later = store.snapshot()
      let changes = try later.changes(since: earlier)
      try Self.compare(try changes.of(Price.self), prices, expected, "seed \(seed), round \(round)")
      // Of each price that there was something depends, which goes with it alone: none was removed to come again.
      let gone = prices.keys.filter { expected[$0] == nil }.sorted()
      let offers = try changes.of(Offer.self)
      #expect(offers.deletions.sorted() == gone)
      #expect(offers.insertions.isEmpty && offers.modifications.isEmpty)
      #expect((try later.version == earlier.version) == (expected == prices))
      prices = expected
      let new = Set(prices.keys).subtracting(try later.fetch(Offer.all).map(\.id)).sorted()
      try store.write { tx in
        try tx.insert(contentsOf: new.map { Offer(id: $0, price: Link(id: $0)) })
      }
    }
    #expect(try Self.stored(store) == prices)
    #expect(try store.verify() == [])
  }

  /// What follows a price, and has its id.
  private struct Offer: Model {
    let id: String
    var price: Link<Price>
    static let schema = Schema(
      Offer.init, Key("id", \.id), Field("price", \.price, .onTargetDelete(.cascade)))
  }

  /// Most of some prices, a few of them with other values, and a few new ones; or all as they are.
  private static func replacement(
    of prices: [String: Price], _ random: inout SeededGenerator
  ) -> [String: Price] {
    if random.chance(1, in: 6) { return prices }
    var given: [String: Price] = [:]
    for (id, known) in prices.sorted(by: { $0.key < $1.key }) where random.chance(7, in: 8) {
      var price = known
      if random.chance(1, in: 5) { price.amount += Double(Int.random(in: 0..<3, using: &random)) }
      if random.chance(1, in: 9) { price.shop = Int.random(in: 0..<4, using: &random) }
      given[id] = price
    }
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      let price = Self.price(&random)
      given[price.id] = price
    }
    return given
  }

  private static func compare(
    _ changes: ModelChanges<Price>, _ before: [String: Price], _ after: [String: Price],
    _ place: String
  ) throws {
    #expect(
      changes.insertions.sorted() == after.keys.filter { before[$0] == nil }.sorted(), "\(place)")
    #expect(
      changes.deletions.sorted() == before.keys.filter { after[$0] == nil }.sorted(), "\(place)")
    var fields: [String: [String]] = [:]
    for (id, old) in before {
      guard let new = after[id], new != old else { continue }
      fields[id] =
        (new.shop != old.shop ? ["shop"] : []) + (new.amount != old.amount ? ["amount"] : [])
    }
    #expect(changes.modifications.count == fields.count, "\(place)")
    for modification in changes.modifications {
      #expect(modification.fields == fields[modification.id], "\(place)")
    }
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

  @Test func uniqueValuesGoFromOneObjectToTheNext() throws {
    let store = try Store(.inMemory, models: Price.self)
    let codes = { (first: Int) in
      (0..<50).map { Price(id: "\($0)", shop: 1, amount: 0, code: first + $0) }
    }
    try store.write { try $0.insert(contentsOf: codes(0)) }
    // Upward each waits for the next one, downward for none; the first and the last codes are those of objects that go.
    for first in [1, 0, 30, 2] {
      try store.write { try $0.replaceAll(codes(first)) }
      let given = Dictionary(uniqueKeysWithValues: codes(first).map { ($0.id, $0) })
      #expect(try Self.stored(store) == given)
    }
    var exchanged = codes(2)
    (exchanged[0].code, exchanged[1].code) = (exchanged[1].code, exchanged[0].code)
    #expect(throws: StoreError.duplicateKey(model: "Price", field: "code", value: "3")) {
      try store.write { try $0.replaceAll(exchanged) }
    }
    #expect(try store.verify() == [])
  }

  @Test func whatIsGivenStaysWhenWhatItBelongedToGoes() throws {
    let store = try Store(.inMemory, models: Branch.self)
    try store.write { tx in
      try tx.insert(contentsOf: [
        Branch(id: 1, parent: nil), Branch(id: 2, parent: Link(id: 1)),
        Branch(id: 3, parent: Link(id: 2)), Branch(id: 4, parent: Link(id: 1)),
      ])
    }
    // The second one has another parent now; its own branch is given as it was.
    let given = [Branch(id: 2, parent: nil), Branch(id: 3, parent: Link(id: 2))]
    try store.write { try $0.replaceAll(given) }
    #expect(try store.snapshot().fetch(Branch.all) == given)
    // A branch of one that goes cannot stay.
    #expect(throws: StoreError.self) {
      try store.write { try $0.replaceAll([Branch(id: 3, parent: Link(id: 2))]) }
    }
    #expect(try store.snapshot().fetch(Branch.all) == given)
  }

  private struct Branch: Model {
    let id: Int
    var parent: Link<Branch>?
    static let schema = Schema(
      Branch.init, Key("id", \.id), Field("parent", \.parent, .onTargetDelete(.cascade)))
  }

  @Test func aStructIsMergedAndSetAsAWhole() throws {
    let store = try Store(.inMemory, models: Shop.self)
    let first = Shop(id: 1, name: "First", place: Place(city: "Ulm", zip: 89), yard: nil)
    let second = Shop(id: 2, name: "Second", place: Place(city: "Ulm", zip: 90), yard: nil)
    try store.write { try $0.insert(contentsOf: [first, second]) }
    var moved = first
    moved.name = "Not merged"
    moved.place = Place(city: "Bonn", zip: 90)
    moved.yard = Place(city: "Bonn", zip: 91)
    try store.write { try $0.upsert(moved, onConflict: .merge(\.place, \.yard)) }
    moved.name = "First"
    #expect(try store.snapshot().fetch(Shop.all) == [moved, second])
    // No part of it is set where the whole cannot be.
    try store.write { tx throws in
      #expect(throws: StoreError.self) {
        try tx.update(Shop.self, id: 1, set: \.place, to: second.place)
      }
      #expect(try tx.fetch(Shop.all) == [moved, second])
      // On the way from one to the other part by part lies the second's place.
      try tx.update(Shop.self, id: 1, set: \.place, to: Place(city: "Ulm", zip: 91))
      try tx.update(Shop.self, id: 1, set: \.yard, to: nil)
      #expect(throws: StoreError.notFound(model: "Shop", id: "3")) {
        try tx.update(Shop.self, id: 3, set: \.place, to: second.place)
      }
    }
    moved.place = Place(city: "Ulm", zip: 91)
    moved.yard = nil
    #expect(try store.snapshot().fetch(Shop.all) == [moved, second])
    #expect(try store.verify() == [])
  }

  private struct Place: Embedded {
    var city: String
    var zip: Int
    static let fields = Fields(Place.init, Part("city", \.city), Part("zip", \.zip))
  }

  private struct Shop: Model {
    let id: Int
    var name: String
    var place: Place
    var yard: Place?
    static let schema = Schema(
      Shop.init, Key("id", \.id), Field("name", \.name), Field("place", \.place),
      Field("yard", \.yard))
    static let indexes: [Index<Shop>] = [.unique(\.place.city, \.place.zip)]
  }

  @Test func onlyFieldsCanBeMerged() throws {
    let store = try Store(.inMemory, models: Price.self)
    let price = Price(id: "a", shop: 1, amount: 2, code: nil)
    try store.write { transaction in
      try transaction.insert(price)
      #expect(
        throws: StoreError.unknownField(model: "Price", property: (\Price.id.count).propertyName)
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
    try store.read { snapshot in
      Dictionary(uniqueKeysWithValues: try snapshot.fetch(Price.all).map { ($0.id, $0) })
    }
  }
}
