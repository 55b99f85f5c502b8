import Foundation
import Roost
import RoostImport
import RoostImportSQLite

/// A row of the table that `million.py` makes.
struct Person: Model {
  let id: Int
  var name: String
  var city: String
  var age: Int
  var balance: Double?
  var joined: Date
  var code: String
  static let schema = Schema(
    Person.init, Key("id", \.id), Field("name", \.name), Field("city", \.city, .indexed),
    Field("age", \.age, .indexed), Field("balance", \.balance), Field("joined", \.joined),
    Field("code", \.code, .unique))
  static let indexes: [Index<Person>] = [Index(\.city, \.age)]
}

/// Makes a store of an SQLite file: what `Scripts/time-import` measures.
@main struct MillionRows {
  static func main() async throws {
    let (source, path) = (CommandLine.arguments[1], CommandLine.arguments[2])
    let store = try await Store.open(
      .file(path), models: Person.self, importing: .sqlite(URL(fileURLWithPath: source))
    ) { importer in
      importer.rows("person") {
        Person(
          id: try $0.id(), name: try $0["name"], city: try $0["city"], age: try $0["age"],
          balance: try $0["balance"], joined: try $0.date("joined", as: .grdbText),
          code: try $0["code"])
      }
    }
    store.close()
  }
}
