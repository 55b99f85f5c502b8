import Foundation
import GRDB

struct Category: Codable, FetchableRecord, PersistableRecord {
  var id: Int
  var name: String
  var position: Int
  static let items = hasMany(Item.self).order { $0.id }

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let position = Column(CodingKeys.position)
  }
}

struct Item: Codable, FetchableRecord, PersistableRecord {
  var id: Int
  var name: String
  var price: Int
  var isFavourite: Bool  // The server does not know it.
  var categoryId: Int
  static let modifiers = hasMany(Modifier.self).order { $0.id }

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let isFavourite = Column(CodingKeys.isFavourite)
    static let categoryId = Column(CodingKeys.categoryId)
  }
}

struct Modifier: Codable, FetchableRecord, PersistableRecord {
  var id: Int
  var name: String
  var price: Int
  var itemId: Int

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let itemId = Column(CodingKeys.itemId)
  }
}

struct Order: Codable, FetchableRecord, PersistableRecord {
  var id: UUID
  var table: String
  var remark: String
  var placed: Date
  var sent: Date?
  static let lines = hasMany(Line.self).order { $0.id }

  enum Columns {
    static let placed = Column(CodingKeys.placed)
    static let sent = Column(CodingKeys.sent)
  }

  /// The orders that wait for the network, the oldest first.
  static var unsent: QueryInterfaceRequest<Order> {
    filter { $0.sent == nil }.order { $0.placed }
  }
}

struct Line: Codable, FetchableRecord, PersistableRecord {
  var id: Int?
  var orderId: UUID
  var itemId: Int?
  var name: String
  var price: Int
  var count: Int
  var extras: [String]

  enum Columns {
    static let id = Column(CodingKeys.id)
  }
}

extension MenuSection: FetchableRecord {}
extension Ticket: FetchableRecord {}
extension Sales: FetchableRecord {}

/// The schema of the first release, and what the second one changes in it.
var migrator: DatabaseMigrator {
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
  migrator.registerMigration("2") { db in
    try db.create(table: "modifier") { t in
      t.primaryKey("id", .integer)
      t.column("name", .text).notNull()
      t.column("price", .integer).notNull()
      t.belongsTo("item", onDelete: .cascade).notNull()
    }
    try db.alter(table: "item") { t in
      t.add(column: "isFavourite", .boolean).notNull().defaults(to: false)
    }
    try db.alter(table: "line") { t in
      t.add(column: "extras", .jsonText).notNull().defaults(to: "[]")
    }
    try db.alter(table: "order") { t in
      t.rename(column: "note", to: "remark")
      t.rename(column: "table", to: "number")
      t.add(column: "table", .text).notNull().defaults(to: "")
    }
    try db.execute(sql: #"UPDATE "order" SET "table" = CAST(number AS TEXT)"#)
    try db.alter(table: "order") { t in t.drop(column: "number") }
    try db.create(
      index: "unsent", on: "order", columns: ["placed"], condition: Column("sent") == nil)
  }
  return migrator
}
