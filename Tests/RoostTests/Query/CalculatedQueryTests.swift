import Roost
import RoostTestSupport
import Testing

private struct Buyer: Model {
  let id: Int
  var name: String
  var title: String?
  var limit: Int
  var born: Int?
  static let orders = Inverse(\Purchase.customer)
  static let advised = Inverse(\Purchase.adviser)
  static let schema = Schema(
    Buyer.init, Key("id", \.id), Field("name", \.name), Field("title", \.title),
    Field("limit", \.limit), Field("born", \.born))
}

private struct Purchase: Model {
  let id: Int
  var customer: Link<Buyer>
  var adviser: Link<Buyer>?
  var price: Int
  var amount: Int
  var weight: Double
  var count: UInt16
  var note: String?
  var labels: Links<Sticker> = []
  static let schema = Schema(
    Purchase.init, Key("id", \.id), Field("customer", \.customer), Field("adviser", \.adviser),
    Field("price", \.price), Field("amount", \.amount), Field("weight", \.weight),
    Field("count", \.count), Field("note", \.note), Field("labels", \.labels))
}

private struct Sticker: Model {
  let id: String
  var rank: Int
  static let orders = Inverse(\Purchase.labels)
  static let schema = Schema(Sticker.init, Key("id", \.id), Field("rank", \.rank))
}

private struct Parcel: Model {
  let id: Int
  var sticker: Link<Sticker>?
  var price: Int
  static let schema = Schema(
    Parcel.init, Key("id", \.id), Field("sticker", \.sticker), Field("price", \.price))
}

/// The same objects in a store and in arrays.
private struct Shop {
  let store: Store
  let customers: [Buyer]
  let orders: [Purchase]
  let labels: [Sticker]
  let customer: [Int: Buyer]
  let label: [String: Sticker]
  private let bought: [Int: [Purchase]]

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let words = ["", "an", "b", "na", "é"]
    func word() -> String { words.randomElement(using: &random) ?? "" }
    store = try Store(.inMemory, models: Buyer.self, Purchase.self, Sticker.self)
    customers = (0..<40).map { id in
      Buyer(
        id: id, name: word() + word(), title: random.chance(1, in: 3) ? nil : word(),
        limit: Int.random(in: 0...300, using: &random),
        born: random.chance(1, in: 4) ? nil : Int.random(in: 1900...2000, using: &random))
    }
    labels = (0..<12).map {
      Sticker(id: "label \($0)", rank: Int.random(in: 0...9, using: &random))
    }
    orders = (0..<400).map { id in
      Purchase(
        id: id, customer: Link(id: Int.random(in: 0..<40, using: &random)),
        adviser: random.chance(1, in: 2) ? nil : Link(id: Int.random(in: 0..<40, using: &random)),
        price: Int.random(in: 0...40, using: &random),
        amount: Int.random(in: 0...5, using: &random),
        weight: Double(Int.random(in: 0...20, using: &random)) / 4,
        count: UInt16.random(in: 0...9, using: &random),
        note: random.chance(1, in: 3) ? nil : word() + word(),
        labels: Links(
          ids: (0..<Int.random(in: 0...3, using: &random)).map { _ in
            "label \(Int.random(in: 0..<12, using: &random))"
          }))
    }
    customer = Dictionary(uniqueKeysWithValues: customers.map { ($0.id, $0) })
    label = Dictionary(uniqueKeysWithValues: labels.map { ($0.id, $0) })
    bought = Dictionary(grouping: orders) { $0.customer.id }
    try store.write { [customers, labels, orders] tx in
      try tx.insert(contentsOf: customers)
      try tx.insert(contentsOf: labels)
      try tx.insert(contentsOf: orders)
    }
  }

  func buyer(_ order: Purchase) -> Buyer? { customer[order.customer.id] }
  func adviser(_ order: Purchase) -> Buyer? { order.adviser.flatMap { customer[$0.id] } }
  func orders(_ customer: Buyer) -> [Purchase] { bought[customer.id] ?? [] }
  func labels(_ order: Purchase) -> [Sticker] { order.labels.compactMap { label[$0] } }

  /// Checks that a condition finds the orders that the plain one does.
  func check(
    _ condition: (QueryRoot<Purchase>) -> QueryCondition, _ plain: (Purchase) -> Bool,
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    let query = Purchase.where(condition)
    let expected = orders.filter(plain).map(\.id)
    #expect(
      try store.read { try $0.fetch(query) }.map(\.id) == expected, "\(query)",
      sourceLocation: place)
    #expect(try store.read { try $0.count(query) } == expected.count, sourceLocation: place)
    let readBack = try query.readBack(in: store)
    #expect(
      try store.read { try $0.fetch(readBack) }.map(\.id) == expected, "\(query), read back",
      sourceLocation: place)
  }

  /// Checks that a condition finds the customers that the plain one does.
  func check(
    customers condition: (QueryRoot<Buyer>) -> QueryCondition, _ plain: (Buyer) -> Bool,
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    let query = Buyer.where(condition)
    let expected = customers.filter(plain).map(\.id)
    for query in [query, try query.readBack(in: store)] {
      #expect(
        try store.read { try $0.fetch(query) }.map(\.id) == expected, "\(query)",
        sourceLocation: place)
    }
  }
}

/// Nil is below nothing and above nothing.
private func below<Number: Comparable>(_ a: Number?, _ b: Number?) -> Bool {
  guard let a, let b else { return false }
  return a < b
}

@Suite struct CalculatedQueryTests {
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func queriesCalculateWithTheFieldsOfAnObject(seed: UInt64) throws {
    let shop = try Shop(seed: seed)
    try shop.check({ $0.price * $0.amount > 60 }) { $0.price * $0.amount > 60 }
    try shop.check({ $0.price + $0.amount == $0.id % 40 }) { $0.price + $0.amount == $0.id % 40 }
    try shop.check({ -$0.price < $0.amount - 20 }) { -$0.price < $0.amount - 20 }
    try shop.check({ $0.price / $0.amount >= 10 }) { $0.amount != 0 && $0.price / $0.amount >= 10 }
    try shop.check({ $0.price % $0.amount != 0 }) { $0.amount == 0 || $0.price % $0.amount != 0 }
    try shop.check({ $0.weight * 2 <= $0.price.asDouble }) { $0.weight * 2 <= Double($0.price) }
    try shop.check({ $0.weight.asInt == $0.amount }) { Int($0.weight) == $0.amount }
    try shop.check({ $0.count - 3 > 2 }) { $0.count >= 3 && $0.count - 3 > 2 }
    try shop.check({ $0.price * Int.max == 0 }) { $0.price == 0 }
    try shop.check({ ($0.note ?? "none") == "none" }) { $0.note == nil }
    try shop.check({ ($0.note ?? "x").hasPrefix("an") }) { $0.note?.hasPrefix("an") ?? false }
    // Without `return`, Swift takes `in` for the keyword.
    try shop.check({ return ($0.price * $0.amount).in([0, 40, 60]) }) {
      [0, 40, 60].contains($0.price * $0.amount)
    }
    try shop.check({ return ($0.price - $0.amount).in(5...9) }) {
      (5...9).contains($0.price - $0.amount)
    }
    try shop.check({ !($0.price > $0.amount) && $0.weight > 1 }) {
      !($0.price > $0.amount) && $0.weight > 1
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func queriesCompareWithWhatIsBehindLinks(seed: UInt64) throws {
    let shop = try Shop(seed: seed)
    try shop.check({ $0.price * 5 > $0.customer.limit }) { order in
      below(shop.buyer(order)?.limit, order.price * 5)
    }
    try shop.check({ $0.customer.born == $0.adviser.born }) {
      shop.buyer($0)?.born == shop.adviser($0)?.born
    }
    try shop.check({ $0.customer.born != $0.adviser.born }) {
      shop.buyer($0)?.born != shop.adviser($0)?.born
    }
    try shop.check({ $0.adviser.born < $0.customer.born }) {
      below(shop.adviser($0)?.born, shop.buyer($0)?.born)
    }
    try shop.check({ $0.note == $0.customer.name }) { $0.note == shop.buyer($0)?.name }
    try shop.check({ ($0.adviser.name ?? "nobody") == "nobody" }) { shop.adviser($0) == nil }
    try shop.check({ ($0.customer.name + "!" + $0.customer.name).contains("n!") }) {
      shop.buyer($0)?.name.hasSuffix("n") ?? false
    }
    try shop.check({ $0.customer == $0.adviser }) { $0.customer == $0.adviser }
    try shop.check({ $0.customer[Buyer.orders].count > 11 }) {
      shop.buyer($0).map { shop.orders($0).count > 11 } ?? false
    }
    try shop.check({ $0.adviser[Buyer.orders].contains { $0.price > 39 } }) {
      shop.adviser($0).map { shop.orders($0).contains { $0.price > 39 } } ?? false
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func queriesAskOfAllObjectsThatOneHasToDoWith(seed: UInt64) throws {
    let shop = try Shop(seed: seed)
    typealias Orders = Buyer
    try shop.check(customers: { $0[Orders.orders].count >= 10 }) { shop.orders($0).count >= 10 }
    try shop.check(customers: { $0[Orders.advised].isEmpty }) { customer in
      !shop.orders.contains { $0.adviser?.id == customer.id }
    }
    try shop.check(customers: { $0[Orders.orders].contains { $0.price == 7 } }) {
      shop.orders($0).contains { $0.price == 7 }
    }
    try shop.check(customers: { $0[Orders.orders].allSatisfy { $0.price > 1 } }) {
      shop.orders($0).allSatisfy { $0.price > 1 }
    }
    try shop.check(customers: { $0[Orders.orders].where { $0.amount > 3 }.count == 2 }) {
      shop.orders($0).count { $0.amount > 3 } == 2
    }
    try shop.check(customers: { $0[Orders.orders].sum { $0.price * $0.amount } > $0.limit }) {
      shop.orders($0).reduce(0) { $0 + $1.price * $1.amount } > $0.limit
    }
    try shop.check(customers: { $0[Orders.orders].sum { $0.weight } < 20 }) {
      shop.orders($0).reduce(0) { $0 + $1.weight } < 20
    }
    try shop.check(customers: { $0[Orders.orders].sum { $0.count } >= 40 }) {
      shop.orders($0).reduce(0) { $0 + Int($1.count) } >= 40
    }
    try shop.check(customers: { $0[Orders.orders].max { $0.price } == 40 }) {
      shop.orders($0).map(\.price).max() == 40
    }
    try shop.check(customers: { $0[Orders.advised].min { $0.weight }.orNil == nil }) { customer in
      !shop.orders.contains { $0.adviser?.id == customer.id }
    }
    try shop.check(customers: { $0[Orders.orders].average { $0.price } < 18.5 }) { customer in
      let prices = shop.orders(customer).map(\.price)
      return !prices.isEmpty && Double(prices.reduce(0, +)) / Double(prices.count) < 18.5
    }
    try shop.check({ $0.labels.count == 2 }) { $0.labels.count == 2 }
    try shop.check({ $0.labels.isEmpty || $0.labels.allSatisfy { $0.rank > 4 } }) {
      shop.labels($0).allSatisfy { $0.rank > 4 }
    }
    try shop.check({ $0.labels.targets.sum { $0.rank } == $0.amount * 3 }) {
      shop.labels($0).reduce(0) { $0 + $1.rank } == $0.amount * 3
    }
    try shop.check({ $0.labels.where { $0.rank > 2 }.max { $0.id } == "label 7" }) {
      shop.labels($0).filter { $0.rank > 2 }.map(\.id).max() == "label 7"
    }
    let popular = Sticker.where { $0[Sticker.orders].where { $0.amount > 2 }.count > 20 }
    #expect(
      try shop.store.read { try $0.fetch(popular) }.map(\.id).sorted()
        == shop.labels.filter { label in
          shop.orders.count { $0.amount > 2 && $0.labels.contains(label.id) } > 20
        }.map(\.id).sorted())
  }

  @Test func resultsAreOrderedByWhatIsCalculatedAndByWhatIsBehindLinks() throws {
    let shop = try Shop(seed: 5)
    func sorted<Key: Comparable>(_ key: (Purchase) -> Key?) -> [Int] {
      shop.orders.enumerated().sorted { first, second in
        switch (key(first.element), key(second.element)) {
        case (nil, nil): first.offset < second.offset
        case (nil, _): true
        case (_, nil): false
        case (let a?, let b?): a == b ? first.offset < second.offset : a < b
        }
      }.map(\.element.id)
    }
    func bytes(_ text: String?) -> String? {
      text.map { $0.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    }
    func ids(_ query: Query<Purchase>) throws -> [Int] {
      let readBack = try query.readBack(in: shop.store)
      let found = try shop.store.read { try $0.fetch(query) }.map(\.id)
      #expect(try shop.store.read { try $0.fetch(readBack) }.map(\.id) == found, "\(query)")
      return found
    }
    let byTotal = sorted { $0.price * $0.amount }
    #expect(try ids(Purchase.all.order { $0.price * $0.amount }) == byTotal)
    #expect(
      try ids(Purchase.all.order { $0.price * $0.amount }.limit(7, offset: 3))
        == Array(byTotal[3..<10]))
    #expect(
      try ids(Purchase.all.order { $0.adviser.name }) == sorted { bytes(shop.adviser($0)?.name) })
    #expect(
      try ids(Purchase.all.order(descending: true) { $0.customer.limit }.order(by: \.id))
        == sorted { shop.buyer($0).map { -$0.limit } })
    #expect(
      try ids(Purchase.all.order { $0.labels.count }.order(by: \.id)) == sorted { $0.labels.count })
  }

  @Test func anUpdateCalculatesWithWhatIsBehindLinksAndInverses() throws {
    let shop = try Shop(seed: 6)
    try shop.store.write { tx in
      try tx.update(Purchase.all, set: \.price, to: { $0.customer.limit - $0.price })
      try tx.update(
        Buyer.all, set: \.limit, to: { $0[Buyer.orders].sum { $0.price * $0.amount } })
    }
    let prices = try shop.store.read { try $0.fetch(Purchase.all) }.map(\.price)
    #expect(prices == shop.orders.map { (shop.buyer($0)?.limit ?? 0) - $0.price })
    let limits = try shop.store.read { try $0.fetch(Buyer.all) }.map(\.limit)
    #expect(
      limits
        == shop.customers.map { customer in
          shop.orders(customer).reduce(0) { $0 + (customer.limit - $1.price) * $1.amount }
        })
    #expect(throws: StoreError.self) {
      try shop.store.write { try $0.update(Purchase.all, set: \.price, to: { $0.price / 0 }) }
    }
    #expect(try shop.store.verify() == [])
  }
}

@Suite struct ValueQueryTests {
  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func groupsGiveWhatTheirObjectsGiveTogether(seed: UInt64) throws {
    let shop = try Shop(seed: seed)
    let byAmount = Dictionary(grouping: shop.orders.filter { $0.price > 3 }) { $0.amount }
    let query = Purchase.where { $0.price > 3 }.grouped { $0.amount }
    let groups = try shop.store.read {
      try $0.groups(
        query, { $0.count }, { $0.sum { $0.price } }, { $0.average { $0.weight } },
        { $0.max { $0.note } }, { $0.sum { $0.count } })
    }
    #expect(groups.map(\.key) == byAmount.keys.sorted())
    for group in groups {
      let orders = byAmount[group.key] ?? []
      let (count, price, weight, note, sum) = group.values
      #expect(count == orders.count)
      #expect(price == orders.reduce(0) { $0 + $1.price })
      #expect(weight == orders.reduce(0) { $0 + $1.weight } / Double(orders.count))
      #expect(note == orders.compactMap(\.note).max { $0.utf8.lexicographicallyPrecedes($1.utf8) })
      #expect(sum == orders.reduce(0) { $0 + Int($1.count) })
    }
    let large = query.having { $0.count > 60 && $0.max { $0.price } <= 40 }
      .order(descending: true) { $0.sum { $0.price } }.limit(2)
    let expected = byAmount.filter { $0.value.count > 60 }
      .map { (key: $0.key, sum: $0.value.reduce(0) { $0 + $1.price }) }
      .sorted { ($1.sum, $0.key) < ($0.sum, $1.key) }.prefix(2)
    let found = try shop.store.read { try $0.groups(large, { $0.sum { $0.price } }) }
    #expect(found.map(\.key) == expected.map(\.key))
    #expect(found.map(\.values) == expected.map(\.sum))
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func groupsAreBySeveralValues(seed: UInt64) throws {
    let shop = try Shop(seed: seed)
    struct Key: Hashable {
      let amount: Int
      let note: String?
      let title: String?
    }
    func precedes(_ first: String?, _ second: String?) -> Bool {
      guard let first, let second else { return first == nil && second != nil }
      return first.utf8.lexicographicallyPrecedes(second.utf8)
    }
    let groups = Dictionary(grouping: shop.orders.filter { $0.price > 3 }) {
      Key(amount: $0.amount, note: $0.note, title: shop.adviser($0)?.title)
    }
    let keys = groups.keys.sorted {
      if $0.amount != $1.amount { return $0.amount < $1.amount }
      if $0.note != $1.note { return precedes($0.note, $1.note) }
      return precedes($0.title, $1.title)
    }
    let query = Purchase.where { $0.price > 3 }.grouped(by: \.amount, \.note, \.adviser.title)
    var place = 0
    let snapshot = shop.store.snapshot()
    for ((amount, note, title), (count, sum)) in try snapshot.groups(
      query, { $0.count }, { $0.sum { $0.price } })
    {
      let key = Key(amount: amount, note: note, title: title)
      try #require(place < keys.count && key == keys[place])
      #expect(count == groups[key]?.count && sum == groups[key]?.reduce(0) { $0 + $1.price })
      place += 1
    }
    #expect(place == keys.count)
    #expect(
      try snapshot.groups(query).map { Key(amount: $0.key.0, note: $0.key.1, title: $0.key.2) }
        == keys)
    let chosen = query.having { $0.key.0 >= 2 && $0.key.1 != nil && $0.count > 1 }
      .order(descending: true) { $0.key.1 }.order { $0.key.0 }.limit(7, offset: 1)
    let expected = keys.filter { $0.amount >= 2 && $0.note != nil && groups[$0]?.count ?? 0 > 1 }
      .sorted {
        if $0.note != $1.note { return precedes($1.note, $0.note) }
        if $0.amount != $1.amount { return $0.amount < $1.amount }
        return precedes($0.title, $1.title)
      }
    #expect(
      try snapshot.groups(chosen).map { Key(amount: $0.key.0, note: $0.key.1, title: $0.key.2) }
        == Array(expected.dropFirst().prefix(7)))
    #expect(chosen != query && chosen != chosen.limit(8) && chosen.limit(8) == chosen.limit(8))
  }

  @Test func groupsAreByFourValues() throws {
    let shop = try Shop(seed: 5)
    let groups = Purchase.all.grouped(by: \.amount, \.note, \.price, { $0.id % 2 })
      .having { $0.key.1 == nil && $0.key.3 == 1 }.order(descending: true) { $0.key.2 }
    let orders = shop.orders.filter { $0.note == nil && $0.id % 2 == 1 }
    let expected = Set(orders.map { [$0.price, $0.amount] })
      .sorted { ($1[0], $0[1]) < ($0[0], $1[1]) }
    let found = try shop.store.read { try $0.groups(groups, { $0.count }) }
    #expect(found.map { [$0.key.2, $0.key.0] } == expected)
    #expect(found.map(\.values).reduce(0, +) == orders.count)
  }

  @Test func groupsCompareWhatTheirObjectsGiveTogether() throws {
    let shop = try Shop(seed: 6)
    let query = Purchase.all.grouped(by: \.amount, \.note)
    func keys(
      _ condition: (ObjectGroup<Purchase, Int, String?>) -> QueryCondition
    ) throws -> Set<String> {
      Set(
        try shop.store.read { try $0.groups(query.having(condition)) }
          .map { "\($0.key.0) \($0.key.1 ?? "nil")" })
    }
    let groups = Dictionary(grouping: shop.orders) { "\($0.amount) \($0.note ?? "nil")" }
    func plain(_ condition: ([Purchase]) -> Bool) -> Set<String> {
      Set(groups.filter { condition($0.value) }.keys)
    }
    let most = try keys { $0.count > $0.max { $0.amount } }
    #expect(most == plain { $0.count > $0.map(\.amount).max() ?? 0 })
    #expect(!most.isEmpty && most.count < groups.count)
    // The lowest price may be nil for the compiler, and the sum of the counts is none.
    let equal = try keys { $0.max { $0.price } >= $0.sum { $0.count } }
    #expect(equal == plain { $0.map(\.price).max() ?? 0 >= $0.reduce(0) { $0 + Int($1.count) } })
    #expect(!equal.isEmpty && equal.count < groups.count)
    // Of nil, no text is the highest.
    #expect(try keys { $0.key.1 == $0.max { $0.note } } == Set(groups.keys))
    #expect(try keys { $0.key.1 != $0.max { $0.note } }.isEmpty)
    #expect(try keys { $0.key.1 <= $0.max { $0.note } } == plain { $0[0].note != nil })
    #expect(
      try keys { $0.average { $0.weight } < $0.sum { $0.weight } && $0.count < $0.key.0 }
        == plain { purchases in
          let sum = purchases.reduce(0) { $0 + $1.weight }
          return sum / Double(purchases.count) < sum && purchases.count < purchases[0].amount
        })
  }

  @Test func groupsAreByWhatIsBehindLinksToo() throws {
    let shop = try Shop(seed: 3)
    let byName = Dictionary(grouping: shop.orders) { shop.adviser($0)?.name }
    let groups = try shop.store.read {
      try $0.groups(Purchase.all.grouped { $0.adviser.name.orNil }, { $0.count })
    }
    #expect(groups.first?.key == nil)
    #expect(
      Dictionary(uniqueKeysWithValues: groups.map { ($0.key, $0.values) })
        == byName.mapValues(\.count))
    #expect(throws: StoreError.self) {
      try shop.store.read { try $0.groups(Purchase.all.grouped { $0.adviser.name }, { $0.count }) }
    }
  }

  @Test func groupsByALinkAreChosenByItsTarget() throws {
    let store = try Store(.inMemory, models: Sticker.self, Parcel.self)
    try store.write { tx in
      try tx.insert(contentsOf: (0..<4).map { Sticker(id: "label \($0)", rank: $0) })
      try tx.insert(
        contentsOf: (0..<40).map { id in
          Parcel(id: id, sticker: id % 5 == 4 ? nil : Link(id: "label \(id % 5)"), price: id)
        })
    }
    let snapshot = store.snapshot()
    let query = Parcel.all.grouped { $0.sticker }
    func sums(_ query: GroupedQuery<Parcel, Link<Sticker>?>) throws -> [String] {
      try snapshot.groups(query, { $0.sum { $0.price } })
        .map { "\($0.key?.id ?? "nil") \($0.values)" }
    }
    let one = Link<Sticker>(id: "label 1")
    #expect(try sums(query.having { $0.key == one }) == ["label 1 148"])
    #expect(try sums(query.having { $0.key == nil }) == ["nil 172"])
    #expect(
      try sums(query.having { $0.key != one }.order(descending: true) { $0.sum { $0.price } })
        == ["nil 172", "label 3 164", "label 2 156", "label 0 140"])
    // The greatest price of each is asked for by the order alone.
    #expect(
      try sums(
        query.having { $0.key == one || $0.min { $0.price } == 3 }
          .order(descending: true) { $0.max { $0.price } }) == ["label 3 164", "label 1 148"])
    // The link is the second key, and the identifier of its target the third.
    let pairs = Parcel.all.grouped(by: { $0.price % 2 }, { $0.sticker }, { $0.sticker.id.orNil })
    for query in [
      pairs.having { $0.key.1 == one && $0.key.0 == 1 },
      pairs.having { $0.key.2 == "label 1" && $0.key.0 == 1 },
    ] {
      let found = try snapshot.groups(query, { $0.count })
      #expect(found.map(\.values) == [4])
      #expect(found.first?.key.0 == 1 && found.first?.key.1 == one)
    }
    let unknown = Link<Sticker>(id: "none")
    #expect(try sums(query.having { $0.key == unknown && $0.count > 0 }) == [])
    #expect(try sums(query.having { $0.key != unknown }).count == 5)
  }

  @Test func distinctValuesAndProjectionsDecodeNoObject() throws {
    let shop = try Shop(seed: 4)
    let store = shop.store
    #expect(
      try store.read { try $0.distinct(of: Purchase.all) { $0.amount } }
        == Set(shop.orders.map(\.amount)).sorted())
    #expect(
      try Set(store.read { try $0.distinct(of: Purchase.all) { $0.customer } })
        == Set(shop.orders.map(\.customer)))
    let query = Purchase.where { $0.price > 20 }.order { $0.price }.limit(30)
    let values = try store.read {
      try $0.values(
        of: query, { $0.id }, { $0.customer.name }, { $0.adviser.born.orNil }, { $0.price * 2 })
    }
    let orders = try store.read { try $0.fetch(query) }
    #expect(values.count == orders.count)
    for ((id, name, born, double), order) in zip(values, orders) {
      #expect(id == order.id)
      #expect(name == shop.buyer(order)?.name)
      #expect(born == shop.adviser(order)?.born)
      #expect(double == order.price * 2)
    }
    let selected = try store.read {
      try $0.fetch(query.select(\.id, \.customer, \.adviser, \.note))
    }
    #expect(selected.count == orders.count)
    for ((id, customer, adviser, note), order) in zip(selected, orders) {
      #expect(id == order.id)
      #expect(customer == order.customer)
      #expect(adviser == order.adviser)
      #expect(note == order.note)
    }
    let ids = try store.read { try $0.fetch(Sticker.all.select(\.id)) }
    #expect(ids.sorted() == shop.labels.map(\.id).sorted())
    // A selection need not have a name in a loop.
    var seen: [(Sticker.ID, Int)] = []
    for (id, rank) in try store.snapshot().fetch(Sticker.all.select(\.id, \.rank)) {
      seen.append((id, rank))
    }
    for (id, _, rank) in try store.snapshot().fetch(Sticker.all.select(\.id, \.id, \.rank)) {
      #expect(seen.removeFirst() == (id, rank))
    }
    #expect(seen.isEmpty)
    #expect(try store.snapshot().rows(Sticker.all).map(\.id) == ids)
    let labels = try store.read { try $0.values(of: Sticker.all, { $0.id }, { $0.rank }) }
    #expect(labels.map(\.0).sorted() == shop.labels.map(\.id).sorted())
  }
}
