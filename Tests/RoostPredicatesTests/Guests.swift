import Foundation
import Roost
import RoostPredicates
import RoostTestSupport
import Testing

enum Mood: String, Codable, CaseIterable, Storable { case calm, wild, glad }

enum Rank: Int, Codable, CaseIterable, Comparable, Sortable {
  case low, middle, high
  static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
}

/// A type that is stored as another one.
struct Grade: Converted, Codable, Comparable, Sortable {
  var points: Int
  init(points: Int) { self.points = points }
  init?(stored: Int) { points = stored }
  var stored: Int { points }
  static func < (a: Grade, b: Grade) -> Bool { a.points < b.points }
}

struct Place: Embedded, Codable {
  var city: String
  var zip: String?
  var floor: Int
  static let fields = Fields(
    Place.init, Part("city", \.city), Part("zip", \.zip), Part("floor", \.floor))

  var label: String { city + (zip ?? "") }
}

struct Office: Embedded, Codable {
  var desk: Int?
  var place: Place
  static let fields = Fields(Office.init, Part("desk", \.desk), Part("place", \.place))
}

struct Step: Embedded, Codable {
  var name: String
  var minutes: Int
  var level: Rank?
  static let fields = Fields(
    Step.init, Part("name", \.name), Part("minutes", \.minutes), Part("level", \.level))
}

struct Host: Model {
  let id: String
  var age: Int
  static let schema = Schema(Host.init, Key("id", \.id), Field("age", \.age))
}

/// A model with fields of many types.
struct Guest: Model {
  let id: Int
  var name: String
  var nick: String?
  var age: Int
  var debt: Int?
  var height: Double
  var weight: Float?
  var rooms: UInt16
  var born: Date
  var code: UUID
  var price: Decimal
  var photo: Data
  var mood: Mood
  var rank: Rank?
  var grade: Grade
  var isActive: Bool
  var isPaid: Bool?
  var home: Place
  var work: Office?
  var tags: [String]
  var scores: [Double]
  var steps: [Step]
  var sizes: Set<Int>?
  var names: [String: String]
  var host: Link<Host>?
  var partner: Link<Guest>?
  var friends: Links<Guest>
  static let schema = Schema(
    Guest.init, Key("id", \.id), Field("name", \.name, .indexed), Field("nick", \.nick, .indexed),
    Field("age", \.age, .indexed), Field("debt", \.debt), Field("height", \.height),
    Field("weight", \.weight), Field("rooms", \.rooms), Field("born", \.born),
    Field("code", \.code), Field("price", \.price), Field("photo", \.photo),
    Field("mood", \.mood), Field("rank", \.rank), Field("grade", \.grade),
    Field("isActive", \.isActive), Field("isPaid", \.isPaid), Field("home", \.home),
    Field("work", \.work), Field("tags", \.tags), Field("scores", \.scores),
    Field("steps", \.steps), Field("sizes", \.sizes), Field("names", \.names),
    Field("host", \.host), Field("partner", \.partner), Field("friends", \.friends))

  var title: String { name + "!" }
}

/// The same objects in a store and in an array.
struct Guests {
  let all: [Guest]
  let snapshot: Snapshot

  static let words = ["", "an", "Ann", "é", "É", "nan", "bob", "a b"]

  init(seed: UInt64, count: Int = 400) throws {
    var random = SeededGenerator(seed: seed)
    all = (0..<count).map { Guest(id: $0, of: count, using: &random) }
    let store = try Store(.inMemory, models: Guest.self, Host.self)
    try store.write { [all] tx in
      try tx.insert(contentsOf: (0..<5).map { Host(id: "host \($0)", age: $0) })
      try tx.insert(contentsOf: all)
    }
    snapshot = store.snapshot()
  }

  /// Checks that a query of the predicate finds the objects that it is true of, which are some and not all.
  func expect(
    _ predicate: Predicate<Guest>, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let expected = try all.filter { try predicate.evaluate($0) }.map(\.id)
    #expect(!expected.isEmpty && expected.count < all.count, sourceLocation: location)
    let query = try Query(predicate)
    #expect(
      try snapshot.fetch(query).map(\.id) == expected, "\(query)", sourceLocation: location)
  }

  /// Checks that a predicate has no query, because of one of its expressions.
  func refuse(
    _ predicate: Predicate<Guest>, _ node: String, _ location: SourceLocation = #_sourceLocation
  ) {
    do throws(StoreError) {
      let query = try Query(predicate)
      Issue.record("It became \(query).", sourceLocation: location)
    } catch {
      guard case .predicateUnsupported(node, let reason) = error else {
        Issue.record("\(error)", sourceLocation: location)
        return
      }
      #expect(!reason.isEmpty, sourceLocation: location)
      #expect(error.message.contains(node), sourceLocation: location)
    }
  }
}

extension Guest {
  init(id: Int, of count: Int, using random: inout SeededGenerator) {
    func word() -> String { Guests.words.randomElement(using: &random) ?? "" }
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func maybe<Value>(_ make: () -> Value) -> Value? { random.chance(1, in: 3) ? nil : make() }
    func some<Value>(_ countMax: Int, _ make: () -> Value) -> [Value] {
      (0..<number(0...countMax)).map { _ in make() }
    }
    func place() -> Place {
      Place(city: word(), zip: maybe(word), floor: number(-1...4))
    }
    func double() -> Double {
      [.nan, -0.0, .infinity].randomElement(using: &random).flatMap {
        random.chance(1, in: 6) ? $0 : nil
      } ?? Double(number(-8...20)) / 4
    }
    self.init(
      id: id, name: word() + word(), nick: maybe(word), age: number(0...90),
      debt: maybe { number(-5...5) }, height: double(), weight: maybe { Float(double()) },
      rooms: UInt16(number(0...9)), born: Date(timeIntervalSinceReferenceDate: double()),
      code: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number(0...9)))),
      price: Decimal(number(0...40)) / 8, photo: Data(some(2) { UInt8(number(0...3)) }),
      mood: Mood.allCases.randomElement(using: &random) ?? .calm,
      rank: maybe { Rank.allCases.randomElement(using: &random) ?? .low },
      grade: Grade(points: number(0...9)), isActive: random.chance(1, in: 2),
      isPaid: maybe { number(0...1) == 1 }, home: place(),
      work: maybe { Office(desk: maybe { number(0...4) }, place: place()) },
      tags: some(3, word), scores: some(3) { Double(number(-4...8)) / 2 },
      steps: some(3) {
        Step(
          name: word(), minutes: number(-5...90),
          level: maybe { Rank.allCases.randomElement(using: &random) ?? .low })
      },
      sizes: maybe { Set(some(4) { number(-3...3) }) },
      names: Dictionary(some(3) { (word(), word()) }, uniquingKeysWith: { first, _ in first }),
      host: maybe { Link(id: "host \(number(0...4))") },
      partner: maybe { Link(id: number(0...(count - 1))) },
      friends: Links(ids: some(3) { number(0...(count - 1)) }))
  }
}
