import Foundation
import GRDB

/// The data of a till: the menu that its server sends, and the orders that wait for the network.
package struct Till: Sendable {
  let database: DatabasePool

  /// Opens the till's file, also one of the first release; a missing file is made.
  package init(path: String) throws {
    database = try DatabasePool(path: path)
    try migrator.migrate(database)
  }

  // MARK: The menu

  /// Takes a menu over, or a part of one. Categories and members that the text does not have stay as they are; of an item
  /// or a modifier that its list does not have any more nothing is left.
  package func updateMenu(_ json: String) throws {
    let menu = try JSONDecoder().decode([SentCategory].self, from: Data(json.utf8))
    try database.write { db in
      for category in menu {
        try category.save(db)
        for item in category.items ?? [] {
          try item.save(db, in: category.id)
          for modifier in item.modifiers ?? [] { try modifier.save(db, of: item.id) }
        }
      }
      // At the end, for an item may have moved to another category.
      for category in menu {
        guard let items = category.items else { continue }
        let ids = items.map(\.id)
        try Item.filter { $0.categoryId == category.id && !ids.contains($0.id) }.deleteAll(db)
        for item in items {
          guard let ids = item.modifiers?.map(\.id) else { continue }
          try Modifier.filter { $0.itemId == item.id && !ids.contains($0.id) }.deleteAll(db)
        }
      }
    }
  }

  /// The whole menu.
  package func menu() throws -> [MenuSection] {
    try database.read { db in
      try Category.order { $0.position }
        .including(all: Category.items.including(all: Item.modifiers))
        .asRequest(of: MenuSection.self).fetchAll(db)
    }
  }

  /// Marks an item for the first page of the till, or takes the mark away.
  package func setFavourite(_ isFavourite: Bool, item: Int) throws {
    try database.write { db in
      var item = try Item.find(db, key: item)
      try item.updateChanges(db) { $0.isFavourite = isFavourite }
    }
  }

  // MARK: Orders

  /// Takes an order, with the prices of now.
  @discardableResult
  package func place(
    _ choices: [Choice], table: String, remark: String = "", at date: Date = Date()
  ) throws -> UUID {
    let order = Order(id: UUID(), table: table, remark: remark, placed: date, sent: nil)
    try database.write { db in
      try order.insert(db)
      for choice in choices {
        let item = try Item.find(db, key: choice.item)
        let modifiers = try Modifier.fetchAll(db, keys: choice.modifiers)
        try Line(
          orderId: order.id, itemId: item.id, name: item.name,
          price: item.price + modifiers.reduce(0) { $0 + $1.price }, count: choice.count,
          extras: modifiers.map(\.name)
        ).insert(db)
      }
    }
    return order.id
  }

  /// How many orders wait, now and after each change.
  package func unsentCount() -> some AsyncSequence<Int, any Error> & Sendable {
    ValueObservation.tracking { try Order.unsent.fetchCount($0) }.removeDuplicates()
      .values(in: database)
  }

  /// The orders that wait, the oldest first, now and after each change.
  package func unsentTickets() -> some AsyncSequence<[Ticket], any Error> & Sendable {
    ValueObservation.tracking { try Self.unsentTickets($0) }.removeDuplicates()
      .values(in: database)
  }

  /// Sends what waits, the oldest first, and marks each order that was sent. Where sending fails, the rest goes on waiting.
  package func sendUnsent(_ send: (Ticket) async throws -> Void) async throws {
    for ticket in try await database.read(Self.unsentTickets) {
      try await send(ticket)
      try await database.write { db in
        var order = try Order.find(db, key: ticket.id)
        try order.updateChanges(db) { $0.sent = Date() }
      }
    }
  }

  /// What was ordered most often, by the names of the items.
  package func bestsellers(_ count: Int) throws -> [Sales] {
    let sql = """
      SELECT name, SUM(count) AS count, SUM(price * count) AS amount
      FROM line GROUP BY name ORDER BY SUM(count) DESC LIMIT ?
      """
    return try database.read { try Sales.fetchAll($0, sql: sql, arguments: [count]) }
  }

  @Sendable
  private static func unsentTickets(_ db: Database) throws -> [Ticket] {
    try Order.unsent.including(all: Order.lines).asRequest(of: Ticket.self).fetchAll(db)
  }
}
