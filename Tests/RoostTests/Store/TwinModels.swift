import Roost

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
  static let squads = Inverse(\Squad.members)
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

/// Players of a year: a key of two parts, lists with two of the rules, a blob, and indexes of several fields.
struct Squad: Model {
  struct ID: CompoundKey {
    let year: Int
    let name: String
    static let parts = KeyParts(ID.init, KeyPart("year", \.year), KeyPart("name", \.name))
  }
  let id: ID
  var town: String
  var size: Int
  var members: Links<Player> = []
  var hosts: Links<Club> = []
  var heir: Link<Squad>?
  var banner = Blob()
  static let games = Inverse(\Game.squad)
  static let schema = Schema(
    Squad.init, Key("id", \.id), Field("town", \.town), Field("size", \.size),
    Field("members", \.members), Field("hosts", \.hosts, .onTargetDelete(.deny)),
    Field("heir", \.heir, .onTargetDelete(.cascade)), Field("banner", \.banner))
  static let indexes: [Index<Squad>] = [
    Index(\.town, \.size), .unique(\.size, where: { $0.town == "city 0" }),
  ]
}

/// A game, whose number the store gives.
struct Game: Model {
  let id: Int
  var squad: Link<Squad>?
  var clubs: Links<Club> = []
  var score: Int
  static let schema = Schema(
    Game.init, Key("id", \.id, .assigned), Field("squad", \.squad, .onTargetDelete(.nullify)),
    Field("clubs", \.clubs, .onTargetDelete(.cascade)), Field("score", \.score))
  static let indexes: [Index<Game>] = [.unique(\.squad, \.score)]
}
