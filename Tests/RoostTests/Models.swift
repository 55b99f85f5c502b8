import Foundation
import Roost

enum Mood: String, Storable { case calm, wild }

enum Rank: Int, Storable, Sortable, CaseIterable {
  case low = 10
  case middle = 20
  case high = 30
}

struct Group: Model {
  let id: Int
  var name: String
  var size: Int?
  static let schema = Schema(
    Group.init, Key("id", \.id), Field("name", \.name), Field("size", \.size))
}

struct Person: Model {
  let id: Int
  var name: String
  var nickname: String?
  var age: Int
  var score: Double
  var mood: Mood
  var rank: Rank?
  var isActive: Bool
  var group: Link<Group>?
  static let schema = Schema(
    Person.init, Key("id", \.id), Field("name", \.name), Field("nickname", \.nickname),
    Field("age", \.age, .indexed), Field("score", \.score), Field("mood", \.mood),
    Field("rank", \.rank), Field("isActive", \.isActive),
    Field("group", \.group))

  init(
    id: Int, name: String, nickname: String?, age: Int, score: Double, mood: Mood, rank: Rank?,
    isActive: Bool, group: Link<Group>?
  ) {
    self.id = id
    self.name = name
    self.nickname = nickname
    self.age = age
    self.score = score
    self.mood = mood
    self.rank = rank
    self.isActive = isActive
    self.group = group
  }

  init(_ id: Int, _ name: String = "Ann", age: Int = 31, group: Int? = nil) {
    self.init(
      id: id, name: name, nickname: nil, age: age, score: 0.5, mood: .calm, rank: nil,
      isActive: true, group: group.map { Link(id: $0) })
  }
}

/// Every type that a field may have, with a key that is not an integer.
struct Everything: Model {
  let id: UUID
  var bool: Bool
  var int: Int
  var double: Double
  var float: Float
  var string: String
  var data: Data
  var date: Date
  var uuid: UUID
  var mood: Mood
  var rank: Rank
  var optionalBool: Bool?
  var optionalInt: Int?
  var optionalDouble: Double?
  var optionalFloat: Float?
  var optionalString: String?
  var optionalData: Data?
  var optionalDate: Date?
  var optionalUUID: UUID?
  var optionalMood: Mood?
  var link: Link<Tag>
  var optionalLink: Link<Everything>?
  static let schema = Schema(
    Everything.init, Key("id", \.id), Field("bool", \.bool), Field("int", \.int),
    Field("double", \.double), Field("float", \.float), Field("string", \.string),
    Field("data", \.data), Field("date", \.date), Field("uuid", \.uuid), Field("mood", \.mood),
    Field("rank", \.rank), Field("optionalBool", \.optionalBool),
    Field("optionalInt", \.optionalInt), Field("optionalDouble", \.optionalDouble),
    Field("optionalFloat", \.optionalFloat), Field("optionalString", \.optionalString),
    Field("optionalData", \.optionalData), Field("optionalDate", \.optionalDate),
    Field("optionalUUID", \.optionalUUID), Field("optionalMood", \.optionalMood),
    Field("link", \.link), Field("optionalLink", \.optionalLink))
}

struct Tag: Model {
  let id: String
  var color: Int
  static let schema = Schema(Tag.init, Key("id", \.id), Field("color", \.color))
}

/// A user with a field that no two may share.
struct Account: Model {
  let id: UUID
  var email: String
  var phone: String?
  static let schema = Schema(
    Account.init, Key("id", \.id), Field("email", \.email, .unique),
    Field("phone", \.phone, .unique))
}

/// A dog's owner, whose link becomes nil where the owner is missing.
struct Dog: Model {
  let id: Int
  var name: String
  var owner: Link<Account>?
  var walker: Link<Account>?
  static let schema = Schema(
    Dog.init, Key("id", \.id), Field("name", \.name), Field("owner", \.owner),
    Field("walker", \.walker, .onMissingTarget(.nullify)))
}
