import Foundation
import RoostImport
import Testing

/// Reading values as Swift types.
@Suite struct DecodingTests {
  private let file: TemporaryFile
  private let source: RealmSource

  init() throws {
    file = try TemporaryFile(RealmSamples.bytes("object-store.realm"))
    source = try RealmSource(file.url)
  }

  private func person(_ key: Int64) throws -> RealmSource.Object {
    try #require(try source.object(RealmValue.Link(className: "Person", key: key)))
  }

  @Test func classesAndPropertiesAreListed() throws {
    #expect(source.classes.map(\.name).sorted() == ["Address", "Dog", "Note", "Person"])
    #expect(source.format == 24)
    #expect(try source.schemaVersion == 7)
    let person = try #require(source.class("Person"))
    #expect(person.kind == .object)
    #expect(person.primaryKey == "_id")
    let types = person.properties.map { "\($0.name): \($0)" }
    #expect(
      types == [
        "_id: ObjectId", "name: String", "email: String?", "age: Int", "height: Double?",
        "score: Float", "active: Bool", "born: Date?", "photo: Data?", "balance: Decimal128",
        "token: UUID?", "extra: AnyRealmValue", "bestFriend: Person?", "dogs: List<Dog>",
        "tags: MutableSet<String>", "scores: List<Int>", "maybe: List<Double?>",
        "settings: Map<String, AnyRealmValue>", "address: Address?", "addresses: List<Address>",
      ])
    #expect(person.property("_id")?.isPrimaryKey == true)
    #expect(person.property("address")?.type == .embedded("Address"))
    #expect(person.inverses.map { "\($0.className).\($0.property)" } == ["Person.bestFriend"])
    #expect(source.class("Address")?.kind == .embedded)
    #expect(source.class("metadata") == nil)
    #expect(try source.count(of: "Person") == 150)
  }

  @Test func aPropertyIsReadAsTheTypeOfItsPlace() throws {
    let person = try person(126)
    #expect("\(try person["_id"] as RealmValue.ObjectID)" == "d94cd921bc0fd71273b0eec1")
    #expect(try person["name"] == "Name 126 Ærlig 😀")
    #expect(try person["email"] as String? == "p126@example.org")
    #expect(try person["age"] == 26)
    #expect(try person["age"] as Int8 == 26)
    #expect(try person["height"] as Double? == nil)
    #expect(try person["score"] as Double == 42)
    #expect(try person["active"] == false)
    #expect(try person["born"] as Date? == Date(timeIntervalSince1970: 760_000_000))
    #expect(try person["balance"] as Decimal == Decimal(string: "2142.25"))
    #expect(try person["extra"] == RealmValue.int(126))
    #expect(try person["tags"] as Set<String> == ["tag13"])
    #expect(try (person["dogs"] as [RealmValue.Link]).map(\.key) == [33, 7])
    #expect(source.roundings.isEmpty)
  }

  @Test func linksLeadToObjectsAndBack() throws {
    let person = try person(125)
    let friend = try #require(try person.object("bestFriend"))
    #expect(friend.key == 95)
    #expect(try friend.sources(in: "Person", by: "bestFriend").contains(person.link))
    #expect(try self.person(126).object("bestFriend") == nil)
    let owner = try self.person(5)
    let address = try #require(try owner.object("address"))
    #expect(address.class.kind == .embedded)
    #expect(try address["street"] as String? == "Street 5")
    #expect(try owner.value("address") == .embedded(address.link))
  }

  @Test func aMismatchNamesClassPropertyTypesAndObject() throws {
    let person = try person(126)
    func message<Value: RealmDecodable>(_ property: String, _ type: Value.Type) -> String {
      do {
        let _: Value = try person[property]
        return ""
      } catch {
        return error.message
      }
    }
    #expect(
      message("name", Int.self)
        == "Person.name is a String in the file and was read as Int, but holds a String in the object 126."
    )
    #expect(
      message("height", Double.self)
        == "Person.height is a Double? in the file and was read as Double, but holds null in the object 126."
    )
    #expect(
      message("dogs", [String].self)
        == "Person.dogs is a List<Dog> in the file and was read as Array<String>, but holds a list in the object 126."
    )
    #expect(
      message("Name", String.self)
        == "The class \"Person\" has no property \"Name\" in the file. Its `properties` lists those it has, "
        + "under their names in the file.")
    #expect(throws: RealmError.unknownClass("Persons")) { try source.objects("Persons") }
    #expect(throws: RealmError.unknownClass("Persons")) { try source.count(of: "Persons") }
    #expect(throws: RealmError.unknownProperty(className: "Dog", property: "owner")) {
      try person.sources(in: "Dog", by: "owner")
    }
  }

  @Test func integersAreReadWhereTheyFit() {
    #expect(Int8.decode(realm: .int(127)).value == 127)
    #expect(Int8.decode(realm: .int(128)).isOutOfRange)
    #expect(UInt64.decode(realm: .int(-1)).isOutOfRange)
    #expect(UInt.decode(realm: .int(.max)).value == UInt(Int64.max))
    #expect(Int.decode(realm: .bool(true)).value == nil)
  }

  @Test func enumsOfRawValuesAreRead() {
    #expect(Colour.decode(realm: .string("red")).value == .red)
    #expect(Colour.decode(realm: .string("blue")).isOutOfRange)
    let missing = Optional<Colour>.decode(realm: .null)
    #expect(missing.value == .some(nil))
  }

  private enum Colour: String, RealmDecodable { case red, green }

  @Test func aDateThatWasWrittenFromADateIsExact() {
    for interval in [0, 1e9, 645_123_456.789_012_3, -0.25, -12_345.678_9, 1e-9] {
      let date = Date(timeIntervalSinceReferenceDate: interval)
      // As Realm's SDK for Swift makes a time of a Date.
      let whole = interval.rounded(.towardZero)
      let seconds = Int64(whole) + 978_307_200
      var nanoseconds = Int32((interval - whole) * 1e9)
      var adjusted = seconds
      if nanoseconds < 0, seconds > 0 {
        nanoseconds += 1_000_000_000
        adjusted -= 1
      }
      let time = RealmValue.Timestamp(seconds: adjusted, nanoseconds: nanoseconds)
      guard case .exact(let read) = Date.decode(realm: .date(time)) else {
        Issue.record("\(interval) is not exact")
        continue
      }
      #expect((read.timeIntervalSince(date)).magnitude < 1e-9)
    }
  }

  @Test func nanosecondsThatADateCannotHoldAreRounded() {
    let time = RealmValue.Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_789)
    guard case .rounded(let date) = Date.decode(realm: .date(time)) else {
      Issue.record("It should be rounded.")
      return
    }
    #expect((date.timeIntervalSince1970 - 1_700_000_000.123_456_789).magnitude < 3e-7)
    let last = RealmValue.Timestamp(seconds: .max, nanoseconds: 0)
    #expect(Date.decode(realm: .date(last)).isOutOfRange)
    let first = RealmValue.Timestamp(seconds: .min, nanoseconds: 0)
    #expect(Date.decode(realm: .date(first)).isOutOfRange)
  }

  @Test func readsThatRoundAreCounted() throws {
    let file = try TemporaryFile(RealmSamples.bytes("all-types.realm"))
    let source = try RealmSource(file.url)
    var objects = try source.objects("Dates")
    var rounded = 0
    while let object = try objects.next() {
      guard let time: RealmValue.Timestamp = try? object["v"] else { continue }
      if case .rounded = Date.decode(realm: .date(time)) { rounded += 1 }
      _ = try? object["v"] as Date
    }
    #expect(rounded > 0)
    let counts = source.roundings.map { "\($0.className).\($0.property): \($0.count)" }
    #expect(counts == ["Dates.v: \(rounded)"])
  }

  @Test func decimalsAreShownWithAllTheirDigits() {
    func text(_ high: UInt64, _ low: UInt64) -> String {
      RealmValue.Decimal128(high: high, low: low).description
    }
    #expect(text(0x3040_0000_0000_0000, 0) == "0")
    #expect(text(0x303c_0000_0000_0000, 150) == "1.50")
    #expect(text(0x303c_0000_0000_0000, 25) == "0.25")
    #expect(text(0xb03a_0000_0000_0000, 3_938_600) == "-3938.600")
    #expect(text(0x3028_0000_0000_0000, 14) == "1.4E-11")
    #expect(text(0x3078_0000_0000_0000, 462_687) == "4.62687E+33")
    #expect(text(0x3040_cde6_fff9_732d, 0) != "0")
    #expect(text(0xf800_0000_0000_0000, 0) == "-Infinity")
    #expect(text(0x7c00_0000_0000_0000, 0) == "NaN")
    // More than 34 digits count as zero.
    #expect(text(0x3041_ffff_ffff_ffff, .max) == "0")
  }

  @Test func aDecimalIsReadWhereFoundationsHoldsIt() {
    func decimal(_ exponent: Int, _ coefficient: UInt128, negative: Bool = false) -> Decimal? {
      let bits = UInt64(exponent + 6176) << 49 | UInt64(coefficient >> 64)
      return RealmValue.Decimal128(
        high: bits | (negative ? 1 << 63 : 0), low: UInt64(truncatingIfNeeded: coefficient)
      ).decimal
    }
    #expect(decimal(-2, 150) == Decimal(string: "1.5"))
    #expect(decimal(-2, 150, negative: true) == Decimal(string: "-1.5"))
    let digits: UInt128 = 1_234_567_890_123_456_789_012_345_678_901_234
    #expect(decimal(0, digits) == Decimal(string: "1234567890123456789012345678901234"))
    #expect(decimal(-34, digits) == Decimal(string: "0.1234567890123456789012345678901234"))
    #expect(decimal(130, 5) == Decimal(sign: .plus, exponent: 127, significand: 5000))
    #expect(decimal(-130, 500) == Decimal(sign: .plus, exponent: -128, significand: 5))
    #expect(decimal(-129, 5) == nil)
    #expect(decimal(200, 5) == nil)
    #expect(decimal(6000, 0) == 0)
    #expect(
      Decimal.decode(realm: .decimal(.init(high: 0x7800_0000_0000_0000, low: 0))).isOutOfRange)
    if case .rounded(let zero) = Decimal.decode(
      realm: .decimal(.init(high: 0xb040_0000_0000_0000, low: 0)))
    {
      #expect(zero == 0)
    } else {
      Issue.record("A negative zero should be rounded.")
    }
  }

  @Test func collectionsAreAsGoodAsTheirElements() {
    let numbers = RealmValue.list([.int(1), .int(300)])
    #expect([Int].decode(realm: numbers).value == [1, 300])
    #expect([UInt8].decode(realm: numbers).isOutOfRange)
    #expect([String].decode(realm: numbers).value == nil)
    #expect(Set<Int>.decode(realm: .list([.int(1), .int(1)])).isOutOfRange)
    let entry = RealmValue.Entry(key: .string("a"), value: .null)
    let once = [String: Int?].decode(realm: .dictionary([entry]))
    #expect(once.value == ["a": nil])
    let twice = [String: Int?].decode(realm: .dictionary([entry, entry]))
    #expect(twice.isOutOfRange)
    #expect([String: Int].decode(realm: .dictionary([entry])).value == nil)
  }
}

extension RealmReading {
  fileprivate var value: Value? {
    switch self {
    case .exact(let value), .rounded(let value): value
    default: nil
    }
  }

  fileprivate var isOutOfRange: Bool { if case .outOfRange = self { true } else { false } }
}
