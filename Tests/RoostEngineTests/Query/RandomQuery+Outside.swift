import RoostEngine
import RoostTestSupport

extension RandomQuery {
  /// A condition on an object that compares it with what it has to do with.
  ///
  /// - Parameter around: Which of the objects from which one came to it are items, the last one last.
  mutating func paired(_ isItem: Bool, around: [Bool] = [], depth: Int) -> Predicate {
    let outside = around + [isItem]
    if isItem, random.chance(1, in: 5) {
      let condition = Predicate.comparison(
        .field(1), anyComparison(), named(.integer, outside, levels: 1))
      let function = AggregateFunction.count
      return .comparison(
        .elements(
          QueryFixture.marks, function, of: 0,
          where: random.chance(1, in: 3)
            ? .not(condition) : condition),
        .greater, .constant(.integer(Int64.random(in: 0...1, using: &random))))
    }
    if isItem, random.chance(1, in: 4) {
      let isParent = random.chance(1, in: 2)
      let link: FieldID = isParent ? 10 : 9
      guard random.chance(1, in: 2) else {
        return .link(link, pair(isParent, outside, depth: depth))
      }
      let sum = sum(isParent, outside)
      return .comparison(.target(link, sum), anyComparison(), plain(.integer, isItem))
    }
    let (relation, table) = relation(isItem)
    let isOtherItem = table == fixture.items
    let condition = pair(isOtherItem, outside, depth: depth)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let count = ColumnExpression.related(relation, .count, .field(0), where: condition)
      return .comparison(
        count, anyComparison(), .constant(.integer(Int64.random(in: 0...4, using: &random))))
    case 1:
      let functions: [AggregateFunction] = [.sum, .minimum, .maximum, .count]
      let function = functions[Int.random(in: 0..<4, using: &random)]
      let isWhole = random.chance(1, in: 2)
      let value = ColumnExpression.related(
        relation, function, sum(isOtherItem, outside), where: isWhole ? .always(true) : condition)
      return .comparison(value, anyComparison(), plain(.integer, isItem))
    default:
      return switch relation {
      case .links(let field): .links(field, condition)
      case .inverse(let table, let field): .inverse(table: table, field: field, condition)
      }
    }
  }

  /// A condition on an object that compares it with one outside.
  private mutating func pair(_ isItem: Bool, _ outside: [Bool], depth: Int) -> Predicate {
    let type = random.chance(1, in: 3) ? PhysicalType.bytes : .integer
    let levels = Int.random(in: 1...outside.count, using: &random)
    let compared: Predicate
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      compared = .comparison(
        sum(isItem, outside), anyComparison(),
        .constant(.integer(Int64.random(in: -50...50, using: &random))))
    case 1:
      compared = .comparison(
        named(type, outside, levels: levels), anyComparison(), plain(type, isItem))
    default:
      compared = .comparison(
        plain(type, isItem), anyComparison(), named(type, outside, levels: levels))
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .not(compared)
    case 1: return .and([compared, leaf(isItem)])
    case 2: return .or([compared, leaf(isItem)])
    case 3 where depth > 0:
      return .or([compared, paired(isItem, around: outside, depth: depth - 1)])
    case 4 where depth > 0: return .not(paired(isItem, around: outside, depth: depth - 1))
    default: return compared
    }
  }

  /// A number of an object and one of an object outside, as one.
  private mutating func sum(_ isItem: Bool, _ outside: [Bool]) -> ColumnExpression {
    let levels = Int.random(in: 1...outside.count, using: &random)
    return .arithmetic(
      random.chance(1, in: 2) ? .add : .subtract, .integer(.min ... .max),
      plain(.integer, isItem), named(.integer, outside, levels: levels))
  }

  /// A value of an object so far outside.
  private mutating func named(
    _ type: PhysicalType, _ outside: [Bool], levels: Int
  ) -> ColumnExpression {
    let isItem = outside[outside.count - levels]
    var value = plain(type, isItem)
    switch Int.random(in: 0..<5, using: &random) {
    case 0 where type == .integer:
      value = .related(relation(isItem).0, .count, .field(0), where: .always(true))
    case 1 where type == .integer: value = .coalescing(value, .constant(.integer(3)))
    case 2 where isItem: value = .target(9, plain(type, false))
    default: break
    }
    for _ in 0..<levels { value = .outside(value) }
    return value
  }

  private mutating func plain(_ type: PhysicalType, _ isItem: Bool) -> ColumnExpression {
    guard type == .integer else { return .field(isItem ? 5 : 2) }
    return .field(isItem ? FieldID.random(in: 0...2, using: &random) : 1)
  }

  private mutating func anyComparison() -> Comparison {
    Comparison.allCases[Int.random(in: 0..<6, using: &random)]
  }
}
