import Roost
import RoostTestSupport

/// A store and everything that can be seen of it while random operations run: the same seed makes the same
/// operations of any store.
struct StoreTwin {
  private struct Refusal: Error {}

  private(set) var store: Store
  /// Opens the store anew, for one that is kept.
  private let open: (() throws -> Store)?
  var random: SeededGenerator
  private var snapshots: [Snapshot] = []

  /// A store with some clubs, so that most transactions find the one that they link to.
  ///
  /// - Parameter open: Opens the store where it was closed; nil of one that would be empty then, which stays open.
  init(_ store: Store, seed: UInt64, reopenedBy open: (() throws -> Store)? = nil) throws {
    self.store = store
    self.open = open
    random = SeededGenerator(seed: seed)
    try store.write { transaction in
      for number in 0..<6 {
        try transaction.insert(Club(id: "club \(number)", city: "city \(number % 3)", rival: nil))
      }
    }
  }

  /// A store of the models that the operations are about.
  static func store(
    _ location: Location, _ configuration: Configuration = Configuration()
  ) throws -> Store {
    try Store(
      location, models: Player.self, Club.self, Squad.self, Game.self,
      configuration: configuration)
  }

  /// One step, and what could be seen of it.
  mutating func step() throws -> [String] {
    var seen: [String] = []
    switch pick(12) {
    case 0:
      snapshots.append(store.snapshot())
      if snapshots.count > 4 { snapshots.removeFirst(pick(3)) }
    case 1:
      for snapshot in snapshots { seen += look(at: snapshot) }
    case 2:
      // A snapshot would hold the file.
      snapshots = []
      guard let open else { break }
      store.close()
      store = try open()
    default: seen += write()
    }
    return seen + Self.contents(of: store) + look(at: store.snapshot())
  }

  /// All that is in a store, as text: a number that is none equals nothing.
  static func contents(of store: Store) -> [String] {
    let snapshot = store.snapshot()
    return [
      outcome { try snapshot.fetch(Player.all) }, outcome { try snapshot.fetch(Club.all) },
      outcome { try snapshot.fetch(Squad.all) }, outcome { try snapshot.fetch(Game.all) },
      outcome {
        try snapshot.fetch(Squad.all).map { squad in
          let blob = try snapshot.blob(\Squad.banner, of: squad.id)
          return describe(try blob.read(0..<blob.count))
        }
      },
    ]
  }

  // MARK: Writing

  private mutating func write() -> [String] {
    var seen: [String] = []
    let isRefused = pick(6) == 0
    seen.append(
      outcome {
        try store.write { transaction in
          for _ in 0..<1 + pick(8) { change(transaction, depth: 0, &seen) }
          if isRefused { throw Refusal() }
          return try transaction.count(Player.all)
        }
      })
    return seen
  }

  private mutating func change(_ tx: WriteTransaction, depth: Int, _ seen: inout [String]) {
    let player = player()
    let club = club()
    let id = pick(60)
    let result: String
    switch pick(36) {
    case 0: result = outcome { try tx.insert(player) }
    case 1: result = outcome { try tx.insert(club) }
    case 2:
      let many = (0..<pick(40)).map { _ in self.player() }
      result = outcome { try tx.insert(contentsOf: many) }
    case 3: result = outcome { try tx.update(player) }
    case 4: result = outcome { try tx.update(Player.self, id: id) { $0.points += 1 } }
    case 5: result = outcome { try tx.update(Player.self, id: id, set: \.code, to: player.code) }
    case 6: result = outcome { try tx.update(players(), { $0.name += "x" }) }
    case 7: result = outcome { try tx.delete(Player.self, id: id) }
    case 8: result = outcome { try tx.delete(Player.self, ids: [id, id + 1, id + 2]) }
    case 9: result = outcome { try tx.delete(players()) }
    case 10 where pick(2) == 0: result = outcome { try tx.delete(Club.self, id: club.id) }
    case 11: result = outcome { try tx.upsert(player) }
    case 12: result = outcome { try tx.upsert(player, onConflict: .keep) }
    case 13: result = outcome { try tx.upsert(player, onConflict: .merge(\.points, \.club)) }
    case 14:
      let given = (0..<pick(8)).map { _ in self.player() }
      let query = players()
      result = outcome { try tx.replaceAll(given, of: query) }
    case 15: result = outcome { try tx.update(players(), set: \.points, to: { $0.points + 3 }) }
    case 16: result = outcome { try tx.update(players(), set: \.code, to: { "code " + $0.name }) }
    case 17: result = outcome { try tx.update(players(), set: \.club, to: player.club) }
    case 18 where depth < 3:
      let isRefused = pick(2) == 0
      result = outcome {
        try tx.savepoint {
          for _ in 0..<1 + pick(5) { change(tx, depth: depth + 1, &seen) }
          if isRefused { throw Refusal() }
        }
      }
    case 19: result = outcome { try tx.setValue("captain", to: Link<Player>(id: id)) }
    default: result = changeSquads(tx)
    }
    seen.append(result)
    if pick(3) == 0 { seen += look(at: tx) }
  }

  // MARK: Reading

  private mutating func look(at snapshot: Snapshot) -> [String] {
    let id = squadID()
    let range = range()
    let blob = outcome {
      Self.describe(try snapshot.blob(\Squad.banner, of: id).read(range))
    }
    return [blob] + glances(at: snapshot)
  }

  private mutating func look(at transaction: WriteTransaction) -> [String] {
    let id = squadID()
    let range = range()
    let blob = outcome {
      Self.describe(try transaction.blob(\Squad.banner, of: id).read(range))
    }
    return [blob] + glances(at: transaction)
  }

  private mutating func glances(at reader: some ObjectReader) -> [String] {
    (0..<6).map { _ in
      pick(2) == 0 ? glance(at: reader) : glanceAtSquads(of: reader)
    }
  }

  /// One of the things that a reader shows of players: objects in an order, counts, sums, errors.
  private mutating func glance(at reader: some ObjectReader) -> String {
    let query = players()
    let id = pick(60)
    let club = "club \(id % 6)"
    switch pick(12) {
    case 0: return outcome { try reader.fetch(query.order(by: \.rating, \.name)) }
    case 1: return outcome { try reader.fetch(Player.all.order(by: \.code).limit(5, offset: 2)) }
    case 2: return outcome { try reader.count(query) }
    case 3: return outcome { try reader.sum(\.points, of: query) }
    case 4: return outcome { try reader.average(\.rating, of: query) }
    case 5: return outcome { try reader.max(\.code, of: query) }
    case 6: return outcome { try reader.min(\.name, of: query) }
    case 7: return outcome { try reader.find(Player.self, id: id) }
    case 8: return outcome { try reader.count(Club.players, of: club) }
    case 9: return outcome { try reader.fetch(Club.players(of: club).order(by: \.points)) }
    case 10: return outcome { try reader.value("captain", as: Link<Player>.self) }
    default: return outcome { try reader.value("captain", as: String.self) }
    }
  }

  func outcome<Result>(_ body: () throws -> Result) -> String { Self.outcome(body) }

  private static func outcome<Result>(_ body: () throws -> Result) -> String {
    do { return "\(try body())" } catch { return "error: \(error)" }
  }

  /// How many bytes there are, and a number that stands for them.
  private static func describe(_ bytes: [UInt8]) -> String {
    let sum = bytes.reduce(UInt64(bytes.count)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "\(bytes.count) bytes, \(sum)"
  }

  // MARK: Random values

  mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func players() -> Query<Player> {
    let number = pick(20)
    return switch pick(6) {
    case 0: Player.where { $0.points > number && $0.rating < 0.7 }
    case 1: Player.where { $0.name == "name \(number % 5)" || $0.code == "code \(number)" }
    case 2: Player.where { $0.club.city == "city \(number % 3)" }
    case 3: Player.where { $0.home.city != "city \(number % 3)" && $0.captain != nil }
    case 4: Player.where { !($0.name.hasSuffix("x")) }.order(by: \.points, descending: true)
    default: Player.all.order(by: \.name).limit(number, offset: number % 4)
    }
  }

  private mutating func player() -> Player {
    let text = String(repeating: "long ", count: pick(12) == 0 ? 400 : 0)
    return Player(
      id: pick(60), name: "name \(pick(5))\(text)", points: pick(30),
      // Of quarters any sum is exact, in whatever order a store adds them.
      rating: pick(20) == 0 ? .nan : Double(pick(5)) / 4,
      code: pick(3) == 0 ? nil : "code \(pick(80))",
      club: pick(3) == 0 ? nil : Link(id: "club \(pick(6))"),
      captain: pick(3) == 0 ? Link(id: pick(60)) : nil,
      home: pick(2) == 0 ? nil : Address(city: "city \(pick(3))", zip: nil, place: nil))
  }

  private mutating func club() -> Club {
    Club(
      id: "club \(pick(6))", city: "city \(pick(3))",
      rival: pick(4) == 0 ? Link(id: "club \(pick(6))") : nil)
  }

  mutating func squadID() -> Squad.ID {
    Squad.ID(year: 2020 + pick(3), name: "squad \(pick(4))")
  }

  /// Places of a list or a blob, which may have fewer.
  mutating func range() -> Range<Int> {
    let (a, b) = (pick(9), pick(9))
    return min(a, b)..<max(a, b)
  }
}
