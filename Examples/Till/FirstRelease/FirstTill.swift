import Foundation
import Roost

// The till's first release, as far as it writes the file that the second one opens: tables have numbers, an order has a
// note, and there are no modifiers and no favourites.

struct Category: Model {
  let id: Int
  var name: String
  var position: Int
  static let schema = Schema(
    Category.init, Key("id", \.id), Field("name", \.name), Field("position", \.position))
}

struct Item: Model {
  let id: Int
  var name: String
  var price: Int
  var category: Link<Category>
  static let schema = Schema(
    Item.init, Key("id", \.id), Field("name", \.name), Field("price", \.price),
    Field("category", \.category, .onTargetDelete(.cascade)))
}

struct Order: Model {
  let id: UUID
  var table: Int
  var note: String
  var placed: Date
  var sent: Date?
  static let schema = Schema(
    Order.init, Key("id", \.id), Field("table", \.table), Field("note", \.note),
    Field("placed", \.placed), Field("sent", \.sent))
}

struct Line: Model {
  let id: Int
  var order: Link<Order>
  var item: Link<Item>?
  var name: String
  var price: Int
  var count: Int
  static let schema = Schema(
    Line.init, Key("id", \.id, .assigned), Field("order", \.order, .onTargetDelete(.cascade)),
    Field("item", \.item, .onTargetDelete(.nullify)), Field("name", \.name),
    Field("price", \.price), Field("count", \.count))
}

package struct FirstTill: Sendable {
  let store: Store

  package init(path: String) throws {
    store = try Store(
      .file(path), models: Category.self, Item.self, Order.self, Line.self)
  }

  package func addItem(_ id: Int, _ name: String, price: Int, to category: String) throws {
    try store.write { transaction in
      let first = Category(id: 1, name: category, position: 1)
      try transaction.upsert(first)
      try transaction.insert(Item(id: id, name: name, price: price, category: Link(first)))
    }
  }

  package func place(
    _ itemID: Int, count: Int, table: Int, note: String, at date: Date
  ) throws -> UUID {
    let order = Order(id: UUID(), table: table, note: note, placed: date, sent: nil)
    try store.write { transaction in
      let item = try transaction.find(Item.self, id: itemID)
      try transaction.insert(order)
      try transaction.insert(
        Line(
          id: .assigned, order: Link(order), item: Link(item), name: item.name, price: item.price,
          count: count))
    }
    return order.id
  }
}
