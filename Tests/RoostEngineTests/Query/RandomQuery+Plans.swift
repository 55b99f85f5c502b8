import RoostEngine
import RoostTestSupport

/// Random queries that one kind of plan is made for; whether it is chosen is the planner's business.
extension RandomQuery {
  mutating func nextForAPlan() -> ObjectQuery {
    var query = ObjectQuery(table: fixture.items)
    switch Int.random(in: 0..<16, using: &random) {
    case 0:
      query.predicate = .oneOf(0, (0..<Int.random(in: 1...40, using: &random)).map { _ in key() })
    case 1: query.predicate = range(0, percent: Int.random(in: 1...90, using: &random))
    case 2: query.predicate = equal()
    case 3, 9, 10:
      query.predicate = .or((0..<Int.random(in: 2...4, using: &random)).map { _ in equal() })
    case 4, 11, 12, 13, 14:
      // Beside what costs much to scan for.
      query.predicate = .and([equal([1]), equal([5, 9]), computed(depth: 1, true)])
    case 5:
      query.predicate = random.chance(1, in: 2) ? .always(true) : leaf(true)
      query.order = [SortKey(field: someField(), descending: random.chance(1, in: 2))]
      query.limit = Int.random(in: 1...40, using: &random)
    case 6:
      query.predicate = predicate(depth: 1)
      query.order = [
        SortKey(field: someField(), descending: random.chance(1, in: 2)),
        SortKey(field: someField(), descending: random.chance(1, in: 2)),
      ]
    case 7:
      // What no object can have.
      query.predicate = .and([.compare(1, .greater, .integer(1000)), leaf(true)])
    default:
      query.predicate = .and([
        .compare(1, .greaterOrEqual, .integer(Int64.random(in: 0..<40, using: &random))),
        .compare(1, .less, .integer(Int64.random(in: 0..<40, using: &random))), leaf(true),
      ])
    }
    return query
  }

  private mutating func key() -> Value { constant(0, true) }

  /// Part of the objects, by a range of a field.
  private mutating func range(_ field: FieldID, percent: Int) -> Predicate {
    guard let keys = fixture.oracle.tables[fixture.items]?.keys, let last = keys.last else {
      return .always(true)
    }
    let count = keys.count * percent / 100
    let first = Int.random(in: 0...(keys.count - 1 - count), using: &random)
    return .and([
      .compare(field, .greaterOrEqual, .integer(keys[first])),
      .compare(field, .less, .integer(first + count < keys.count ? keys[first + count] : last)),
    ])
  }

  /// A value of one of some fields is what some item has.
  private mutating func equal(
    _ fields: [FieldID] = [1, 2, 5, 7, 9, 10, 14, 15, 16, 17, 18, 19]
  ) -> Predicate {
    let field = fields[Int.random(in: 0..<fields.count, using: &random)]
    return .compare(field, .equal, constant(field, true))
  }
}
