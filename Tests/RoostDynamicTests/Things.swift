import Foundation
import Roost
import RoostDynamic
import RoostTestSupport

enum Mood: String, Storable { case calm, wild }

enum Payment: Opaque, Equatable { case cash, card(number: String) }

struct Address: Embedded, Hashable {
  var city: String
  var zip: Int?
  static let fields = Fields(Address.init, Part("city", \.city), Part("zip", \.zip))
}

struct Tag: Model {
  let id: String
  var label: String
  static let schema = Schema(Tag.init, Key("id", \.id), Field("label", \.label))
}

/// A field of each kind.
struct Thing: Model {
  let id: Int
  var isOn: Bool
  var count: Int?
  var size: UInt
  var ratio: Double
  var small: Float
  var name: String
  var bytes: Data
  var at: Date
  var key: UUID
  var span: Duration
  var price: Decimal
  var mood: Mood
  var payment: Payment
  var home: Address
  var work: Address?
  var numbers: [Int?]
  var words: Set<String>
  var scores: [String: Double]
  var places: [Address]
  var stays: [Address?]
  var tag: Link<Tag>?
  var tags: Links<Tag>
  var next: Link<Thing>?
  var photo: Blob
  static let schema = Schema(
    Thing.init, Key("id", \.id), Field("isOn", \.isOn), Field("count", \.count, .indexed),
    Field("size", \.size), Field("ratio", \.ratio), Field("small", \.small),
    Field("name", \.name, .unique), Field("bytes", \.bytes), Field("at", \.at), Field("key", \.key),
    Field("span", \.span), Field("price", \.price), Field("mood", \.mood),
    Field("payment", \.payment), Field("home", \.home), Field("work", \.work),
    Field("numbers", \.numbers), Field("words", \.words), Field("scores", \.scores),
    Field("places", \.places), Field("stays", \.stays),
    Field("tag", \.tag, .onTargetDelete(.nullify)), Field("tags", \.tags),
    Field("next", \.next), Field("photo", \.photo))
  static let indexes: [Index<Thing>] = [Index(\.count, \.ratio)]
}

/// An object whose key has parts.
struct Seat: Model {
  struct ID: CompoundKey {
    var hall: String
    var number: Int?
    static let parts = KeyParts(ID.init, KeyPart("hall", \.hall), KeyPart("number", \.number))
  }
  let id: ID
  var guest: Link<Thing>?
  static let schema = Schema(
    Seat.init, Key("id", \.id), Field("guest", \.guest, .onTargetDelete(.cascade)))
}

extension Thing {
  /// A thing of a number, with values that go by it.
  init(_ id: Int, _ random: inout SeededGenerator) {
    func text() -> String {
      let texts = [
        "", "a\"b\\c\n\u{1}é", "nil", "`x`", "Delft", String(repeating: "é", count: 700),
      ]
      return texts.randomElement(using: &random) ?? ""
    }
    func address() -> Address {
      Address(
        city: text(), zip: random.chance(1, in: 2) ? nil : Int.random(in: -9...9, using: &random))
    }
    self.init(
      id: id, isOn: random.chance(1, in: 2),
      count: random.chance(1, in: 3) ? nil : Int.random(in: .min ... .max, using: &random),
      size: UInt.random(in: 0 ... .max, using: &random),
      ratio: [0.1, -0.0, .infinity, 1e300].randomElement(using: &random) ?? 0,
      small: [0.1, -.infinity, 3].randomElement(using: &random) ?? 0,
      name: "\(id) \(text().prefix(300))",
      bytes: Data(random.bytes(random.chance(1, in: 9) ? 3000 : 5)),
      at: Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -9...9, using: &random)) / 8),
      key: UUID(
        uuidString: "00112233-4455-6677-8899-AABBCCDDEE\(String(16 + id % 200, radix: 16))")
        ?? UUID(), span: .milliseconds(Int.random(in: -5000...5000, using: &random)),
      price: Decimal(Int.random(in: -10_000...10_000, using: &random)) / 100,
      mood: random.chance(1, in: 2) ? .calm : .wild,
      payment: random.chance(1, in: 2) ? .cash : .card(number: text()), home: address(),
      work: random.chance(1, in: 2) ? nil : address(),
      numbers: (0..<Int.random(in: 0...4, using: &random)).map { $0 == 1 ? nil : $0 * 300 },
      words: Set((0..<Int.random(in: 0...4, using: &random)).map { "\($0)\(text())" }),
      scores: random.chance(1, in: 2) ? [:] : [text(): 1.5, "x": -2],
      places: (0..<Int.random(in: 0...3, using: &random)).map { _ in address() },
      stays: (0..<Int.random(in: 0...3, using: &random)).map { $0 == 1 ? nil : address() },
      tag: random.chance(1, in: 2) ? nil : Link(id: "t\(id % 3)"),
      tags: Links(ids: (0..<Int.random(in: 0...5, using: &random)).map { "t\($0 % 3)" }),
      next: id > 1 && random.chance(1, in: 2) ? Link(id: id / 2) : nil,
      photo: Blob(random.bytes(random.chance(1, in: 5) ? 20_000 : 3)))
  }

  /// The values as the dynamic interface has them, by hand.
  var values: [String: DynamicValue] {
    let json = (payment == .cash) ? "{\"cash\":{}}" : nil
    var values: [String: DynamicValue] = [
      "id": .int(Int64(id)), "isOn": .bool(isOn), "count": count.map { .int(Int64($0)) } ?? .null,
      "size": .uint(UInt64(size)), "ratio": .double(ratio), "small": .float(small),
      "name": .string(name), "bytes": .data(bytes), "at": .date(at), "key": .uuid(key),
      "span": .duration(span), "price": .decimal(price), "mood": .string(mood.rawValue),
      "home.city": .string(home.city), "home.zip": Self.zip(home), "work": .bool(work != nil),
      "work.city": work.map { .string($0.city) } ?? .null, "work.zip": work.map(Self.zip) ?? .null,
      "numbers": .list(numbers.map { $0.map { .int(Int64($0)) } ?? .null }),
      "places": .list(places.map(Self.record)),
      "stays": .list(stays.map { $0.map(Self.record) ?? .null }),
      "tag": tag.map { .string($0.id) } ?? .null, "tags": .list(tags.map { .string($0) }),
      "next": next.map { .int(Int64($0.id)) } ?? .null,
    ]
    if let json { values["payment"] = .json(json) }
    return values
  }

  private static func zip(_ address: Address) -> DynamicValue {
    address.zip.map { .int(Int64($0)) } ?? .null
  }

  private static func record(_ address: Address) -> DynamicValue {
    .record([
      DynamicValue.Part("city", .string(address.city)), DynamicValue.Part("zip", zip(address)),
    ])
  }
}

/// Three tags, things from 1 on, and a seat for each fourth.
func makeStore(_ path: String, things count: Int, seed: UInt64 = 1) throws -> [Thing] {
  var random = SeededGenerator(seed: seed)
  let things = count > 0 ? (1...count).map { Thing($0, &random) } : []
  let store = try Store(.file(path), models: Tag.self, Thing.self, Seat.self)
  try store.write { transaction in
    for tag in ["t0", "t1", "t2"] { try transaction.insert(Tag(id: tag, label: "tag \(tag)")) }
    try transaction.insert(contentsOf: things)
    for thing in things where thing.id.isMultiple(of: 4) {
      let id = Seat.ID(hall: "h\0\(thing.id)", number: thing.id.isMultiple(of: 8) ? nil : thing.id)
      try transaction.insert(Seat(id: id, guest: Link(id: thing.id)))
    }
  }
  store.close()
  return things
}
