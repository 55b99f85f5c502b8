import RoostEngine
import RoostTestSupport

/// Random questions about the elements of an item's collections.
extension RandomQuery {
  /// What the marks of an item give together.
  mutating func elements(_ type: FieldType) -> ColumnExpression? {
    if random.chance(2, in: 3), let value = dictionaryValue(type) { return value }
    let condition =
      random.chance(1, in: 3)
      ? Predicate.always(true) : elementCondition(Int.random(in: 0...2, using: &random))
    let functions: [(AggregateFunction, FieldID)]
    switch type {
    case .int:
      functions = [(.count, 0), (.count, 0), (.count, 1), (.sum, 1), (.minimum, 1), (.maximum, 1)]
    case .double: functions = [(.average, 1)]
    case .string: functions = [(.minimum, 2), (.maximum, 2)]
    default: return nil
    }
    let (function, part) = functions[Int.random(in: 0..<functions.count, using: &random)]
    return .elements(QueryFixture.marks, function, of: part, where: condition)
  }

  /// What a dictionary has by a key, or what its elements give together.
  private mutating func dictionaryValue(_ type: FieldType) -> ColumnExpression? {
    typealias Kind = QueryFixture.Kind
    let field: FieldID
    switch type {
    case .uint: field = Kind.amounts
    case .double: field = Kind.scores
    case .string: field = Kind.titles
    case .int:
      let condition = dictionaryCondition(Kind.amounts)
      return .elements(Kind.amounts, .count, of: random.chance(1, in: 2) ? 0 : 2, where: condition)
    default: return nil
    }
    let isByKey = random.chance(3, in: 4)
    let functions: [AggregateFunction] =
      switch type {
      case .uint: [.sum, .minimum, .maximum]
      case .double: [.sum, .average, .minimum, .maximum]
      default: [.minimum, .maximum]
      }
    return .elements(
      field, isByKey ? .minimum : functions[Int.random(in: 0..<functions.count, using: &random)],
      of: 2,
      where: isByKey ? .compare(1, .equal, dictionaryKey(field)) : dictionaryCondition(field))
  }

  private mutating func dictionaryKey(_ field: FieldID) -> Value {
    if field == QueryFixture.Kind.scores {
      return .integer(Int64.random(in: -1...3, using: &random))
    }
    let keys = QueryFixture.dictionaryKeys
    return .bytes(Array(keys[Int.random(in: 0..<keys.count, using: &random)].utf8))
  }

  /// A condition on a key, on a value, or on neither.
  private mutating func dictionaryCondition(_ field: FieldID) -> Predicate {
    let comparison = Comparison.allCases[Int.random(in: 0..<6, using: &random)]
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return .always(true)
    case 1: return .compare(1, comparison, dictionaryKey(field))
    case 2: return .oneOf(1, [dictionaryKey(field), dictionaryKey(field)])
    default:
      let value: Value =
        switch field {
        case QueryFixture.Kind.amounts:
          QueryFixture.unsigned(UInt64.random(in: 0..<40, using: &random))
        case QueryFixture.Kind.scores: .double(Double(Int.random(in: -4...4, using: &random)) / 4)
        default: .bytes(Array(QueryFixture.word(&random).utf8))
        }
      return .compare(2, comparison, value)
    }
  }

  /// A condition on a mark.
  mutating func elementCondition(_ depth: Int) -> Predicate {
    func part(_ random: inout RandomQuery) -> Predicate { random.elementCondition(depth - 1) }
    if depth > 0 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: return .and([part(&self), part(&self)])
      case 1: return .or([part(&self), part(&self)])
      case 2: return .not(part(&self))
      default: break
      }
    }
    let comparison = Comparison.allCases[Int.random(in: 0..<6, using: &random)]
    let number = Value.integer(Int64.random(in: -3...9, using: &random))
    guard case .bytes(let word) = QueryFixture.text(&random, long: false) else { return .isNull(1) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .isNull(1)
    case 1: return .oneOf(1, [number, random.chance(1, in: 3) ? .null : .integer(2)])
    case 2, 3: return .compare(1, comparison, number)
    case 4: return .compare(2, comparison, .bytes(word))
    case 5: return .oneOf(2, [.bytes(word), .bytes(Array("an".utf8))])
    case 6: return .text(2, TextMatch.allCases[Int.random(in: 0..<3, using: &random)], word)
    default: return .matches(.field(2), pattern(word))
    }
  }
}
