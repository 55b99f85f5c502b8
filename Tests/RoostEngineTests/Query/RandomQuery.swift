import RoostEngine
import RoostTestSupport

/// Random queries over a fixture's items.
struct RandomQuery {
  let fixture: QueryFixture
  var random: SeededGenerator

  mutating func next() -> ObjectQuery {
    var query = ObjectQuery(
      table: fixture.items, predicate: predicate(depth: Int.random(in: 0...4, using: &random)))
    if random.chance(1, in: 2) {
      for _ in 0..<Int.random(in: 1...3, using: &random) { query.order.append(sortKey()) }
    }
    if random.chance(1, in: 3) { query.limit = Int.random(in: 0...60, using: &random) }
    if random.chance(1, in: 4) { query.offset = Int.random(in: 0...50, using: &random) }
    return query
  }

  mutating func sortKey() -> SortKey {
    let isDescending = random.chance(1, in: 2)
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<4:
      return SortKey(expression(anyType(), depth: 2, isItem: true), descending: isDescending)
    case 4, 5:
      // Of short texts: it takes long to compare long ones so.
      let texts: [ColumnExpression] = [
        .field(5), .field(QueryFixture.Kind.word), .target(9, .field(2)),
        elements(.string) ?? .field(5),
      ]
      return SortKey(
        texts[Int.random(in: 0..<texts.count, using: &random)], descending: isDescending,
        collation: NaiveCollation.swedish)
    default: return SortKey(field: someField(orKey: true), descending: isDescending)
    }
  }

  /// A field of an item with one value.
  mutating func someField(orKey: Bool = false) -> FieldID {
    let plain = QueryFixture.types.count
    let place = Int.random(
      in: (orKey ? 0 : 1)...plain + QueryFixture.Kind.ordered.count, using: &random)
    return FieldID(place <= plain ? place : place + 1)
  }

  mutating func predicate(depth: Int, table: UInt32? = nil) -> Predicate {
    let isItem = (table ?? fixture.items) == fixture.items
    guard depth > 0, random.chance(4, in: 5) else { return leaf(isItem) }
    func parts(_ random: inout SeededGenerator) -> Int { Int.random(in: 0...3, using: &random) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      return .and((0..<parts(&random)).map { _ in predicate(depth: depth - 1, table: table) })
    case 2: return .or((0..<parts(&random)).map { _ in predicate(depth: depth - 1, table: table) })
    case 3: return .not(predicate(depth: depth - 1, table: table))
    case 4 where isItem: return .link(9, predicate(depth: depth - 1, table: fixture.groups))
    case 5 where isItem: return .link(10, predicate(depth: depth - 1, table: fixture.items))
    case 4: return .links(3, predicate(depth: depth - 1, table: fixture.items))
    case 5, 6:
      let (relation, other) = relation(isItem)
      guard case .inverse(let source, let field) = relation else {
        return .links(3, predicate(depth: depth - 1, table: other))
      }
      return .inverse(table: source, field: field, predicate(depth: depth - 1, table: other))
    case 7 where random.chance(1, in: 4): return paired(isItem, depth: depth > 2 ? 1 : 0)
    default: return computed(depth: depth, isItem)
    }
  }

  mutating func leaf(_ isItem: Bool) -> Predicate {
    let field = isItem ? someField(orKey: true) : FieldID.random(in: 0...2, using: &random)
    let texts: [FieldID] = [5, 6, 12, QueryFixture.Kind.word, QueryFixture.Kind.code]
    let isText = isItem ? texts.contains(field) : field == 2
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return random.chance(1, in: 6) ? .always(random.chance(1, in: 2)) : .isNull(field)
    case 1:
      let count = Int.random(in: 0...(random.chance(1, in: 8) ? 60 : 5), using: &random)
      let constants = (0..<count).map { _ in constant(field, isItem) }
      // The same in other words.
      return random.chance(1, in: 2)
        ? .oneOf(field, constants) : .or(constants.map { .compare(field, .equal, $0) })
    case 2, 3, 4:
      guard isText, case .bytes(let bytes) = constant(field, isItem) else { fallthrough }
      let patternShare = field == QueryFixture.Kind.word ? 4 : 1
      guard !random.chance(patternShare, in: 6) else {
        return .matches(.field(field), pattern(bytes))
      }
      let start = Int.random(in: 0...bytes.count, using: &random)
      let end = Int.random(in: start...bytes.count, using: &random)
      let match = TextMatch.allCases[Int.random(in: 0..<3, using: &random)]
      let part =
        match == .prefix ? bytes[..<end] : match == .suffix ? bytes[start...] : bytes[start..<end]
      return .text(
        field, match, Array(random.chance(3, in: 4) ? part.prefix(1100) : part.prefix(3)))
    case 5:
      var bounds = [constant(field, isItem), constant(field, isItem)]
      if fixture.oracle.compare(bounds[0], bounds[1]) > 0 { bounds.swapAt(0, 1) }
      return .and([
        .compare(field, random.chance(1, in: 2) ? .greaterOrEqual : .greater, bounds[0]),
        .compare(field, random.chance(1, in: 2) ? .lessOrEqual : .less, bounds[1]),
      ])
    default:
      let comparison = Comparison.allCases[Int.random(in: 0..<6, using: &random)]
      return .compare(field, comparison, constant(field, isItem))
    }
  }

  /// A value that mostly some row has.
  mutating func constant(_ field: FieldID, _ isItem: Bool) -> Value {
    let table = isItem ? fixture.items : fixture.groups
    let count = fixture.oracle.tables[table]?.keys.count ?? 0
    if field == 0, random.chance(1, in: 4) {
      return .integer(Int64.random(in: -100...3000, using: &random))
    }
    guard count > 0 else { return .null }
    let row = Int.random(in: 0..<count, using: &random)
    return fixture.oracle.value(table, row, field)
  }
}
