import Foundation
import Roost

struct Category: Model {
  let id: Int
  var name: String
  var position: Int
  static let items = Inverse(\Item.category, "items")
  static let schema = Schema(
    Category.init, Key("id", \.id), Field("name", \.name), Field("position", \.position))
}

struct Item: Model {
  let id: Int
  var name: String
  var price: Int
  var isFavourite: Bool  // The server does not know it.
  var category: Link<Category>
  static let modifiers = Inverse(\Modifier.item, "modifiers")
  static let schema = Schema(
    Item.init, Key("id", \.id), Field("name", \.name), Field("price", \.price),
    Field("isFavourite", \.isFavourite, .default(false)),
    Field("category", \.category, .onTargetDelete(.cascade)))
}

struct Modifier: Model {
  let id: Int
  var name: String
  var price: Int
  var item: Link<Item>
  static let schema = Schema(
    Modifier.init, Key("id", \.id), Field("name", \.name), Field("price", \.price),
    Field("item", \.item, .onTargetDelete(.cascade)))
}

struct Order: Model {
  let id: UUID
  var table: String
  var remark: String
  var placed: Date
  var sent: Date?
  static let lines = Inverse(\Line.order)
  static let schema = Schema(
    Order.init, Key("id", \.id), Field("table", \.table), Field("remark", \.remark, .was("note")),
    Field("placed", \.placed), Field("sent", \.sent))
  static let indexes = [Index<Order>(\.placed, where: { $0.sent == nil })]

  /// The orders that wait for the network, the oldest first.
  static let unsent = Order.where { $0.sent == nil }.order(by: \.placed)
}

struct Line: Model {
  let id: Int
  var order: Link<Order>
  var item: Link<Item>?
  var name: String
  var price: Int
  var count: Int
  var extras: [String]
  static let schema = Schema(
    Line.init, Key("id", \.id, .assigned), Field("order", \.order, .onTargetDelete(.cascade)),
    Field("item", \.item, .onTargetDelete(.nullify)), Field("name", \.name),
    Field("price", \.price), Field("count", \.count), Field("extras", \.extras, .default([])))
}

/// What the second release changes in a file of the first. New models and fields, and the note that became a remark, need
/// no step.
let migrations = MigrationPlan {
  MigrationStep("2: tables have names") {
    try $0.convert("table", of: "Order", from: Int.self, to: String.self) { "\($0)" }
  }
}
