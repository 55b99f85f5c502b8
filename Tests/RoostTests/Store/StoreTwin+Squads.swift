import Roost
import RoostTestSupport

/// What is done to squads and games, and seen of them.
extension StoreTwin {
  // MARK: Writing

  mutating func changeSquads(_ tx: WriteTransaction) -> String {
    let there = Targets(tx)
    let squad = squad(there)
    let id = squadID()
    let game = game(there)
    let number = pick(60)
    switch pick(20) {
    case 0, 1, 2: return outcome { try tx.insert(squad) }
    case 3: return outcome { try tx.update(squad) }
    case 4: return outcome { try tx.upsert(squad) }
    case 5: return outcome { try tx.upsert(squad, onConflict: .merge(\.members, \.size)) }
    case 6: return outcome { try tx.delete(Squad.self, id: id) }
    case 7: return outcome { try tx.delete(Squad.where { $0.id.begins(with: id.year) }) }
    case 8, 9:
      return edit(players(there)) { try tx.links(\Squad.members, of: id) }
    case 10:
      return edit(clubs(there)) { try tx.links(\Squad.hosts, of: id) }
    case 11, 12: return editBanner(of: id, tx)
    case 13:
      // No two of a city may have the same.
      return outcome { try tx.update(Squad.all, set: \.size, to: { $0.size % 5 }) }
    case 14:
      return outcome {
        try tx.update(Squad.where { $0.town == squad.town }) { $0.members.reverse() }
      }
    case 15:
      let given = (0..<pick(4)).map { _ in self.squad(there) }
      return outcome {
        try tx.replaceAll(given, of: Squad.where { $0.id.begins(with: id.year) })
      }
    case 16, 17: return outcome { try tx.insert(game) }
    case 18:
      let games = [game, Game(id: number * 5, squad: nil, score: number), self.game(there)]
      return outcome { try tx.insert(contentsOf: games) }
    default:
      return outcome {
        try tx.update(Game.where { $0.score < 9 }, set: \.score, to: { $0.score + 1 })
          + tx.delete(Game.where { $0.id == number || $0.score > 12 })
      }
    }
  }

  /// Edits a list where it lies.
  private mutating func edit<Target: Model>(
    _ ids: [Target.ID], _ list: () throws -> LinksEditor<Target>
  ) -> String {
    let range = range()
    let kind = pick(9)
    return outcome {
      let list = try list()
      switch kind {
      case 0: try list.insert(contentsOf: ids, at: range.lowerBound)
      case 1: try list.replace(at: range.lowerBound, with: ids[0])
      case 2: try list.remove(at: range.lowerBound)
      case 3: try list.removeSubrange(range)
      case 4: try list.move(from: range.lowerBound, to: range.upperBound)
      case 5: try list.move(from: range.upperBound, to: range.lowerBound)
      case 6 where range.isEmpty: try list.removeAll()
      default: try list.append(contentsOf: ids)
      }
      return "\(try list.count): \(try list.value)"
    }
  }

  /// Edits a blob where it lies; some get longer than what an object brings along.
  private mutating func editBanner(of id: Squad.ID, _ tx: WriteTransaction) -> String {
    let range = range()
    let kind = pick(8)
    let bytes = random.bytes(pick(4) == 0 ? 30_000 : 1 + pick(9))
    return outcome {
      let banner = try tx.blob(\Squad.banner, of: id)
      switch kind {
      case 0: try banner.write(bytes, at: range.lowerBound)
      case 1: try banner.insert(bytes, at: range.lowerBound)
      case 2: try banner.removeSubrange(range)
      case 3: try banner.truncate(to: range.upperBound)
      case 4 where range.isEmpty: try banner.removeAll()
      default: try banner.append(bytes)
      }
      return try banner.count
    }
  }

  // MARK: Reading

  /// One of the things that a reader shows of squads and games.
  mutating func glanceAtSquads(of reader: some ObjectReader) -> String {
    let id = squadID()
    let player = pick(60)
    let club = "club \(player % 6)"
    switch pick(12) {
    case 0: return outcome { try reader.find(Squad.self, id: id) }
    case 1:
      return outcome {
        try reader.fetch(Squad.where { $0.id.begins(with: id.year) }.order(by: \.id))
      }
    case 2:
      return outcome {
        try reader.fetch(Squad.where { $0.town == "city 0" && $0.size > 2 }.order(by: \.size))
      }
    case 3: return outcome { try reader.fetch(Squad.where { $0.members.contains(player) }) }
    case 4:
      return outcome {
        try reader.fetch(Squad.where { $0.members.contains { $0.points > player / 2 } })
      }
    case 5: return outcome { try reader.count(Player.squads, of: player) }
    case 6: return outcome { try reader.fetch(Squad.all.including(\.members, \.heir)) }
    case 7:
      return outcome {
        (try reader.count(Squad.games, of: id), try reader.fetch(Squad.games(of: id)))
      }
    case 8: return outcome { try reader.fetch(Game.where { $0.clubs.contains(club) }) }
    case 9:
      return outcome {
        try reader.values(
          of: Game.all.order(by: \.score, descending: true), { $0.id }, { $0.squad.town.orNil })
      }
    case 10:
      return outcome { try reader.groups(Squad.all.grouped { $0.town }, { $0.count }) }
    default: return outcome { try reader.count(Squad.where { $0.hosts.contains(club) }) }
    }
  }

  // MARK: Random values

  /// What links may lead to, so that most transactions leave none without its target.
  private struct Targets {
    var players: [Int] = []
    var clubs: [String] = []
    var squads: [Squad.ID] = []

    init(_ tx: WriteTransaction) {
      players = (try? tx.fetch(Player.all).map(\.id)) ?? []
      clubs = (try? tx.fetch(Club.all).map(\.id)) ?? []
      squads = (try? tx.fetch(Squad.all).map(\.id)) ?? []
    }
  }

  /// One of some ids, and now and then any.
  private mutating func one<ID>(of ids: [ID], _ any: (inout StoreTwin) -> ID) -> ID {
    (pick(30) == 0 ? nil : ids.randomElement(using: &random)) ?? any(&self)
  }

  private mutating func players(_ there: Targets) -> [Int] {
    // Any among three hundred would be one that is missing.
    if pick(8) == 0, !there.players.isEmpty {
      return (0..<300).map { _ in there.players[pick(there.players.count)] }
    }
    return (0...pick(3)).map { _ in one(of: there.players) { $0.pick(60) } }
  }

  private mutating func clubs(_ there: Targets) -> [String] {
    (0...pick(2)).map { _ in one(of: there.clubs) { "club \($0.pick(6))" } }
  }

  private mutating func squad(_ there: Targets) -> Squad {
    let heir = pick(6) == 0 ? one(of: there.squads) { $0.squadID() } : nil
    return Squad(
      id: squadID(), town: "city \(pick(3))", size: pick(12),
      members: Links(ids: pick(3) == 0 ? [] : players(there)),
      hosts: Links(ids: pick(6) == 0 ? clubs(there) : []), heir: heir.map { Link(id: $0) },
      banner: pick(3) == 0 ? Blob(random.bytes(pick(2000))) : Blob())
  }

  private mutating func game(_ there: Targets) -> Game {
    let squad = pick(2) == 0 ? one(of: there.squads) { $0.squadID() } : nil
    return Game(
      id: .assigned, squad: squad.map { Link(id: $0) },
      clubs: Links(ids: pick(4) == 0 ? clubs(there) : []), score: pick(14))
  }
}
