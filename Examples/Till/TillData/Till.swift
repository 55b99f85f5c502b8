import Foundation
import Roost
import RoostInterchange

/// The data of a till: the menu that its server sends, and the orders that wait for the network.
package struct Till: Sendable {
  let store: Store

  /// Opens the till's file, also one of the first release; a missing file is made.
  package init(path: String) throws {
    store = try Store(
      .file(path), models: Category.self, Item.self, Modifier.self, Order.self, Line.self
    ) { migrations }
  }

  // MARK: The menu

  /// Takes a menu over, or a part of one. Categories and members that the text does not have stay as they are; of an item
  /// or a modifier that its list does not have any more nothing is left.
  package func updateMenu(_ json: String) throws {
    try store.write {
      try $0.upsert(Category.self, from: .text(json)) {
        $0.items(replacing: true) { $0.modifiers(replacing: true) }
      }
    }
  }

  /// The whole menu.
  package func menu() throws -> [MenuSection] {
    let categories = Category.all.order(by: \.position)
      .including(Category.items, Item.all.including(Item.modifiers))
    return try store.snapshot().fetch(categories).map { category, items in
      MenuSection(
        id: category.id, name: category.name,
        items: items.map { item, modifiers in
          MenuItem(
            id: item.id, name: item.name, price: item.price, isFavourite: item.isFavourite,
            modifiers: modifiers.map { MenuModifier(id: $0.id, name: $0.name, price: $0.price) })
        })
    }
  }

  /// Marks an item for the first page of the till, or takes the mark away.
  package func setFavourite(_ isFavourite: Bool, item: Int) throws {
    try store.write { try $0.update(Item.self, id: item, set: \.isFavourite, to: isFavourite) }
  }

  // MARK: Orders

  /// Takes an order, with the prices of now.
  @discardableResult
  package func place(
    _ choices: [Choice], table: String, remark: String = "", at date: Date = Date()
  ) throws -> UUID {
    let order = Order(id: UUID(), table: table, remark: remark, placed: date, sent: nil)
    try store.write { transaction in
      try transaction.insert(order)
      for choice in choices {
        let item = try transaction.find(Item.self, id: choice.item)
        let modifiers = try transaction.fetch(Modifier.self, ids: choice.modifiers)
        try transaction.insert(
          Line(
            id: .assigned, order: Link(order), item: Link(item), name: item.name,
            price: item.price + modifiers.reduce(0) { $0 + $1.price }, count: choice.count,
            extras: modifiers.map(\.name)))
      }
    }
    return order.id
  }

  /// How many orders wait, now and after each change.
  package func unsentCount() -> some AsyncSequence<Int, any Error> & Sendable {
    store.values(of: Order.unsent) { try $0.count($1) }
  }

  /// The orders that wait, the oldest first, now and after each change.
  package func unsentTickets() -> some AsyncSequence<[Ticket], any Error> & Sendable {
    store.values(of: Order.unsent) { try Self.tickets(of: $1, in: $0) }
  }

  /// Sends what waits, the oldest first, and marks each order that was sent. Where sending fails, the rest goes on waiting.
  package func sendUnsent(_ send: (Ticket) async throws -> Void) async throws {
    for ticket in try Self.tickets(of: Order.unsent, in: store.snapshot()) {
      try await send(ticket)
      try await store.write { try $0.update(Order.self, id: ticket.id, set: \.sent, to: Date()) }
    }
  }

  /// What was ordered most often, by the names of the items.
  package func bestsellers(_ count: Int) throws -> [Sales] {
    let byName = Line.all.grouped { $0.name }.order(descending: true) { $0.sum { $0.count } }
    let sales = try store.snapshot().groups(
      byName.limit(count), { $0.sum { $0.count } }, { $0.sum { $0.price * $0.count } })
    return sales.map { name, sums in Sales(name: name, count: sums.0, amount: sums.1) }
  }

  private static func tickets(of orders: Query<Order>, in snapshot: Snapshot) throws -> [Ticket] {
    try snapshot.fetch(orders.including(Order.lines)).map { order, lines in
      Ticket(
        id: order.id, table: order.table, remark: order.remark,
        lines: lines.map {
          TicketLine(name: $0.name, price: $0.price, count: $0.count, extras: $0.extras)
        })
    }
  }
}
