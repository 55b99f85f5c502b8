// The models of shop.roost, as `roost models` prints them.

import Foundation
import Roost

enum Shop {
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
    var home: Home
    var work: Work?
    var notes: [String: String]
    var visits: [Date]
    var tags: Set<String>
    var places: [CustomerPlace2]
    var `class`: String
    static let ordersByCustomer = Inverse(\Order.customer, "ordersByCustomer")
    static let ordersByHelper = Inverse(\Order.helper, "ordersByHelper")
    static let schema = Schema(
      Customer.init,
      Key("id", \.id),
      Field("name", \.name, .indexed),
      Field("email", \.email, .unique),
      Field("mood", \.mood),
      Field("isVip", \.isVip, .default(false)),
      Field("balance", \.balance),
      Field("born", \.born),
      Field("token", \.token),
      Field("photo", \.photo),
      Field("rating", \.rating, .default(0.5)),
      Field("score", \.score),
      Field("total", \.total),
      Field("patience", \.patience),
      Field("home", \.home),
      Field("work", \.work),
      Field("notes", \.notes),
      Field("visits", \.visits),
      Field("tags", \.tags),
      Field("places", \.places),
      Field("class", \.class, .default("a \"b\"\n")))
  }

  struct Product: Model {
    let id: String
    var theTitle: String
    var film = Blob()
    static let orders = Inverse(\Order.products)
    static let schema = Schema(
      Product.init,
      Key("code", \.id),
      Field("the title", \.theTitle),
      Field("film", \.film))
  }

  struct Seat: Model {
    let id: SeatKey
    var isFree: Bool
    static let orders = Inverse(\Order.seat, "orders")
    static let schema = Schema(
      Seat.init,
      Key("id", \.id),
      Field("isFree", \.isFree))
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
    var payment: JSON
    var delivery: Delivery?
    static let ordersByPrevious = Inverse(\Order.previous, "ordersByPrevious")
    static let schema = Schema(
      Order.init,
      Key("id", \.id),
      Field("customer", \.customer, .onTargetDelete(.cascade)),
      Field("helper", \.helper, .onTargetDelete(.nullify), .onMissingTarget(.nullify)),
      Field("seat", \.seat),
      Field("previous", \.previous),
      Field("products", \.products, .onTargetDelete(.deny)),
      Field("date", \.date),
      Field("number", \.number),
      Field("payment", \.payment),
      Field("delivery", \.delivery))
    static let indexes: [Index<Order>] = [
      Index(\.customer, \.date),
      Index(\.date, where: { $0.number > 7 && $0.helper != nil }),
      Index(\.delivery?.kind),
      .unique(\.number, \.date),
    ]
  }

  enum Mood: String, Sortable {
    case inProgress = "in progress"
    case wild
  }

  struct Place: Embedded {
    var street: String?
    var number: Int
    static let fields = Fields(
      Place.init,
      Part("street", \.street),
      Part("number", \.number))
  }

  struct Home: Embedded {
    var city: String
    var zip: String?
    var place: Place?
    static let fields = Fields(
      Home.init,
      Part("city", \.city, .indexed),
      Part("zip", \.zip),
      Part("place", \.place))
  }

  struct Work: Embedded {
    var city: String
    var zip: String?
    var place: Place?
    static let fields = Fields(
      Work.init,
      Part("city", \.city, .indexed),
      Part("zip", \.zip),
      Part("place", \.place))
  }

  struct CustomerPlace: Embedded {
    var street: String?
    var number: Int?
    static let fields = Fields(
      CustomerPlace.init,
      Part("street", \.street),
      Part("number", \.number))
  }

  struct CustomerPlace2: Embedded {
    var city: String
    var zip: String?
    var place: CustomerPlace?
    static let fields = Fields(
      CustomerPlace2.init,
      Part("city", \.city),
      Part("zip", \.zip),
      Part("place", \.place))
  }

  struct SeatKey: CompoundKey {
    let row: Int
    let letter: String
    static let parts = KeyParts(
      SeatKey.init,
      KeyPart("row", \.row),
      KeyPart("letter", \.letter))
  }

  /// A value in JSON, its numbers as `Int64` or `Double`: write the type that it stands for instead, as an `Opaque` one.
  indirect enum JSON: Opaque {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let bool = try? value.decode(Bool.self) {
        self = .bool(bool)
      } else if let integer = try? value.decode(Int64.self) {
        self = .integer(integer)
      } else if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else if let array = try? value.decode([JSON].self) {
        self = .array(array)
      } else {
        self = .object(try value.decode([String: JSON].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      switch self {
      case .null: try value.encodeNil()
      case .bool(let bool): try value.encode(bool)
      case .integer(let integer): try value.encode(integer)
      case .number(let number): try value.encode(number)
      case .text(let text): try value.encode(text)
      case .array(let array): try value.encode(array)
      case .object(let object): try value.encode(object)
      }
    }
  }

  /// A value of an enum with payloads, as JSON, with the name of its case: write the enum instead.
  struct Delivery: CaseNamed {
    var json: JSON

    struct Kind: RawRepresentable, Sortable {
      var rawValue: String
    }

    var kind: Kind {
      switch json {
      case .text(let text): Kind(rawValue: text)
      case .object(let object): Kind(rawValue: object.keys.first ?? "")
      default: Kind(rawValue: "")
      }
    }

    init(from decoder: any Decoder) throws { json = try JSON(from: decoder) }

    func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
  }

  struct Settings: Embedded {
    var theme: String
    var isLoud: Bool
    static let fields = Fields(
      Settings.init,
      Part("theme", \.theme),
      Part("isLoud", \.isLoud, .default(true)))
  }

  /// Opens a store with all of these models.
  static func openStore(_ path: String) throws -> Store {
    try Store(path, models: Customer.self, Product.self, Seat.self, Order.self)
  }

  // What is kept under names:
  //   try snapshot.value("settings", as: Settings.self)
  //   try snapshot.value("last visit", as: Date.self)
}
