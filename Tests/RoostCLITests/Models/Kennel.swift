// The models of object-store.realm, as `roost models` prints them.

import Foundation
import Roost
import RoostImport

enum Kennel {
  struct Dog: Model {
    let id: String
    var weight: Double
    static let persons = Inverse(\Person.dogs)
    static let schema = Schema(
      Dog.init,
      Key("id", \.id),
      Field("weight", \.weight))
  }

  struct Note: Model {
    let id: Int
    var text: String
    var pinned: Bool?
    static let schema = Schema(
      Note.init,
      Key("id", \.id),
      Field("text", \.text),
      Field("pinned", \.pinned))
  }

  struct Person: Model {
    let id: RealmValue.ObjectID
    var name: String
    var email: String?
    var age: Int
    var height: Double?
    var score: Float
    var active: Bool
    var born: Date?
    var photo: Data?
    var balance: Decimal
    var token: UUID?
    var extra: AnyValue
    var bestFriend: Link<Person>?
    var dogs: Links<Dog> = []
    var tags: Set<String>
    var scores: [Int]
    var maybe: [Double?]
    var settings: [String: AnyValue]
    var address: Address?
    var addresses: [Address]
    static let personsByBestFriend = Inverse(\Person.bestFriend, "personsByBestFriend")
    static let schema = Schema(
      Person.init,
      Key("id", \.id),
      Field("name", \.name),
      Field("email", \.email, .indexed),
      Field("age", \.age),
      Field("height", \.height),
      Field("score", \.score),
      Field("active", \.active),
      Field("born", \.born),
      Field("photo", \.photo),
      Field("balance", \.balance),
      Field("token", \.token),
      Field("extra", \.extra),
      Field("bestFriend", \.bestFriend, .onTargetDelete(.nullify)),
      Field("dogs", \.dogs),
      Field("tags", \.tags),
      Field("scores", \.scores),
      Field("maybe", \.maybe),
      Field("settings", \.settings),
      Field("address", \.address),
      Field("addresses", \.addresses))
  }

  /// What Realm calls AnyRealmValue: a value of any type.
  indirect enum AnyValue: Opaque, RealmDecodable {
    case null
    case bool(Bool)
    case int(Int64)
    case float(Float)
    case double(Double)
    case string(String)
    case malformedString(Data)
    case data(Data)
    case date(seconds: Int64, nanoseconds: Int32)
    case decimal(high: UInt64, low: UInt64)
    case objectID(String)
    case uuid(UUID)
    case link(className: String, key: Int64)
    case list([AnyValue])
    case dictionary([Entry])

    struct Entry: Codable, Hashable {
      var key: AnyValue
      var value: AnyValue
    }

    static func decode(realm value: RealmValue) -> RealmReading<AnyValue> {
      .exact(AnyValue(value))
    }

    init(_ value: RealmValue) {
      self =
        switch value {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .int(let integer): .int(integer)
        case .float(let float): .float(float)
        case .double(let double): .double(double)
        case .string(let string): .string(string)
        case .malformedString(let bytes): .malformedString(bytes)
        case .data(let data): .data(data)
        case .date(let date): .date(seconds: date.seconds, nanoseconds: date.nanoseconds)
        case .decimal(let number): .decimal(high: number.high, low: number.low)
        case .objectID(let id): .objectID(id.description)
        case .uuid(let uuid): .uuid(uuid)
        case .link(let link), .embedded(let link):
          .link(className: link.className, key: link.key)
        case .list(let values), .set(let values): .list(values.map(AnyValue.init))
        case .dictionary(let entries):
          .dictionary(
            entries.map { Entry(key: AnyValue($0.key), value: AnyValue($0.value)) })
        }
    }
  }

  struct Address: Embedded {
    var street: String?
    var zip: Int
    static let fields = Fields(
      Address.init,
      Part("street", \.street),
      Part("zip", \.zip))
  }

  /// Makes a store of the file, or opens the one that is there.
  static func openStore(
    _ path: String, importing url: URL
  ) async throws -> Store {
    try await Store.open(
      .file(path), models: Dog.self, Note.self, Person.self, importing: .realm(url), importObjects)
  }

  /// What the objects of the file become.
  static func importObjects(_ importer: inout Importer) {
    importer.objects("Dog") {
      Dog(
        id: try $0.id(),
        weight: try $0["weight"])
    }
    importer.objects("Note") {
      Note(
        id: try $0.id(),
        text: try $0["text"],
        pinned: try $0["pinned"])
    }
    importer.objects("Person") {
      Person(
        id: try $0.id(),
        name: try $0["name"],
        email: try $0["email"],
        age: try $0["age"],
        height: try $0["height"],
        score: try $0["score"],
        active: try $0["active"],
        born: try $0["born"],
        photo: try $0["photo"],
        balance: try $0["balance"],
        token: try $0["token"],
        extra: try $0["extra"],
        bestFriend: try $0.link("bestFriend"),
        dogs: try $0.links("dogs"),
        tags: try $0["tags"],
        scores: try $0["scores"],
        maybe: try $0["maybe"],
        settings: try $0["settings"],
        address: try $0.object("address").map(readAddress),
        addresses: try $0.objects("addresses").map(readAddress))
    }
  }

  static func readAddress(_ object: RealmSource.Object) throws -> Address {
    Address(
      street: try object["street"],
      zip: try object["zip"])
  }
}
