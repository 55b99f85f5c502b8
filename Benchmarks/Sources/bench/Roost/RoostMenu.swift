import Roost

/// A menu in Roost. Lists of links wait for a later step, so a choice is an object of its own.
final class RoostMenu: MenuDatabase {
  private let store: Store

  init(creating path: String) throws {
    store = try Store(
      .file(path), models: Category.self, Product.self, Combo.self, Slot.self, Choice.self)
  }

  convenience init(opening path: String) throws { try self.init(creating: path) }

  func close() { store.close() }

  private struct Category: Model {
    let id: Int
    var name: String

    static let schema = Schema(Category.init, Key("id", \.id), Field("name", \.name))
  }

  private struct Product: Model {
    let id: Int
    var name, details: String
    var price: Int
    var category: Link<Category>

    static let schema = Schema(
      Product.init, Key("id", \.id), Field("name", \.name), Field("details", \.details),
      Field("price", \.price), Field("category", \.category, .indexed))
  }

  private struct Combo: Model {
    let id: Int
    var name: String
    var price: Int
    var category: Link<Category>

    static let schema = Schema(
      Combo.init, Key("id", \.id), Field("name", \.name), Field("price", \.price),
      Field("category", \.category, .indexed))
  }

  private struct Slot: Model {
    let id: Int
    var name: String
    var combo: Link<Combo>

    static let schema = Schema(
      Slot.init, Key("id", \.id), Field("name", \.name), Field("combo", \.combo, .indexed))
  }

  private struct Choice: Model {
    /// The slot's id times a thousand, and the place in it.
    let id: Int
    var slot: Link<Slot>
    var product: Link<Product>

    static let schema = Schema(
      Choice.init, Key("id", \.id), Field("slot", \.slot, .indexed),
      Field("product", \.product, .indexed))
  }

  func upsert(_ menu: Menu) throws {
    try store.write { transaction in
      for category in menu.categories {
        let link = Link<Category>(id: category.id)
        try transaction.upsert(Category(id: category.id, name: category.name))
        try transaction.upsert(
          contentsOf: category.products.map {
            Product(id: $0.id, name: $0.name, details: $0.details, price: $0.price, category: link)
          })
        for combo in category.combos {
          try transaction.upsert(
            Combo(id: combo.id, name: combo.name, price: combo.price, category: link))
          for slot in combo.slots {
            try transaction.upsert(Slot(id: slot.id, name: slot.name, combo: Link(id: combo.id)))
            try transaction.upsert(
              contentsOf: slot.choices.enumerated().map { place, product in
                Choice(
                  id: slot.id * 1000 + place, slot: Link(id: slot.id), product: Link(id: product))
              })
          }
        }
      }
    }
  }

  func menu() throws -> Menu {
    try store.read { snapshot in
      let choices = Dictionary(grouping: try snapshot.fetch(Choice.all), by: \.slot.id)
      let slots = Dictionary(grouping: try snapshot.fetch(Slot.all), by: \.combo.id)
      let combos = Dictionary(grouping: try snapshot.fetch(Combo.all), by: \.category.id)
      let products = Dictionary(grouping: try snapshot.fetch(Product.all), by: \.category.id)
      return Menu(
        categories: try snapshot.fetch(Category.all).map { category in
          Menu.Category(
            id: category.id, name: category.name,
            products: (products[category.id] ?? []).map {
              Menu.Product(id: $0.id, name: $0.name, details: $0.details, price: $0.price)
            },
            combos: (combos[category.id] ?? []).map { combo in
              Menu.Combo(
                id: combo.id, name: combo.name, price: combo.price,
                slots: (slots[combo.id] ?? []).map { slot in
                  Menu.Slot(
                    id: slot.id, name: slot.name,
                    choices: (choices[slot.id] ?? []).map(\.product.id))
                })
            })
        })
    }
  }
}
