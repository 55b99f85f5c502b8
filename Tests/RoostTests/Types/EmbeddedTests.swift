import Foundation
import Roost
import RoostTestSupport
import Testing

struct Place: Embedded {
  var latitude: Double
  var longitude: Double
  /// Not stored.
  var isNorthern: Bool { latitude > 0 }
  static let fields = Fields(
    Place.init, Part("latitude", \.latitude), Part("longitude", \.longitude))
}

struct Address: Embedded {
  var city: String
  var zip: String?
  var place: Place?
  static let fields = Fields(
    Address.init, Part("city", \.city, .indexed), Part("zip", \.zip), Part("place", \.place))
}

struct Customer: Model {
  let id: Int
  var name: String
  var address: Address
  var billing: Address?
  static let schema = Schema(
    Customer.init, Key("id", \.id), Field("name", \.name), Field("address", \.address),
    Field("billing", \.billing))
}

/// Structs within objects, and what is refused of collections.
@Suite struct EmbeddedTests {
  private let delft = Address(
    city: "Delft", zip: "2611", place: Place(latitude: 52.01, longitude: 4.36))

  private func store() throws -> Store {
    let store = try Store(.inMemory, models: Customer.self)
    try store.write { [delft] in
      try $0.insert(Customer(id: 1, name: "Ann", address: delft, billing: nil))
      try $0.insert(
        Customer(
          id: 2, name: "Bob", address: Address(city: "Oslo", zip: nil, place: nil), billing: delft))
    }
    return store
  }

  @Test func aQueryAsksForAPartOfAPartOfAStruct() throws {
    let store = try store()
    let north = Customer.where { $0.address.place.latitude > 50 }
    #expect(try store.read { try $0.fetch(north).map(\.id) } == [1])
    let toDelft = Customer.where { $0.billing.city == "Delft" && $0.billing.place.longitude < 5 }
    #expect(try store.read { try $0.fetch(toDelft).map(\.id) } == [2])
  }

  @Test func aQueryAsksWhetherThereIsAStruct() throws {
    let store = try store()
    func ids(_ condition: (QueryRoot<Customer>) -> QueryCondition) throws -> [Int] {
      try store.read { try $0.fetch(Customer.where(condition)).map(\.id) }
    }
    #expect(try ids { $0.billing == nil } == [1])
    #expect(try ids { $0.billing != nil } == [2])
    #expect(try ids { $0.address.place == nil } == [2])
    #expect(try ids { $0.address.place != nil && $0.name == "Ann" } == [1])
    // Of a struct that is not there, no part is.
    #expect(try ids { $0.billing.place == nil } == [1])
    #expect(try ids { $0.billing.place != nil } == [2])
  }

  @Test func changingAPartLeavesTheOthers() throws {
    let store = try store()
    try store.write { try $0.update(Customer.self, id: 1, set: \.address.zip, to: "2612") }
    let address = try store.read { try $0.find(Customer.self, id: 1).address }
    #expect(address == Address(city: "Delft", zip: "2612", place: delft.place))
  }

  struct Mapped: Model {
    let id: Int
    var billing: Address?
    static let schema = Schema(Mapped.init, Key("id", \.id), Field("billing", \.billing))
    static let indexes = [Index<Mapped>(\.billing?.place?.latitude, \.billing?.zip)]
  }

  @Test func aPartOfAnOptionalStructIsReadByOptionalChaining() throws {
    let store = try store()
    let snapshot = store.snapshot()
    let byCity = Customer.all.order(by: \.billing?.city, descending: true)
    #expect(try snapshot.fetch(byCity).map(\.id) == [2, 1])
    let zips = try snapshot.fetch(Customer.all.select(\.billing?.zip))
    #expect(zips == [nil, "2611"])
    #expect(
      try snapshot.rows(byCity).map { try $0[\.billing?.place?.latitude] } == [52.01, nil])
    let indexed = try Store(.inMemory, models: Mapped.self)
    try indexed.write { [delft] in
      try $0.insert(Mapped(id: 1, billing: delft))
      try $0.insert(Mapped(id: 2, billing: nil))
    }
    let north = Mapped.where { $0.billing.place.latitude == 52.01 && $0.billing.zip == "2611" }
    #expect(try indexed.snapshot().count(north) == 1)
  }

  @Test func aPartOfAnOptionalStructIsSetInAClosure() throws {
    let store = try store()
    let error = try #require(throws: StoreError.self) {
      try store.write { try $0.update(Customer.self, id: 2, set: \.billing?.city, to: "Oslo") }
    }
    #expect("\(error)".contains("`{ $0.billing?.city = … }`"), "\(error)")
    #expect(throws: error) {
      let customer = Customer(id: 2, name: "Bob", address: delft, billing: nil)
      try store.write { try $0.upsert(customer, onConflict: .merge(\.billing?.city)) }
    }
    try store.write { try $0.update(Customer.self, id: 2) { $0.billing?.city = "Oslo" } }
    #expect(try store.snapshot().find(Customer.self, id: 2).billing?.city == "Oslo")
  }

  @Test func anUnlistedPartIsAnError() throws {
    let store = try store()
    #expect(throws: StoreError.self) {
      try store.read { try $0.count(Customer.where { $0.address.place.isNorthern == true }) }
    }
  }

  struct SwappedParts: Embedded {
    var first: String
    var second: String
    static let fields = Fields(
      SwappedParts.init, Part("second", \.second), Part("first", \.first))
  }

  struct HoldsSwappedParts: Model {
    let id: Int
    var parts: SwappedParts?
    static let schema = Schema(
      HoldsSwappedParts.init, Key("id", \.id), Field("parts", \.parts))
  }

  @Test func findsTwoPartsInTheWrongOrder() {
    #expect(
      throws: StoreError.fieldOrder(model: "SwappedParts", field: "second", receives: "first")
    ) { _ = try Store(.inMemory, models: HoldsSwappedParts.self) }
  }

  struct Pointed: Model {
    let id: Int
    var text: String
    static let schema = Schema(Pointed.init, Key("id", \.id), Field("a.b", \.text))
  }

  @Test func rejectsANameWithAPoint() {
    #expect(
      throws: StoreError.schemaInvalid(
        model: "Pointed",
        reason: "\"a.b\" has a point in its name, which stands between the names of embedded parts."
      )
    ) { _ = try Store(.inMemory, models: Pointed.self) }
  }

  struct SameNames: Model {
    let id: Int
    var isSent: Bool
    var address: Address
    static let schema = Schema(
      SameNames.init, Key("id", \.id), Field("address", \.isSent), Field("address", \.address))
  }

  @Test func rejectsAFieldThatIsCalledAsAStruct() {
    #expect(
      throws: StoreError.schemaInvalid(
        model: "SameNames", reason: "two fields are called \"address\".")
    ) { _ = try Store(.inMemory, models: SameNames.self) }
  }

  struct Branch: Embedded {
    var name: String
    var branches: [Branch]
    static let fields = Fields(
      Branch.init, Part("name", \.name), Part("branches", \.branches))
  }

  struct Tree: Model {
    let id: Int
    var branches: [Branch]
    static let schema = Schema(Tree.init, Key("id", \.id), Field("branches", \.branches))
  }

  struct Leaf: Embedded {
    var twigs: [String: Twig?]
    static let fields = Fields(Leaf.init, Part("twigs", \.twigs))
  }

  struct Twig: Embedded {
    var leaf: Leaf
    static let fields = Fields(Twig.init, Part("leaf", \.leaf))
  }

  struct Shrub: Model {
    let id: Int
    var leaf: Leaf?
    static let schema = Schema(Shrub.init, Key("id", \.id), Field("leaf", \.leaf))
  }

  @Test func rejectsAStructWithListsOfItself() {
    #expect(
      throws: StoreError.schemaInvalid(
        model: "Tree",
        reason: "\"branches\" has elements of which \"element.branches\" has a list of Branch "
          + "within Branch, without end: make it a model, with links.")
    ) { _ = try Store(.inMemory, models: Tree.self) }
    #expect(
      throws: StoreError.schemaInvalid(
        model: "Shrub",
        reason: "\"leaf.twigs\" has a list of Leaf within Leaf, without end: make it a model, "
          + "with links.")
    ) { _ = try Store(.inMemory, models: Shrub.self) }
  }

  struct ListsLinks: Model {
    let id: Int
    var links: [Link<Tag>]
    static let schema = Schema(ListsLinks.init, Key("id", \.id), Field("links", \.links))
  }

  @Test func rejectsLinksInAnArray() {
    #expect(
      throws: StoreError.schemaInvalid(
        model: "ListsLinks",
        reason:
          "\"links\" has links in a collection: `Links` has links alone, and what has values beside them is a model of its own."
      )
    ) { _ = try Store(.inMemory, models: ListsLinks.self, Tag.self) }
  }

  // The same model before it had an address, and with another type of elements.

  enum Before {
    struct Customer: Model {
      let id: Int
      var name: String
      var tags: [String]
      static let schema = Schema(
        Customer.init, Key("id", \.id), Field("name", \.name), Field("tags", \.tags))
    }
  }

  enum After {
    struct Customer: Model {
      let id: Int
      var name: String
      var tags: [String]
      var address: Address
      var billing: Address?
      static let schema = Schema(
        Customer.init, Key("id", \.id), Field("name", \.name), Field("tags", \.tags),
        Field(
          "address", \.address, .default(Address(city: "?", zip: nil, place: nil))),
        Field("billing", \.billing))
    }
  }

  enum Retyped {
    struct Customer: Model {
      let id: Int
      var name: String
      var tags: [Int]
      static let schema = Schema(
        Customer.init, Key("id", \.id), Field("name", \.name), Field("tags", \.tags))
    }
  }

  private func withBefore(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/customers.roost"
      do {
        let store = try Store(.file(path), models: Before.Customer.self)
        try store.write { try $0.insert(Before.Customer(id: 1, name: "Ann", tags: ["vip"])) }
      }
      try body(path)
    }
  }

  @Test func olderObjectsHaveTheDefaultOfANewStruct() throws {
    try withBefore { path in
      let store = try Store(.file(path), models: After.Customer.self)
      let ann = try store.read { try $0.find(After.Customer.self, id: 1) }
      let address = Address(city: "?", zip: nil, place: nil)
      #expect(
        ann
          == After.Customer(id: 1, name: "Ann", tags: ["vip"], address: address, billing: nil))
    }
  }

  @Test func refusesAnotherTypeOfElements() throws {
    try withBefore { path in
      #expect(
        throws: StoreError.migrationRequired([
          .otherType(model: "Customer", field: "tags", stored: "[String]", declared: "[Int]")
        ])
      ) { _ = try Store(.file(path), models: Retyped.Customer.self) }
    }
  }
}
