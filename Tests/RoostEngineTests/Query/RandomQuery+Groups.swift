import RoostEngine
import RoostTestSupport

/// Random questions for groups of a fixture's items.
extension RandomQuery {
  /// The groups of the objects of a query by up to three keys; without aggregates, the distinct values.
  mutating func groups(of objects: ObjectQuery) -> GroupQuery {
    var query = GroupQuery(objects, by: [])
    for _ in 0..<[0, 1, 1, 1, 1, 2, 2, 3][Int.random(in: 0..<8, using: &random)] {
      query.keys.append(groupKey())
    }
    let isDistinct = !query.keys.isEmpty && random.chance(1, in: 5)
    for _ in 0..<(isDistinct ? 0 : Int.random(in: 1...4, using: &random)) {
      query.aggregates.append(aggregate())
    }
    // What is asked of the groups, and what they are ordered by, depends on which there are.
    guard let groups = fixture.oracle.groups(query), let group = groups.first else { return query }
    if random.chance(1, in: 2) { query.having = having(groups, depth: 2) }
    if random.chance(1, in: 8), let columns = comparedColumns(query, groups) {
      query.having = columns
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let column = Int.random(in: 0..<group.count, using: &random)
      query.order.append(
        SortKey(
          .field(FieldID(column + 1)), descending: random.chance(1, in: 2),
          collation: hasShortTexts(groups, column) && random.chance(1, in: 2)
            ? NaiveCollation.swedish : nil))
    }
    if random.chance(1, in: 3) { query.limit = Int.random(in: 0...20, using: &random) }
    if random.chance(1, in: 3) { query.offset = Int.random(in: 0...4, using: &random) }
    return query
  }

  private mutating func groupKey() -> ColumnExpression {
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      let type = anyType()
      return expression(type, depth: 2, isItem: true)
    case 2, 3:
      // Few groups.
      let keys: [ColumnExpression] = [
        .field(1), .field(8), .field(9), .target(9, .field(1)), .target(9, .field(2)),
      ]
      return keys[Int.random(in: 0..<keys.count, using: &random)]
    case 4:
      // Whole collections.
      let collections: [FieldID] = [
        QueryFixture.marks, QueryFixture.Kind.amounts, QueryFixture.Kind.scores,
        QueryFixture.Kind.titles,
      ]
      return .field(collections[Int.random(in: 0..<collections.count, using: &random)])
    default: return .field(someField(orKey: true))
    }
  }

  private mutating func aggregate() -> Aggregate {
    typealias Kind = QueryFixture.Kind
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return Aggregate(.count, of: 0)
    case 1:
      let type = anyType()
      return Aggregate(.count, of: expression(type, depth: 1, isItem: true))
    case 2, 3, 4:
      let type = anyType()
      let value = expression(type, depth: 1, isItem: true)
      return Aggregate(random.chance(1, in: 2) ? .minimum : .maximum, of: value)
    default:
      // Their sums are exact in any order; only those of the last ones may not fit.
      let numbers: [ColumnExpression] = [
        .field(1), .field(8), .field(11), .target(9, .field(1)),
        .arithmetic(.multiply, .integer(.min ... .max), .field(1), .field(0)),
        .arithmetic(
          .remainder, .unsigned(max: .max), .field(Kind.serial),
          .constant(QueryFixture.unsigned(1000))),
        .conversion(.integer(.min ... .max), .double, .field(1)),
        .elements(QueryFixture.marks, .sum, of: 1, where: .always(true)),
        .arithmetic(
          .multiply, .decimal, .conversion(.integer(.min ... .max), .decimal, .field(1)),
          .constant(DecimalBytes.bytes("0.05").map { .bytes($0) } ?? .null)),
        .field(2), .field(Kind.serial), .field(Kind.cost),
      ]
      let place = Int.random(in: 0..<(random.chance(1, in: 8) ? 12 : 9), using: &random)
      return Aggregate(random.chance(1, in: 2) ? .sum : .average, of: numbers[place])
    }
  }

  /// A comparison of two columns of groups, where two are sure to have values of one type.
  private mutating func comparedColumns(
    _ query: GroupQuery, _ groups: [[Value]]
  ) -> Predicate? {
    let function: AggregateFunction = random.chance(1, in: 2) ? .count : .average
    let columns = query.aggregates.indices.filter { query.aggregates[$0].function == function }
      .map { query.keys.count + $0 }
    // Averages of decimal numbers are decimal, others are not.
    let type = { (column: Int) in groups.lazy.compactMap { $0[column].type }.first }
    guard let first = columns.first,
      let last = columns.last(where: { type($0) == type(first) }), first < last
    else { return nil }
    return .comparison(
      .field(FieldID(first + 1)), Comparison.allCases[Int.random(in: 0..<6, using: &random)],
      .field(FieldID(last + 1)))
  }

  private func hasShortTexts(_ groups: [[Value]], _ column: Int) -> Bool {
    groups.allSatisfy { row in
      guard case .bytes(let bytes) = row[column] else { return row[column] == .null }
      return bytes.count < 40 && String(validating: bytes, as: UTF8.self) != nil
    } && groups.contains { $0[column] != .null }
  }

  /// A condition on the columns of groups, with values that some have.
  private mutating func having(_ groups: [[Value]], depth: Int) -> Predicate {
    if depth > 0, random.chance(1, in: 2) {
      let first = having(groups, depth: depth - 1)
      let second = having(groups, depth: depth - 1)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return .and([first, second])
      case 1: return .or([first, second])
      default: return .not(first)
      }
    }
    let column = Int.random(in: 0..<groups[0].count, using: &random)
    let field = FieldID(column + 1)
    func value(_ random: inout SeededGenerator) -> Value {
      groups[Int.random(in: 0..<groups.count, using: &random)][column]
    }
    let some = value(&random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return random.chance(1, in: 2) ? .isNull(field) : .not(.isNull(field))
    case 1: return .oneOf(field, (0..<3).map { _ in value(&random) })
    case 2, 3:
      guard case .bytes(let bytes) = some else { fallthrough }
      if random.chance(1, in: 2) { return .matches(.field(field), pattern(bytes)) }
      let match = TextMatch.allCases[Int.random(in: 0..<3, using: &random)]
      let count = Int.random(in: 0...min(bytes.count, 3), using: &random)
      return .text(
        field, match, Array(match == .suffix ? bytes.suffix(count) : bytes.prefix(count)))
    default:
      return .compare(field, Comparison.allCases[Int.random(in: 0..<6, using: &random)], some)
    }
  }
}
