import RoostEngine
import RoostTestSupport
import Testing

extension QueryFixture {
  /// Inserts, changes and deletes items at random, in several transactions; in the store and in the oracle.
  mutating func change(_ count: Int, _ random: inout SeededGenerator) throws {
    var items = try #require(oracle.tables[self.items])
    let groupKeys = oracle.tables[groups]?.keys ?? []
    // Who is linked to stays.
    var isLinkedTo = Set(
      items.rows.compactMap { row in
        if case .integer(let parent) = row[9] { parent } else { nil }
      })
    for row in oracle.tables[groups]?.rows ?? [] {
      if case .bytes(let members) = row[2] { isLinkedTo.formUnion(LinkList.targets(members)) }
    }
    var isGone = Set<Int64>()
    var transaction = try engine.beginWrite()
    for number in 0..<count {
      if number % 200 == 199 {
        try transaction.commit()
        transaction = try engine.beginWrite()
      }
      let row = Int.random(in: 0..<items.keys.count, using: &random)
      let key = items.keys[row]
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        let key = (items.keys.last ?? 0) + Int64.random(in: 1...3, using: &random)
        let values = (0..<Self.fieldCount).map {
          Self.value($0, &random, groups: groupKeys, items: [])
        }
        try Self.insert(key, values, into: self.items, transaction)
        items.keys.append(key)
        items.rows.append(values)
      case 1 where !isLinkedTo.contains(key) && !isGone.contains(key):
        #expect(try transaction.delete(from: self.items, key: key))
        isGone.insert(key)
      default:
        // Links to items stay as they are: so who is linked to is known.
        let field = Int.random(in: 0..<Self.fieldCount, using: &random)
        guard field != 9, !isGone.contains(key) else { continue }
        let value = Self.value(field, &random, groups: groupKeys, items: [])
        try transaction.update(self.items, key: key, field: FieldID(field + 1), to: value)
        items.rows[row][field] = value
      }
    }
    try transaction.commit()
    let left = items.keys.indices.filter { !isGone.contains(items.keys[$0]) }
    items.keys = left.map { items.keys[$0] }
    items.rows = left.map { items.rows[$0] }
    items.places = Dictionary(uniqueKeysWithValues: items.keys.enumerated().map { ($1, $0) })
    oracle.tables[self.items] = items
    noteSources()
  }
}
