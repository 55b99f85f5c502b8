import Foundation

// What the screens of the till show, and the tests compare: the data layers for Roost and for GRDB have this file in common.

/// A category of the menu, with what is in it.
package struct MenuSection: Codable, Equatable, Sendable {
  package var id: Int
  package var name: String
  /// In the order of their ids.
  package var items: [MenuItem]

  package init(id: Int, name: String, items: [MenuItem]) {
    self.id = id
    self.name = name
    self.items = items
  }
}

/// Something to order. Prices are in cents.
package struct MenuItem: Codable, Equatable, Sendable {
  package var id: Int
  package var name: String
  package var price: Int
  package var isFavourite: Bool
  package var modifiers: [MenuModifier]

  package init(id: Int, name: String, price: Int, isFavourite: Bool, modifiers: [MenuModifier]) {
    self.id = id
    self.name = name
    self.price = price
    self.isFavourite = isFavourite
    self.modifiers = modifiers
  }
}

/// What an item can be had with, and what that costs more.
package struct MenuModifier: Codable, Equatable, Sendable {
  package var id: Int
  package var name: String
  package var price: Int

  package init(id: Int, name: String, price: Int) {
    self.id = id
    self.name = name
    self.price = price
  }
}

/// What a guest has chosen: an item of the menu, how many of it, and with which of its modifiers.
package struct Choice: Sendable {
  package var item: Int
  package var count: Int
  package var modifiers: [Int]

  package init(_ item: Int, count: Int = 1, with modifiers: [Int] = []) {
    self.item = item
    self.count = count
    self.modifiers = modifiers
  }
}

/// An order as it is sent to the kitchen.
package struct Ticket: Codable, Equatable, Sendable {
  package var id: UUID
  package var table: String
  package var remark: String
  package var lines: [TicketLine]
  package var total: Int { lines.reduce(0) { $0 + $1.count * $1.price } }

  package init(id: UUID, table: String, remark: String, lines: [TicketLine]) {
    self.id = id
    self.table = table
    self.remark = remark
    self.lines = lines
  }
}

/// A line of an order, with the name and the price that the item had when it was ordered.
package struct TicketLine: Codable, Equatable, Sendable {
  package var name: String
  package var price: Int
  package var count: Int
  package var extras: [String]

  package init(name: String, price: Int, count: Int, extras: [String]) {
    self.name = name
    self.price = price
    self.count = count
    self.extras = extras
  }
}

/// How often something was sold, and for how much.
package struct Sales: Codable, Equatable, Sendable {
  package var name: String
  package var count: Int
  package var amount: Int

  package init(name: String, count: Int, amount: Int) {
    self.name = name
    self.count = count
    self.amount = amount
  }
}
