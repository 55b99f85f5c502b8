import Foundation
import RoostTestSupport

private typealias Expressions = PredicateExpressions

/// Random predicates of expressions of a few types, each made of others.
///
/// None of them has Foundation stop the program: numbers are small, divisors are not 0, and what is unwrapped is not nil.
struct RandomPredicate {
  private let guest: PredicateExpressions.Variable<Guest>
  private var random: SeededGenerator

  static func predicate(depth: Int, seed: UInt64) -> Predicate<Guest> {
    Predicate { guest in
      var maker = RandomPredicate(guest: guest, random: SeededGenerator(seed: seed))
      return maker.condition(depth)
    }
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func word() -> String { Guests.words.randomElement(using: &random) ?? "" }

  private func field<Value>(
    _ path: any KeyPath<Guest, Value> & Sendable
  ) -> PredicateExpressions.KeyPath<PredicateExpressions.Variable<Guest>, Value> {
    PredicateExpressions.build_KeyPath(root: guest, keyPath: path)
  }

  // MARK: Conditions

  private mutating func condition(_ depth: Int) -> any StandardPredicateExpression<Bool> {
    guard depth > 0 else { return smallCondition() }
    switch number(0...11) {
    case 0: return Self.and(condition(depth - 1), condition(depth - 1))
    case 1: return Self.or(condition(depth - 1), condition(depth - 1))
    case 2: return Self.not(condition(depth - 1))
    case 3: return Self.choice(condition(depth - 1), condition(depth - 1), condition(depth - 1))
    case 4: return compare(integer(depth - 1), integer(depth - 1))
    case 5: return compare(text(depth - 1), text(0))
    case 6: return compare(double(depth - 1), double(depth - 1))
    case 7: return equal(optionalInteger(depth - 1), optionalInteger(depth - 1))
    case 8: return equal(optionalText(depth - 1), optionalText(depth - 1))
    case 9: return equal(condition(depth - 1), condition(depth - 1))
    case 10: return oneOf(integer(depth - 1))
    default: return matched(text(depth - 1))
    }
  }

  private mutating func smallCondition() -> any StandardPredicateExpression<Bool> {
    let value = number(-3...12)
    let word = word()
    switch number(0...15) {
    case 0: return field(\.isActive)
    case 1: return equal(field(\.isPaid), Expressions.build_Arg((number(0...1) == 1) as Bool?))
    case 2:
      return Expressions.build_contains(field(\.tags), Expressions.build_Arg(word))
    case 3:
      return Expressions.build_contains(field(\.scores)) {
        Expressions.build_Comparison(
          lhs: $0, rhs: Expressions.build_Arg(Double(value) / 2), op: .lessThan)
      }
    case 4:
      return Expressions.build_allSatisfy(field(\.steps)) {
        Expressions.build_NotEqual(
          lhs: Expressions.build_KeyPath(root: $0, keyPath: \.name),
          rhs: Expressions.build_Arg(word))
      }
    case 5:
      return Expressions.build_contains(field(\.steps)) {
        Expressions.build_Conjunction(
          lhs: Expressions.build_Comparison(
            lhs: Expressions.build_KeyPath(root: $0, keyPath: \.minutes),
            rhs: Expressions.build_Arg(value * 6), op: .greaterThan),
          rhs: Expressions.build_Equal(
            lhs: Expressions.build_KeyPath(root: $0, keyPath: \.level),
            rhs: Expressions.build_NilLiteral()))
      }
    case 6: return matched(text(0))
    case 7: return compare(integer(0), integer(0))
    case 8: return equal(optionalText(0), Expressions.build_NilLiteral())
    case 9: return equal(optionalInteger(0), Expressions.build_NilLiteral())
    case 10:
      return Expressions.build_contains(
        Expressions.build_ClosedRange(
          lower: Expressions.build_Arg(value), upper: Expressions.build_Arg(value + 20)),
        field(\.age))
    case 11:
      return Expressions.build_Equal(
        lhs: field(\.work), rhs: Expressions.build_NilLiteral())
    case 12: return compare(double(0), double(0))
    case 13:
      return Expressions.build_contains(field(\.scores)) {
        Expressions.build_Comparison(lhs: $0, rhs: field(\.height), op: .lessThan)
      }
    case 14:
      return Expressions.build_allSatisfy(field(\.steps)) {
        Expressions.build_Disjunction(
          lhs: Expressions.build_Comparison(
            lhs: Expressions.build_KeyPath(root: $0, keyPath: \.minutes),
            rhs: Expressions.build_Arithmetic(
              lhs: field(\.age), rhs: Expressions.build_Arg(value), op: .add),
            op: .greaterThan),
          rhs: Expressions.build_Equal(
            lhs: Expressions.build_KeyPath(root: $0, keyPath: \.level), rhs: field(\.rank)))
      }
    default: return Expressions.build_Arg(number(0...1) == 1)
    }
  }

  private mutating func compare<Value: Comparable>(
    _ a: any StandardPredicateExpression<Value>, _ b: any StandardPredicateExpression<Value>
  ) -> any StandardPredicateExpression<Bool> {
    switch number(0...5) {
    case 0: equal(a, b)
    case 1: Self.unequal(a, b)
    case 2: Self.compare(a, b, .lessThan)
    case 3: Self.compare(a, b, .lessThanOrEqual)
    case 4: Self.compare(a, b, .greaterThan)
    default: Self.compare(a, b, .greaterThanOrEqual)
    }
  }

  private mutating func equal<Value: Equatable>(
    _ a: any StandardPredicateExpression<Value>, _ b: any StandardPredicateExpression<Value>
  ) -> any StandardPredicateExpression<Bool> {
    number(0...1) == 0 ? Self.same(a, b) : Self.not(Self.unequal(a, b))
  }

  private mutating func oneOf(
    _ value: some StandardPredicateExpression<Int>
  ) -> any StandardPredicateExpression<Bool> {
    let values = (0..<number(0...5)).map { _ in number(-3...40) }
    return PredicateExpressions.build_contains(PredicateExpressions.build_Arg(values), value)
  }

  private mutating func matched(
    _ text: some StandardPredicateExpression<String>
  ) -> any StandardPredicateExpression<Bool> {
    switch number(0...2) {
    case 0: Expressions.build_contains(text, Expressions.build_Arg(word()))
    case 1: Expressions.build_starts(text, with: Expressions.build_Arg(word()))
    default: Expressions.build_KeyPath(root: text, keyPath: \.isEmpty)
    }
  }

  // MARK: Numbers

  private mutating func integer(_ depth: Int) -> any StandardPredicateExpression<Int> {
    guard depth > 0 else {
      switch number(0...6) {
      case 0: return field(\.age)
      case 1: return field(\.id)
      case 2: return Expressions.build_KeyPath(root: field(\.home), keyPath: \.floor)
      case 3: return Expressions.build_KeyPath(root: field(\.tags), keyPath: \.count)
      case 4:
        return Expressions.build_KeyPath(
          root: Expressions.build_filter(field(\.scores)) {
            Expressions.build_Comparison(
              lhs: $0, rhs: Expressions.build_Arg(0.5), op: .greaterThan)
          }, keyPath: \.count)
      default: return Expressions.build_Arg(number(-3...30))
      }
    }
    switch number(0...7) {
    case 0: return Self.calculate(integer(depth - 1), integer(depth - 1), .add)
    case 1: return Self.calculate(integer(depth - 1), integer(depth - 1), .subtract)
    case 2: return Self.calculate(integer(depth - 1), integer(depth - 1), .multiply)
    case 3: return Self.negative(integer(depth - 1))
    case 4: return Self.quotient(integer(depth - 1), number(1...9))
    case 5: return Self.remainder(integer(depth - 1), -number(1...9))
    case 6: return Self.choice(condition(depth - 1), integer(depth - 1), integer(depth - 1))
    default: return Self.coalesce(optionalInteger(depth - 1), integer(depth - 1))
    }
  }

  private mutating func optionalInteger(_ depth: Int) -> any StandardPredicateExpression<Int?> {
    guard depth > 0 else {
      switch number(0...5) {
      case 0:
        return Expressions.build_flatMap(field(\.work)) {
          Expressions.build_KeyPath(root: $0, keyPath: \.desk)
        }
      case 1:
        return Expressions.build_flatMap(field(\.work)) {
          Expressions.build_KeyPath(
            root: Expressions.build_KeyPath(root: $0, keyPath: \.place), keyPath: \.floor)
        }
      case 2:
        return Expressions.build_flatMap(field(\.sizes)) { Expressions.build_max($0) }
      case 3: return Expressions.build_Arg(number(-3...5) as Int?)
      default: return field(\.debt)
      }
    }
    let other = number(-3...5)
    switch number(0...3) {
    case 0: return Self.sum(optionalInteger(depth - 1), other)
    case 1: return Self.larger(optionalInteger(depth - 1), other)
    case 2: return Self.unwrapped(optionalInteger(depth - 1), integer(0))
    default:
      return Self.choice(
        condition(depth - 1), optionalInteger(depth - 1), optionalInteger(depth - 1))
    }
  }

  private mutating func double(_ depth: Int) -> any StandardPredicateExpression<Double> {
    guard depth > 0 else {
      return number(0...1) == 0
        ? field(\.height) : Expressions.build_Arg(Double(number(-8...8)) / 4)
    }
    switch number(0...3) {
    case 0: return Self.calculate(double(depth - 1), double(depth - 1), .add)
    case 1: return Self.calculate(double(depth - 1), double(depth - 1), .multiply)
    case 2: return Self.ratio(double(depth - 1), double(depth - 1))
    default: return Self.choice(condition(depth - 1), double(depth - 1), double(depth - 1))
    }
  }

  // MARK: Texts

  private mutating func text(_ depth: Int) -> any StandardPredicateExpression<String> {
    guard depth > 0 else {
      switch number(0...3) {
      case 0: return Expressions.build_KeyPath(root: field(\.home), keyPath: \.city)
      case 1: return Expressions.build_Arg(word())
      default: return field(\.name)
      }
    }
    return number(0...1) == 0
      ? Self.coalesce(optionalText(depth - 1), text(depth - 1))
      : Self.choice(condition(depth - 1), text(depth - 1), text(depth - 1))
  }

  private mutating func optionalText(_ depth: Int) -> any StandardPredicateExpression<String?> {
    guard depth > 0 else {
      switch number(0...4) {
      case 0: return Expressions.build_KeyPath(root: field(\.home), keyPath: \.zip)
      case 1:
        return Expressions.build_flatMap(field(\.work)) {
          Expressions.build_KeyPath(
            root: Expressions.build_KeyPath(root: $0, keyPath: \.place), keyPath: \.zip)
        }
      case 2: return Expressions.build_subscript(field(\.names), Expressions.build_Arg(word()))
      case 3: return Expressions.build_Arg(word() as String?)
      default: return field(\.nick)
      }
    }
    return Self.choice(condition(depth - 1), optionalText(depth - 1), optionalText(depth - 1))
  }
}

// What is made of expressions whose types only the run knows.
extension RandomPredicate {
  private static func and(
    _ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>
  ) -> any StandardPredicateExpression<Bool> { Expressions.build_Conjunction(lhs: a, rhs: b) }

  private static func or(
    _ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>
  ) -> any StandardPredicateExpression<Bool> { Expressions.build_Disjunction(lhs: a, rhs: b) }

  private static func not(
    _ a: some StandardPredicateExpression<Bool>
  ) -> any StandardPredicateExpression<Bool> { Expressions.build_Negation(a) }

  private static func choice<Value>(
    _ test: some StandardPredicateExpression<Bool>, _ a: some StandardPredicateExpression<Value>,
    _ b: some StandardPredicateExpression<Value>
  ) -> any StandardPredicateExpression<Value> { Expressions.build_Conditional(test, a, b) }

  private static func same<Value: Equatable>(
    _ a: some StandardPredicateExpression<Value>, _ b: some StandardPredicateExpression<Value>
  ) -> any StandardPredicateExpression<Bool> { Expressions.build_Equal(lhs: a, rhs: b) }

  private static func unequal<Value: Equatable>(
    _ a: some StandardPredicateExpression<Value>, _ b: some StandardPredicateExpression<Value>
  ) -> any StandardPredicateExpression<Bool> { Expressions.build_NotEqual(lhs: a, rhs: b) }

  private static func compare<Value: Comparable>(
    _ a: some StandardPredicateExpression<Value>, _ b: some StandardPredicateExpression<Value>,
    _ comparison: PredicateExpressions.ComparisonOperator
  ) -> any StandardPredicateExpression<Bool> {
    Expressions.build_Comparison(lhs: a, rhs: b, op: comparison)
  }

  private static func calculate<Value: Numeric>(
    _ a: some StandardPredicateExpression<Value>, _ b: some StandardPredicateExpression<Value>,
    _ operation: PredicateExpressions.ArithmeticOperator
  ) -> any StandardPredicateExpression<Value> {
    Expressions.build_Arithmetic(lhs: a, rhs: b, op: operation)
  }

  private static func negative(
    _ a: some StandardPredicateExpression<Int>
  ) -> any StandardPredicateExpression<Int> { Expressions.build_UnaryMinus(a) }

  private static func quotient(
    _ a: some StandardPredicateExpression<Int>, _ divisor: Int
  ) -> any StandardPredicateExpression<Int> {
    Expressions.build_Division(lhs: a, rhs: Expressions.build_Arg(divisor))
  }

  private static func remainder(
    _ a: some StandardPredicateExpression<Int>, _ divisor: Int
  ) -> any StandardPredicateExpression<Int> {
    Expressions.build_Remainder(lhs: a, rhs: Expressions.build_Arg(divisor))
  }

  private static func ratio(
    _ a: some StandardPredicateExpression<Double>, _ b: some StandardPredicateExpression<Double>
  ) -> any StandardPredicateExpression<Double> { Expressions.build_Division(lhs: a, rhs: b) }

  private static func coalesce<Value>(
    _ a: some StandardPredicateExpression<Value?>, _ b: some StandardPredicateExpression<Value>
  ) -> any StandardPredicateExpression<Value> { Expressions.build_NilCoalesce(lhs: a, rhs: b) }

  /// A sum that is nil where the number is.
  private static func sum(
    _ a: some StandardPredicateExpression<Int?>, _ other: Int
  ) -> any StandardPredicateExpression<Int?> {
    Expressions.build_flatMap(a) {
      Expressions.build_Arithmetic(lhs: $0, rhs: Expressions.build_Arg(other), op: .add)
    }
  }

  /// The larger of two numbers, nil where the first is.
  private static func larger(
    _ a: some StandardPredicateExpression<Int?>, _ other: Int
  ) -> any StandardPredicateExpression<Int?> {
    Expressions.build_flatMap(a) {
      Expressions.build_Conditional(
        Expressions.build_Comparison(
          lhs: $0, rhs: Expressions.build_Arg(other), op: .greaterThan), $0,
        Expressions.build_Arg(other))
    }
  }

  /// A number doubled by `!` where it is no nil, and another where it is.
  private static func unwrapped(
    _ a: some StandardPredicateExpression<Int?>, _ other: some StandardPredicateExpression<Int>
  ) -> any StandardPredicateExpression<Int?> {
    let isThere = Expressions.build_NotEqual(lhs: a, rhs: Expressions.NilLiteral<Int>())
    let doubled = Expressions.build_Arithmetic(
      lhs: Expressions.build_ForcedUnwrap(a), rhs: Expressions.build_Arg(2), op: .multiply)
    return Expressions.ForceCast<_, Int?>(Expressions.build_Conditional(isThere, doubled, other))
  }
}
