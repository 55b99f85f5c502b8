import Foundation
import GRDB

// The till's first release, as far as it writes the file that the second one opens: tables have numbers, an order has a
// note, and there are no modifiers and no favourites.

struct Category: Codable, FetchableRecord, PersistableRecord {
  var id: Int
  var name: String
  var position: Int
}

struct Item: Codable, FetchableRecord, PersistableRecord {
  var id: Int
  var name: String
  var price: Int
  var categoryId: Int
}

struct Order: Codable, FetchableRecord, PersistableRecord {
  var id: UUID
  var table: Int
  var note: String
  var placed: Date
  var sent: Date?
}

struct Line: Codable, FetchableRecord, PersistableRecord {
  var id: Int?
  var orderId: UUID
  var itemId: Int?
  var name: String
  var price: Int
  var count: Int
}

package struct FirstTill: Sendable {
  let database: DatabasePool

  package init(path: String) throws {
    database = try DatabasePool(path: path)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      try db.create(table: "category") { t in
        t.primaryKey("id", .integer)
        t.column("name", .text).notNull()
        t.column("position", .integer).notNull()
      }
      try db.create(table: "item") { t in
        t.primaryKey("id", .integer)
        t.column("name", .text).notNull()
        t.column("price", .integer).notNull()
        t.belongsTo("category", onDelete: .cascade).notNull()
      }
      try db.create(table: "order") { t in
        t.primaryKey("id", .blob)
        t.column("table", .integer).notNull()
        t.column("note", .text).notNull()
        t.column("placed", .datetime).notNull()
        t.column("sent", .datetime)
      }
      try db.create(table: "line") { t in
        t.autoIncrementedPrimaryKey("id")
        t.belongsTo("order", onDelete: .cascade).notNull()
        t.belongsTo("item", onDelete: .setNull)
        t.column("name", .text).notNull()
        t.column("price", .integer).notNull()
        t.column("count", .integer).notNull()
      }
    }
    try migrator.migrate(database)
  }

  package func addItem(_ id: Int, _ name: String, price: Int, to category: String) throws {
    try database.write { db in
      try Category(id: 1, name: category, position: 1).save(db)
      try Item(id: id, name: name, price: price, categoryId: 1).insert(db)
    }
  }

  package func place(
    _ itemID: Int, count: Int, table: Int, note: String, at date: Date
  ) throws -> UUID {
    let order = Order(id: UUID(), table: table, note: note, placed: date, sent: nil)
    try database.write { db in
      let item = try Item.find(db, key: itemID)
      try order.insert(db)
      try Line(
        orderId: order.id, itemId: item.id, name: item.name, price: item.price, count: count
      ).insert(db)
    }
    return order.id
  }
}
