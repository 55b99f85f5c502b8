import Foundation
import Roost
import Synchronization
import Testing

// Code over a protocol of models: its key paths lead through the protocol's requirements.

private protocol Syncable: Model where ID == Int {
  associatedtype Mark: Storable
  var isDirty: Bool { get }
  var isDeleted: Bool { get }
  var title: String { get set }
  var subtitle: String { get }
  var note: String? { get }
  var changed: Date { get set }
  var sent: Date? { get }
  var price: Decimal { get }
  var mood: Mood { get }
  var mark: Mark { get set }
  var home: Home { get set }
  var owner: Link<Tag> { get }
  var reviewer: Link<Tag>? { get }
  var tags: Links<Tag> { get }
  var words: [String] { get }
  var payment: Payment { get }
  var sound: Blob { get }
}

private struct Home: Embedded {
  var city: String
  var isOpen: Bool
  static let fields = Fields(
    Home.init, Part("city", \.city), Part("isOpen", \.isOpen))
}

private struct Order: Syncable {
  let id: Int
  var title: String
  var subtitle: String
  var isDeleted: Bool
  var isDirty: Bool
  var isOld: Bool
  var note: String?
  var changed: Date
  var sent: Date?
  var price: Decimal
  var mood: Mood
  var mark: Int
  var home: Home
  var owner: Link<Tag>
  var reviewer: Link<Tag>?
  var tags: Links<Tag>
  var words: [String]
  var payment: Payment
  var sound = Blob()
  static let schema = Schema(
    Order.init, Key("id", \.id), Field("title", \.title), Field("subtitle", \.subtitle),
    Field("isDeleted", \.isDeleted), Field("isDirty", \.isDirty), Field("isOld", \.isOld),
    Field("note", \.note), Field("changed", \.changed), Field("sent", \.sent),
    Field("price", \.price), Field("mood", \.mood), Field("mark", \.mark), Field("home", \.home),
    Field("owner", \.owner), Field("reviewer", \.reviewer), Field("tags", \.tags),
    Field("words", \.words), Field("payment", \.payment), Field("sound", \.sound))
}

/// The same properties, in another order, under other names in the file, and beside others of their types.
private struct Invoice: Syncable {
  var mark: String
  var isPaid: Bool
  var isDirty: Bool
  var other: String
  var note: String?
  var isDeleted: Bool
  var subtitle: String
  let id: Int
  var title: String
  var sent: Date?
  var changed: Date
  var oldPrice: Decimal
  var price: Decimal
  var mood: Mood
  var oldHome: Home
  var home: Home
  var reviewer: Link<Tag>?
  var owner: Link<Tag>
  var tags: Links<Tag>
  var words: [String]
  var payment: Payment
  var sound = Blob()
  static let schema = Schema(
    Invoice.init, Field("m", \.mark), Field("paid", \.isPaid), Field("dirty", \.isDirty),
    Field("other", \.other), Field("note", \.note), Field("deleted", \.isDeleted),
    Field("subtitle", \.subtitle), Key("id", \.id), Field("title", \.title),
    Field("sent", \.sent), Field("changed", \.changed), Field("oldPrice", \.oldPrice),
    Field("price", \.price), Field("mood", \.mood), Field("oldHome", \.oldHome),
    Field("home", \.home), Field("reviewer", \.reviewer), Field("owner", \.owner),
    Field("tags", \.tags), Field("words", \.words), Field("payment", \.payment),
    Field("sound", \.sound))
}

extension Order {
  init(_ id: Int, _ title: String = "a", isDirty: Bool = false, isDeleted: Bool = false) {
    self.init(
      id: id, title: title, subtitle: "s\(id)", isDeleted: isDeleted, isDirty: isDirty,
      isOld: !isDirty, note: id % 2 == 0 ? nil : "n", changed: Date(timeIntervalSince1970: 100),
      sent: nil, price: Decimal(id), mood: id == 1 ? .wild : .calm, mark: id * 10,
      home: Home(city: "Delft", isOpen: isDirty), owner: Link(id: "red"),
      reviewer: id == 2 ? Link(id: "red") : nil, tags: ["red"], words: ["w\(id)"],
      payment: id == 3 ? .cash : .card(number: "4", expires: nil), sound: Blob([1, 2]))
  }
}

extension Invoice {
  fileprivate init(_ id: Int, _ title: String = "a", isDirty: Bool = false) {
    self.init(
      mark: "m\(id)", isPaid: !isDirty, isDirty: isDirty, other: "o", note: nil,
      isDeleted: false, subtitle: "t", id: id, title: title, sent: nil,
      changed: Date(timeIntervalSince1970: 100), oldPrice: 0, price: 2, mood: .calm,
      oldHome: Home(city: "Bonn", isOpen: !isDirty), home: Home(city: "Ulm", isOpen: isDirty),
      reviewer: nil, owner: Link(id: "blue"), tags: [], words: [], payment: .cash)
  }
}

/// What an app writes once for all models of a protocol.
private struct Outbox<Object: Syncable> {
  let store: Store

  func ids(_ condition: (QueryRoot<Object>) -> QueryCondition) throws -> [Int] {
    try store.snapshot().fetch(Object.where(condition)).map(\.id)
  }

  func unsent() throws -> [Object] {
    try store.snapshot().fetch(
      Object.where { $0.isDirty && !$0.isDeleted }.order(by: \.title, \.id))
  }

  func markSent() throws -> Int {
    try store.write { transaction in
      let unsent = Object.where { $0.isDirty && !$0.isDeleted }
      try transaction.update(unsent, set: \.changed, to: Date(timeIntervalSince1970: 200))
      return try transaction.update(unsent) { $0.title += "!" }
    }
  }
}

@Suite struct ProtocolModelTests {
  private let store: Store

  init() throws {
    store = try Store(.inMemory, models: Order.self, Invoice.self, Tag.self)
    try store.write { transaction in
      try transaction.insert(Tag(id: "red", color: 1))
      try transaction.insert(Tag(id: "blue", color: 2))
      try transaction.insert(contentsOf: [
        Order(1, "c", isDirty: true), Order(2, "b", isDirty: true), Order(3, "a"),
        Order(4, "d", isDirty: true, isDeleted: true),
      ])
      try transaction.insert(contentsOf: [Invoice(1, isDirty: true), Invoice(2)])
    }
  }

  @Test func oneFunctionAsksForTheFieldsOfEachModel() throws {
    #expect(try Outbox<Order>(store: store).unsent().map(\.id) == [2, 1])
    #expect(try Outbox<Invoice>(store: store).unsent().map(\.id) == [1])
    #expect(
      try Outbox<Order>(store: store).unsent() == [
        Order(2, "b", isDirty: true), Order(1, "c", isDirty: true),
      ])
  }

  private func answers<Object: Syncable>(_ model: Object.Type, mark: Object.Mark) throws -> [[Int]]
  {
    let outbox = Outbox<Object>(store: store)
    return [
      try outbox.ids { $0.id > 1 },
      try outbox.ids { $0.title < $0.subtitle },
      try outbox.ids { $0.note == nil },
      try outbox.ids { $0.changed < Date(timeIntervalSince1970: 101) && $0.sent == nil },
      try outbox.ids { $0.price >= 2 },
      try outbox.ids { $0.mood == .calm },
      try outbox.ids { $0.mark == mark },
      try outbox.ids { $0.home.city == "Delft" && !$0.home.isOpen },
      try outbox.ids { $0.home.isOpen },
      try outbox.ids { $0.owner.color == 1 },
      try outbox.ids { $0.reviewer.color == 1 },
      try outbox.ids { $0.tags.contains("red") },
      try outbox.ids { $0.tags.contains { $0.color == 1 } },
      try outbox.ids { $0.words.contains("w2") },
      try outbox.ids { $0.payment == .cash },
      try outbox.ids { !$0.sound.isEmpty },
    ]
  }

  @Test func fieldsOfAllKindsAreFound() throws {
    #expect(
      try answers(Order.self, mark: 20) == [
        [2, 3, 4], [1, 2, 3, 4], [2, 4], [1, 2, 3, 4], [2, 3, 4], [2, 3, 4], [2], [3], [1, 2, 4],
        [1, 2, 3, 4], [2], [1, 2, 3, 4], [1, 2, 3, 4], [2], [3], [1, 2, 3, 4],
      ])
    #expect(
      try answers(Invoice.self, mark: "m2") == [
        [2], [1, 2], [1, 2], [1, 2], [1, 2], [1, 2], [2], [], [1], [], [], [], [], [], [1, 2], [],
      ])
  }

  private func rows<Object: Syncable>(_ model: Object.Type) throws -> [String] {
    try store.snapshot().rows(Object.all).map { row in
      let bytes = try unsafe row.withBytes(\.title) { $0.count }
      let reviewer = try row.reviewer?.color
      return "\(try row.id) \(try row.title) \(try row.isDirty) \(try row.home.city) \(bytes) "
        + "\(try row.owner.color) \(reviewer ?? 0) \(try row.words.count)"
    }
  }

  @Test func rowsAndAggregatesReadThem() throws {
    #expect(
      try rows(Order.self) == [
        "1 c true Delft 1 1 0 1", "2 b true Delft 1 1 1 1", "3 a false Delft 1 1 0 1",
        "4 d true Delft 1 1 0 1",
      ])
    #expect(try rows(Invoice.self) == ["1 a true Ulm 1 2 0 0", "2 a false Ulm 1 2 0 0"])
    func dearest<Object: Syncable>(_ model: Object.Type) throws -> Decimal? {
      try store.snapshot().max(\.price, of: Object.all)
    }
    #expect(try dearest(Order.self) == 4)
    #expect(try dearest(Invoice.self) == 2)
  }

  @Test func updatesSetThem() throws {
    #expect(try Outbox<Order>(store: store).markSent() == 2)
    #expect(try Outbox<Invoice>(store: store).markSent() == 1)
    func set<Object: Syncable>(_ model: Object.Type, _ mark: Object.Mark) throws {
      try store.write { transaction in
        try transaction.update(Object.self, id: 1, set: \.mark, to: mark)
        try transaction.update(
          Object.self, id: 1, set: \.home, to: Home(city: "Rome", isOpen: false))
        try transaction.update(Object.self, id: 1, set: \.home.isOpen, to: true)
      }
    }
    try set(Order.self, 99)
    try set(Invoice.self, "ninety-nine")
    let later = Date(timeIntervalSince1970: 200)
    var order = Order(1, "c!", isDirty: true)
    (order.changed, order.mark, order.home) = (later, 99, Home(city: "Rome", isOpen: true))
    #expect(try store.snapshot().find(Order.self, id: 1) == order)
    var invoice = Invoice(1, "a!", isDirty: true)
    (invoice.changed, invoice.mark) = (later, "ninety-nine")
    invoice.home = Home(city: "Rome", isOpen: true)
    #expect(try store.snapshot().find(Invoice.self, id: 1) == invoice)
  }

  @Test func changesTellOfThem() throws {
    func changed<Object: Syncable>(
      _ model: Object.Type, since earlier: Snapshot
    ) throws -> [[Bool]] {
      try store.snapshot().changes(since: earlier).of(model).modifications.map {
        [try $0.hasChanged(\.title), try $0.hasChanged(\.home), try $0.hasChanged(\.price)]
      }
    }
    let before = store.snapshot()
    #expect(try Outbox<Order>(store: store).markSent() == 2)
    #expect(try Outbox<Invoice>(store: store).markSent() == 1)
    #expect(
      try changed(Order.self, since: before) == [[true, false, false], [true, false, false]])
    #expect(try changed(Invoice.self, since: before) == [[true, false, false]])
  }

  private struct Draft: Painted {
    let id: Int
    var isWet: Bool
    var isDry: Bool
    static let schema = Schema(
      Draft.init, Key("id", \.id), Field("isWet", \.isWet), Field("isDry", \.isDry))
  }

  @Test func manyThreadsFindAFieldAtOnce() throws {
    let store = try Store(.inMemory, models: Draft.self)
    try store.write {
      try $0.insert(contentsOf: (0..<9).map { Draft(id: $0, isWet: $0 < 5, isDry: $0 < 3) })
    }
    @Sendable func dry<Object: Painted>(_ model: Object.Type) -> Query<Object> {
      Object.where { $0.isDry }
    }
    let snapshot = store.snapshot()
    let counts = Mutex<[Int?]>([])
    DispatchQueue.concurrentPerform(iterations: 32) { _ in
      let count = try? snapshot.count(dry(Draft.self))
      counts.withLock { $0.append(count) }
    }
    #expect(counts.withLock { $0 } == Array(repeating: 3, count: 32))
  }

  // MARK: What is no field

  private struct Odd: Calculated {
    let id: Int
    var name: String
    var nickname: String?
    var isDirty: Bool
    var isDeleted: Bool
    var count: Int
    var total: Double
    var words: [String]
    var changed: Date
    var unlisted = "1"
    static let schema = Schema(
      Odd.init(id:name:nickname:isDirty:isDeleted:count:total:words:changed:), Key("id", \.id),
      Field("name", \.name), Field("nickname", \.nickname), Field("isDirty", \.isDirty),
      Field("isDeleted", \.isDeleted), Field("count", \.count), Field("total", \.total),
      Field("words", \.words), Field("changed", \.changed))

    init(
      id: Int, name: String, nickname: String?, isDirty: Bool, isDeleted: Bool, count: Int,
      total: Double, words: [String], changed: Date
    ) {
      self.id = id
      self.name = name
      self.nickname = nickname
      self.isDirty = isDirty
      self.isDeleted = isDeleted
      self.count = count
      self.total = total
      self.words = words
      self.changed = changed
    }

    var waits: Bool { isDirty && !isDeleted }
    var never: Bool { false }
    var capitals: String { name.uppercased() }
    var trimmed: String { name.trimmingCharacters(in: .whitespaces) }
    var shown: String { nickname ?? name }
    var known: String? { nickname ?? name }
    var stock: Int { max(0, count) }
    var amount: Int { abs(count) }
    var most: Int { min(count, 50) }
    var rounded: Double { total.rounded() }
    var sorted: [String] { words.sorted() }
    var day: Date { Calendar(identifier: .iso8601).startOfDay(for: changed) }
    /// Always equals a field, and so is as good as it.
    var label: String { name }
  }

  fileprivate func refused<Object: Calculated, Value: Storable>(
    _ model: Object.Type, _ path: KeyPath<Object, Value>
  ) throws -> StoreError? {
    let store = try Store(.inMemory, models: model)
    do throws(StoreError) {
      _ = try store.snapshot().distinct(of: Object.all) { $0[dynamicMember: path] }
      return nil
    } catch {
      return error
    }
  }

  @Test func aCalculatedPropertyIsRefusedByItsType() throws {
    func errors<Object: Calculated>(_ model: Object.Type) throws -> [StoreError?] {
      [
        try refused(model, \.waits), try refused(model, \.never), try refused(model, \.capitals),
        try refused(model, \.trimmed), try refused(model, \.shown), try refused(model, \.known),
        try refused(model, \.stock), try refused(model, \.amount), try refused(model, \.most),
        try refused(model, \.rounded), try refused(model, \.sorted), try refused(model, \.day),
        try refused(model, \.unlisted),
      ]
    }
    let types = [
      "Bool", "Bool", "String", "String", "String", "Optional<String>", "Int", "Int", "Int",
      "Double", "Array<String>", "Date", "String",
    ]
    for (error, type) in zip(try errors(Odd.self), types) {
      #expect(
        error
          == .unknownField(model: "Odd", property: "a calculated property of type \(type)"))
    }
    func label<Object: Calculated>(_ model: Object.Type) throws -> StoreError? {
      try refused(model, \.label)
    }
    #expect(try label(Odd.self) == nil)
  }

  private struct Alike: Twofold {
    enum Only: String, Storable { case one }
    let id: Int
    var first: Only
    var second: Only
    static let schema = Schema(
      Alike.init, Key("id", \.id), Field("first", \.first), Field("second", \.second))
  }

  @Test func fieldsThatNoSamplesTellApartAreRefused() throws {
    func query<Object: Twofold>(_ model: Object.Type) -> Query<Object>
    where Object.Only == Alike.Only {
      Object.where { $0.first == .one }
    }
    let store = try Store(.inMemory, models: Alike.self)
    #expect(
      throws: StoreError.unknownField(
        model: "Alike", property: "a calculated property of type Only")
    ) {
      try store.snapshot().count(query(Alike.self))
    }
    #expect(try store.snapshot().count(Alike.where { $0.first == .one }) == 0)
  }

  private struct Shade: Converted, Hashable {
    var name: String
    init(name: String) { self.name = name }
    init?(stored: String) {
      guard stored.hasPrefix("#") else { return nil }
      name = stored
    }
    var stored: String { name }
  }

  private struct Wall: Painted {
    let id: Int
    var shade: Shade
    var isDry: Bool
    static let schema = Schema(
      Wall.init, Key("id", \.id), Field("shade", \.shade), Field("isDry", \.isDry))
  }

  private struct Door: Painted {
    let id: Int
    var shade: Shade
    var isDry: Bool
    static let schema = Schema(
      Door.init, Key("id", \.id), Field("shade", \.shade, .default(Shade(name: "#fff"))),
      Field("isDry", \.isDry))
  }

  @Test func aTypeWithoutSamplesNeedsADefault() throws {
    func dry<Object: Painted>(_ model: Object.Type) -> Query<Object> {
      Object.where { $0.isDry }
    }
    let store = try Store(.inMemory, models: Wall.self, Door.self)
    #expect(
      throws: StoreError.unknownField(
        model: "Wall",
        property: "a calculated property of type Bool, which could not be compared with the fields "
          + "(no value of \"shade\" is known; its `.default` would be one)")
    ) {
      try store.snapshot().count(dry(Wall.self))
    }
    try store.write { try $0.insert(Door(id: 1, shade: Shade(name: "#000"), isDry: true)) }
    #expect(try store.snapshot().count(dry(Door.self)) == 1)
  }
}

private protocol Calculated: Model {
  var waits: Bool { get }
  var never: Bool { get }
  var capitals: String { get }
  var trimmed: String { get }
  var shown: String { get }
  var known: String? { get }
  var stock: Int { get }
  var amount: Int { get }
  var most: Int { get }
  var rounded: Double { get }
  var sorted: [String] { get }
  var day: Date { get }
  var unlisted: String { get }
  var label: String { get }
}

private protocol Twofold: Model {
  associatedtype Only: Storable
  var first: Only { get }
}

private protocol Painted: Model {
  var isDry: Bool { get }
}
