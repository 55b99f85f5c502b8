import Foundation
import Roost
import RoostTestSupport
import Testing

private struct Bill: Model {
  let id: Int
  var price: Decimal
  var tax: Decimal?
  var amount: Int
  var parts: [Decimal] = []
  var till: Link<Till>?
  static let schema = Schema(
    Bill.init, Key("id", \.id), Field("price", \.price), Field("tax", \.tax),
    Field("amount", \.amount), Field("parts", \.parts), Field("till", \.till))
}

private struct Till: Model {
  let id: Int
  static let bills = Inverse(\Bill.till)
  static let schema = Schema(Till.init, Key("id", \.id))
}

private func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

/// With prices of two decimals, `Decimal` itself calculates exactly, except for quotients.
@Suite struct DecimalQueryTests {
  @Test(
    arguments: [
      ("1.50", "1.5"), ("-0.01", "-0.01"), ("007", "7"), (".5", "0.5"), ("0", "0"),
      ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
      ("1234567890123456789012345678901234567890.1", nil), ("360,659.86", nil), ("12 abc", nil),
      (" 1", nil), ("1.2.3", nil), ("1e3", nil), ("NaN", nil), (".", nil), ("-", nil), ("", nil),
    ] as [(String, String?)])
  func aTextIsADecimalAsAWholeOrNotAtAll(text: String, number: String?) {
    #expect(Decimal(exactly: text) == number.map(decimal))
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func conditionsAreThoseOfPlainSwift(seed: UInt64) throws {
    let (store, bills) = try filled(seed: seed)
    let snapshot = store.snapshot()
    let rate = decimal("0.19")
    func check(_ query: Query<Bill>, _ plain: (Bill) -> Bool) throws {
      let expected = bills.filter(plain).map(\.id)
      #expect(try snapshot.fetch(query.order(by: \.id)).map(\.id) == expected, "\(query)")
    }
    try check(Bill.where { $0.price * 2 > 100 }) { $0.price * 2 > 100 }
    try check(Bill.where { 3 - $0.price <= $0.price }) { 3 - $0.price <= $0.price }
    try check(Bill.where { $0.price * rate == $0.tax }) { $0.price * rate == $0.tax }
    try check(Bill.where { -$0.price < rate - 50 }) { -$0.price < rate - 50 }
    try check(Bill.where { $0.price * $0.amount.asDecimal > 200 }) {
      $0.price * Decimal($0.amount) > 200
    }
    try check(Bill.where { $0.price + ($0.tax ?? 0) != $0.price }) {
      $0.price + ($0.tax ?? 0) != $0.price
    }
    try check(Bill.where { $0.price / 8 == 0.125 * $0.price }) { _ in true }
    try check(Bill.where { $0.price % 1 == 0 }) { !"\($0.price)".contains(".") }
    try check(Bill.where { $0.price.asInt == $0.amount }) {
      Int("\($0.price)".prefix { $0 != "." }) == $0.amount
    }
    try check(Bill.where { $0.price.asDouble * 1.5 > 9.5 }) {
      (Double("\($0.price)") ?? 0) * 1.5 > 9.5
    }
    try check(Bill.where { $0.parts.elements.sum { $0 } > 20 }) { $0.parts.reduce(0, +) > 20 }
    let ordered = bills.sorted { ($0.price * $0.price, $0.id) < ($1.price * $1.price, $1.id) }
    let query = Bill.all.order { $0.price * $0.price }.order(by: \.id)
    #expect(try snapshot.fetch(query).map(\.id) == ordered.map(\.id))
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func aggregatesAreExact(seed: UInt64) throws {
    let (store, bills) = try filled(seed: seed)
    let snapshot = store.snapshot()
    let query = Bill.where { $0.price > 5 }
    let found = bills.filter { $0.price > 5 }
    let total = found.map(\.price).reduce(0, +)
    let taxes = found.compactMap(\.tax)
    #expect(try snapshot.sum(\.price, of: query) == total)
    #expect(try snapshot.sum(\.tax, of: query) == taxes.reduce(0, +))
    #expect(try snapshot.average(\.price, of: query) == mean(found.map(\.price)))
    #expect(try snapshot.average(\.tax, of: query) == mean(taxes))
    #expect(try snapshot.max(\.price, of: query) == found.map(\.price).max())
    #expect(try snapshot.sum(\.price, of: Bill.where { $0.price > 5_000 }) == 0)
    #expect(try snapshot.average(\.price, of: Bill.where { $0.price > 5_000 }) == nil)
    let groups = try snapshot.groups(
      query.grouped(by: \.amount), { $0.sum { $0.price * 2 } }, { $0.average { $0.tax } },
      { $0.min { $0.price } })
    let plain = Dictionary(grouping: found, by: \.amount)
    #expect(groups.count == plain.count)
    for (amount, (sum, average, least)) in groups {
      let bills = try #require(plain[amount])
      #expect(sum == bills.map { $0.price * 2 }.reduce(0, +))
      #expect(average == mean(bills.compactMap(\.tax)))
      #expect(least == bills.map(\.price).min())
    }
    let tills = try snapshot.values(
      of: Till.all, { $0.id }, { $0.bills.sum { $0.price } },
      { $0.bills.average { $0.price }.orNil })
    for (id, sum, average) in tills {
      let prices = bills.filter { $0.till?.id == id }.map(\.price)
      #expect(sum == prices.reduce(0, +))
      #expect(average == mean(prices))
    }
  }

  @Test func updatesAreExactOrNothingChanges() throws {
    let (store, bills) = try filled(seed: 4)
    try store.write { tx in
      _ = try tx.update(Bill.all, set: \.price, to: { $0.price * 2 + ($0.tax ?? 0) })
      _ = try tx.update(
        Bill.where { $0.till != nil }, set: \.tax, to: { $0.till.bills.average { $0.tax } })
    }
    let changed = try store.snapshot().fetch(Bill.all.order(by: \.id))
    #expect(changed.map(\.price) == bills.map { $0.price * 2 + ($0.tax ?? 0) })
    for bill in changed where bill.till != nil {
      #expect(bill.tax == mean(bills.filter { $0.till == bill.till }.compactMap(\.tax)))
    }
    let large = decimal("1e100")
    #expect(throws: StoreError.overflowInUpdate(model: "Bill", field: "price", id: "900")) {
      try store.write { tx in
        try tx.insert(Bill(id: 900, price: large, amount: 1))
        _ = try tx.update(Bill.where { $0.id > 100 }, set: \.price, to: { $0.price * $0.price })
      }
    }
    #expect(try store.snapshot().fetch(Bill.all.order(by: \.id)) == changed)
  }

  @Test func whatDoesNotFitIsNil() throws {
    let store = try Store(.inMemory, models: Bill.self, Till.self)
    let (large, small) = (decimal("1e100"), decimal("1e-100"))
    let greatest = Decimal.greatestFiniteMagnitude
    try store.write { tx in
      try tx.insert(Bill(id: 1, price: large, tax: small, amount: 1))
      try tx.insert(Bill(id: 2, price: greatest, tax: 1, amount: 2))
      try tx.insert(Bill(id: 3, price: 0, tax: .nan, amount: 3))
    }
    let snapshot = store.snapshot()
    func values(_ value: (QueryRoot<Bill>) -> QueryValue<Decimal>) throws -> [Decimal?] {
      try snapshot.values(of: Bill.all.order(by: \.id), { value($0).orNil })
    }
    #expect(try values { $0.price * $0.price } == [nil, nil, 0])
    #expect(try values { $0.price + 1 } == [nil, nil, 1])
    #expect(try values { $0.price - $0.price } == [0, 0, 0])
    #expect(try values { $0.price / 0 } == [nil, nil, nil])
    #expect(try values { 1 / $0.price } == [small, 0, nil])
    let third = decimal(String(repeating: "3", count: 38) + "e62")
    #expect(try values { $0.price / 3 }[0] == third)
    #expect(try values { $0.amount.asDecimal / 3 }[2] == 1)
    #expect(try snapshot.count(Bill.where { $0.price * $0.price > 0 }) == 0)
    #expect(throws: StoreError.overflow(model: "Bill", field: "price")) {
      _ = try snapshot.sum(\.price, of: Bill.all)
    }
    #expect(try snapshot.sum(\.price, of: Bill.where { $0.id != 1 }) == greatest)
  }

  @Test func nanIsNoExtremeAndEqualsNothing() throws {
    let store = try Store(.inMemory, models: Bill.self, Till.self)
    try store.write { tx in
      for (id, tax) in [decimal("2.5"), .nan, nil, decimal("-1"), .nan].enumerated() {
        try tx.insert(Bill(id: id, price: .nan, tax: tax, amount: 1))
      }
    }
    let snapshot = store.snapshot()
    #expect(try snapshot.max(\.tax, of: Bill.all) == decimal("2.5"))
    #expect(try snapshot.min(\.tax, of: Bill.all) == -1)
    #expect(try snapshot.max(\.price, of: Bill.all) == nil)
    #expect(try snapshot.min(\.price, of: Bill.all) == nil)
    let extremes = try snapshot.groups(
      Bill.all.grouped(by: \.amount), { $0.min { $0.price } }, { $0.max { $0.tax } })
    #expect(extremes.map { $0.1.0 } == [nil])
    #expect(extremes.map { $0.1.1 } == [decimal("2.5")])
    #expect(try snapshot.sum(\.tax, of: Bill.all).isNaN)
    #expect(try snapshot.average(\.price, of: Bill.all)?.isNaN == true)
    #expect(try snapshot.count(Bill.where { $0.price + 1 == $0.price + 1 }) == 0)
    #expect(try snapshot.count(Bill.where { $0.price + 1 != $0.price + 1 }) == 5)
    #expect(try snapshot.count(Bill.where { $0.tax + 1 == $0.tax + 1 }) == 3)
  }

  /// `Decimal` reads no text with a higher exponent.
  @Test func readsNumbersThatHaveManyZeros() throws {
    let number = Decimal(sign: .plus, exponent: 127, significand: 1_000)
    let store = try Store(.inMemory, models: Bill.self, Till.self)
    try store.write { try $0.insert(Bill(id: 1, price: number, tax: -number, amount: 1)) }
    let bill = try store.snapshot().find(Bill.self, id: 1)
    #expect(bill.price == number)
    #expect(bill.tax == -number)
  }

  private func mean(_ numbers: [Decimal]) -> Decimal? {
    guard !numbers.isEmpty else { return nil }
    return rounded(numbers.reduce(0, +), over: numbers.count)
  }

  /// A quotient of 38 digits, half even, by long division.
  private func rounded(_ number: Decimal, over divisor: Int) -> Decimal {
    var rest = Int128(String(describing: number * 1_000_000).prefix { $0 != "." }) ?? 0
    let isNegative = rest < 0
    rest = isNegative ? -rest : rest
    var digits = "\(rest / Int128(divisor))"
    var exponent = -6
    if digits == "0" { digits = "" }
    rest %= Int128(divisor)
    while rest != 0, digits.count < 38 {
      let digit = rest * 10 / Int128(divisor)
      if digit != 0 || !digits.isEmpty { digits += "\(digit)" }
      exponent -= 1
      rest = rest * 10 % Int128(divisor)
    }
    var result = decimal("\(digits.isEmpty ? "0" : digits)e\(exponent)")
    let isOdd = (digits.last?.wholeNumberValue ?? 0) % 2 == 1
    if rest * 2 > Int128(divisor) || rest * 2 == Int128(divisor) && isOdd {
      result += decimal("1e\(exponent)")
    }
    return isNegative ? -result : result
  }

  private func filled(seed: UInt64) throws -> (Store, [Bill]) {
    var random = SeededGenerator(seed: seed)
    let tills = (1...5).map { Till(id: $0) }
    let bills = (1...300).map { id in
      let price = Decimal(Int.random(in: -2_000...20_000, using: &random)) / 100
      return Bill(
        id: id, price: price,
        tax: random.chance(1, in: 4)
          ? nil
          : random.chance(1, in: 2)
            ? price * decimal("0.19") : Decimal(Int.random(in: 0...99, using: &random)) / 10,
        amount: .random(in: 0...9, using: &random),
        parts: (0..<Int.random(in: 0...4, using: &random)).map { _ in
          Decimal(Int.random(in: -500...2_000, using: &random)) / 100
        },
        till: random.chance(1, in: 5)
          ? nil : tills.randomElement(using: &random).map { Link(id: $0.id) })
    }
    let store = try Store(.inMemory, models: Bill.self, Till.self)
    try store.write { tx in
      try tx.insert(contentsOf: tills)
      try tx.insert(contentsOf: bills)
    }
    return (store, bills)
  }
}
