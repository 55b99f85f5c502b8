import Foundation

/// A restaurant's menu, as a server sends it.
struct Menu: Codable {
  var categories: [Category] = []

  struct Category: Codable {
    let id: Int
    var name: String
    var products: [Product] = []
    var combos: [Combo] = []
  }

  struct Product: Codable {
    let id: Int
    var name: String
    var details: String
    var price: Int
  }

  /// Several products at one price: one out of each slot.
  struct Combo: Codable {
    let id: Int
    var name: String
    var price: Int
    var slots: [Slot] = []
  }

  struct Slot: Codable {
    let id: Int
    var name: String
    /// The ids of the products to choose from, in their order.
    var choices: [Int] = []
  }
}

extension Menu {
  private static let productsPerCategory = 10
  fileprivate static let choicesPerSlot = 24

  /// A menu whose ids stay and whose prices and choices do not.
  init(using random: inout SplitMix64) {
    categories = (0..<30).map { category in
      var new = Category(id: category, name: "Category \(category)")
      new.products = (0..<Self.productsPerCategory).map { place in
        let id = category * Self.productsPerCategory + place
        return Product(
          id: id, name: "Product number \(id)", details: "What product \(id) is made of, in words",
          price: 100 + random.below(2000))
      }
      new.combos = (0..<4).map { place in
        let id = category * 4 + place
        var combo = Combo(id: id, name: "Combo number \(id)", price: 500 + random.below(2000))
        combo.slots = (0..<3).map { Slot.random(id: id * 3 + $0, using: &random) }
        return combo
      }
      return new
    }
  }

  /// The number of everything in it, choices included.
  var objectCount: Int {
    categories.reduce(0) { count, category in
      let slots = category.combos.flatMap(\.slots)
      return count + 1 + category.products.count + category.combos.count + slots.count
        + slots.reduce(0) { $0 + $1.choices.count }
    }
  }

  var answer: Answer {
    var checksum = Checksum()
    for category in categories {
      checksum.add(category.name.utf8)
      for product in category.products {
        checksum.add(product.id + product.price)
        checksum.add(product.name.utf8)
        checksum.add(product.details.utf8)
      }
      for combo in category.combos {
        checksum.add(combo.id + combo.price)
        checksum.add(combo.name.utf8)
        for slot in combo.slots {
          checksum.add(slot.name.utf8)
          for choice in slot.choices { checksum.add(choice) }
        }
      }
    }
    return Answer(Int(truncatingIfNeeded: checksum.value))
  }
}

extension Menu.Slot {
  fileprivate static func random(id: Int, using random: inout SplitMix64) -> Menu.Slot {
    let first = random.below(300)
    let choices = (0..<Menu.choicesPerSlot).map { (first + $0 * 7) % 300 }
    return Menu.Slot(id: id, name: "Slot number \(id)", choices: choices)
  }
}

/// A database of menus.
protocol MenuDatabase: FileDatabase {
  /// Adds all of a menu, or gives what is there its values, in one durable transaction.
  func upsert(_ menu: Menu) throws
  /// The same, of a menu's categories in JSON.
  func upsert(json: Data) throws
  /// All of it, in one read transaction.
  func menu() throws -> Menu
}

extension MenuDatabase {
  func upsert(json: Data) throws {
    try upsert(Menu(categories: JSONDecoder().decode([Menu.Category].self, from: json)))
  }
}

extension Subject {
  /// Nil for those that do not take part; for LMDB this would be a matter of the harness's own format.
  var menuDatabase: (any MenuDatabase.Type)? {
    switch self {
    case .roost: RoostMenu.self
    case .sqlite: SQLiteMenu.self
    default: nil
    }
  }
}
