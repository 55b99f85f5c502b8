import Roost

/// Owners and their items in Roost.
final class RoostOwners: OwnerDatabase {
  private let store: Store

  init(creating path: String) throws {
    store = try Store(.file(path), models: Owner.self, Item.self)
  }

  convenience init(opening path: String) throws { try self.init(creating: path) }

  func close() { store.close() }

  private struct Owner: Model {
    let id: Int
    var name: String

    static let schema = Schema(Owner.init, Key("id", \.id), Field("name", \.name))
  }

  private struct Item: Model {
    let id: Int
    var name: String
    var owner: Link<Owner>

    static let schema = Schema(
      Item.init, Key("id", \.id), Field("name", \.name),
      Field("owner", \.owner, .onTargetDelete(.cascade)))
  }

  func fill(items count: Int, ofFirst countOfFirst: Int) throws {
    try store.write { transaction in
      try transaction.insert(contentsOf: [
        Owner(id: 1, name: "first"), Owner(id: 2, name: "second"),
      ])
      try transaction.insert(
        contentsOf: (0..<count).lazy.map { number in
          Item(id: number, name: "item \(number)", owner: Link(id: number < countOfFirst ? 1 : 2))
        })
    }
  }

  func deleteFirstOwner() throws { try store.write { try $0.delete(Owner.self, id: 1) } }

  func itemCount() throws -> Int { try store.read { try $0.count(Item.all) } }
}
