// What every program may do: this file must compile, or the mistakes of the others would be refused for another reason.
import Foundation
import Roost

enum Mood: String, Storable { case calm, wild }

struct Moody: Model {
  let id: Int
  var mood: Mood
  var maybe: Mood?
  static let schema = Schema(
    Moody.init, Key("id", \.id), Field("mood", \.mood), Field("maybe", \.maybe))
}

struct Person: Model {
  let id: Int
  var name: String
  var age: Int
  var score: Double
  var nickname: String?
  var isActive: Bool
  var born: Date?
  // expected-note@+1 {{change 'let' to 'var' to make it mutable}}
  let code: String
  static let dogs = Inverse(\Dog.owner)
  static let schema = Schema(
    Person.init, Key("id", \.id), Field("name", \.name), Field("age", \.age),
    Field("score", \.score), Field("nickname", \.nickname), Field("isActive", \.isActive),
    Field("born", \.born), Field("code", \.code))
}

struct Dog: Model {
  let id: Int
  var name: String
  var owner: Link<Person>?
  var friends: Links<Dog>
  static let schema = Schema(
    Dog.init, Key("id", \.id), Field("name", \.name), Field("owner", \.owner),
    Field("friends", \.friends))
}

struct Seat: Model {
  struct ID: CompoundKey {
    let row: Int
    let number: Int
    static let parts = KeyParts(ID.init, KeyPart("row", \.row), KeyPart("number", \.number))
  }
  struct View: Embedded, Hashable {
    var isFree: Bool
    static let fields = Fields(View.init, Part("isFree", \.isFree))
  }
  let id: ID
  var view: View
  static let schema = Schema(Seat.init, Key("id", \.id), Field("view", \.view))
}

struct Bill: Model {
  enum Payment: Opaque {
    case cash
    case card(digits: String)
    var isCash: Bool { if case .cash = self { true } else { false } }
    var digits: String? { if case .card(let digits) = self { digits } else { nil } }
  }
  let id: Int
  var payment: Payment
  var views: [Seat.View]
  static let schema = Schema(
    Bill.init, Key("id", \.id), Field("payment", \.payment), Field("views", \.views))
}

func count<M: Model>(_ query: Query<M>, in path: String) throws -> Int {
  try Store(.file(path), models: M.self).snapshot().count(query)
}
