import Foundation
import Roost
import RoostImport
import RoostImportSQLite
import RoostTestSupport

/// Ten models with all types that SQLite files are imported with, and the mapping that reads each from an exported file.
enum Ten {
  enum Mood: String, Storable, SQLiteDecodable, CaseIterable { case calm, wild }
  enum Level: Int, Storable, SQLiteDecodable { case low = -1, high = 7 }

  enum Payment: Opaque {
    case cash
    case card(number: String)
  }

  struct Plain: Model {
    let id: Int
    var text: String
    var name: String?
    var Name: String
    var isOn: Bool
    var size: Double
    var ratio: Float?
    static let schema = Schema(
      Plain.init, Key("id", \.id), Field("text", \.text, .indexed), Field("name", \.name),
      Field("Name", \.Name), Field("isOn", \.isOn), Field("size", \.size),
      Field("ratio", \.ratio))
  }

  struct Texted: Model {
    let id: String
    var number: Int?
    var count: UInt64
    var mood: Mood
    var level: Level?
    static let schema = Schema(
      Texted.init, Key("the \"key\"", \.id), Field("select", \.number, .unique),
      Field("count", \.count), Field("mood", \.mood), Field("level", \.level))
    static let indexes: [Index<Texted>] = [
      Index(\.mood, \.count), Index(\.count, where: { $0.mood == .wild && $0.number != nil }),
    ]
  }

  struct Dated: Model {
    let id: UUID
    var at: Date
    var until: Date?
    var bytes: Data
    var more: Data?
    static let schema = Schema(
      Dated.init, Key("id", \.id), Field("at", \.at), Field("until", \.until),
      Field("bytes", \.bytes), Field("more", \.more))
  }

  struct Priced: Model {
    let id: UInt64
    var price: Decimal
    var discount: Decimal?
    var payment: Payment
    static let schema = Schema(
      Priced.init, Key("id", \.id), Field("price", \.price), Field("discount", \.discount),
      Field("payment", \.payment))
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

  struct Place: Embedded {
    var city: String
    var zip: String?
    static let fields = Fields(Place.init, Part("city", \.city, .indexed), Part("zip", \.zip))
  }

  struct Person: Model {
    let id: Int
    var home: Place
    var work: Place?
    static let schema = Schema(
      Person.init, Key("id", \.id), Field("home", \.home), Field("work", \.work))
  }

  struct Ticket: Model {
    let id: Int
    var owner: Link<Person>
    var helper: Link<Person>?
    var dated: Link<Dated>?
    var previous: Link<Ticket>?
    var seat: Link<Seat>?
    static let schema = Schema(
      Ticket.init, Key("id", \.id), Field("owner", \.owner, .onTargetDelete(.cascade)),
      Field("helper", \.helper, .onTargetDelete(.nullify)), Field("dated", \.dated),
      Field("previous", \.previous), Field("seat", \.seat))
  }

  struct Playlist: Model {
    let id: String
    var songs: Links<Texted> = []
    var tickets: Links<Ticket> = []
    static let schema = Schema(
      Playlist.init, Key("id", \.id), Field("songs", \.songs),
      Field("tickets", \.tickets, .onTargetDelete(.deny)))
  }

  struct Collected: Model {
    let id: Int
    var numbers: [Int]
    var tags: Set<String>
    var maybe: [String?]
    static let schema = Schema(
      Collected.init, Key("id", \.id), Field("numbers", \.numbers), Field("tags", \.tags),
      Field("maybe", \.maybe))
  }

  struct Film: Model {
    let id: Int
    var sound = Blob()
    static let schema = Schema(Film.init, Key("id", \.id), Field("sound", \.sound))
  }

  static func open(_ path: String) throws -> Store {
    try Store(
      .file(path), models: Plain.self, Texted.self, Dated.self, Priced.self, Seat.self,
      Person.self, Ticket.self, Playlist.self, Collected.self, Film.self)
  }

  static func open(_ path: String, importing file: String) async throws -> Store {
    try await Store.open(
      .file(path), models: Plain.self, Texted.self, Dated.self, Priced.self, Seat.self,
      Person.self, Ticket.self, Playlist.self, Collected.self, Film.self,
      importing: .sqlite(URL(fileURLWithPath: file)), mapping)
  }

  static func mapping(_ importer: inout Importer) {
    importer.rows("Plain") {
      Plain(
        id: try $0.id(), text: try $0["text"], name: try $0["name"], Name: try $0["Name_2"],
        isOn: try $0["isOn"], size: try $0["size"], ratio: try $0["ratio"])
    }
    importer.rows("Texted") {
      Texted(
        id: try $0.id(), number: try $0["select"], count: try $0["count"], mood: try $0["mood"],
        level: try $0["level"])
    }
    importer.rows("Dated") {
      Dated(
        id: try $0.id(), at: try $0.date("at", as: .grdbText),
        until: try $0.date("until", as: .grdbText), bytes: try $0["bytes"], more: try $0["more"])
    }
    importer.rows("Priced") {
      Priced(
        id: try $0.id(), price: try $0["price"], discount: try $0["discount"],
        payment: try $0.json("payment"))
    }
    importer.rows("Seat") {
      Seat(
        id: Seat.ID(row: try $0["id.row"], letter: try $0["id.letter"]), isFree: try $0["isFree"])
    }
    importer.rows("Person") {
      Person(
        id: try $0.id(), home: Place(city: try $0["home.city"], zip: try $0["home.zip"]),
        work: try $0["work"]
          ? Place(city: try $0["work.city"], zip: try $0["work.zip"]) : nil)
    }
    importer.rows("Ticket") {
      let row: Int? = try $0["seat.row"]
      let letter: String? = try $0["seat.letter"]
      return Ticket(
        id: try $0.id(), owner: try $0.link("owner"), helper: try $0.link("helper"),
        dated: try $0.link("dated"), previous: try $0.link("previous"),
        seat: row.flatMap { row in
          letter.map { Link(id: Seat.ID(row: row, letter: $0)) }
        })
    }
    importer.rows("Playlist") {
      Playlist(
        id: try $0.id(),
        songs: try $0.links(
          through: "Playlist.songs", from: "source", to: "target", orderedBy: "position"),
        tickets: try $0.links(
          through: "Playlist.tickets", from: "source", to: "target", orderedBy: "position"))
    }
    importer.rows("Collected") {
      Collected(
        id: try $0.id(), numbers: try $0.json("numbers"), tags: try $0.json("tags"),
        maybe: try $0.json("maybe"))
    }
    importer.rows("Film") { Film(id: try $0.id(), sound: Blob(Array(try $0["sound"] as Data))) }
  }

  // MARK: Content

  /// Fills a store with some objects of each model.
  static func fill(_ store: Store, seed: UInt64) throws {
    var draw = Draw(SeededGenerator(seed: seed))
    try store.write { transaction in
      var songs: [String] = []
      for id in 1...40 {
        songs.append("\(id)" + draw.text())
        try insertValues(id, songs[id - 1], &draw, transaction)
        try insertRelated(id, songs, &draw, transaction)
      }
    }
  }

  /// Random values.
  private struct Draw {
    private var random: SeededGenerator

    init(_ random: SeededGenerator) { self.random = random }

    mutating func text() -> String {
      let parts = ["", "a", "é", "e\u{301}", "'", "\"", "\u{0}", "\n", "1", "-2e3", "🙂", "nan"]
      return (0..<number(0...4)).map { _ in parts[number(0...11)] }.joined()
    }

    mutating func bytes() -> [UInt8] { (0..<number(0...9)).map { _ in UInt8(number(0...255)) } }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

    mutating func holds() -> Bool { Bool.random(using: &random) }

    mutating func date() -> Date {
      let whole = Double(number(-60_000_000_000...90_000_000_000))
      return Date(timeIntervalSinceReferenceDate: holds() ? whole : whole / 1024)
    }
  }

  private static func insertValues(
    _ id: Int, _ song: String, _ draw: inout Draw, _ transaction: WriteTransaction
  ) throws {
    let sizes = [0.1, 3, -1e300, .infinity, Double.leastNonzeroMagnitude]
    try transaction.insert(
      Plain(
        id: id * id - 200, text: draw.text(), name: draw.holds() ? draw.text() : nil,
        Name: draw.text(), isOn: draw.holds(), size: sizes[draw.number(0...4)],
        ratio: draw.holds() ? Float(draw.number(-99...99)) / 7 : nil))
    try transaction.insert(
      Texted(
        id: song, number: draw.holds() ? id : nil, count: UInt64(draw.number(0...Int.max)),
        mood: draw.holds() ? .calm : .wild,
        level: draw.holds() ? .low : draw.holds() ? .high : nil))
    try transaction.insert(
      Dated(
        id: dated(id), at: draw.date(), until: draw.holds() ? draw.date() : nil,
        bytes: Data(draw.bytes()), more: draw.holds() ? Data(draw.bytes()) : nil))
    try transaction.insert(
      Priced(
        id: UInt64(id) * 7, price: Decimal(draw.number(-999...999)) / 8,
        discount: draw.holds() ? Decimal(id) : nil,
        payment: draw.holds() ? .cash : .card(number: draw.text())))
    try transaction.insert(Seat(id: seat(id), isFree: draw.holds()))
    try transaction.insert(Film(id: id, sound: Blob(draw.bytes())))
  }

  private static func insertRelated(
    _ id: Int, _ songs: [String], _ draw: inout Draw, _ transaction: WriteTransaction
  ) throws {
    let place = Place(city: draw.text(), zip: draw.holds() ? draw.text() : nil)
    try transaction.insert(Person(id: id, home: place, work: draw.holds() ? place : nil))
    try transaction.insert(
      Ticket(
        id: id, owner: Link(id: draw.number(1...id)), helper: draw.holds() ? Link(id: id) : nil,
        dated: draw.holds() ? Link(id: dated(id)) : nil,
        previous: id > 1 && draw.holds() ? Link(id: id - 1) : nil,
        seat: draw.holds() ? Link(id: seat(id)) : nil))
    let places = (0..<draw.number(0...5)).map { _ in draw.number(1...id) }
    try transaction.insert(
      Playlist(
        id: "list \(id)", songs: Links(ids: places.map { songs[$0 - 1] }),
        tickets: Links(ids: places)))
    try transaction.insert(
      Collected(
        id: id, numbers: places, tags: Set(places.map { songs[$0 - 1] }),
        maybe: places.map { $0 % 2 == 0 ? nil : draw.text() }))
  }

  private static func dated(_ id: Int) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, UInt8(id)))
  }

  private static func seat(_ id: Int) -> Seat.ID {
    Seat.ID(row: id / 3, letter: ["a", "b", "c"][id % 3])
  }
}
