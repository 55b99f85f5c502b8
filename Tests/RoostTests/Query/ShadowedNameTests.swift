import Roost
import Testing

private struct Stock: Embedded {
  var count: Int
  var isNew: Bool
  var matches = 1
  static let fields = Fields(
    Stock.init, Part("count", \.count), Part("isNew", \.isNew), Part("matches", \.matches))
}

/// Its properties are called as members of rows and of queries.
private struct Thing: Model {
  let id: Int
  var value: Double
  var number: Int
  var hasPrefix: Bool
  var withBytes: String
  var description: Stock
  var stock: Stock?
  var contains: Link<Thing>?
  static let schema = Schema(
    Thing.init, Key("id", \.id), Field("value", \.value), Field("number", \.number),
    Field("hasPrefix", \.hasPrefix), Field("withBytes", \.withBytes),
    Field("description", \.description), Field("stock", \.stock), Field("contains", \.contains))
}

private let things = (0..<60).map { id in
  Thing(
    id: id, value: Double(id % 7), number: id % 5, hasPrefix: id % 3 == 0, withBytes: "t\(id % 4)",
    description: Stock(count: id % 6, isNew: id % 2 == 0, matches: id % 3),
    stock: id % 4 == 0 ? nil : Stock(count: id % 9, isNew: id % 5 == 0),
    contains: id % 8 == 0 ? nil : Link(id: id - 1))
}

/// Properties that members of the store's own types shadow, by their key paths.
@Suite struct ShadowedNameTests {
  private let store: Store

  init() throws {
    store = try Store(.inMemory, models: Thing.self)
    try store.write { try $0.insert(contentsOf: things) }
  }

  @Test func aRowHasThemByTheirKeyPaths() throws {
    let rows = try store.snapshot().rows(Thing.all)
    #expect(rows.count == things.count)
    for (row, thing) in zip(rows, things) {
      #expect(try row.value == thing)
      #expect(try row[\.value] == thing.value)
      #expect(try row[\.withBytes] == thing.withBytes)
      #expect(try row[\.description] == thing.description)
      #expect(try row[\.stock] == thing.stock)
      #expect(try row[\.stock]?.count == thing.stock?.count)
      #expect(try row[\.contains]?.id == thing.contains?.id)
    }
  }

  @Test func aQueryHasThemByTheirKeyPaths() throws {
    func check(
      _ condition: (QueryRoot<Thing>) -> QueryCondition, _ place: SourceLocation = #_sourceLocation,
      _ plain: (Thing) -> Bool
    ) throws {
      let expected = things.filter(plain).map(\.id)
      #expect(!expected.isEmpty && expected.count < things.count, sourceLocation: place)
      let found = try store.snapshot().fetch(Thing.where(condition)).map(\.id)
      #expect(found == expected, sourceLocation: place)
    }
    try check({ $0[\.value] > 4 }) { $0.value > 4 }
    try check({ $0[\.hasPrefix] }) { $0.hasPrefix }
    try check({ !$0[\.hasPrefix] && $0[\.number] == 2 }) { !$0.hasPrefix && $0.number == 2 }
    try check({ $0[\.hasPrefix] == false || $0[\.withBytes] == "t1" }) {
      !$0.hasPrefix || $0.withBytes == "t1"
    }
    try check({ $0[\.description][\.count] >= 3 }) { $0.description.count >= 3 }
    try check({ $0[\.description][\.isNew] }) { $0.description.isNew }
    // What is only unavailable shadows nothing.
    try check({ $0.description.matches == 2 }) { $0.description.matches == 2 }
    try check({ $0[\.stock][\.count] == 5 }) { $0.stock?.count == 5 }
    try check({ $0[\.stock][\.isNew] }) { $0.stock?.isNew == true }
    try check({ $0[\.contains][\.number] == 4 }) {
      $0.contains.map { things[$0.id].number } == 4
    }
    try check({ $0[\.contains][\.hasPrefix] }) {
      $0.contains.map { things[$0.id].hasPrefix } == true
    }
    try check({ $0.contains[\.description][\.count] == 1 }) {
      $0.contains.map { things[$0.id].description.count } == 1
    }
  }
}
