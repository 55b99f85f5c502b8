import Foundation
import Roost

/// Models as a program has them, with everything that a schema can say. `roost models` is asked for them again.
enum Origin {
  enum Mood: String, Sortable { case calm, wild, inProgress = "in progress" }

  enum Payment: Opaque {
    case cash
    case card(number: String, months: [Int])
  }

  enum Delivery: CaseNamed {
    case pickedUp, sent(to: String)

    enum Kind: String, Sortable { case pickedUp, sent }

    var kind: Kind {
      switch self {
      case .pickedUp: .pickedUp
      case .sent: .sent
      }
    }
  }

  struct Place: Embedded {
    var street: String?
    var number: Int
    static let fields = Fields(Place.init, Part("street", \.street), Part("number", \.number))
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
    var email: String?
    var mood: Mood
    var isVip: Bool
    var balance: Decimal
    var born: Date?
    var token: UUID
    var photo: Data
    var rating: Float
    var score: Double
    var total: UInt64
    var patience: Duration
    var home: Address
    var work: Address?
    var notes: [String: String]
    var visits: [Date]
    var tags: Set<String>
    var places: [Address]
    var `class`: String
    static let schema = Schema(
      Customer.init, Key("id", \.id), Field("name", \.name, .indexed),
      Field("email", \.email, .unique), Field("mood", \.mood),
      Field("isVip", \.isVip, .default(false)), Field("balance", \.balance),
      Field("born", \.born), Field("token", \.token), Field("photo", \.photo),
      Field("rating", \.rating, .default(0.5)), Field("score", \.score), Field("total", \.total),
      Field("patience", \.patience), Field("home", \.home), Field("work", \.work),
      Field("notes", \.notes), Field("visits", \.visits), Field("tags", \.tags),
      Field("places", \.places), Field("class", \.class, .default("a \"b\"\n")))
  }

  struct Product: Model {
    let id: String
    var title: String
    var film = Blob()
    static let schema = Schema(
      Product.init, Key("code", \.id), Field("the title", \.title), Field("film", \.film))
  }

  struct Seat: Model {
    struct ID: CompoundKey {
      let row: Int
      let letter: String
      static let parts = KeyParts(ID.init, KeyPart("row", \.row), KeyPart("letter", \.letter))
    }
    let id: ID
    var isFree: Bool
    static let schema = Schema(Seat.init, Key("id", \.id), Field("isFree", \.isFree))
  }

  struct Order: Model {
    let id: UUID
    var customer: Link<Customer>
    var helper: Link<Customer>?
    var seat: Link<Seat>?
    var previous: Link<Order>?
    var products: Links<Product> = []
    var date: Date
    var number: Int?
    var payment: Payment
    var delivery: Delivery?
    static let schema = Schema(
      Order.init, Key("id", \.id), Field("customer", \.customer, .onTargetDelete(.cascade)),
      Field("helper", \.helper, .onTargetDelete(.nullify), .onMissingTarget(.nullify)),
      Field("seat", \.seat), Field("previous", \.previous),
      Field("products", \.products, .onTargetDelete(.deny)), Field("date", \.date),
      Field("number", \.number), Field("payment", \.payment), Field("delivery", \.delivery))
    static let indexes: [Index<Order>] = [
      Index(\.customer, \.date),
      Index(\.date, where: { $0.number > 7 && $0.helper != nil }),
      Index(\.delivery?.kind),
      .unique(\.number, \.date),
    ]
  }

  struct Settings: Embedded {
    var theme: String
    var isLoud: Bool
    static let fields = Fields(
      Settings.init, Part("theme", \.theme), Part("isLoud", \.isLoud, .default(true)))
  }

  static func fill(_ path: String) throws {
    let store = try Store(
      .file(path), models: Customer.self, Product.self, Seat.self, Order.self)
    defer { store.close() }
    let token = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    try store.write { transaction in
      for id in 1...3 {
        let home = Address(
          city: "Delft", zip: id == 2 ? nil : "2611",
          place: id == 1 ? nil : Place(street: id == 2 ? nil : "Oude Delft", number: id))
        try transaction.insert(
          Customer(
            id: id, name: "Customer \(id)", email: id == 1 ? nil : "\(id)@example.org",
            mood: id == 1 ? .wild : .inProgress, isVip: id == 3, balance: Decimal(id) / 4,
            born: id == 3 ? nil : Date(timeIntervalSinceReferenceDate: 0.25), token: token,
            photo: Data([0, 255]), rating: 0.1, score: .infinity, total: .max,
            patience: .milliseconds(-1500), home: home, work: id == 1 ? nil : home,
            notes: ["a": "b"], visits: [Date(timeIntervalSinceReferenceDate: 1)],
            tags: ["x", "y"], places: [home], class: "first"))
      }
      try transaction.insert(Product(id: "tea", title: "Tea", film: Blob([1, 2, 3])))
      try transaction.insert(Product(id: "salt", title: "Salt"))
      let seat = Seat(id: Seat.ID(row: 7, letter: "b"), isFree: true)
      try transaction.insert(seat)
      var previous: Link<Order>?
      for number in 1...3 {
        let order = Order(
          id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number))),
          customer: Link(id: number), helper: number == 1 ? nil : Link(id: 1),
          seat: number == 2 ? Link(seat) : nil, previous: previous,
          products: number == 3 ? [] : ["salt", "tea", "salt"],
          date: Date(timeIntervalSinceReferenceDate: Double(number)),
          number: number == 1 ? nil : number,
          payment: number == 1 ? .cash : .card(number: "4/2", months: [1, 12]),
          delivery: number == 1 ? nil : number == 2 ? .pickedUp : .sent(to: "Delft"))
        try transaction.insert(order)
        previous = Link(order)
      }
      try transaction.setValue("settings", to: Settings(theme: "dark", isLoud: false))
      try transaction.setValue("last visit", to: Date(timeIntervalSinceReferenceDate: 7))
    }
  }
}
