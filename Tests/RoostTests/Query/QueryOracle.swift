import Roost
import RoostTestSupport

/// A random condition twice: as a query and as plain Swift.
struct RandomCondition {
  let query: (QueryRoot<Person>) -> QueryCondition
  let plain: (Person, [Int: Group]) -> Bool

  static func random(
    depth: Int, using random: inout SeededGenerator
  ) -> RandomCondition {
    guard depth > 0, random.chance(2, in: 3) else { return leaf(using: &random) }
    let a = RandomCondition.random(depth: depth - 1, using: &random)
    if random.chance(1, in: 4) {
      return RandomCondition(query: { !a.query($0) }, plain: { !a.plain($0, $1) })
    }
    let b = RandomCondition.random(depth: depth - 1, using: &random)
    if random.chance(1, in: 2) {
      return RandomCondition(
        query: { a.query($0) && b.query($0) }, plain: { a.plain($0, $1) && b.plain($0, $1) })
    }
    return RandomCondition(
      query: { a.query($0) || b.query($0) }, plain: { a.plain($0, $1) || b.plain($0, $1) })
  }

  private static func leaf(using random: inout SeededGenerator) -> RandomCondition {
    let number = Int.random(in: -2...12, using: &random)
    let other = number + Int.random(in: 0...4, using: &random)
    let text = People.text(using: &random)
    let half = Double(number) / 2
    let mood: Mood = random.chance(1, in: 2) ? .calm : .wild
    let rank: Rank? = random.chance(1, in: 3) ? nil : Rank.allCases.randomElement(using: &random)
    switch Int.random(in: 0..<36, using: &random) {
    case 0: return .init(query: { $0.age == number }, plain: { p, _ in p.age == number })
    case 1: return .init(query: { $0.age != number }, plain: { p, _ in p.age != number })
    case 2: return .init(query: { $0.age < number }, plain: { p, _ in p.age < number })
    case 3: return .init(query: { $0.age <= number }, plain: { p, _ in p.age <= number })
    case 4: return .init(query: { $0.age > number }, plain: { p, _ in p.age > number })
    case 5: return .init(query: { $0.age >= number }, plain: { p, _ in p.age >= number })
    case 6: return .init(query: { $0.id < number * 10 }, plain: { p, _ in p.id < number * 10 })
    case 7:
      return .init(
        query: { $0.id.in([number, other, 40]) },
        plain: { p, _ in [number, other, 40].contains(p.id) })
    case 8: return .init(query: { $0.name == text }, plain: { p, _ in p.name == text })
    case 9: return .init(query: { $0.name != text }, plain: { p, _ in p.name != text })
    case 10: return .init(query: { $0.name < text }, plain: { p, _ in p.name < text })
    case 11: return .init(query: { $0.name >= text }, plain: { p, _ in p.name >= text })
    case 12:
      return .init(
        query: { $0.name.contains(text) },
        plain: { p, _ in text.isEmpty || p.name.contains(text) })
    case 13:
      return .init(query: { $0.name.hasPrefix(text) }, plain: { p, _ in p.name.hasPrefix(text) })
    case 14:
      return .init(query: { $0.name.hasSuffix(text) }, plain: { p, _ in p.name.hasSuffix(text) })
    case 15: return .init(query: { $0.nickname == nil }, plain: { p, _ in p.nickname == nil })
    case 16: return .init(query: { $0.nickname != nil }, plain: { p, _ in p.nickname != nil })
    case 17: return .init(query: { $0.nickname == text }, plain: { p, _ in p.nickname == text })
    case 18: return .init(query: { $0.nickname != text }, plain: { p, _ in p.nickname != text })
    case 19:
      return .init(
        query: { $0.nickname < text }, plain: { p, _ in p.nickname.map { $0 < text } ?? false })
    case 20:
      return .init(
        query: { $0.nickname.contains(text) },
        plain: { p, _ in p.nickname.map { text.isEmpty || $0.contains(text) } ?? false })
    case 21:
      return .init(
        query: { $0.nickname.in([nil, text]) }, plain: { p, _ in [nil, text].contains(p.nickname) })
    case 22: return .init(query: { $0.score == half }, plain: { p, _ in p.score == half })
    case 23: return .init(query: { $0.score != half }, plain: { p, _ in p.score != half })
    case 24: return .init(query: { $0.score < half }, plain: { p, _ in p.score < half })
    case 25:
      return .init(
        query: { $0.score.in(half...max(half, Double(other))) },
        plain: { p, _ in (half...max(half, Double(other))).contains(p.score) })
    case 26:
      return .init(
        query: { $0.age.in(number..<other) }, plain: { p, _ in (number..<other).contains(p.age) })
    case 27: return .init(query: { $0.mood == mood }, plain: { p, _ in p.mood == mood })
    case 28: return .init(query: { $0.mood != mood }, plain: { p, _ in p.mood != mood })
    case 29: return .init(query: { $0.rank == rank }, plain: { p, _ in p.rank == rank })
    case 30:
      return .init(
        query: { $0.rank >= .middle }, plain: { p, _ in p.rank.map { $0.rawValue >= 20 } ?? false })
    case 31: return .init(query: { $0.isActive == true }, plain: { p, _ in p.isActive })
    case 32:
      return .init(
        query: { $0.group == Link(id: number) }, plain: { p, _ in p.group == Link(id: number) })
    case 33:
      return .init(
        query: { $0.group.name == text },
        plain: { p, groups in p.group.flatMap { groups[$0.id]?.name } == text })
    case 34:
      return .init(
        query: { $0.group.size != number },
        plain: { p, groups in p.group.flatMap { groups[$0.id]?.size } != number })
    default:
      return .init(
        query: { $0.group.size == nil || $0.group.id > number },
        plain: { p, groups in
          p.group.flatMap { groups[$0.id]?.size } == nil || p.group.map { $0.id > number } ?? false
        })
    }
  }
}

/// Random people, whose values collide often.
enum People {
  static func text(using random: inout SeededGenerator) -> String {
    let syllables = ["", "a", "an", "ann", "b", "é", "ba", "nan", "😀", "x\u{0}"]
    return (0..<Int.random(in: 0...3, using: &random))
      .map { _ in syllables.randomElement(using: &random) ?? "" }.joined()
  }

  static func groups(using random: inout SeededGenerator) -> [Group] {
    (0..<8).map {
      Group(
        id: $0, name: text(using: &random),
        size: random.chance(1, in: 3) ? nil : Int.random(in: 0...9, using: &random))
    }
  }

  static func person(_ id: Int, using random: inout SeededGenerator) -> Person {
    Person(
      id: id, name: text(using: &random),
      nickname: random.chance(1, in: 3) ? nil : text(using: &random),
      age: Int.random(in: 0...9, using: &random),
      score: random.chance(1, in: 20)
        ? .nan : Double(Int.random(in: -3...12, using: &random)) / 2,
      mood: random.chance(1, in: 2) ? .calm : .wild,
      rank: random.chance(1, in: 3) ? nil : Rank.allCases.randomElement(using: &random),
      isActive: random.chance(1, in: 2),
      group: random.chance(1, in: 3) ? nil : Link(id: Int.random(in: 0..<8, using: &random)))
  }
}
