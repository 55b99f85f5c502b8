import Foundation
import Roost
import RoostInterchange

/// A menu in Roost, which reads objects within objects.
final class RoostMenu: MenuDatabase {
  private let store: Store

  init(creating path: String) throws {
    store = try Store(.file(path), models: Category.self, Product.self, Combo.self, Slot.self)
  }

  convenience init(opening path: String) throws { try self.init(creating: path) }

  func close() { store.close() }

  private struct Category: Model {
    let id: Int
    var name: String

    static let products = Inverse(\Product.category, "products")
    static let combos = Inverse(\Combo.category, "combos")
    static let schema = Schema(Category.init, Key("id", \.id), Field("name", \.name))
  }

  private struct Product: Model {
    let id: Int
    var name, details: String
    var price: Int
    var category: Link<Category>

    static let schema = Schema(
      Product.init, Key("id", \.id), Field("name", \.name), Field("details", \.details),
      Field("price", \.price), Field("category", \.category))
  }

  private struct Combo: Model {
    let id: Int
    var name: String
    var price: Int
    var category: Link<Category>

    static let slots = Inverse(\Slot.combo, "slots")
    static let schema = Schema(
      Combo.init, Key("id", \.id), Field("name", \.name), Field("price", \.price),
      Field("category", \.category))
  }

  private struct Slot: Model {
    let id: Int
    var name: String
    var choices: Links<Product>
    var combo: Link<Combo>

    static let schema = Schema(
      Slot.init, Key("id", \.id), Field("name", \.name), Field("choices", \.choices),
      Field("combo", \.combo))
  }

  func upsert(_ menu: Menu) throws { try upsert(json: JSONEncoder().encode(menu.categories)) }

  func upsert(json: Data) throws {
    try store.write {
      try $0.upsert(Category.self, from: .bytes(Array(json))) {
        $0.products
        $0.combos { $0.slots }
      }
    }
  }

  func menu() throws -> Menu {
    try store.read { snapshot in
      let graph = Category.all.including(Category.products)
        .including(Category.combos, Combo.all.including(Combo.slots))
      return Menu(
        categories: try snapshot.fetch(graph).map { category, products, combos in
          Menu.Category(
            id: category.id, name: category.name,
            products: products.map {
              Menu.Product(id: $0.id, name: $0.name, details: $0.details, price: $0.price)
            },
            combos: combos.map { combo, slots in
              Menu.Combo(
                id: combo.id, name: combo.name, price: combo.price,
                slots: slots.map { Menu.Slot(id: $0.id, name: $0.name, choices: Array($0.choices)) }
              )
            })
        })
    }
  }
}
