import Foundation
import Roost

/// A till's menus: what they own, what they choose from, and what only the till itself knows.
struct Menu: Model {
  let id: Int
  var name: String
  var note: String?
  var tags: Set<String>
  var hours: Hours?
  static let items = Inverse(\Item.menu, "items")
  static let schema = Schema(
    Menu.init, Key("id", \.id), Field("name", \.name), Field("note", \.note),
    Field("tags", \.tags), Field("hours", \.hours))
}

struct Hours: Embedded {
  var opens: Int
  var closes: Int?
  static let fields = Fields(Hours.init, Part("opens", \.opens), Part("closes", \.closes))
}

struct Item: Model {
  let id: Int
  var name: String
  var price: Int
  /// Set at the till: no server gives it.
  var isLoved: Bool
  var menu: Link<Menu>
  var modifiers: Links<Modifier>
  var side: Link<Modifier>?
  static let sizes = Inverse(\Size.item, "sizes")
  static let schema = Schema(
    Item.init, Key("id", \.id, .assigned), Field("name", \.name), Field("price", \.price),
    Field("isLoved", \.isLoved, .default(false)),
    Field("menu", \.menu, .onTargetDelete(.cascade)), Field("modifiers", \.modifiers),
    Field("side", \.side, .onTargetDelete(.nullify)))
}

struct Modifier: Model {
  let id: String
  var name: String
  var price: Int
  static let schema = Schema(
    Modifier.init, Key("id", \.id), Field("name", \.name), Field("price", \.price, .default(0)))
}

struct Size: Model {
  let id: UUID
  var label: String
  var grams: Int?
  var colors: Set<String>
  var item: Link<Item>
  static let schema = Schema(
    Size.init, Key("id", \.id, .assigned), Field("label", \.label), Field("grams", \.grams),
    Field("colors", \.colors), Field("item", \.item, .onTargetDelete(.cascade)))
}

/// A store of them, in memory.
func menuStore() throws -> Store {
  try Store(.inMemory, models: Menu.self, Item.self, Modifier.self, Size.self)
}

/// All that is in a store of them.
struct MenuContents: Equatable {
  var menus: [Menu]
  var items: [Item]
  var modifiers: [Modifier]
  var sizes: [Size]

  init(_ reader: some ObjectReader) throws {
    menus = try reader.fetch(Menu.all.order(by: \.id))
    items = try reader.fetch(Item.all.order(by: \.id))
    modifiers = try reader.fetch(Modifier.all).sorted { $0.id < $1.id }
    sizes = try reader.fetch(Size.all).sorted { $0.id.uuidString < $1.id.uuidString }
  }
}
