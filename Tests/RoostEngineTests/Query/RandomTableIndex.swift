import RoostEngine
import RoostTestSupport

/// Indexes of several fields, or of some objects, over a fixture's items, and what they can answer.
enum RandomTableIndex {
  /// The fields that an index may have.
  private static let fields: [(id: FieldID, name: String)] = [
    (1, "age"), (2, "wide"), (3, "score"), (4, "ratio"), (5, "name"), (6, "note"), (7, "token"),
    (8, "flag"), (9, "group"), (10, "parent"), (11, "price"), (12, "data"), (14, "serial"),
    (15, "due"), (16, "cost"), (17, "span"), (18, "word"),
  ]

  /// A random condition on a field, which some item fulfils.
  private static func test(
    _ field: FieldID, _ random: inout SeededGenerator
  ) -> IndexCondition.Test {
    let value = QueryFixture.value(
      Int(field) - 1, &random, groups: [-10, -7, 2], items: [-50, -49, 3])
    // What equals nothing is no constant.
    let isNaN = !Self.isEqual(value, value)
    if case .bytes(let bytes) = value, bytes.count > 1000 { return .isNotNull }
    guard value != .null, !isNaN, random.chance(3, in: 4) else {
      return random.chance(1, in: 3) ? .isNull : .isNotNull
    }
    return .compare(Comparison.allCases.randomElement(using: &random) ?? .equal, value)
  }

  private static func isEqual(_ first: Value, _ second: Value) -> Bool {
    switch (first, second) {
    case (.double(let first), .double(let second)): first == second
    case (.float(let first), .float(let second)): first == second
    default: first == second
    }
  }

  /// Five indexes of one to three fields, some of them of some objects.
  static func drafts(_ random: inout SeededGenerator) -> [TableIndexDraft] {
    (0..<5).map { _ in
      let chosen = fields.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
      let tested = fields.shuffled(using: &random).prefix(Int.random(in: 0...1, using: &random))
      return TableIndexDraft(
        of: chosen.map(\.name),
        where: tested.map { TableIndexDraft.FieldCondition($0.name, test($0.id, &random)) })
    }
  }

  /// A query that an index may answer: values of the first fields, a range of the next one, an order by those after.
  static func query(
    _ index: TableIndex, _ fixture: QueryFixture, _ random: inout SeededGenerator
  ) -> ObjectQuery {
    let count = fixture.oracle.tables[fixture.items]?.keys.count ?? 0
    let row = Int.random(in: 0..<count, using: &random)
    func value(_ field: FieldID, _ random: inout SeededGenerator) -> Value {
      let place = random.chance(2, in: 3) ? row : Int.random(in: 0..<count, using: &random)
      return fixture.oracle.value(fixture.items, place, field)
    }
    var parts: [Predicate] = []
    let equalCount = Int.random(in: 0...index.fields.count, using: &random)
    for field in index.fields.prefix(equalCount) {
      if random.chance(1, in: 5) {
        parts.append(.oneOf(field, (0..<4).map { _ in value(field, &random) }))
      } else {
        parts.append(.compare(field, .equal, value(field, &random)))
      }
    }
    let rest = index.fields.dropFirst(equalCount)
    if let field = rest.first, random.chance(2, in: 3) {
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let comparison = Comparison.allCases.randomElement(using: &random) ?? .less
        parts.append(.compare(field, comparison, value(field, &random)))
      }
      if [5, 6, 18].contains(field), case .bytes(let text) = value(field, &random) {
        parts.append(.text(field, .prefix, Array(text.prefix(random.chance(1, in: 2) ? 1 : 1021))))
      }
    }
    for condition in index.condition where random.chance(9, in: 10) {
      switch condition.test {
      case .isNull: parts.append(.isNull(condition.field))
      case .isNotNull: parts.append(.not(.isNull(condition.field)))
      case .compare(let comparison, let constant):
        // The same, or more than that, or nearly that.
        let own = random.chance(1, in: 3) ? value(condition.field, &random) : constant
        let other = Comparison.allCases.randomElement(using: &random) ?? comparison
        parts.append(.compare(condition.field, random.chance(1, in: 3) ? other : comparison, own))
      }
    }
    if random.chance(1, in: 4) {
      parts.append(.compare(1, .less, value(1, &random)))
    }
    var query = ObjectQuery(
      table: fixture.items, predicate: .and(parts.shuffled(using: &random)))
    if random.chance(2, in: 3) {
      let start = random.chance(1, in: 4) ? 0 : equalCount
      let isDescending = random.chance(1, in: 2)
      for field in index.fields.dropFirst(start).prefix(Int.random(in: 1...3, using: &random)) {
        let isOther = random.chance(1, in: 10)
        query.order.append(SortKey(field: field, descending: isDescending != isOther))
      }
      if random.chance(1, in: 6) { query.order.append(SortKey(field: 0, descending: true)) }
    }
    if random.chance(2, in: 3) { query.limit = Int.random(in: 0...30, using: &random) }
    if random.chance(1, in: 4) { query.offset = Int.random(in: 0...20, using: &random) }
    return query
  }
}
