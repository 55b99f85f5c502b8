import Foundation
import GRDB

struct Person: Codable, FetchableRecord, PersistableRecord {
  let id: Int
  var name: String
  var born: Date
}

let database = try DatabaseQueue()
try database.write { database in
  try database.create(table: "person") { table in
    table.primaryKey("id", .integer)
    table.column("name", .text).notNull().indexed()
    table.column("born", .datetime).notNull()
  }
  try Person(id: 1, name: "Ann", born: .now).insert(database)
}
print(try database.read { try Person.filter(Column("name") == "Ann").fetchAll($0) })
