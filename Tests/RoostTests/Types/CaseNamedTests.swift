import Foundation
import Roost
import RoostEngine
import RoostInterchange
import RoostQueryText
import RoostTestSupport
import Testing

/// The payment of a sale, by kind.
enum Tender: CaseNamed {
  case cash, card(number: String, months: Int), voucher([String])

  enum Kind: String, Sortable, CaseIterable { case cash, card, voucher }

  var kind: Kind {
    switch self {
    case .cash: .cash
    case .card: .card
    case .voucher: .voucher
    }
  }

  /// Not the kind, but of its type.
  var fallback: Kind { self == .cash ? .card : .cash }

  static func random(_ random: inout SeededGenerator) -> Tender {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: .cash
    case 1:
      .card(
        number: "\(Int.random(in: 0..<20, using: &random))",
        months: Int.random(in: 0..<4, using: &random))
    default:
      .voucher(
        (0..<Int.random(in: 0..<3, using: &random)).map {
          String(repeating: "v", count: 400 * $0)
        })
    }
  }
}

/// Weights by the number of a case.
enum Weight: CaseNamed {
  case nothing, grams(Int)

  enum Kind: Int, Sortable { case nothing = 7, grams = -3 }

  var kind: Kind { self == .nothing ? .nothing : .grams }
}

struct Packet: Embedded {
  var weight: Weight
  var deposit: Tender?
  static let fields = Fields(
    Packet.init, Part("weight", \.weight), Part("deposit", \.deposit))
}

struct Sale: Model {
  let id: Int
  var note: String
  var payment: Tender
  var refund: Tender?
  var packet: Packet
  var sample: Packet?
  var earlier: Link<Sale>?
  static let schema = Schema(
    Sale.init, Key("id", \.id), Field("note", \.note), Field("payment", \.payment),
    Field("refund", \.refund), Field("packet", \.packet), Field("sample", \.sample),
    Field("earlier", \.earlier, .onTargetDelete(.nullify)))
  static let indexes = [
    Index<Sale>(\.payment.kind, \.note), Index<Sale>(\.refund?.kind),
    Index<Sale>(\.packet.weight.kind),
  ]

  static func random(_ id: Int, _ random: inout SeededGenerator) -> Sale {
    func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
    let refund = Tender.random(&random)
    let packet = Packet.random(&random)
    let sample = Packet.random(&random)
    return Sale(
      id: id, note: "note \(Int.random(in: 0..<4, using: &random))",
      payment: Tender.random(&random), refund: maybe(refund), packet: packet,
      sample: maybe(sample), earlier: maybe(Link(id: Int.random(in: 0..<100, using: &random))))
  }
}

extension Packet {
  fileprivate static func random(_ random: inout SeededGenerator) -> Packet {
    let deposit = Tender.random(&random)
    return Packet(
      weight: Bool.random(using: &random)
        ? .nothing : .grams(Int.random(in: 0..<9, using: &random)),
      deposit: Bool.random(using: &random) ? deposit : nil)
  }
}

/// The same sales as a release writes them that does not know kinds.
enum Unkinded {
  enum Tender: Opaque { case cash, card(number: String, months: Int), voucher([String]) }
  enum Weight: Opaque { case nothing, grams(Int) }

  struct Packet: Embedded {
    var weight: Weight
    var deposit: Tender?
    static let fields = Fields(
      Packet.init, Part("weight", \.weight), Part("deposit", \.deposit))
  }

  struct Sale: Model {
    let id: Int
    var note: String
    var payment: Tender
    var refund: Tender?
    var packet: Packet
    var sample: Packet?
    var earlier: Link<Sale>?
    static let schema = Schema(
      Sale.init, Key("id", \.id), Field("note", \.note), Field("payment", \.payment),
      Field("refund", \.refund), Field("packet", \.packet), Field("sample", \.sample),
      Field("earlier", \.earlier, .onTargetDelete(.nullify)))
  }
}

/// A value in the form of the release without kinds.
func unkinded<Old: Decodable>(_ value: some Encodable, as type: Old.Type) throws -> Old {
  try JSONDecoder().decode(Old.self, from: JSONEncoder().encode(value))
}

extension Sale {
  var unkinded: Unkinded.Sale {
    get throws {
      func packet(_ packet: Packet) throws -> Unkinded.Packet {
        Unkinded.Packet(
          weight: try RoostTests.unkinded(packet.weight, as: Unkinded.Weight.self),
          deposit: try packet.deposit.map {
            try RoostTests.unkinded($0, as: Unkinded.Tender.self)
          })
      }
      return Unkinded.Sale(
        id: id, note: note, payment: try RoostTests.unkinded(payment, as: Unkinded.Tender.self),
        refund: try refund.map { try RoostTests.unkinded($0, as: Unkinded.Tender.self) },
        packet: try packet(self.packet), sample: try sample.map(packet),
        earlier: earlier.map { Link(id: $0.id) })
    }
  }
}

/// What queries by kind say of sales, compared with plain Swift.
enum KindOracle {
  struct Condition: Sendable {
    let query: @Sendable (QueryRoot<Sale>) -> QueryCondition
    let holds: @Sendable (Sale, [Int: Sale]) -> Bool

    init(
      _ query: @escaping @Sendable (QueryRoot<Sale>) -> QueryCondition,
      _ holds: @escaping @Sendable (Sale, [Int: Sale]) -> Bool
    ) {
      self.query = query
      self.holds = holds
    }
  }

  static let conditions: [Condition] = [
    Condition({ $0.payment.kind == .card }, { sale, _ in sale.payment.kind == .card }),
    Condition({ $0.payment.kind != .card }, { sale, _ in sale.payment.kind != .card }),
    Condition(
      { $0.payment.kind.in([.cash, .voucher]) && $0.note == "note 1" },
      { sale, _ in sale.payment.kind != .card && sale.note == "note 1" }),
    Condition({ $0.payment.kind > .card }, { sale, _ in sale.payment.kind.rawValue > "card" }),
    Condition({ $0.refund.kind == .cash }, { sale, _ in sale.refund?.kind == .cash }),
    Condition({ $0.refund.kind != .cash }, { sale, _ in sale.refund?.kind != .cash }),
    Condition(
      { $0.refund.kind == $0.payment.kind }, { sale, _ in sale.refund?.kind == sale.payment.kind }),
    Condition({ $0.refund.kind.orNil == nil }, { sale, _ in sale.refund?.kind == nil }),
    Condition(
      { ($0.refund ?? Tender.cash).kind == .cash },
      { sale, _ in (sale.refund ?? .cash).kind == .cash }),
    Condition(
      { $0.packet.weight.kind == .grams }, { sale, _ in sale.packet.weight.kind == .grams }),
    Condition(
      { $0.packet.deposit.kind == .voucher }, { sale, _ in sale.packet.deposit?.kind == .voucher }),
    Condition(
      { $0.sample.weight.kind == .nothing }, { sale, _ in sale.sample?.weight.kind == .nothing }),
    Condition(
      { $0.sample.deposit.kind == .card }, { sale, _ in sale.sample?.deposit?.kind == .card }),
    Condition(
      { $0.earlier.payment.kind == .cash },
      { sale, all in sale.earlier.flatMap { all[$0.id] }?.payment.kind == .cash }),
    Condition(
      { $0.earlier.sample.deposit.kind == .card },
      { sale, all in sale.earlier.flatMap { all[$0.id] }?.sample?.deposit?.kind == .card }),
    Condition(
      { $0.payment == .card(number: "3", months: 1) },
      { sale, _ in sale.payment == .card(number: "3", months: 1) }),
  ]

  /// Compares all conditions, groups and orders of a store with its sales.
  static func check(_ store: Store, _ sales: [Int: Sale]) throws {
    let snapshot = store.snapshot()
    let all = sales.values.sorted { $0.id < $1.id }
    #expect(try snapshot.fetch(Sale.all.order(by: \.id)) == all)
    for (place, condition) in conditions.enumerated() {
      let found = try snapshot.fetch(Sale.where(condition.query).order(by: \.id))
      #expect(
        found.map(\.id) == all.filter { condition.holds($0, sales) }.map(\.id),
        "condition \(place)")
    }
    func text(_ kind: Tender.Kind?) -> String { kind?.rawValue ?? "" }
    let sorted = try snapshot.fetch(
      Sale.all.order(by: \.refund?.kind).order(by: \.payment.kind, descending: true)
        .order(by: \.id))
    let expected = all.sorted {
      (text($0.refund?.kind), text($1.payment.kind), $0.id)
        < (text($1.refund?.kind), text($0.payment.kind), $1.id)
    }
    #expect(sorted.map(\.id) == expected.map(\.id))
    let groups = try snapshot.groups(
      Sale.all.grouped(by: { $0.payment.kind }, { $0.refund.kind.orNil }), { $0.count })
    let counted = Dictionary(grouping: all) { [text($0.payment.kind), text($0.refund?.kind)] }
    #expect(groups.count == counted.count)
    for group in groups {
      let key = [text(group.key.0), text(group.key.1)]
      #expect(group.values == counted[key]?.count)
    }
    for row in try snapshot.rows(Sale.all) {
      let sale = try #require(sales[row.id])
      let kind = try row[\.payment.kind]
      let refunded = try row[\.refund?.kind]
      #expect(kind == sale.payment.kind)
      #expect(refunded == sale.refund?.kind)
    }
    #expect(try store.verify() == [])
  }
}

/// Enums with payloads whose kinds are queried.
@Suite struct CaseNamedTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func queriesByKindSayWhatSwiftSaysHoweverTheSalesWereWritten(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store(.inMemory, models: Sale.self)
    var sales: [Int: Sale] = [:]
    for _ in 0..<12 {
      try store.write { tx in
        for _ in 0..<30 { try Self.write(&sales, to: tx, &random) }
      }
      // Links to sales that were never inserted are none.
      for (id, sale) in sales where sales[sale.earlier?.id ?? id] == nil {
        sales[id]?.earlier = nil
      }
      try KindOracle.check(store, sales)
    }
  }

  /// Writes some sales in a way that is drawn at random.
  static func write(
    _ sales: inout [Int: Sale], to tx: WriteTransaction, _ random: inout SeededGenerator
  ) throws {
    let id = Int.random(in: 0..<60, using: &random)
    var made = Sale.random(id, &random)
    made.earlier = sales.keys.sorted().randomElement(using: &random).map { Link(id: $0) }
    let tender = Tender.random(&random)
    let refund = Bool.random(using: &random) ? Tender.random(&random) : nil
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3:
      try tx.upsert(made)
      sales[id] = made
    case 3:
      guard sales[id] != nil else { return }
      try tx.update(Sale.self, id: id) {
        $0.payment = tender
        $0.sample?.deposit = refund
      }
      sales[id]?.payment = tender
      sales[id]?.sample?.deposit = refund
    case 4:
      guard sales[id] != nil else { return }
      try tx.update(Sale.self, id: id, set: \.refund, to: refund)
      sales[id]?.refund = refund
    case 5:
      guard sales[id] != nil else { return }
      try tx.update(Sale.self, id: id, set: \.packet.deposit, to: refund)
      sales[id]?.packet.deposit = refund
    case 6:
      let count = try tx.update(
        Sale.where { $0.payment.kind == .cash && $0.id < id }, set: \.payment, to: tender)
      let changed = sales.values.filter { $0.payment == .cash && $0.id < id }
      #expect(count == changed.count)
      for sale in changed { sales[sale.id]?.payment = tender }
    case 7:
      try tx.update(
        Sale.where { $0.id > id }, set: \.payment, to: { $0.refund ?? $0.payment })
      for (id, sale) in sales where id > made.id {
        sales[id]?.payment = sale.refund ?? sale.payment
      }
    case 8:
      try tx.upsert(made, onConflict: .merge(\.payment, \.sample))
      let old = sales[id] ?? made
      sales[id] = Sale(
        id: id, note: old.note, payment: made.payment, refund: old.refund, packet: old.packet,
        sample: made.sample, earlier: old.earlier)
    default:
      try tx.delete(Sale.self, id: id)
      sales[id] = nil
      for (other, sale) in sales where sale.earlier?.id == id {
        sales[other]?.earlier = nil
      }
    }
  }

  private func store(_ count: Int = 2000) throws -> (Store, [Sale]) {
    var random = SeededGenerator(seed: 5)
    let sales = (0..<count).map { id in
      var sale = Sale.random(id, &random)
      sale.earlier = nil
      return sale
    }
    let store = try Store(.inMemory, models: Sale.self)
    try store.write { try $0.insert(contentsOf: sales) }
    return (store, sales)
  }

  @Test func aConditionOnAKindUsesItsIndex() throws {
    let (store, sales) = try store()
    let snapshot = store.snapshot()
    let cards = sales.filter { $0.payment.kind == .card && $0.note == "note 2" }.count
    let plan = try snapshot.explain(
      Sale.where { $0.payment.kind == .card && $0.note == "note 2" })
    #expect(plan.matchCount == cards)
    #expect(plan.rowsExamined <= cards, "\(plan)")
    let refunds = try snapshot.explain(Sale.where { $0.refund.kind == .cash })
    let cash = sales.filter { $0.refund == .cash }.count
    #expect(refunds.lines.first == "\(cash) entries of the index of (refund.kind)")
    #expect(refunds.matchCount == cash)
    #expect(refunds.rowsExamined == 0)
  }

  @Test func aKindIsNotSetWithoutItsValue() throws {
    let (store, sales) = try store(10)
    let refusal = StoreError.unencodable(
      type: "Sale.payment.kind", reason: "the kind of a value is set by setting the value")
    #expect(throws: refusal) {
      try store.write { try $0.update(Sale.self, id: 1, set: \.payment.kind, to: .cash) }
    }
    #expect(throws: refusal) {
      try store.write { try $0.update(Sale.all, set: \.payment.kind, to: .cash) }
    }
    #expect(throws: refusal) {
      try store.write { try $0.update(Sale.all, set: \.payment.kind, to: { $0.payment.kind }) }
    }
    #expect(throws: refusal) {
      try store.write { try $0.upsert(sales[0], onConflict: .merge(\.payment.kind)) }
    }
  }

  @Test func anotherPropertyOfTheTypeOfTheKindIsNoField() throws {
    let (store, _) = try store(10)
    #expect(throws: StoreError.self) {
      try store.read { try $0.count(Sale.where { $0.payment.fallback == .cash }) }
    }
    #expect(throws: StoreError.self) {
      try store.read { try $0.fetch(Sale.all.order(by: \.payment.fallback)) }
    }
  }

  @Test func aChangeOfAKindIsNamedAfterTheValue() async throws {
    let (store, _) = try store(10)
    var changes = store.changes(of: Sale.self, id: 3).makeAsyncIterator()
    _ = try await changes.next()
    try await store.write {
      try $0.update(Sale.self, id: 3) { $0.refund = $0.refund == nil ? .cash : nil }
    }
    let change = try #require(try await changes.next())
    #expect(change.fields == ["refund"])
    #expect(try change.hasChanged(\.refund))
    #expect(try change.hasChanged(\.refund?.kind))
    #expect(try !change.hasChanged(\.payment.kind))
  }

  @Test func aQueryTextNamesTheKind() throws {
    let (store, sales) = try store(100)
    let query = try Query<Sale>(
      "Sale where payment.kind == \"card\" && refund.kind == nil sort payment.kind, id",
      in: store)
    let expected = sales.filter { $0.payment.kind == .card && $0.refund == nil }
    #expect(try store.read { try $0.fetch(query).map(\.id) } == expected.map(\.id))
  }

  struct Choices: Model {
    let id: Int
    var choices: [Tender]
    static let schema = Schema(Choices.init, Key("id", \.id), Field("choices", \.choices))
  }

  struct Keyed: Model {
    let id: Tender
    static let schema = Schema(Keyed.init, Key("id", \.id))
  }

  @Test func elementsAndKeysHaveNoKinds() {
    #expect(
      throws: StoreError.schemaInvalid(
        model: "Choices",
        reason: "\"choices\" has elements with kinds, which only fields of an object can have.")
    ) { _ = try Store(.inMemory, models: Choices.self) }
    #expect(
      throws: StoreError.schemaInvalid(
        model: "Keyed", reason: "\"id\" has kinds, which a key cannot have.")
    ) { _ = try Store(.inMemory, models: Keyed.self) }
  }

  @Test func aValueUnderANameHasItsKindOrNot() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/values.roost"
      do {
        let store = try Store(.file(path), models: Sale.self)
        try store.write {
          try $0.setValue("old", to: Unkinded.Tender.card(number: "1", months: 2))
          try $0.setValue("new", to: Tender.voucher([]))
        }
      }
      let store = try Store(.file(path), models: Sale.self)
      let old = try store.read { try $0.value("old", as: Tender.self) }
      #expect(old == .card(number: "1", months: 2))
      try store.write {
        try $0.setValue("old", to: Tender.cash)
        try $0.setValue("new", to: Unkinded.Tender.cash)
      }
      let now = try store.read {
        [try $0.value("old", as: Tender.self), try $0.value("new", as: Tender.self)]
      }
      #expect(now == [.cash, .cash])
      #expect(try store.verify() == [])
    }
  }

  @Test(arguments: [TextFormat.json, .ndjson, .csv])
  func textsHaveNoKindsAndMakeThemWithTheValues(format: TextFormat) throws {
    let (store, sales) = try store(200)
    let all = Dictionary(uniqueKeysWithValues: sales.map { ($0.id, $0) })
    var text: [UInt8] = []
    try store.snapshot().export(Sale.all, to: TextOutput { text += $0 }, as: format)
    #expect(!String(decoding: text, as: UTF8.self).contains("kind"))
    let other = try Store(.inMemory, models: Sale.self)
    try other.write { try $0.insert(Sale.self, from: .bytes(text), as: format) }
    try KindOracle.check(other, all)
    // Over other values.
    try other.write { try $0.update(Sale.all, set: \.payment, to: .cash) }
    try other.write {
      try $0.upsert(
        Sale.self, from: .bytes(text), as: format, onConflict: .merge(\.payment, \.refund))
    }
    try KindOracle.check(other, all)
  }

  @Test func aTextThatMergesChangesTheKindsOfWhatItGives() throws {
    let (store, sales) = try store(3)
    var all = Dictionary(uniqueKeysWithValues: sales.map { ($0.id, $0) })
    try store.write {
      try $0.upsert(
        Sale.self,
        from: .text(
          """
          [{"id": 0, "refund": {"card": {"number": "1", "months": 2}}, "sample": null},
           {"id": 1, "payment": {"cash": {}}, "refund": null, "note": "b"},
           {"id": 2, "sample": {"weight": {"grams": {"_0": 4}}, "deposit": {"cash": {}}}},
           {"id": 9, "note": "a", "payment": {"cash": {}}, "packet": {"weight": {"nothing": {}}}}]
          """), as: .json, onConflict: .mergeGiven)
    }
    all[0]?.refund = .card(number: "1", months: 2)
    all[0]?.sample = nil
    all[1]?.payment = .cash
    all[1]?.refund = nil
    all[1]?.note = "b"
    all[2]?.sample = Packet(weight: .grams(4), deposit: .cash)
    all[9] = Sale(
      id: 9, note: "a", payment: .cash, refund: nil, packet: Packet(weight: .nothing, deposit: nil),
      sample: nil, earlier: nil)
    try KindOracle.check(store, all)
  }

  @Test func aDictionaryHasNoKinds() throws {
    let sale = Sale(
      id: 1, note: "a", payment: .cash, refund: nil,
      packet: Packet(weight: .nothing, deposit: .cash),
      sample: nil, earlier: nil)
    let members = try sale.dictionary()
    #expect(members.keys.sorted() == ["id", "note", "packet", "payment"])
    #expect((members["packet"] as? [String: Any])?.keys.sorted() == ["deposit", "weight"])
  }
}
