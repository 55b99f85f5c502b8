import Foundation
import Roost
import RoostInterchange
import RoostTestSupport
import Testing

/// What encoders make of models with relations that are declared `Codable`, and decoders of that.
@Suite struct CodableLinksTests {
  struct Stop: Model, Codable {
    let id: String
    static let trips = Inverse(\Trip.stops)
    static let schema = Schema(Stop.init, Key("id", \.id))
  }

  struct Day: Model, Codable {
    let id: Date
    static let schema = Schema(Day.init, Key("id", \.id))
  }

  struct Driver: Model, Codable {
    let id: UUID
    static let schema = Schema(Driver.init, Key("id", \.id))
  }

  struct Trip: Model, Codable {
    let id: Int
    var start: Link<Stop>
    var day: Link<Day>
    var driver: Link<Driver>?
    var before: Link<Trip>?
    var stops: Links<Stop> = []
    var others: Links<Trip> = []
    static let after = Inverse(\Trip.before)
    static let schema = Schema(
      Trip.init, Key("id", \.id), Field("start", \.start), Field("day", \.day),
      Field("driver", \.driver), Field("before", \.before), Field("stops", \.stops),
      Field("others", \.others))

    static func random(_ random: inout SeededGenerator) -> Trip {
      func some<T>(_ make: (inout SeededGenerator) -> T) -> [T] {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in make(&random) }
      }
      return Trip(
        id: .random(&random), start: Link(id: .random(&random)), day: Link(id: .random(&random)),
        driver: random.chance(1, in: 2) ? nil : Link(id: .random(&random)),
        before: random.chance(1, in: 2) ? nil : Link(id: .random(&random)),
        stops: Links(ids: some { .random(&$0) }), others: Links(ids: some { .random(&$0) }))
    }
  }

  private let trip = Trip(
    id: 1, start: Link(id: "Ulm \"Hbf\""), day: Link(id: Date(timeIntervalSince1970: 86_400)),
    driver: nil, before: Link(id: -7), stops: ["Ulm", "Bonn", "Ulm"], others: [])

  @Test func aLinkIsWrittenAsAnIdAndAListAsAnArrayOfThem() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.dateEncodingStrategy = .iso8601
    let text = String(decoding: try encoder.encode(trip), as: UTF8.self)
    #expect(
      text == #"""
        {"before":-7,"day":"1970-01-02T00:00:00Z","id":1,"others":[],"start":"Ulm \"Hbf\"","stops":["Ulm","Bonn","Ulm"]}
        """#)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    #expect(try decoder.decode(Trip.self, from: Data(text.utf8)) == trip)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func whatIsEncodedIsDecodedUnchanged(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let trips = (0..<5).map { _ in Trip.random(&random) }
    let json = try JSONEncoder().encode(trips)
    #expect(try JSONDecoder().decode([Trip].self, from: json) == trips)
    let list = try PropertyListEncoder().encode(trips)
    #expect(try PropertyListDecoder().decode([Trip].self, from: list) == trips)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func roostAndFoundationReadEachOthersLinks(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let trips = (0..<5).map { _ in Trip.random(&random) }
    let encoded = try JSONEncoder().encode(trips)
    var format = TextFormat.json
    format.dates = .secondsSince2001
    #expect(try Trip.read(from: .bytes(Array(encoded)), as: format) == trips)
    var text: [UInt8] = []
    try Trip.write(trips, to: TextOutput { text += $0 }, as: format)
    #expect(try JSONDecoder().decode([Trip].self, from: Data(text)) == trips)
  }

  @Test(arguments: [
    (#""start":"a""#, #""start":1"#, ["start"]),
    (#""start":"a""#, #""start":["a"]"#, ["start"]),
    (#""start":"a""#, #""start":{"id":"a"}"#, ["start"]),
    (#""before":7"#, #""before":"7""#, ["before"]),
    (#""stops":["b"]"#, #""stops":"b""#, ["stops"]),
    (#""stops":["b"]"#, #""stops":["b",2]"#, ["stops", "1"]),
    (#""others":[3]"#, #""others":[4,3,{}]"#, ["others", "2"]),
  ])
  func whatIsNoIdIsAnErrorThatSaysWhere(_ part: String, _ wrong: String, _ path: [String]) throws {
    let text = #"{"id":1,"start":"a","day":0,"before":7,"stops":["b"],"others":[3]}"#
    _ = try JSONDecoder().decode(Trip.self, from: Data(text.utf8))
    let broken = text.replacingOccurrences(of: part, with: wrong)
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode(Trip.self, from: Data(broken.utf8))
    }
    guard case .typeMismatch(_, let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } == path)
  }
}
