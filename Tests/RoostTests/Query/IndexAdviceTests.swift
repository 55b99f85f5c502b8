import Foundation
import Roost
import Testing

/// The store of the article Performance, what `explain` advises there, and that it is true.
@Suite struct IndexAdviceTests {
  struct City: Model {
    let id: Int
    var name: String
    static let shops = Inverse(\Shop.city)
    static let schema = Schema(City.init, Key("id", \.id), Field("name", \.name, .unique))
  }
  struct Place: Embedded {
    var street: String
    var number: Int
    static let fields = Fields(Place.init, Part("street", \.street), Part("number", \.number))
  }
  struct Shop: Model {
    let id: Int
    var name: String
    var sales: Int
    var opened: Date
    var place: Place
    var city: Link<City>
    static let schema = Schema(
      Shop.init, Key("id", \.id), Field("name", \.name, .indexed), Field("sales", \.sales),
      Field("opened", \.opened), Field("place", \.place), Field("city", \.city))
  }

  /// The same model in a later release, with what was advised.
  enum Later {
    struct Shop: Model {
      let id: Int
      var name: String
      var sales: Int
      var opened: Date
      var place: Place
      var city: Link<City>
      static let schema = Schema(
        Shop.init, Key("id", \.id), Field("name", \.name, .indexed),
        Field("sales", \.sales, .indexed), Field("opened", \.opened), Field("place", \.place),
        Field("city", \.city))
      static let indexes = [Index<Shop>(\.sales, \.opened)]
    }
  }

  private func fill<S: Model>(_ type: S.Type, _ make: (Int) -> S) throws -> Snapshot {
    let store = try Store(.inMemory, models: City.self, S.self)
    try store.write { transaction in
      try transaction.insert(contentsOf: (0..<100).map { City(id: $0, name: "City \($0)") })
      try transaction.insert(contentsOf: (0..<50_000).map(make))
    }
    return store.snapshot()
  }

  private func snapshot() throws -> Snapshot {
    try fill(Shop.self) {
      Shop(
        id: $0, name: "Shop \($0)", sales: $0 % 1000,
        opened: Date(timeIntervalSinceReferenceDate: Double($0 * 7919 % 50_000)),
        place: Place(street: "Street \($0 * 7919 % 25_000)", number: $0 % 9),
        city: Link(id: $0 % 100))
    }
  }

  @Test func theAdviceIsToldInTheWordsOfTheSchema() throws {
    let snapshot = try snapshot()
    func advice(_ query: Query<Shop>) throws -> String? {
      let plan = try snapshot.explain(query)
      // It is the line before the last.
      #expect(plan.advice.map { [$0] } ?? [] == plan.lines.filter { $0.hasPrefix("advice") })
      #expect(plan.advice == nil || plan.lines.dropLast().last == plan.advice)
      return plan.advice
    }
    #expect(
      try advice(Shop.where { $0.sales == 7 })?.hasPrefix(
        "advice: .indexed in Field(\"sales\", …) of Shop would leave 50 of the ") == true)
    let street = try advice(Shop.where { $0.place.street == "Street 9" })
    #expect(
      street?.hasPrefix(
        "advice: .indexed in Part(\"street\", …) of place.street would leave 2 of the ") == true)
    let newest = Shop.where { $0.sales < 500 }.order(by: \.opened, descending: true).limit(10)
    #expect(try advice(newest) == nil)
    #expect(
      try advice(Shop.all.order(by: \.opened, descending: true).limit(10))?.hasPrefix(
        "advice: .indexed in Field(\"opened\", …) of Shop would give the first 10 without sorting ")
        == true)
    #expect(try advice(Shop.where { $0.name == "Shop 7" }) == nil)
    #expect(try advice(Shop.where { $0.name.hasSuffix("77") }) == nil)
  }

  @Test func whatIsAdvisedIsUsedInTheNextRelease() throws {
    let slow = try snapshot().explain(Shop.where { $0.sales == 7 }.order(by: \.opened).limit(10))
    #expect(slow.advice != nil)
    let later = try fill(Later.Shop.self) {
      Later.Shop(
        id: $0, name: "Shop \($0)", sales: $0 % 1000,
        opened: Date(timeIntervalSinceReferenceDate: Double($0 * 7919 % 50_000)),
        place: Place(street: "Street \($0 * 7919 % 25_000)", number: $0 % 9),
        city: Link(id: $0 % 100))
    }
    let quick = try later.explain(
      Later.Shop.where { $0.sales == 7 }.order(by: \.opened).limit(10))
    #expect(quick.rowsExamined == 0 && quick.advice == nil)
    let counted = try later.explain(Later.Shop.where { $0.sales == 7 })
    #expect(counted.rowsExamined == 0 && counted.advice == nil)
  }

  struct Visit: Model {
    let id: Int
    var shop: Link<Shop>
    static let schema = Schema(Visit.init, Key("id", \.id), Field("shop", \.shop))
  }

  @Test func aScanBehindALinkIsToldAndCountedAndItsIndexIsAdvised() throws {
    let store = try Store(.inMemory, models: City.self, Shop.self, Visit.self)
    try store.write { transaction in
      try transaction.insert(City(id: 0, name: "City"))
      try transaction.insert(
        contentsOf: (0..<50_000).map {
          Shop(
            id: $0, name: "Shop \($0)", sales: $0 % 1000, opened: Date(),
            place: Place(street: "S", number: 1), city: Link(id: 0))
        })
      try transaction.insert(contentsOf: (0..<200).map { Visit(id: $0, shop: Link(id: $0 * 7)) })
    }
    let snapshot = store.snapshot()
    let slow = try snapshot.explain(Visit.where { $0.shop.sales == 7 })
    #expect(slow.matchCount == 1 && slow.rowsExamined >= 50_000, "\(slow)")
    #expect(slow.lines.first?.hasPrefix("behind links, 50 of Shop: scan of Shop, column") == true)
    #expect(
      slow.advice?.hasPrefix("advice: .indexed in Field(\"sales\", …) of Shop would leave 50")
        == true, "\(slow)")
    let quick = try snapshot.explain(Visit.where { $0.shop.name == "Shop 7" })
    #expect(quick.matchCount == 1 && quick.rowsExamined == 0 && quick.advice == nil, "\(quick)")
    #expect(quick.lines.first?.hasPrefix("behind links, 1 of Shop: 1 entries of the index") == true)
    let inverse = try snapshot.explain(City.where { $0.shops.contains { $0.sales == 7 } })
    #expect(inverse.lines.first?.hasPrefix("behind links, 50 of Shop: scan") == true, "\(inverse)")
    #expect(inverse.advice == slow.advice && inverse.rowsExamined >= 50_000)
    let sum = try snapshot.explain(City.where { $0.shops.sum { $0.sales } > 7 })
    #expect(sum.lines.first?.hasPrefix("behind links, Shop: read one by one") == true, "\(sum)")
    #expect(sum.matchCount == 1 && sum.rowsExamined == 50_001, "\(sum)")
  }

  struct Gate: Embedded {
    var number: Int
    static let fields = Fields(Gate.init, Part("no", \.number))
  }
  struct Flight: Model {
    let id: Int
    var destination: String
    var gate: Gate
    var hasLeft: Bool
    static let schema = Schema(
      Flight.init, Key("id", \.id), Field("dest", \.destination), Field("from", \.gate),
      Field("left", \.hasLeft))
  }

  @Test func anAdvisedIndexNamesThePropertiesAndNotTheFieldsOfTheFile() throws {
    let snapshot = try fill(Flight.self) {
      Flight(
        id: $0, destination: "D\($0 % 4)", gate: Gate(number: $0 * 7919 % 50_000),
        hasLeft: $0 % 200 != 0)
    }
    let first = Flight.where { $0.destination == "D3" }.order(by: \.gate.number).limit(10)
    #expect(
      try snapshot.explain(first).advice?.hasPrefix(
        "advice: Index<Flight>(\\.destination, \\.gate.number) among the indexes of Flight would ")
        == true)
    // Only 250, which would be sorted for the first ten.
    let next = Flight.where { !$0.hasLeft }.order(by: \.gate.number).limit(10)
    #expect(
      try snapshot.explain(next).advice?.hasPrefix(
        "advice: Index<Flight>(\\.hasLeft, \\.gate.number) among the indexes of Flight would give the first 10 "
      )
        == true)
    #expect(
      try snapshot.explain(Flight.where { !$0.hasLeft }).advice?.hasPrefix(
        "advice: Index<Flight>(\\.hasLeft, where: { $0.hasLeft == false }) among the indexes of Flight would "
      ) == true)
  }

  struct Errand: Model {
    let id: Int
    var isDone: Bool
    var isUrgent: Bool
    var due: Int
    static let schema = Schema(
      Errand.init, Key("id", \.id), Field("isDone", \.isDone), Field("isUrgent", \.isUrgent),
      Field("due", \.due))
    static func number(_ id: Int) -> Errand {
      Errand(id: id, isDone: id % 200 != 0, isUrgent: id % 2 == 0, due: id * 7919 % 20_000)
    }
  }

  enum Indexed {
    struct Errand: Model {
      let id: Int
      var isDone: Bool
      var isUrgent: Bool
      var due: Int
      static let schema = Schema(
        Errand.init, Key("id", \.id), Field("isDone", \.isDone), Field("isUrgent", \.isUrgent),
        Field("due", \.due))
      static let indexes: [Index<Errand>] = [
        Index(\.isDone, where: { $0.isDone == false }),
        Index(\.due, where: { $0.isUrgent == true }),
      ]
    }
  }

  private func errands<E: Model>(_ type: E.Type, _ make: (Int) -> E) throws -> Snapshot {
    let store = try Store(.inMemory, models: E.self)
    try store.write { try $0.insert(contentsOf: (0..<20_000).map(make)) }
    return store.snapshot()
  }

  @Test func ofABoolAnIndexOfSomeObjectsIsAdvised() throws {
    let snapshot = try errands(Errand.self, Errand.number)
    let open = try snapshot.explain(Errand.where { $0.isDone == false })
    #expect(
      open.advice?.hasPrefix(
        "advice: Index<Errand>(\\.isDone, where: { $0.isDone == false }) among the indexes of Errand would leave 100 of the "
      ) == true, "\(open)")
    // Of what most objects have, no index helps.
    #expect(try snapshot.explain(Errand.where { $0.isDone == true }).advice == nil)
    #expect(try snapshot.explain(Errand.where { $0.isDone != false }).advice == nil)
  }

  @Test func ofABoolThatIsNotTrueTheSameIsAdvisedAsOfOneThatIsFalse() throws {
    let snapshot = try errands(Errand.self, Errand.number)
    let asked = try #require(try snapshot.explain(Errand.where { $0.isDone == false }).advice)
    let others: [Query<Errand>] = [
      Errand.where { !$0.isDone }, Errand.where { $0.isDone != true },
      Errand.where { !($0.isDone == true) }, Errand.where { !($0.isDone != false) },
      Errand.where { !($0.isDone || $0.due.in([1, 2])) },
    ]
    for query in others {
      #expect(try snapshot.explain(query).advice == asked, "\(query)")
    }
  }

  @Test func anAdvisedIndexOfSomeObjectsIsUsed() throws {
    let snapshot = try errands(Indexed.Errand.self) {
      let errand = Errand.number($0)
      return Indexed.Errand(
        id: errand.id, isDone: errand.isDone, isUrgent: errand.isUrgent, due: errand.due)
    }
    let open = try snapshot.explain(Indexed.Errand.where { $0.isDone == false })
    #expect(open.matchCount == 100 && open.rowsExamined == 0 && open.advice == nil, "\(open)")
    #expect(try snapshot.explain(Indexed.Errand.where { !$0.isDone }).lines == open.lines)
    #expect(try snapshot.explain(Indexed.Errand.where { $0.isDone != true }).lines == open.lines)
    let urgent = try snapshot.explain(
      Indexed.Errand.where { $0.isUrgent == true }.order(by: \.due).limit(10))
    #expect(urgent.rowsExamined == 0 && urgent.advice == nil, "\(urgent)")
  }

  struct Episode: Model {
    let id: Int
    var minutes: Int
    var tags: [String]
    static let schema = Schema(
      Episode.init, Key("id", \.id), Field("minutes", \.minutes),
      Field("keywords", \.tags, .indexed))
  }

  /// An index of a list is of whole lists.
  @Test func ofElementsAModelOfTheirOwnIsAdvised() throws {
    let snapshot = try errands(Episode.self) {
      Episode(id: $0, minutes: $0 % 90, tags: ["t\($0 % 5000)", $0 % 2 == 0 ? "even" : "odd"])
    }
    let rare = Episode.where { $0.tags.contains("t7") && $0.minutes < 80 }
    let plan = try snapshot.explain(rare)
    #expect(plan.matchCount == 4 && plan.rowsExamined == 20_000)
    #expect(
      plan.advice
        == "advice: no index has the elements of tags; a model of them, with an index and a link to "
        + "Episode, would leave 4 of the 20000 rows looked at", "\(plan)")
    for query in [
      Episode.where { $0.tags.contains("even") }, Episode.where { $0.tags.count == 3 },
      Episode.where { $0.tags == ["t7", "odd"] },
    ] {
      #expect(try snapshot.explain(query).advice == nil, "\(query)")
    }
    #expect(try snapshot.explain(Episode.where { $0.tags == ["t7", "odd"] }).rowsExamined == 0)
  }
}
