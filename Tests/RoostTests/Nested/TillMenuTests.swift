import Foundation
import Roost
import RoostInterchange
import RoostTestSupport
import Testing

/// The till's menu of the benchmarks: as its server sends it, in one call, and read back as it was.
@Suite struct TillMenuTests {
  struct Category: Model {
    let id: Int
    var name: String
    static let products = Inverse(\Product.category, "products")
    static let combos = Inverse(\Combo.category, "combos")
    static let schema = Schema(Category.init, Key("id", \.id), Field("name", \.name))
  }

  struct Product: Model {
    let id: Int
    var name, details: String
    var price: Int
    var category: Link<Category>
    static let schema = Schema(
      Product.init, Key("id", \.id), Field("name", \.name), Field("details", \.details),
      Field("price", \.price), Field("category", \.category, .onTargetDelete(.cascade)))
  }

  struct Combo: Model {
    let id: Int
    var name: String
    var price: Int
    var category: Link<Category>
    static let slots = Inverse(\Slot.combo, "slots")
    static let schema = Schema(
      Combo.init, Key("id", \.id), Field("name", \.name), Field("price", \.price),
      Field("category", \.category, .onTargetDelete(.cascade)))
  }

  struct Slot: Model {
    let id: Int
    var name: String
    var choices: Links<Product>
    var combo: Link<Combo>
    static let schema = Schema(
      Slot.init, Key("id", \.id), Field("name", \.name), Field("choices", \.choices),
      Field("combo", \.combo, .onTargetDelete(.cascade)))
  }

  /// What the server sends.
  struct SentCategory: Codable, Equatable {
    let id: Int
    var name: String
    var products: [SentProduct]
    var combos: [SentCombo]
  }

  struct SentProduct: Codable, Equatable {
    let id: Int
    var name, details: String
    var price: Int
  }

  struct SentCombo: Codable, Equatable {
    let id: Int
    var name: String
    var price: Int
    var slots: [SentSlot]
  }

  struct SentSlot: Codable, Equatable {
    let id: Int
    var name: String
    var choices: [Int]
  }

  private static func menu(_ random: inout SeededGenerator) -> [SentCategory] {
    (0..<30).map { category in
      SentCategory(
        id: category, name: "Category \(category)",
        products: (0..<10).map { place in
          SentProduct(
            id: category * 10 + place, name: "Product \(place)", details: "What it is made of",
            price: 100 + Int.random(in: 0..<2000, using: &random))
        },
        combos: (0..<4).map { place in
          let id = category * 4 + place
          return SentCombo(
            id: id, name: "Combo \(id)", price: 500 + Int.random(in: 0..<2000, using: &random),
            slots: (0..<3).map { slot in
              let first = Int.random(in: 0..<300, using: &random)
              return SentSlot(
                id: id * 3 + slot, name: "Slot \(slot)",
                choices: (0..<24).map { (first + $0 * 7) % 300 })
            })
        })
    }
  }

  private func upsert(_ menu: [SentCategory], in store: Store) throws {
    let json = Array(try JSONEncoder().encode(menu))
    try store.write {
      try $0.upsert(Category.self, from: .bytes(json)) {
        $0.products(replacing: true)
        $0.combos(replacing: true) { $0.slots(replacing: true) }
      }
    }
  }

  private func menu(of store: Store) throws -> [SentCategory] {
    var text: [UInt8] = []
    try store.snapshot().export(Category.all, to: TextOutput { text += $0 }) {
      $0.products
      $0.combos { $0.slots }
    }
    return try JSONDecoder().decode([SentCategory].self, from: Data(text))
  }

  @Test func theMenuIsStoredInOneCallAndReadBack() throws {
    var random = SeededGenerator(seed: 9)
    let store = try Store(
      .inMemory, models: Category.self, Product.self, Combo.self, Slot.self)
    for _ in 0..<3 {
      var sent = Self.menu(&random)
      sent[3].combos.removeLast()
      sent[7].combos[1].slots = []
      try upsert(sent, in: store)
      #expect(try menu(of: store) == sent)
      let version = try store.snapshot().version
      try upsert(sent, in: store)
      #expect(try store.snapshot().version == version)
    }
    #expect(try store.snapshot().count(Slot.all) == (30 * 4 - 1) * 3 - 3)
    #expect(try store.verify() == [])
  }
}
