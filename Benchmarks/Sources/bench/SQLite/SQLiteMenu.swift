/// A menu in SQLite.
final class SQLiteMenu: MenuDatabase {
  private let database: SQLiteDatabase

  init(creating path: String) throws {
    database = try SQLiteDatabase(path: path)
    try database.execute(
      """
      CREATE TABLE category(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE product(
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, details TEXT NOT NULL, price INTEGER NOT NULL,
        category INTEGER NOT NULL REFERENCES category(id));
      CREATE TABLE combo(
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL,
        category INTEGER NOT NULL REFERENCES category(id));
      CREATE TABLE slot(
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, combo INTEGER NOT NULL REFERENCES combo(id));
      CREATE TABLE choice(
        id INTEGER PRIMARY KEY, slot INTEGER NOT NULL REFERENCES slot(id),
        product INTEGER NOT NULL REFERENCES product(id));
      CREATE INDEX product_category ON product(category);
      CREATE INDEX combo_category ON combo(category);
      CREATE INDEX slot_combo ON slot(combo);
      CREATE INDEX choice_slot ON choice(slot);
      CREATE INDEX choice_product ON choice(product);
      """)
  }

  init(opening path: String) throws { database = try SQLiteDatabase(path: path) }

  func close() throws { try database.close() }

  func upsert(_ menu: Menu) throws {
    try database.transaction {
      let category = try upsertion(into: "category", "name")
      let product = try upsertion(into: "product", "name", "details", "price", "category")
      let combo = try upsertion(into: "combo", "name", "price", "category")
      let slot = try upsertion(into: "slot", "name", "combo")
      let choice = try upsertion(into: "choice", "slot", "product")
      for newCategory in menu.categories {
        category.bind(newCategory.id, at: 1)
        category.bind(newCategory.name, at: 2)
        try category.run()
        for new in newCategory.products {
          product.bind(new.id, at: 1)
          product.bind(new.name, at: 2)
          product.bind(new.details, at: 3)
          product.bind(new.price, at: 4)
          product.bind(newCategory.id, at: 5)
          try product.run()
        }
        for newCombo in newCategory.combos {
          combo.bind(newCombo.id, at: 1)
          combo.bind(newCombo.name, at: 2)
          combo.bind(newCombo.price, at: 3)
          combo.bind(newCategory.id, at: 4)
          try combo.run()
          for newSlot in newCombo.slots {
            slot.bind(newSlot.id, at: 1)
            slot.bind(newSlot.name, at: 2)
            slot.bind(newCombo.id, at: 3)
            try slot.run()
            for (place, product) in newSlot.choices.enumerated() {
              choice.bind(newSlot.id * 1000 + place, at: 1)
              choice.bind(newSlot.id, at: 2)
              choice.bind(product, at: 3)
              try choice.run()
            }
          }
        }
      }
    }
  }

  private func upsertion(into table: String, _ columns: String...) throws -> SQLiteStatement {
    let marks = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
    let changes = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return try database.prepare(
      """
      INSERT INTO \(table)(id, \(columns.joined(separator: ", "))) VALUES (\(marks))
      ON CONFLICT(id) DO UPDATE SET \(changes)
      """)
  }

  func menu() throws -> Menu {
    try database.reading {
      var choices: [Int: [Int]] = [:]
      try read("SELECT slot, product FROM choice ORDER BY id") {
        choices[$0.integer(0), default: []].append($0.integer(1))
      }
      var slots: [Int: [Menu.Slot]] = [:]
      try read("SELECT combo, id, name FROM slot ORDER BY id") { row in
        slots[row.integer(0), default: []].append(
          Menu.Slot(
            id: row.integer(1), name: row.string(2), choices: choices[row.integer(1)] ?? []))
      }
      var combos: [Int: [Menu.Combo]] = [:]
      try read("SELECT category, id, name, price FROM combo ORDER BY id") { row in
        combos[row.integer(0), default: []].append(
          Menu.Combo(
            id: row.integer(1), name: row.string(2), price: row.integer(3),
            slots: slots[row.integer(1)] ?? []))
      }
      var products: [Int: [Menu.Product]] = [:]
      try read("SELECT category, id, name, details, price FROM product ORDER BY id") { row in
        products[row.integer(0), default: []].append(
          Menu.Product(
            id: row.integer(1), name: row.string(2), details: row.string(3), price: row.integer(4)))
      }
      var menu = Menu()
      try read("SELECT id, name FROM category ORDER BY id") { row in
        menu.categories.append(
          Menu.Category(
            id: row.integer(0), name: row.string(1), products: products[row.integer(0)] ?? [],
            combos: combos[row.integer(0)] ?? []))
      }
      return menu
    }
  }

  private func read(_ query: String, _ body: (SQLiteStatement) -> Void) throws {
    let statement = try database.prepare(query)
    defer { statement.reset() }
    while try statement.step() { body(statement) }
  }
}
