import Foundation
import Roost
import RoostTestSupport
import Synchronization
import Testing

private enum State: String, Storable { case open, done }

private struct Site: Embedded {
  var city: String
  var zip: String?
  static let fields = Fields(Site.init, Part("city", \.city), Part("zip", \.zip))
}

private struct Owner: Model {
  let id: String
  static let schema = Schema(Owner.init, Key("id", \.id))
}

private struct Order: Model {
  let id: Int
  var owner: Link<Owner>?
  var date: Date
  var state: State
  var isUrgent: Bool
  var number: Int?
  var place: Site
  static let schema = Schema(
    Order.init, Key("id", \.id), Field("owner", \.owner), Field("date", \.date),
    Field("state", \.state), Field("isUrgent", \.isUrgent), Field("number", \.number),
    Field("place", \.place))
  static let indexes: [Index<Order>] = [
    Index(\.owner, \.date),
    Index(\.date, where: { $0.state == .open && $0.isUrgent == true }),
    .unique(\.place.city, \.number, where: { $0.state != .done }),
  ]
}

extension Order {
  fileprivate static func random(_ id: Int, _ random: inout SeededGenerator) -> Order {
    Order(
      id: id,
      owner: random.chance(1, in: 5) ? nil : Link(id: "o\(random.next() % 5)"),
      date: Date(timeIntervalSinceReferenceDate: Double(random.next() % 50)),
      state: random.chance(1, in: 2) ? .open : .done, isUrgent: random.chance(1, in: 4),
      number: random.chance(1, in: 3) ? nil : Int(random.next() % 20),
      place: Site(city: ["Delft", "Gent", "Ulm"].randomElement(using: &random) ?? "", zip: nil))
  }

  /// Whether an order may not be beside another one.
  fileprivate func excludes(_ other: Order) -> Bool {
    id != other.id && state != .done && other.state != .done && number != nil
      && number == other.number && place.city == other.place.city
  }
}

/// Other versions of a program.
private enum Older {
  struct Order: Model {
    let id: Int
    var state: State
    var number: Int?
    static let schema = Schema(
      Order.init, Key("id", \.id), Field("state", \.state), Field("number", \.number))
  }
}

private enum Newer {
  struct Order: Model {
    let id: Int
    var state: State
    var number: Int?
    var rank: Int
    static let schema = Schema(
      Order.init, Key("id", \.id), Field("state", \.state), Field("number", \.number),
      Field("rank", \.rank, .default(3)))
    static let indexes: [Index<Order>] = [
      .unique(\.state, \.number), Index(\.rank, \.number, where: { $0.number != nil }),
    ]
  }
}

/// It knows all fields, and wants no index.
private enum Looser {
  struct Order: Model {
    let id: Int
    var state: State
    var number: Int?
    var rank: Int
    static let schema = Schema(
      Order.init, Key("id", \.id), Field("state", \.state), Field("number", \.number),
      Field("rank", \.rank))
  }
}

private struct Refused: Model {
  let id: Int
  var tags: [String]
  var text: String
  static let schema = Schema(
    Refused.init, Key("id", \.id), Field("tags", \.tags), Field("text", \.text))
  /// Set by the one test that opens a store with it.
  static let declared = Mutex<[Index<Refused>]>([])
  static var indexes: [Index<Refused>] { declared.withLock { $0 } }
}

/// Indexes of several properties, and of some objects.
@Suite struct IndexTests {
  @Test(arguments: [UInt64](1...6))
  func ordersWithIndexesAreFoundAsAListFindsThem(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try withTemporaryDirectory { directory in
      let path = directory + "/orders.roost"
      var configuration = Configuration()
      configuration.durability = .relaxed
      var orders: [Int: Order] = [:]
      for _ in 0..<3 {
        let store = try Store(
          .file(path), models: Order.self, Owner.self, configuration: configuration)
        for _ in 0..<60 { try Self.change(store, &orders, &random) }
        try Self.check(store, orders, &random)
        #expect(try store.verify() == [])
        store.close()
      }
    }
  }

  private static func change(
    _ store: Store, _ orders: inout [Int: Order], _ random: inout SeededGenerator
  ) throws {
    let order = Order.random(Int(random.next() % 120), &random)
    var next = orders
    let kind = random.next() % 6
    do {
      try store.write { transaction in
        for owner in 0..<5 { try transaction.upsert(Owner(id: "o\(owner)")) }
        switch kind {
        case 0, 1, 2:
          next[order.id] = order
          try transaction.upsert(order)
        case 3:
          next[order.id] = nil
          _ = try transaction.delete(Order.self, id: order.id)
        case 4 where next[order.id] == nil:
          #expect(throws: StoreError.notFound(model: "Order", id: "\(order.id)")) {
            try transaction.update(Order.self, id: order.id, set: \.state, to: order.state)
          }
        case 4:
          next[order.id]?.state = order.state
          try transaction.update(Order.self, id: order.id, set: \.state, to: order.state)
        default:
          for id in orders.keys where orders[id]?.owner == order.owner {
            next[id]?.isUrgent = order.isUrgent
          }
          _ = try transaction.update(
            Order.where { $0.owner == order.owner }, set: \.isUrgent,
            to: order.isUrgent)
        }
      }
      #expect(!next.values.contains { first in next.values.contains { first.excludes($0) } })
      orders = next
    } catch StoreError.duplicateKey(let model, let field, _) {
      #expect(model == "Order" && field == "place.city, number")
      #expect(next.values.contains { first in next.values.contains { first.excludes($0) } })
    }
  }

  private static func check(
    _ store: Store, _ orders: [Int: Order], _ random: inout SeededGenerator
  ) throws {
    let snapshot = store.snapshot()
    let all = orders.values.sorted { $0.id < $1.id }
    #expect(try snapshot.fetch(Order.all) == all)
    for _ in 0..<30 {
      let other = Order.random(0, &random)
      let owner = other.owner
      let ofOwner = all.filter { $0.owner == owner }
      #expect(try snapshot.fetch(Order.where { $0.owner == owner }) == ofOwner)
      #expect(
        try snapshot.fetch(
          Order.where { $0.owner == owner && $0.date < other.date }.order(
            by: \.date, descending: true
          )
          .limit(3))
          == Array(
            ofOwner.filter { $0.date < other.date }
              .sorted { ($1.date, $0.id) < ($0.date, $1.id) }.prefix(3)))
      #expect(
        try snapshot.fetch(
          Order.where { $0.state == .open && $0.isUrgent == true && $0.date >= other.date })
          == all.filter { $0.state == .open && $0.isUrgent && $0.date >= other.date })
      #expect(
        try snapshot.fetch(
          Order.where {
            $0.place.city == other.place.city && $0.number == other.number && $0.state == .open
          })
          == all.filter {
            $0.place.city == other.place.city && $0.number == other.number && $0.state == .open
          })
    }
  }

  @Test func indexesFollowTheModel() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/orders.roost"
      var store = try Store(.file(path), models: Older.Order.self)
      try store.write { transaction in
        for id in 0..<100 {
          try transaction.insert(
            Older.Order(id: id, state: id < 50 ? .open : .done, number: id < 90 ? id % 50 : nil))
        }
      }
      store.close()
      store = try Store(.file(path), models: Newer.Order.self)
      #expect(try store.verify() == [])
      #expect(
        throws: StoreError.duplicateKey(model: "Order", field: "state, number", value: "(open, 7)")
      ) {
        try store.write {
          try $0.insert(Newer.Order(id: 200, state: .open, number: 7, rank: 0))
        }
      }
      #expect(
        try store.snapshot().fetch(Newer.Order.where { $0.rank == 3 && $0.number == 7 }).map(\.id)
          == [7, 57])
      store.close()
      // A program that does not know all fields takes no index away.
      store = try Store(.file(path), models: Older.Order.self)
      #expect(
        throws: StoreError.duplicateKey(model: "Order", field: "state, number", value: "(open, 7)")
      ) { try store.write { try $0.insert(Older.Order(id: 200, state: .open, number: 7)) } }
      store.close()
      store = try Store(.file(path), models: Looser.Order.self)
      try store.write { try $0.insert(Looser.Order(id: 200, state: .open, number: 7, rank: 1)) }
      #expect(try store.verify() == [])
      store.close()
      // What is there is not unique any more: the file stays as it is.
      let difference = SchemaDifference.duplicateValues(
        model: "Order", field: "state, number", value: "(open, 7)")
      #expect(difference.step?.contains("try $0.rewrite(\"Order\")") == true)
      #expect(throws: StoreError.migrationRequired([difference])) {
        _ = try Store(.file(path), models: Newer.Order.self)
      }
      store = try Store(.file(path), models: Older.Order.self)
      #expect(try store.snapshot().count(Older.Order.all) == 101)
      #expect(try store.verify() == [])
    }
  }

  @Test func refusesWhatNoIndexCanHave() {
    func reason(_ indexes: [Index<Refused>]) -> String? {
      Refused.declared.withLock { $0 = indexes }
      do throws(StoreError) {
        _ = try Store(.inMemory, models: Refused.self)
        return nil
      } catch {
        guard case .schemaInvalid("Refused", let reason) = error else { return "\(error)" }
        return reason
      }
    }
    #expect(
      reason([Index(\.tags)]) == "an index has \"tags\", of type [String], which none can have.")
    #expect(
      reason([Index(\.id)])
        == "an index has the key \"id\", in whose order equal entries lie anyway: leave it out.")
    #expect(reason([Index(\.text, \.text)]) == "an index has a field twice.")
    #expect(
      reason([Index(\.text, where: { $0.text.contains("a") })])
        == "an index has a condition that is not own fields compared with constants.")
    #expect(reason([Index(\.text), Index(\.text)]) == "an index of (text) is there twice.")
    #expect(reason([Index(\.text, where: { $0.text >= "a" && $0.text < "b" })]) == nil)
  }
}

/// A file with indexes of several properties and of some objects, kept in Tests/FormatTests/golden.
///
/// `ROOST_GOLDEN_INDEXES=FILE` in the environment makes it anew; an old one stays.
@Suite struct GoldenIndexesTests {
  private func store(_ path: String, isReadOnly: Bool) throws -> Store {
    var configuration = Configuration()
    configuration.isReadOnly = isReadOnly
    return try Store(
      .file(path), models: Order.self, Owner.self, configuration: configuration)
  }

  private var orders: [Order] {
    var random = SeededGenerator(seed: 14)
    var orders: [Order] = []
    for id in 0..<900 {
      var order = Order.random(id, &random)
      order.place.zip = id.isMultiple(of: 7) ? String(repeating: "z", count: 1100) : nil
      if orders.contains(where: { $0.excludes(order) }) { order.state = .done }
      orders.append(order)
    }
    return orders
  }

  @Test func aFileWithIndexesIsReadAsItWasWritten() throws {
    let orders = orders
    if let path = ProcessInfo.processInfo.environment["ROOST_GOLDEN_INDEXES"] {
      let store = try store(path, isReadOnly: false)
      try store.write { transaction in
        for owner in 0..<5 { try transaction.insert(Owner(id: "o\(owner)")) }
        try transaction.insert(contentsOf: orders.prefix(600))
      }
      try store.write { try $0.insert(contentsOf: orders.dropFirst(600)) }
    }
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("FormatTests/golden/format-1-indexes.roost")
    let store = try store(golden.path, isReadOnly: true)
    #expect(try store.verify().isEmpty)
    let snapshot = store.snapshot()
    #expect(try snapshot.fetch(Order.all) == orders)
    for owner in 0..<5 {
      let link = Link<Owner>(id: "o\(owner)")
      let expected = orders.filter { $0.owner == link }
        .sorted { ($0.date, $0.id) < ($1.date, $1.id) }
      #expect(
        try snapshot.fetch(Order.where { $0.owner == link }.order(by: \.date).limit(50))
          == Array(expected.prefix(50)))
    }
    #expect(
      try snapshot.fetch(Order.where { $0.state == .open && $0.isUrgent == true })
        == orders.filter { $0.state == .open && $0.isUrgent })
  }
}
