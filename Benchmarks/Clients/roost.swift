import Foundation
import Roost

struct Person: Model {
  let id: Int
  var name: String
  var born: Date

  static let schema = Schema(
    Person.init, Key("id", \.id), Field("name", \.name, .indexed), Field("born", \.born))
}

let store = try Store(.inMemory, models: Person.self)
try store.write { try $0.insert(Person(id: 1, name: "Ann", born: .now)) }
print(try store.read { try $0.fetch(Person.where { $0.name == "Ann" }) })
