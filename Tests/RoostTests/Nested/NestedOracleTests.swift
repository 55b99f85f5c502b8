import Foundation
import Roost
import RoostInterchange
import RoostTestSupport
import Testing

/// Random trees of objects, read from texts into a store, beside a plain model of what becomes of them.
@Suite struct NestedOracleTests {
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func aStoreIsAsThePlainModelSays(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try menuStore()
    var plain = PlainMenus()
    for round in 0..<12 {
      let ways = PlainMenus.Ways(
        replacesItems: random.chance(1, in: 2), replacesSizes: random.chance(1, in: 2),
        identifiesSizes: random.chance(1, in: 2))
      let trees = PlainMenus.trees(of: plain, ways, &random)
      let text = PlainMenus.text(trees)
      var next = plain
      if next.apply(trees, ways) {
        try upsert(text, ways, in: store)
        plain = next
        if PlainMenus.hasEachOnce(trees) {
          let version = try store.snapshot().version
          try upsert(text, ways, in: store)
          #expect(try store.snapshot().version == version, "round \(round): \(text)")
        }
      } else {
        #expect(throws: StoreError.self) { try upsert(text, ways, in: store) }
      }
      let found = try PlainMenus(store.snapshot())
      #expect(found == plain, "round \(round): \(text)")
      guard found == plain else { return }
      try changeLocally(&plain, in: store, &random)
    }
    try exportsAndReadsAgain(store)
    #expect(try store.verify() == [])
  }

  private func upsert(_ text: String, _ ways: PlainMenus.Ways, in store: Store) throws {
    try store.write {
      try $0.upsert(Menu.self, from: .text(text)) {
        $0.items(replacing: ways.replacesItems) {
          $0.modifiers
          if ways.identifiesSizes {
            $0.sizes(identifiedBy: \.label, replacing: ways.replacesSizes)
          } else {
            $0.sizes(replacing: true)
          }
        }
      }
    }
  }

  /// Sets what no text gives.
  private func changeLocally(
    _ plain: inout PlainMenus, in store: Store, _ random: inout SeededGenerator
  ) throws {
    guard let id = plain.items.keys.sorted().randomElement(using: &random) else { return }
    let isLoved = random.chance(1, in: 2)
    plain.items[id]?.isLoved = isLoved
    try store.write { try $0.update(Item.self, id: id, set: \.isLoved, to: isLoved) }
  }

  private func exportsAndReadsAgain(_ store: Store) throws {
    var text: [UInt8] = []
    try store.snapshot().export(Menu.all, to: TextOutput { text += $0 }) {
      $0.items {
        $0.modifiers
        $0.sizes
      }
    }
    let copy = try menuStore()
    try copy.write {
      try $0.upsert(Menu.self, from: .bytes(text)) {
        $0.items {
          $0.modifiers
          $0.sizes
        }
      }
    }
    let (here, there) = (try PlainMenus(store.snapshot()), try PlainMenus(copy.snapshot()))
    #expect(here.menus == there.menus)
    #expect(here.items == there.items)
    let linked = Set(here.items.values.flatMap(\.modifiers))
    #expect(here.modifiers.filter { linked.contains($0.key) } == there.modifiers)
  }
}

/// Menus in dictionaries: the plain model.
struct PlainMenus: Equatable {
  struct PlainItem: Equatable {
    var name: String
    var price: Int
    var isLoved = false
    var menu: Int
    var modifiers: [String] = []
    /// In the order in which they were added.
    var sizes: [PlainSize] = []
  }

  struct PlainSize: Equatable {
    var label: String
    var grams: Int?
    var colors: Set<String> = []
  }

  struct PlainModifier: Equatable {
    var name: String
    var price = 0
  }

  var menus: [Int: String] = [:]
  var items: [Int: PlainItem] = [:]
  var modifiers: [String: PlainModifier] = [:]

  init() {}

  init(_ reader: some ObjectReader) throws {
    for menu in try reader.fetch(Menu.all) { menus[menu.id] = menu.name }
    for modifier in try reader.fetch(Modifier.all) {
      modifiers[modifier.id] = PlainModifier(name: modifier.name, price: modifier.price)
    }
    for item in try reader.fetch(Item.all) {
      items[item.id] = PlainItem(
        name: item.name, price: item.price, isLoved: item.isLoved, menu: item.menu.id,
        modifiers: Array(item.modifiers),
        sizes: try reader.fetch(Item.sizes(of: item.id)).map {
          PlainSize(label: $0.label, grams: $0.grams, colors: $0.colors)
        })
    }
  }
}

// MARK: Texts

extension PlainMenus {
  /// How the text is read.
  struct Ways {
    var replacesItems: Bool
    var replacesSizes: Bool
    var identifiesSizes: Bool
  }

  /// A value of the text; nil where it is missing.
  struct MenuTree {
    var id: Int
    var name: String?
    var items: [ItemTree]?
  }

  struct ItemTree {
    var id: Int
    var name: String?
    var price: Int?
    var modifiers: [ModifierTree]?
    var sizes: [SizeTree]?
  }

  struct ModifierTree {
    var id: String
    var name: String?
    var price: Int?
  }

  struct SizeTree {
    var label: String
    /// Nil where it is missing; `.some(nil)` is null.
    var grams: Int??
    var colors: [String]?
  }

  static func trees(
    of plain: PlainMenus, _ ways: Ways, _ random: inout SeededGenerator
  ) -> [MenuTree] {
    // A modifier is the same wherever the text has it.
    var modifiers: [String: ModifierTree] = [:]
    for id in ["a", "b", "c", "d"] {
      let isKnown = plain.modifiers[id] != nil
      modifiers[id] = ModifierTree(
        id: id, name: maybe(isKnown, &random) { "m\(Int.random(in: 0..<3, using: &$0))" },
        price: maybe(true, &random) { Int.random(in: 0..<3, using: &$0) })
    }
    return (0..<Int.random(in: 1...3, using: &random)).map { _ in
      let id = Int.random(in: 1...3, using: &random)
      return MenuTree(
        id: id,
        name: maybe(plain.menus[id] != nil, &random) { "n\(Int.random(in: 0..<3, using: &$0))" },
        items: maybe(true, &random) { random in
          (0..<Int.random(in: 0...4, using: &random)).map { _ in
            item(of: plain, modifiers, ways, &random)
          }
        })
    }
  }

  private static func item(
    of plain: PlainMenus, _ modifiers: [String: ModifierTree], _ ways: Ways,
    _ random: inout SeededGenerator
  ) -> ItemTree {
    let id = Int.random(in: 1...8, using: &random)
    let isKnown = plain.items[id] != nil
    return ItemTree(
      id: id, name: maybe(isKnown, &random) { "i\(Int.random(in: 0..<3, using: &$0))" },
      price: maybe(isKnown, &random) { Int.random(in: 0..<3, using: &$0) },
      modifiers: maybe(true, &random) { random in
        (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
          modifiers[["a", "b", "c", "d"].randomElement(using: &random) ?? "a"]
        }
      },
      sizes: maybe(true, &random) { random in
        var labels: Set<String> = []
        return (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in
          let label = ["S", "M", "L"].randomElement(using: &random) ?? "S"
          guard labels.insert(label).inserted || !ways.identifiesSizes else { return nil }
          return SizeTree(
            label: label,
            grams: maybe(true, &random) {
              $0.chance(1, in: 3) ? nil : Int.random(in: 0..<2, using: &$0)
            },
            colors: maybe(true, &random) { $0.chance(1, in: 2) ? ["x", "y"] : ["y", "x"] })
        }
      })
  }

  /// A value in two of three cases; nearly always where it may not be missing.
  private static func maybe<Value>(
    _ mayBeMissing: Bool, _ random: inout SeededGenerator,
    _ value: (inout SeededGenerator) -> Value
  ) -> Value? {
    random.chance(1, in: mayBeMissing ? 3 : 60) ? nil : value(&random)
  }

  /// Whether no menu and no item is there twice, with lists that may contradict each other.
  static func hasEachOnce(_ trees: [MenuTree]) -> Bool {
    let ids = trees.map(\.id) + trees.flatMap { ($0.items ?? []).map { 100 + $0.id } }
    return Set(ids).count == ids.count
  }

  static func text(_ trees: [MenuTree]) -> String {
    list(trees) { menu in
      object(
        ["\"id\":\(menu.id)"], menu.name.map { "\"name\":\"\($0)\"" },
        menu.items.map { "\"items\":" + list($0, text) })
    }
  }

  private static func text(_ item: ItemTree) -> String {
    // The key comes last: what stands in the object is read before it.
    object(
      [], item.sizes.map { "\"sizes\":" + list($0, text) },
      item.modifiers.map { "\"modifiers\":" + list($0, text) },
      item.name.map { "\"name\":\"\($0)\"" }, item.price.map { "\"price\":\($0)" },
      "\"id\":\(item.id)")
  }

  private static func text(_ modifier: ModifierTree) -> String {
    object(
      ["\"id\":\"\(modifier.id)\""], modifier.name.map { "\"name\":\"\($0)\"" },
      modifier.price.map { "\"price\":\($0)" })
  }

  private static func text(_ size: SizeTree) -> String {
    object(
      ["\"label\":\"\(size.label)\""],
      size.grams.map { "\"grams\":\($0.map(String.init) ?? "null")" },
      size.colors.map { "\"colors\":" + list($0) { "\"\($0)\"" } })
  }

  private static func list<Element>(_ elements: [Element], _ text: (Element) -> String) -> String {
    "[" + elements.map(text).joined(separator: ",") + "]"
  }

  private static func object(_ first: [String], _ members: String?...) -> String {
    "{" + (first + members.compactMap { $0 }).joined(separator: ",") + "}"
  }
}

// MARK: What becomes of them

extension PlainMenus {
  /// Reads the trees, level by level; false where a new object lacks a value.
  mutating func apply(_ trees: [MenuTree], _ ways: Ways) -> Bool {
    for menu in trees {
      guard let name = menu.name ?? menus[menu.id] else { return false }
      menus[menu.id] = name
    }
    let lists = trees.compactMap { menu in menu.items.map { (menu: menu.id, items: $0) } }
    for item in lists.flatMap(\.items) {
      for modifier in item.modifiers ?? [] {
        let known = modifiers[modifier.id]
        guard let name = modifier.name ?? known?.name else { return false }
        modifiers[modifier.id] = PlainModifier(
          name: name, price: modifier.price ?? known?.price ?? 0)
      }
    }
    var gone: Set<Int> = []
    for list in lists {
      let given = Set(list.items.map(\.id))
      if ways.replacesItems {
        gone.formUnion(items.filter { $0.value.menu == list.menu && !given.contains($0.key) }.keys)
      }
      for item in list.items {
        gone.remove(item.id)
        guard apply(item, to: list.menu) else { return false }
      }
    }
    for item in lists.flatMap(\.items) {
      if let sizes = item.sizes { apply(sizes, to: item.id, ways) }
    }
    for id in gone { items[id] = nil }
    return true
  }

  private mutating func apply(_ item: ItemTree, to menu: Int) -> Bool {
    let known = items[item.id]
    guard let name = item.name ?? known?.name, let price = item.price ?? known?.price else {
      return false
    }
    var new = known ?? PlainItem(name: name, price: price, menu: menu)
    (new.name, new.price, new.menu) = (name, price, menu)
    if let modifiers = item.modifiers { new.modifiers = modifiers.map(\.id) }
    items[item.id] = new
    return true
  }

  private mutating func apply(_ trees: [SizeTree], to item: Int, _ ways: Ways) {
    var sizes = items[item]?.sizes ?? []
    var isTaken = [Bool](repeating: false, count: sizes.count)
    for tree in trees {
      let place = sizes.indices.first { place in
        place < isTaken.count && !isTaken[place] && tree.is(sizes[place], ways)
      }
      if let place {
        isTaken[place] = true
        if let grams = tree.grams { sizes[place].grams = grams }
        if let colors = tree.colors { sizes[place].colors = Set(colors) }
      } else {
        sizes.append(
          PlainSize(label: tree.label, grams: tree.grams ?? nil, colors: Set(tree.colors ?? [])))
      }
    }
    if ways.replacesSizes || !ways.identifiesSizes {
      sizes = sizes.enumerated().filter { $0.offset >= isTaken.count || isTaken[$0.offset] }
        .map(\.element)
    }
    items[item]?.sizes = sizes
  }
}

extension PlainMenus.SizeTree {
  /// Whether it is a stored one.
  fileprivate func `is`(_ size: PlainMenus.PlainSize, _ ways: PlainMenus.Ways) -> Bool {
    guard label == size.label else { return false }
    if ways.identifiesSizes { return true }
    if let grams, grams != size.grams { return false }
    return colors.map { Set($0) == size.colors } ?? true
  }
}
