import Roost
import RoostTestSupport

/// A person of a club, whose links have each rule.
struct Player: Model {
  let id: Int
  var name: String
  var points: Int
  var rating: Double
  var code: String?
  var club: Link<Club>?
  var captain: Link<Player>?
  var home: Address?
  static let schema = Schema(
    Player.init, Key("id", \.id), Field("name", \.name, .indexed), Field("points", \.points),
    Field("rating", \.rating), Field("code", \.code, .unique),
    Field("club", \.club, .onTargetDelete(.cascade)),
    Field("captain", \.captain, .onTargetDelete(.nullify), .onMissingTarget(.nullify)),
    Field("home", \.home))
}

struct Club: Model {
  let id: String
  var city: String
  var rival: Link<Club>?
  static let players = Inverse(\Player.club)
  static let schema = Schema(
    Club.init, Key("id", \.id), Field("city", \.city),
    Field("rival", \.rival, .onMissingTarget(.nullify)))
}

/// A store and everything that can be seen of it while random operations run: the same seed makes the same
/// operations of any store.
struct StoreTwin {
  private struct Refusal: Error {}

  let store: Store
  private var random: SeededGenerator
  private var snapshots: [Snapshot] = []

  /// A store with some clubs, so that most transactions find the one that they link to.
  init(_ store: Store, seed: UInt64) throws {
    self.store = store
    random = SeededGenerator(seed: seed)
    try store.write { transaction in
      for number in 0..<6 {
        try transaction.insert(Club(id: "club \(number)", city: "city \(number % 3)", rival: nil))
      }
    }
  }

  /// One step, and what could be seen of it.
  mutating func step() -> [String] {
    var seen: [String] = []
    switch pick(10) {
    case 0:
      snapshots.append(store.snapshot())
      if snapshots.count > 4 { snapshots.removeFirst(pick(3)) }
    case 1:
      for snapshot in snapshots { seen += look(at: snapshot) }
    default: seen += write()
    }
    return seen + look(at: store.snapshot())
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
    switch pick(20) {
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
    case 10: result = outcome { try tx.delete(Club.self, id: club.id) }
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
    default: result = outcome { try tx.setValue("captain", to: Link<Player>(id: id)) }
    }
    seen.append(result)
    if pick(3) == 0 { seen += look(at: tx) }
  }

  // MARK: Reading

  /// Everything that a reader shows: objects in every order, counts, sums, errors.
  private mutating func look(at reader: some ObjectReader) -> [String] {
    let query = players()
    let id = pick(60)
    return [
      outcome { try reader.fetch(Player.all) }, outcome { try reader.fetch(Club.all) },
      outcome { try reader.fetch(query.order(by: \.rating, \.name)) },
      outcome { try reader.fetch(Player.all.order(by: \.code).limit(5, offset: 2)) },
      outcome { try reader.count(query) }, outcome { try reader.sum(\.points, of: query) },
      outcome { try reader.average(\.rating, of: query) },
      outcome { try reader.max(\.code, of: query) },
      outcome { try reader.min(\.name, of: query) },
      outcome { try reader.find(Player.self, id: id) },
      outcome { try reader.count(Club.players, of: "club \(id % 6)") },
      outcome { try reader.fetch(Club.players(of: "club \(id % 6)").order(by: \.points)) },
      outcome { try reader.value("captain", as: Link<Player>.self) },
      outcome { try reader.value("captain", as: String.self) },
    ]
  }

  private func outcome<Result>(_ body: () throws -> Result) -> String {
    do { return "\(try body())" } catch { return "error: \(error)" }
  }

  // MARK: Random values

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

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
      rating: pick(20) == 0 ? .nan : Double(pick(100)) / 100,
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
}
