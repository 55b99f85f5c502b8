import Foundation
import GRDB

// The menu as the server sends it. What a text does not have is taken from the record that is there.

struct SentCategory: Decodable {
  var id: Int
  var name: String?
  var position: Int?
  var items: [SentItem]?

  func save(_ db: Database) throws {
    let old = try Category.fetchOne(db, key: id)
    try Category(
      id: id, name: required(name ?? old?.name, "name"),
      position: required(position ?? old?.position, "position")
    ).save(db)
  }
}

struct SentItem: Decodable {
  var id: Int
  var name: String?
  var price: Int?
  var modifiers: [SentModifier]?

  func save(_ db: Database, in category: Int) throws {
    let old = try Item.fetchOne(db, key: id)
    try Item(
      id: id, name: required(name ?? old?.name, "name"),
      price: required(price ?? old?.price, "price"), isFavourite: old?.isFavourite ?? false,
      categoryId: category
    ).save(db)
  }
}

struct SentModifier: Decodable {
  var id: Int
  var name: String?
  var price: Int?

  func save(_ db: Database, of item: Int) throws {
    let old = try Modifier.fetchOne(db, key: id)
    try Modifier(
      id: id, name: required(name ?? old?.name, "name"),
      price: required(price ?? old?.price, "price"), itemId: item
    ).save(db)
  }
}

struct MissingMember: Error {
  var name: String
}

private func required<Value>(_ value: Value?, _ name: String) throws -> Value {
  guard let value else { throw MissingMember(name: name) }
  return value
}
