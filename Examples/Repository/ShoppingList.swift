import Foundation
import Roost

struct Item: Model {
  let id: UUID
  var name: String
  var count: Int
  var isBought: Bool
  static let schema = Schema(
    Item.init, Key("id", \.id), Field("name", \.name, .indexed), Field("count", \.count),
    Field("isBought", \.isBought))
}

/// A part of an app: it knows what it does with items, and not where they are.
struct ShoppingList<Items: Repository<Item>> {
  let items: Items

  /// Puts something on the list, or more of it where it is there.
  func add(_ name: String, count: Int = 1) async throws {
    let open = Item.where { $0.name == name && $0.isBought == false }
    if var item = try await items.fetch(open).first {
      item.count += count
      try await items.save([item])
    } else {
      try await items.save([Item(id: UUID(), name: name, count: count, isBought: false)])
    }
  }

  /// Marks things as bought; returns what is left to buy, by name.
  func buy(_ names: Set<String>) async throws -> [String] {
    let open = Item.where { $0.isBought == false }.order(by: \.name)
    let (bought, left) = try await items.fetch(open).reduce(into: ([Item](), [String]())) {
      lists, item in
      guard names.contains(item.name) else { return lists.1.append(item.name) }
      var item = item
      item.isBought = true
      lists.0.append(item)
    }
    try await items.save(bought)
    return left
  }

  /// Forgets what was bought; returns how much that was.
  func clear() async throws -> Int {
    try await items.delete(Item.where { $0.isBought == true })
  }
}
